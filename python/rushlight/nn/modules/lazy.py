"""LazyModuleMixin: modules that learn their parameter shapes from the first input."""

from __future__ import annotations

from ..parameter import MaterializedBuffer, is_lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Adds waiting for shapes to a module class.

    The subclass creates uninitialized parameters or buffers and defines
    `initialize_parameters(*args, **kwargs)`, which receives the arguments of the first call and
    materializes them. The module then turns into `cls_to_become`.

    >>> layer = rushlight.nn.LazyLinear(2)
    >>> layer(rushlight.zeros(1, 3)).shape
    torch.Size([1, 2])
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    """

    cls_to_become: Any = None

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(
            self._infer_parameters, with_kwargs=True
        )

    def _save_to_state_dict(self: Any, destination: Any, prefix: str, keep_vars: bool) -> None:
        # What has no values yet is stored as it is: it cannot be detached.
        entries = [*self._parameters.items()]
        entries += [
            (name, buf)
            for name, buf in self._buffers.items()
            if name not in self._non_persistent_buffers_set
        ]
        for name, value in entries:
            if value is not None:
                as_is = keep_vars or is_lazy(value)
                destination[prefix + name] = value if as_is else value.detach()

    def _lazy_load_hook(self: Any, state_dict: Any, prefix: str, *rest: Any) -> None:
        """Takes shapes from a state dictionary of an initialized module."""
        import rushlight

        for name, value in (*self._parameters.items(), *self._buffers.items()):
            found = state_dict.get(prefix + name)
            if found is not None and value is not None and is_lazy(value) and not is_lazy(found):
                with rushlight.no_grad():
                    value.materialize(found.shape)
        self._make_buffers_plain()

    def _make_buffers_plain(self: Any) -> None:
        """Materialized buffers are of a subclass only because they could not change to Tensor."""
        for name, buf in self._buffers.items():
            if isinstance(buf, MaterializedBuffer):
                self._buffers[name] = buf.plain()

    def initialize_parameters(self: Any, *args: Any, **kwargs: Any) -> None:
        """Materializes parameters and buffers for these arguments of the first call."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self: Any) -> bool:
        """Whether any parameter or buffer still lacks a shape."""
        return any(
            is_lazy(value) for value in (*self._parameters.values(), *self._buffers.values())
        )

    def _infer_parameters(self: Any, module: Any, args: Any, kwargs: Any = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._make_buffers_plain()
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook
        del module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self: Any) -> Any:
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy "
            "forward pass to correctly initialize the modules"
        )
