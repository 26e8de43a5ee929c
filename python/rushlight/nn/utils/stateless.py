"""Calls of a module with other parameters and buffers than its own."""

from __future__ import annotations

import warnings

from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["functional_call"]

_ABSENT = object()


def _owner(module: Any, path: str) -> Any:
    """The submodule with a dotted name."""
    for name in path.split(".") if path else ():
        child = module._modules.get(name)
        if child is None:
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        module = child
    return module


def _own_tensors(module: Any) -> dict[str, Any]:
    """All parameters and buffers, those that are shared under each of their names."""
    tensors = dict(module.named_parameters(remove_duplicate=False))
    tensors.update(module.named_buffers(remove_duplicate=False))
    return tensors


def _untie_named_tensors_map(module: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The given tensors under every name that the module has for them."""
    names_of: dict[int, set[str]] = {}
    own = _own_tensors(module)
    for name, tensor in own.items():
        names_of.setdefault(id(tensor), set()).add(name)
    result = dict(given)
    for names in names_of.values():
        present = names.intersection(given)
        if len(names) == 1 or not present:
            continue
        values = {id(given[name]) for name in present}
        if len(values) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(present)}, which are "
                "tied. Consider using tie_weights=False"
            )
        value = given[next(iter(present))]
        result.update(dict.fromkeys(names, value))
    return result


class _reparametrize_module:
    """Puts tensors in the place of parameters and buffers for the time of a `with` block."""

    def __init__(
        self,
        module: Any,
        parameters_and_buffers: dict[str, Tensor],
        tie_weights: bool = False,
        strict: bool = False,
        stack_weights: bool = False,
    ) -> None:
        self.given = parameters_and_buffers
        if tie_weights:
            parameters_and_buffers = _untie_named_tensors_map(module, parameters_and_buffers)
        if strict:
            own = _own_tensors(module)
            messages = []
            unexpected = [key for key in parameters_and_buffers if key not in own]
            missing = [key for key in own if key not in parameters_and_buffers]
            if unexpected:
                messages.append(
                    "Unexpected key(s): " + ", ".join(repr(key) for key in unexpected) + "."
                )
            if missing:
                messages.append("Missing key(s): " + ", ".join(repr(key) for key in missing) + ".")
            if messages:
                raise RuntimeError(
                    f"Error(s) in reparametrizing for {type(module).__name__}:\n\t"
                    + "\n\t".join(messages)
                )
        self.module = module
        self.tensors = parameters_and_buffers
        self.replaced: list[tuple[str, Any, str, Any]] = []
        self.attributes: list[tuple[str, Any, str, Any]] = []

    def __enter__(self) -> None:
        try:
            for key, tensor in self.tensors.items():
                path, _, name = key.rpartition(".")
                owner = _owner(self.module, path)
                for table in (owner._parameters, owner._buffers):
                    if name in table:
                        self.replaced.append((key, table, name, table[name]))
                        table[name] = tensor
                        break
                else:
                    self._replace_attribute(key, owner, name, tensor)
        except BaseException:
            self._restore()
            raise

    def _replace_attribute(self, key: str, owner: Any, name: str, tensor: Any) -> None:
        """What is no parameter or buffer: another tensor, or nothing, which the call then has for its time."""
        original = getattr(owner, name, _ABSENT)
        if original is not _ABSENT and not isinstance(original, Tensor):
            raise TypeError(f"functional_call: attribute `{name}` is not an instance of torch.Tensor: {original!r}")
        setattr(owner, name, tensor)
        self.attributes.append((key, owner, name, original))

    def _restore(self) -> None:
        for key, owner, name, original in reversed(self.attributes):
            if key in self.given:
                self.given[key] = getattr(owner, name, self.given[key])
            delattr(owner, name)
            if original is not _ABSENT:
                setattr(owner, name, original)
        self.attributes.clear()
        for key, table, name, original in reversed(self.replaced):
            # What the forward assigned (running statistics) goes back to the caller.
            if key in self.given and name in table:
                self.given[key] = table[name]
            table[name] = original
        self.replaced.clear()

    def __exit__(self, *exc: object) -> None:
        self._restore()


def _functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights, strict):
        return module(*args, **(kwargs or {}))


def functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """The old place of `torch.func.functional_call`.

    Args:
        module: what to call.
        parameters_and_buffers: tensors by dotted name that take the place of the module's own.
        args: one argument or a tuple of arguments.
        kwargs: keyword arguments.
        tie_weights: a tensor given under one name counts for all names of a shared parameter.
        strict: require exactly the names of the module.
    """
    warnings.warn(
        "This API is deprecated as of PyTorch 2.0 and will be removed in a future version. "
        "Please use torch.func.functional_call instead which is a drop-in replacement.",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )
