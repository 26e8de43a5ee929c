"""Modules as pure functions of their parameters: `functional_call` and `stack_module_state`."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions


def _merged(given: Any) -> dict[str, Tensor]:
    """One dict from one dict or several; a name in two of them is an error."""
    if isinstance(given, dict):
        return given
    if not isinstance(given, (list, tuple)) or not all(isinstance(d, dict) for d in given):
        raise TypeError(
            f"Expected all elements of parameter_and_buffer_dicts to be dictionaries, or a dictionary, but got {type(given)}"
        )
    merged: dict[str, Tensor] = {}
    for part in given:
        for name, value in part.items():
            if name in merged:
                raise ValueError(f"{name} appears in multiple dictionaries; behavior of functional call is ambiguous")
            merged[name] = value
    return merged


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Mapping[str, Tensor] | Sequence[Mapping[str, Tensor]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`module(*args, **kwargs)` with other tensors in the place of some parameters and buffers, which stay untouched.

    What the call assigns to a buffer goes to the caller's dict. `tie_weights`: a tensor given for one of several names of a
    shared parameter stands for all of them. `strict`: the names must be exactly those of the module, else RuntimeError.
    """
    from ..nn.utils.stateless import _functional_call

    values = _merged(parameter_and_buffer_dicts)
    return _functional_call(module, values, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of several models of one class, stacked: dicts for `vmap(functional_call)`."""
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    training = {m.training for m in models}
    if len(training) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(parts: Sequence[dict[str, Tensor]]) -> dict[str, Any]:
        out = {}
        for name in parts[0]:
            tensors = [part[name] for part in parts]
            needed = {t.requires_grad for t in tensors}
            if len(needed) > 1:
                raise RuntimeError(
                    f"Expected {name} from each model to have the same .requires_grad; it differs between models"
                )
            out[name] = _ops.stack([t.detach() for t in tensors]).requires_grad_(needed.pop())
        return out

    return (
        stacked([dict(m.named_parameters()) for m in models]),
        stacked([dict(m.named_buffers()) for m in models]),
    )
