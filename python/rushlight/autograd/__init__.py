"""Automatic differentiation: `backward`, `grad`, custom functions, forward mode and checks (`torch.autograd`)."""

from __future__ import annotations

import sys

from .. import _C
from .._backward_pass import run_backward
from .._grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled
from . import grad_mode
from .function import Function
from .gradcheck import gradcheck, gradgradcheck
from .variable import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .. import Tensor

__all__ = [
    "Function",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "forward_ad",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]

_ops = _C._VariableFunctions

_ATTRIBUTES = {
    "detect_anomaly": "anomaly_mode",
    "set_detect_anomaly": "anomaly_mode",
}
_SUBMODULES = ("anomaly_mode", "forward_ad", "functional", "graph", "profiler", "profiler_legacy")


def __getattr__(name: str) -> Any:
    if name not in _ATTRIBUTES and name not in _SUBMODULES:
        raise AttributeError(f"module 'torch.autograd' has no attribute '{name}'")
    module = f"{__name__}.{_ATTRIBUTES.get(name, name)}"
    __import__(module)
    found = sys.modules[module]
    if name in _ATTRIBUTES:
        found = globals()[name] = getattr(found, name)
    return found


def _weights(value: Any, outputs: Sequence[Any]) -> tuple[Any, ...]:
    """The gradients given for the outputs, as a tuple; None when none were."""
    if value is None:
        return (None,) * len(outputs)
    return (value,) if isinstance(value, _C.Tensor) else tuple(value)


def _roots(outputs: Any) -> tuple[Any, ...]:
    """Tensors or gradient edges to start from, or to arrive at."""
    if isinstance(outputs, _C.Tensor) or hasattr(outputs, "ownership_token"):
        return (outputs,)
    return tuple(outputs)


def _starting_gradients(outputs: Sequence[Any], given: Sequence[Any], batched: bool) -> tuple[Any, ...]:
    """The gradient to start with at each output: the one given, checked, or None for the 1 of an output of one element."""
    if len(given) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients: give one for each, or None")
    found: list[Any] = []
    for i, (output, gradient) in enumerate(zip(outputs, given)):
        if isinstance(gradient, _C.Tensor):
            if isinstance(output, _C.Tensor):
                _check_gradient(output, gradient, i, batched)
            found.append(gradient)
        elif gradient is not None:
            raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
        else:
            found.append(None)
    return tuple(found)


def _check_gradient(output: Tensor, gradient: Tensor, index: int, batched: bool) -> None:
    shape = gradient.shape[1:] if batched else gradient.shape
    if output.shape != shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of {gradient.shape} and output[{index}] has a shape "
            f"of {output.shape}."
        )
    if output.dtype.is_complex != gradient.dtype.is_complex:
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{index}] has a dtype of {gradient.dtype} and output[{index}] has a dtype of {output.dtype}."
        )


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the derivatives of the tensors to the `.grad` of the leaves they were computed from.

    `grad_tensors`: the weight of each element of each tensor, of its shape; not needed for tensors of one element.
    `retain_graph`: keep what was saved, for another backward. `create_graph`: record the derivatives themselves.
    `inputs`: the only tensors to write to. RuntimeError when no tensor was recorded.
    """
    if grad_variables is not None:
        import warnings

        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError("backward: `grad_tensors` and `grad_variables` (its older name) were both given")
        grad_tensors = grad_variables
    outputs = _roots(tensors)
    wanted = () if inputs is None else _roots(inputs)
    if inputs is not None and not wanted:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    gradients = _starting_gradients(outputs, _weights(grad_tensors, outputs), batched=False)
    keep = create_graph if retain_graph is None else retain_graph
    run_backward(outputs, gradients, keep, create_graph, wanted, True, True)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...]:
    """The derivatives of the sum of `outputs`, weighted by `grad_outputs`, in each of `inputs`, as a tuple.

    Nothing is written to `.grad`. `allow_unused`: give None, with `materialize_grads` zeros, for an input that the outputs
    do not depend on, instead of RuntimeError. `is_grads_batched`: the first dimension of `grad_outputs` counts several
    weightings, and so does that of the results.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    if not only_inputs:
        import warnings

        warnings.warn("only_inputs=False is ignored: use backward() to accumulate", FutureWarning, stacklevel=2)
    starts, wanted = _roots(outputs), _roots(inputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if _C._has_torch_function((*starts, *wanted)):
        from ..overrides import handle_torch_function

        return handle_torch_function(
            grad,
            (*starts, *wanted),
            outputs,
            inputs,
            grad_outputs=grad_outputs,
            retain_graph=retain_graph,
            create_graph=create_graph,
            only_inputs=only_inputs,
            allow_unused=allow_unused,
            is_grads_batched=is_grads_batched,
            materialize_grads=materialize_grads,
        )
    gradients = _starting_gradients(starts, _weights(grad_outputs, starts), is_grads_batched)
    keep = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        results: Any = _batched_grad(starts, wanted, gradients, keep, create_graph, allow_unused)
    else:
        results = run_backward(starts, gradients, keep, create_graph, wanted, allow_unused, False)
    if materialize_grads:
        results = tuple(
            _ops.zeros_like(getattr(at, "ownership_token", at), requires_grad=create_graph) if found is None else found
            for found, at in zip(results, wanted)
        )
    return tuple(results)


def _batched_grad(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    gradients: Sequence[Tensor | None],
    keep: bool,
    create_graph: bool,
    allow_unused: bool,
) -> tuple[Tensor | None, ...]:
    """One backward pass for all weightings."""
    from .._vmap import vmap

    reached: list[bool] = []

    def weighted(*given: Tensor) -> tuple[Tensor, ...]:
        rest = iter(given)
        row = tuple(None if gradient is None else next(rest) for gradient in gradients)
        found = run_backward(outputs, row, keep, create_graph, inputs, allow_unused, False)
        reached[:] = [one is not None for one in found]
        return tuple(one for one in found if one is not None)

    rows = iter(vmap(weighted)(*(gradient for gradient in gradients if gradient is not None)))
    return tuple(next(rows) if there else None for there in reached)


def _is_checkpoint_valid() -> bool:
    """Whether reentrant checkpoints can run in the backward pass now running, which must be for all leaves."""
    return _C._is_checkpoint_valid()


def variable(*args: Any, **kwargs: Any) -> None:
    """Refuses: tensors are variables."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")
