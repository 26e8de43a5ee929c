"""Module: the base class of layers and models."""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

import sys
import warnings

import rushlight
from rushlight import Tensor

from ..parameter import Buffer, Parameter, UninitializedTensorMixin
from . import module_calls
from .hooks import WrappedHook
from .module_base import ModuleBase
from .module_calls import (
    ModuleCalls,
    _global_backward_hooks,
    _global_backward_pre_hooks,
    _global_buffer_registration_hooks,
    _global_forward_hooks,
    _global_forward_hooks_always_called,
    _global_forward_hooks_with_kwargs,
    _global_forward_pre_hooks,
    _global_module_registration_hooks,
    _global_parameter_registration_hooks,
    _has_any_global_hook,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from .module_state import (
    _EXTRA_STATE_KEY_SUFFIX,
    ModuleState,
    _IncompatibleKeys,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from typing_extensions import Self

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

_CALL_HOOK_TABLES = frozenset(
    ("_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_pre_hooks")
)


def __getattr__(name: str) -> Any:
    # Names that programs find here, although they live elsewhere.
    if name == "RemovableHandle":
        from rushlight.utils.hooks import RemovableHandle

        return RemovableHandle
    if name == "_WrappedHook":
        return WrappedHook
    if name == "_global_is_full_backward_hook":
        return module_calls._global_is_full_backward_hook
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _addindent(text: str, spaces: int) -> str:
    """Indents every line but the first."""
    return text.replace("\n", "\n" + " " * spaces)


def _type_name(value: object) -> str:
    return value.type() if isinstance(value, Tensor) else type(value).__name__


def _parse_to(
    device: Any = None,
    dtype: Any = None,
    non_blocking: bool = False,
    copy: Any = None,
    *,
    memory_format: Any = None,
    **unknown: Any,
) -> tuple[Any, Any, bool, Any]:
    """Sorts the arguments of `Module.to`: (device, dtype, non_blocking, memory_format)."""
    if copy is not None:
        raise RuntimeError(".to() does not accept copy argument")
    if unknown:
        raise TypeError(
            "to() received an invalid combination of arguments - got "
            f"({', '.join(unknown)}); call to(device, dtype), to(dtype) or to(tensor)."
        )
    if isinstance(device, Tensor):
        return device.device, device.dtype, bool(dtype or non_blocking), memory_format
    if isinstance(device, rushlight.dtype):
        return None, device, bool(dtype or non_blocking), memory_format
    if device is not None:
        device = rushlight.device(device)
    if dtype is not None and not isinstance(dtype, rushlight.dtype):
        raise TypeError(
            f"to() received an invalid combination of arguments - dtype is a "
            f"{type(dtype).__name__}; call to(device, dtype), to(dtype) or to(tensor)."
        )
    return device, dtype, bool(non_blocking), memory_format


def _forward_unimplemented(self: Any, *input: Any) -> None:
    """Computes the output; every subclass defines it."""
    raise NotImplementedError(
        f'Module [{type(self).__name__}] is missing the required "forward" function'
    )


class Module(ModuleCalls, ModuleState, ModuleBase):
    """Base class of layers and models: a tree of modules that hold parameters and buffers.

    Assigning a Parameter, a Buffer or another Module to an attribute registers it.

    >>> class Scaled(Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.inner = rushlight.nn.Linear(2, 2)
    ...         self.scale = Parameter(rushlight.ones(()))
    ...     def forward(self, x):
    ...         return self.scale * self.inner(x)
    >>> [name for name, _ in Scaled().named_parameters()]
    ['scale', 'inner.weight', 'inner.bias']
    """

    dump_patches: bool = False
    training: bool
    call_super_init: bool = False
    _compiled_call_impl: Callable[..., Any] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            if kwargs:
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                    f"'{next(iter(kwargs))}'"
                )
            raise TypeError(
                f"{type(self).__name__}.__init__() takes 1 positional argument but "
                f"{len(args) + 1} were given"
            )
        state = self.__dict__
        state["training"] = True
        state["_parameters"] = {}
        state["_buffers"] = {}
        state["_non_persistent_buffers_set"] = set()
        state["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward: Callable[..., Any] = _forward_unimplemented

    def _wrapped_call_impl(self, *args: Any, **kwargs: Any) -> Any:
        return self(*args, **kwargs)

    def _slow_forward(self, *input: Any, **kwargs: Any) -> Any:
        return self.forward(*input, **kwargs)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a tensor that is state but not trained.

        Args:
            name: attribute under which it is found.
            tensor: any tensor, or None to reserve the name.
            persistent: whether it belongs to `state_dict`.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name(self, name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{_type_name(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        for hook in tuple(_global_buffer_registration_hooks.values()):
            changed = hook(self, name, tensor)
            if changed is not None:
                tensor = changed
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Adds a trained tensor under an attribute name; None reserves the name."""
        params = self.__dict__.get("_parameters")
        if params is None:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        _check_name(self, name, "parameter", params)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{_type_name(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if param.grad_fn is not None:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must "
                    f"be created explicitly. To express '{name}' as a function of another "
                    "Tensor, compute the value in the forward() method."
                )
            if _global_parameter_registration_hooks:
                for hook in tuple(_global_parameter_registration_hooks.values()):
                    changed = hook(self, name, param)
                    if changed is not None:
                        param = changed
        params[name] = param

    def add_module(self, name: str, module: Module | None) -> None:
        """Adds a submodule under an attribute name; None reserves the name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{_full_name(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {_full_name(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = _seen_by_hooks(self, name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """The same as `add_module`."""
        self.add_module(name, module)

    def get_submodule(self, target: str) -> Module:
        """The submodule with the dotted name `target`; raises AttributeError if there is none."""
        module: Module = self
        if target == "":
            return module
        for name in target.split("."):
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Replaces (or, unless `strict`, adds) the submodule with the dotted name `target`."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with the dotted name `target`; raises AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not hasattr(owner, name):
            raise AttributeError(f"{owner._get_name()} has no attribute `{name}`")
        param = getattr(owner, name)
        if not isinstance(param, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return param

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with the dotted name `target`; raises AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not hasattr(owner, name):
            raise AttributeError(f"{owner._get_name()} has no attribute `{name}`")
        if name not in owner._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return owner._buffers[name]

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Self:
        """Replaces every parameter, its gradient and every buffer by `fn` of it."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        future = sys.modules.get("rushlight.__future__")
        overwrite = future is not None and future.get_overwrite_module_params_on_conversion()
        for name, param in self._parameters.items():
            if param is None:
                continue
            with rushlight.no_grad():
                changed = fn(param)
            in_place = not overwrite and changed.device.type == param.device.type
            grad = param.grad
            if in_place:
                param.data = changed
                kept = param
            else:
                kept = self._parameters[name] = Parameter(changed, param.requires_grad)
            if grad is not None:
                with rushlight.no_grad():
                    changed_grad = fn(grad)
                if in_place:
                    grad.data = changed_grad
                else:
                    kept.grad = changed_grad.requires_grad_(grad.requires_grad)
        for name, buf in self._buffers.items():
            if buf is not None:
                self._buffers[name] = fn(buf)
        return self

    def apply(self, fn: Callable[[Module], None]) -> Self:
        """Calls `fn` with every submodule, then with the module itself.

        >>> layer = rushlight.nn.Linear(2, 2)
        >>> _ = layer.apply(lambda module: rushlight.nn.init.zeros_(module.weight))
        >>> layer.weight.sum().item()
        0.0
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def cuda(self, device: Any = None) -> Self:
        """Moves parameters and buffers to a CUDA device."""
        return self._apply(lambda t: t.cuda(device))

    def ipu(self, device: Any = None) -> Self:
        """Moves parameters and buffers to an IPU."""
        return self._apply(lambda t: t.ipu(device))

    def xpu(self, device: Any = None) -> Self:
        """Moves parameters and buffers to an XPU."""
        return self._apply(lambda t: t.xpu(device))

    def mtia(self, device: Any = None) -> Self:
        """Moves parameters and buffers to an MTIA device."""
        return self._apply(lambda t: t.mtia(device))

    def cpu(self) -> Self:
        """Moves parameters and buffers to the CPU."""
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type: Any) -> Self:
        """Converts all parameters and buffers to `dst_type`."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Self:
        """Converts floating parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Self:
        """Converts floating parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Self:
        """Converts floating parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self) -> Self:
        """Converts floating parameters and buffers to bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Moves to `device` without values; use it to leave the meta device."""
        return self._apply(lambda t: rushlight.empty_like(t, device=device), recurse=recurse)

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Moves and converts in place: `to(device, dtype)`, `to(dtype)`, `to(tensor)`.

        Args:
            device: new device of all parameters and buffers.
            dtype: new floating or complex dtype; integer buffers keep theirs.
            non_blocking: accepted for programs that pass it.
            memory_format: new order of memory for 4-D and 5-D tensors.

        Raises:
            TypeError: the dtype is neither floating nor complex.
        """
        device, dtype, non_blocking, memory_format = _parse_to(*args, **kwargs)
        if dtype is not None:
            if not (dtype.is_floating_point or dtype.is_complex):
                raise TypeError(
                    "nn.Module.to only accepts floating point or complex dtypes, but got "
                    f"desired dtype={dtype}"
                )
            if dtype.is_complex:
                warnings.warn(
                    "Complex modules are a new feature under active development whose design "
                    "may change, and some modules might not work as expected when using complex "
                    "tensors as parameters or buffers.",
                    stacklevel=2,
                )

        def convert(t: Tensor) -> Tensor:
            kind = dtype if t.is_floating_point() or t.is_complex() else None
            if t.is_meta and device is not None and device.type != "meta":
                raise NotImplementedError(
                    "Cannot copy out of meta tensor; no data! Please use "
                    "torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving "
                    "module from meta to a different device."
                )
            if memory_format is not None and t.dim() in (4, 5):
                return t.to(device, kind, non_blocking, memory_format=memory_format)
            return t.to(device, kind, non_blocking)

        return self._apply(convert)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if any(state.get(name) for name in _CALL_HOOK_TABLES):
            self.__dict__["_hooked"] = True
        self.__dict__.setdefault("_non_persistent_buffers_set", set())

    def __setattr__(self, name: str, value: Any) -> None:
        state = self.__dict__
        params = state.get("_parameters")
        if isinstance(value, Parameter):
            if params is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            state.pop(name, None)
            state["_buffers"].pop(name, None)
            state["_modules"].pop(name, None)
            state["_non_persistent_buffers_set"].discard(name)
            self.register_parameter(name, value)
        elif params is not None and name in params:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            modules = state.get("_modules")
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            state.pop(name, None)
            state["_buffers"].pop(name, None)
            state["_non_persistent_buffers_set"].discard(name)
            modules[name] = _seen_by_hooks(self, name, value)
        else:
            self._set_other(state, name, value)

    def _set_other(self, state: dict[str, Any], name: str, value: Any) -> None:
        """Assigns what is neither a Parameter nor a Module."""
        modules = state.get("_modules")
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            modules[name] = _seen_by_hooks(self, name, value)
            return
        buffers = state.get("_buffers")
        if buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            if isinstance(value, Buffer):
                self.register_buffer(name, value, value.persistent)
                return
            for hook in tuple(_global_buffer_registration_hooks.values()):
                changed = hook(self, name, value)
                if changed is not None:
                    value = changed
            buffers[name] = value
        elif isinstance(value, Buffer):
            if buffers is None:
                raise AttributeError("cannot assign buffer before Module.__init__() call")
            state.pop(name, None)
            self.register_buffer(name, value, value.persistent)
        else:
            if name in _CALL_HOOK_TABLES:
                state["_hooked"] = True
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        state = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if name in state.get(table, ()):
                del state[table][name]
                self._non_persistent_buffers_set.discard(name)
                return
        if name not in state and not hasattr(type(self), name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        object.__delattr__(self, name)

    def _named_members(
        self,
        get_members_fn: Callable[[Module], Any],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        """(dotted name, member) of this module and, if `recurse`, of all below."""
        seen: set[Any] = set()
        if recurse:
            modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        else:
            modules = iter(((prefix, self),))
        for path, module in modules:
            for name, member in get_members_fn(module):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield (path + "." + name if path else name), member

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Every parameter once, those of submodules too if `recurse`."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """(dotted name, parameter) in the order of registration.

        >>> [name for name, _ in rushlight.nn.Linear(2, 3).named_parameters()]
        ['weight', 'bias']
        """
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Every buffer once, those of submodules too if `recurse`."""
        for _, buf in self.named_buffers(recurse=recurse):
            yield buf

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """(dotted name, buffer) in the order of registration."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def children(self) -> Iterator[Module]:
        """Every immediate submodule once."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """(name, module) of every immediate submodule."""
        seen: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all below it, parents first."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(
        self,
        memo: set[Module] | None = None,
        prefix: str = "",
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Module]]:
        """(dotted name, module) of this module and all below it, parents first."""
        if memo is None:
            memo = set()
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = prefix + "." + name if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def train(self, mode: bool = True) -> Self:
        """Sets training mode (dropout, batch statistics) here and below."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Sets evaluation mode; the same as `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Says for all parameters whether gradients are recorded."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drops all gradients, or fills them with zeros unless `set_to_none`."""
        for param in self.parameters():
            grad = param.grad
            if grad is None:
                continue
            if set_to_none:
                param.grad = None
            else:
                if grad.grad_fn is not None:
                    grad.detach_()
                else:
                    grad.requires_grad_(False)
                grad.zero_()

    def share_memory(self) -> Self:
        """Moves parameters and buffers to shared memory."""
        return self._apply(lambda t: t.share_memory_())

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What stands between the brackets when the module is printed."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = [
            f"({name}): {_addindent(repr(module), 2)}" for name, module in self._modules.items()
        ]
        head = self._get_name() + "("
        if len(extra_lines) == 1 and not child_lines:
            return head + extra_lines[0] + ")"
        lines = extra_lines + child_lines
        if not lines:
            return head + ")"
        return head + "\n  " + "\n  ".join(lines) + "\n)"

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__}
        names.update(self._parameters, self._modules, self._buffers)
        return sorted(name for name in names if not name[:1].isdigit())

    def _replicate_for_data_parallel(self) -> Self:
        replica = self.__new__(type(self))
        state = replica.__dict__
        state.update(self.__dict__)
        # Replicas hold copies of the parameters as plain attributes.
        state["_parameters"] = {}
        state["_buffers"] = dict(self._buffers)
        state["_modules"] = dict(self._modules)
        state["_is_replica"] = True
        return replica

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Does nothing: modules run as written, there is no compiler."""


def _full_name(value: object) -> str:
    """The qualified name of a type as error messages show it."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _check_name(module: Module, name: Any, what: str, table: dict[str, Any]) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {_full_name(name)}")
    if "." in name:
        raise KeyError(f'{what} name can\'t contain "."')
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')
    if name not in table and hasattr(module, name):
        raise KeyError(f"attribute '{name}' already exists")


def _seen_by_hooks(module: Module, name: str, child: Module | None) -> Module | None:
    """The submodule after the global registration hooks saw it."""
    for hook in tuple(_global_module_registration_hooks.values()):
        changed = hook(module, name, child)
        if changed is not None:
            child = changed
    return child
