"""What module hooks stand on: lazily made tables, and taps on the gradients of a call."""

from __future__ import annotations

import warnings
from collections import OrderedDict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rushlight.utils.hooks import RemovableHandle


def register(table: Any, hook: Any, *marks: Any) -> RemovableHandle:
    """Puts a hook into its table; the handle also clears its entries in the `marks`."""
    from rushlight.utils.hooks import RemovableHandle

    handle = RemovableHandle(table, extra_dict=list(marks))
    table[handle.id] = hook
    return handle


class HookTable:
    """A hook dictionary that a module gets on first access, so that most modules have none.

    Reading a table of the hooks that run in a call also marks the module as `_hooked`: whoever
    holds the dictionary may fill it without asking.
    """

    __slots__ = ("called", "name")

    def __init__(self, called: bool) -> None:
        self.called = called

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, module: Any, owner: Any = None) -> Any:
        if module is None:
            return self
        state = module.__dict__
        if self.called:
            state["_hooked"] = True
        table: OrderedDict[Any, Any] = OrderedDict()
        state[self.name] = table
        return table


class WrappedHook:
    """A hook that is handed its module first; it holds the module weakly."""

    def __init__(self, hook: Callable[..., Any], module: Any = None) -> None:
        import weakref

        self.hook = hook
        self.with_module = module is not None
        self.module = None if module is None else weakref.ref(module)
        self.__name__ = getattr(hook, "__name__", type(hook).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.module is None:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["module"] = None if self.module is None else self.module()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        import weakref

        self.__dict__.update(state)
        module = state["module"]
        self.module = None if module is None else weakref.ref(module)


def _replaced(gradients: Any, result: Any, what: str) -> Any:
    """The gradients after a hook returned `result` in their place."""
    if result is None:
        return gradients
    if not isinstance(result, tuple):
        result = (result,)
    if len(result) != len(gradients):
        raise RuntimeError(
            f"Backward {what} returned an invalid number of "
            f"{'grad_input' if what == 'hook' else 'grad_output'}, got {len(result)}, "
            f"but expected {len(gradients)}"
        )
    return result


class BackwardHook:
    """Runs the full backward hooks of one call of one module.

    Identity nodes before and after the call see the gradients of all inputs and of all outputs
    together. The hooks run when the former arrive, or with the latter if no input has a gradient.
    """

    def __init__(self, module: Any, user_hooks: Any, user_pre_hooks: Any) -> None:
        self.module = module
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        self.grad_outputs: Any = None
        self.n_inputs = -1
        self.input_slots: list[int] = []
        self.n_outputs = -1
        self.output_slots: list[int] = []
        self.inputs_tapped = False
        self.unused = False

    def _tap(self, values: tuple[Any, ...], at_inputs: bool) -> tuple[tuple[Any, ...], list[int]]:
        import rushlight

        slots = [i for i, value in enumerate(values) if isinstance(value, rushlight.Tensor)]
        tensors = [values[i] for i in slots]
        if not (rushlight.is_grad_enabled() and any(t.requires_grad for t in tensors)):
            return values, slots
        tapped = _identity_with_gradients()(self, at_inputs, *tensors)
        changed = list(values)
        for slot, tensor in zip(slots, tapped):
            changed[slot] = tensor
        if at_inputs:
            self.inputs_tapped = True
        if type(values) is not tuple and isinstance(values, tuple) and hasattr(values, "_fields"):
            return type(values)(*changed), slots
        return tuple(changed), slots

    def setup_input_hook(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Puts the first identity before the module's positional inputs."""
        self.n_inputs = len(args)
        args, self.input_slots = self._tap(args, True)
        return args

    def setup_output_hook(self, result: Any) -> Any:
        """Puts the second identity after the module's output, a tensor or a tuple."""
        single = not isinstance(result, tuple)
        outputs = (result,) if single else result
        self.n_outputs = len(outputs)
        outputs, self.output_slots = self._tap(outputs, False)
        return outputs[0] if single else outputs

    def at_outputs(self, arrived: tuple[Any, ...]) -> tuple[Any, ...]:
        """Called with the gradients of the outputs; returns those to pass on."""
        gradients = [None] * self.n_outputs
        for slot, gradient in zip(self.output_slots, arrived):
            gradients[slot] = gradient
        grad_outputs: Any = tuple(gradients)
        for hook in self.user_pre_hooks:
            grad_outputs = _replaced(grad_outputs, hook(self.module, grad_outputs), "pre hook")
        self.grad_outputs = grad_outputs
        if not self.inputs_tapped:
            if self.user_hooks:
                warnings.warn(
                    "Full backward hook is firing when gradients are computed with respect to "
                    "module outputs since no inputs require gradients. Pass an input that "
                    "requires gradients to see its gradient.",
                    stacklevel=2,
                )
            grad_inputs = (None,) * self.n_inputs
            for hook in self.user_hooks:
                result = hook(self.module, grad_inputs, grad_outputs)
                if result is not None and not (
                    isinstance(result, tuple) and all(item is None for item in result)
                ):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should "
                        "always return None or None for all gradients."
                    )
            self.grad_outputs = None
        return tuple(grad_outputs[slot] for slot in self.output_slots)

    def at_inputs(self, arrived: tuple[Any, ...]) -> tuple[Any, ...]:
        """Called with the gradients of the inputs; returns those to pass on."""
        if self.unused:
            return arrived
        if self.grad_outputs is None:
            raise RuntimeError(
                "Module backward hook for grad_input is called before the grad_output one. This "
                "happens because the gradient in your nn.Module flows to the Module's input "
                "without passing through the Module's output. Make sure that the output depends "
                "on the input and that the loss is computed based on the output."
            )
        gradients: list[Any] = [None] * self.n_inputs
        for slot, gradient in zip(self.input_slots, arrived):
            gradients[slot] = gradient
        grad_inputs: Any = tuple(gradients)
        for hook in self.user_hooks:
            result = hook(self.module, grad_inputs, self.grad_outputs)
            grad_inputs = _replaced(grad_inputs, result, "hook")
        self.grad_outputs = None
        return tuple(grad_inputs[slot] for slot in self.input_slots)


_identity: Any = None


def _identity_with_gradients() -> Any:
    """`apply` of the identity function; made on first use since few programs need it."""
    global _identity
    if _identity is None:
        from rushlight.autograd import Function

        class BackwardHookFunction(Function):
            @staticmethod
            def forward(ctx: Any, tap: Any, at_inputs: bool, *tensors: Any) -> Any:
                ctx.tap, ctx.at_inputs = tap, at_inputs
                ctx.set_materialize_grads(at_inputs)
                ctx.mark_non_differentiable(*(t for t in tensors if not _differentiable(t)))
                return tensors

            @staticmethod
            def backward(ctx: Any, *gradients: Any) -> Any:
                tap = ctx.tap
                passed = tap.at_inputs(gradients) if ctx.at_inputs else tap.at_outputs(gradients)
                return (None, None, *passed)

        _identity = BackwardHookFunction.apply
    return _identity


def _differentiable(tensor: Any) -> bool:
    return bool(tensor.is_floating_point() or tensor.is_complex())
