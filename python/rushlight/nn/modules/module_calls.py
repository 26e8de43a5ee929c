"""Calls of a module that has hooks, and the hooks that apply to every module."""

from __future__ import annotations

import warnings
from collections import OrderedDict

from .hooks import BackwardHook, HookTable, register
from .module_base import ModuleBase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rushlight.utils.hooks import RemovableHandle

# Hooks on the calls of every module.
_global_backward_pre_hooks: OrderedDict[int, Any] = OrderedDict()
_global_backward_hooks: OrderedDict[int, Any] = OrderedDict()
_global_is_full_backward_hook: bool | None = None
_global_forward_pre_hooks: OrderedDict[int, Any] = OrderedDict()
_global_forward_hooks: OrderedDict[int, Any] = OrderedDict()
_global_forward_hooks_always_called: OrderedDict[int, bool] = OrderedDict()
_global_forward_hooks_with_kwargs: OrderedDict[int, bool] = OrderedDict()

# Hooks on what is registered in any module.
_global_buffer_registration_hooks: OrderedDict[int, Any] = OrderedDict()
_global_module_registration_hooks: OrderedDict[int, Any] = OrderedDict()
_global_parameter_registration_hooks: OrderedDict[int, Any] = OrderedDict()


def _has_any_global_hook() -> bool:
    return bool(
        _global_backward_pre_hooks
        or _global_backward_hooks
        or _global_forward_pre_hooks
        or _global_forward_hooks
        or _global_forward_hooks_always_called
        or _global_forward_hooks_with_kwargs
    )


def _register_called(table: Any, hook: Any, *marks: Any) -> RemovableHandle:
    ModuleBase._watch_all_calls()
    return register(table, hook, *marks)


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(module, name, buffer)` at every registration; a result replaces the buffer."""
    return register(_global_buffer_registration_hooks, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(module, name, submodule)` at every registration; a result replaces it."""
    return register(_global_module_registration_hooks, hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(module, name, parameter)` at every registration; a result replaces it."""
    return register(_global_parameter_registration_hooks, hook)


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(module, args)` before the forward of every module."""
    return _register_called(_global_forward_pre_hooks, hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Calls `hook(module, args, output)` after the forward of every module.

    Args:
        hook: returns None or the new output.
        with_kwargs: call `hook(module, args, kwargs, output)` instead.
        always_call: call it also when the forward raised.
    """
    handle = _register_called(
        _global_forward_hooks,
        hook,
        _global_forward_hooks_with_kwargs,
        _global_forward_hooks_always_called,
    )
    if with_kwargs:
        _global_forward_hooks_with_kwargs[handle.id] = True
    if always_call:
        _global_forward_hooks_always_called[handle.id] = True
    return handle


def _set_global_kind(full: bool) -> None:
    global _global_is_full_backward_hook
    if _global_is_full_backward_hook is (not full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module "
            "hook. Please use only one of them."
        )
    _global_is_full_backward_hook = full


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Registers an old-style backward hook for every module; prefer the full one."""
    _set_global_kind(False)
    return _register_called(_global_backward_hooks, hook)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(module, grad_output)` before the backward of every module."""
    return _register_called(_global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(module, grad_input, grad_output)` after the backward of every module."""
    _set_global_kind(True)
    return _register_called(_global_backward_hooks, hook)


class ModuleCalls:
    """The part of Module that registers hooks and runs calls that have some."""

    # An instance has it, as True, once a hook may run in its calls.
    _hooked = False
    _is_full_backward_hook: bool | None = None
    _backward_pre_hooks = HookTable(called=True)
    _backward_hooks = HookTable(called=True)
    _forward_hooks = HookTable(called=True)
    _forward_hooks_with_kwargs = HookTable(called=False)
    _forward_hooks_always_called = HookTable(called=False)
    _forward_pre_hooks = HookTable(called=True)
    _forward_pre_hooks_with_kwargs = HookTable(called=False)

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Calls `hook(module, args)` before every forward.

        Args:
            hook: returns None, the new arguments, or (`with_kwargs`) a pair of both kinds.
            prepend: run it before the hooks that exist already.
            with_kwargs: call `hook(module, args, kwargs)` instead.
        """
        handle = register(self._forward_pre_hooks, hook, self._forward_pre_hooks_with_kwargs)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        if prepend:
            self._forward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Calls `hook(module, args, output)` after every forward.

        Args:
            hook: returns None or the new output.
            prepend: run it before the hooks that exist already.
            with_kwargs: call `hook(module, args, kwargs, output)` instead.
            always_call: call it also when the forward raised.
        """
        handle = register(
            self._forward_hooks,
            hook,
            self._forward_hooks_with_kwargs,
            self._forward_hooks_always_called,
        )
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Calls `hook(module, grad_output)` when the gradients of the outputs are known."""
        handle = register(self._backward_pre_hooks, hook)
        if prepend:
            self._backward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def _set_backward_kind(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single "
                "Module. Please use only one of them."
            )
        self._is_full_backward_hook = full

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Registers an old-style hook on the last node of the forward; prefer the full one."""
        self._set_backward_kind(False)
        return register(self._backward_hooks, hook)

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Calls `hook(module, grad_input, grad_output)` when the input gradients are known.

        Args:
            hook: returns None or the new input gradients.
            prepend: run it before the hooks that exist already.
        """
        self._set_backward_kind(True)
        handle = register(self._backward_hooks, hook)
        if prepend:
            self._backward_hooks.move_to_end(handle.id, last=False)
        return handle

    def _get_backward_hooks(self) -> tuple[list[Any], list[Any]]:
        """The full and the old-style backward hooks that apply, global ones first."""
        full: list[Any] = []
        old: list[Any] = []
        if _global_backward_hooks:
            kind = full if _global_is_full_backward_hook else old
            kind.extend(_global_backward_hooks.values())
        own = self.__dict__.get("_backward_hooks")
        if own:
            (full if self._is_full_backward_hook else old).extend(own.values())
        return full, old

    def _get_backward_pre_hooks(self) -> list[Any]:
        own = self.__dict__.get("_backward_pre_hooks") or {}
        return [*_global_backward_pre_hooks.values(), *own.values()]

    def _maybe_warn_non_full_backward_hook(self, inputs: Any, result: Any, grad_fn: Any) -> None:
        if not isinstance(result, _tensor_type()):
            if not (
                isinstance(result, tuple) and all(isinstance(r, _tensor_type()) for r in result)
            ):
                problem = "when a module does not return a single Tensor or a tuple of Tensors"
            else:
                problem = "when a Module returns a tuple of Tensors"
        elif not (isinstance(inputs, tuple) and all(isinstance(i, _tensor_type()) for i in inputs)):
            problem = "when a module does not take a single Tensor or a tuple of Tensors as input"
        elif len(inputs) > 1:
            problem = "when forward takes multiple arguments"
        elif {i.grad_fn for i in inputs} != {
            node for node, _ in (grad_fn.next_functions if grad_fn is not None else ())
        }:
            problem = "when the forward contains multiple autograd Nodes"
        else:
            return
        warnings.warn(
            f"Using a non-full backward hook {problem} is deprecated: the hook sees only part of "
            "the gradients. Please use register_full_backward_hook to get the documented "
            "behavior.",
            FutureWarning,
            stacklevel=3,
        )

    def _call_impl(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the forward with every hook that applies."""
        state = self.__dict__
        called: set[int] = set()
        try:
            return self._call_with_hooks(state, called, args, kwargs)
        except Exception:
            self._call_remaining(state, called, args, kwargs)
            raise

    def _call_with_hooks(
        self, state: dict[str, Any], called: set[int], args: Any, kwargs: Any
    ) -> Any:
        for hook in tuple(_global_forward_pre_hooks.values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        pre_hooks = state.get("_forward_pre_hooks")
        if pre_hooks:
            args, kwargs = self._run_pre_hooks(pre_hooks, args, kwargs)

        full, old = self._get_backward_hooks()
        backward_pre = self._get_backward_pre_hooks()
        tap = None
        if full or backward_pre:
            tap = BackwardHook(self, full, backward_pre)
            args = tap.setup_input_hook(args)

        result = self.forward(*args, **kwargs)  # type: ignore[attr-defined]

        for hooks, with_kwargs, always in _forward_hook_tables(state):
            for hook_id, hook in tuple(hooks.items()):
                if hook_id in always:
                    called.add(hook_id)
                if hook_id in with_kwargs:
                    changed = hook(self, args, kwargs, result)
                else:
                    changed = hook(self, args, result)
                if changed is not None:
                    result = changed

        if tap is not None:
            if isinstance(result, (_tensor_type(), tuple)):
                result = tap.setup_output_hook(result)
            else:
                tap.unused = True
                warnings.warn(
                    "For backward hooks to be called, module output should be a Tensor or a "
                    f"tuple of Tensors but received {type(result)}",
                    stacklevel=4,
                )
        if old:
            self._hook_last_node(old, args, result)
        return result

    def _run_pre_hooks(self, pre_hooks: Any, args: Any, kwargs: Any) -> Any:
        with_kwargs = self._forward_pre_hooks_with_kwargs
        for hook_id, hook in tuple(pre_hooks.items()):
            if hook_id in with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is None:
                    continue
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs

    def _call_remaining(self, state: Any, called: set[int], args: Any, kwargs: Any) -> None:
        """After an exception: runs the hooks that asked to be called always."""
        for hooks, with_kwargs, always in _forward_hook_tables(state):
            for hook_id, hook in tuple(hooks.items()):
                if hook_id not in always or hook_id in called:
                    continue
                try:
                    if hook_id in with_kwargs:
                        hook(self, args, kwargs, None)
                    else:
                        hook(self, args, None)
                except Exception as error:
                    warnings.warn(
                        "module forward hook with ``always_call=True`` raised an exception that "
                        f"was silenced as another error was raised in forward: {error}",
                        stacklevel=4,
                    )

    def _hook_last_node(self, hooks: list[Any], args: Any, result: Any) -> None:
        """Puts old-style backward hooks on the node that made the first tensor of `result`."""
        from functools import partial

        first: Any = result
        while not isinstance(first, _tensor_type()):
            first = next(iter(first.values())) if isinstance(first, dict) else first[0]
        node = first.grad_fn
        if node is not None:
            for hook in hooks:
                node.register_hook(partial(hook, self))
            self._maybe_warn_non_full_backward_hook(args, result, node)


def _forward_hook_tables(state: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
    """(hooks, those with kwargs, those always called): for every module, then for this one."""
    tables = []
    if _global_forward_hooks:
        tables.append(
            (
                _global_forward_hooks,
                _global_forward_hooks_with_kwargs,
                _global_forward_hooks_always_called,
            )
        )
    own = state.get("_forward_hooks")
    if own:
        none: dict[int, Any] = {}
        tables.append(
            (
                own,
                state.get("_forward_hooks_with_kwargs", none),
                state.get("_forward_hooks_always_called", none),
            )
        )
    return tables


def _tensor_type() -> Any:
    from rushlight import Tensor

    return Tensor
