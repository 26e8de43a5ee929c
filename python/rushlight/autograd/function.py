"""Functions with a derivative written by hand: `Function`, its context, `once_differentiable`."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]


class FunctionCtx:
    """What `forward` and `backward` share: saved tensors and remarks about the outputs."""

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs and outputs for `ctx.saved_tensors` in backward; anything else may be an attribute of ctx."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `jvp`."""
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, _C.Tensor):
                raise TypeError(f"save_for_forward expects all arguments to be tensors or None, got {type(tensor)}")
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Say which inputs `forward` changed in place; each must also be returned."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Ignored: which tensors share memory is known."""

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Say which outputs have no derivative."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """With False, `backward` gets None instead of zeros for outputs nothing depended on."""
        self.materialize_grads = value


class _HookMixin:
    """Kept for its name."""


class BackwardCFunction(_C._FunctionBase, FunctionCtx):
    """The node of a custom function in the graph; the `ctx` that its static methods get."""

    _forward_cls: Any  # the custom function

    def apply(self, *args: Any) -> Any:
        """Run the backward of the function."""
        cls = self._forward_cls
        backward, vjp = cls.backward, cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement "
                "one of them."
            )
        return (vjp if vjp is not Function.vjp else backward)(self, *args)

    def apply_jvp(self, *args: Any) -> Any:
        """Run the forward derivative of the function."""
        return self._forward_cls.jvp(self, *args)


class FunctionMeta(type):
    """Makes, with each custom function, the class of its nodes."""

    _backward_cls: type

    def __init__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> None:
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls})
        super().__init__(name, bases, attrs)


class Function(_C._FunctionBase, FunctionCtx, _HookMixin, metaclass=FunctionMeta):
    """A function of tensors with a derivative of its own.

    Subclass it, write static methods `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`, and call
    `YourFunction.apply(*args)`. With a static `setup_context(ctx, inputs, output)`, `forward` takes no ctx.
    """

    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        import warnings

        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should invoke "
            "them on the class itself. Instantiating an autograd function will raise an error in a future version of "
            "PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function "
            "with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Computes the outputs, tensors or not, from the inputs."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Saves what backward needs, where `forward` takes no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """From the gradient of each output, the gradient of each input, None for inputs that need none."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """From the tangent of each input, the tangent of each output."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """The function of whole batches, for `vmap`: returns the output and where its batches lie.

        `info` has `batch_size` and `randomness`; `in_dims` holds, for each argument, the dimension of its batch or None.
        Without this method `vmap` applies the function to one sample after another.
        """
        raise NotImplementedError("To use autograd.Function with vmap, no vmap method is needed")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function, recording it when an input requires a gradient."""
        if kwargs or cls.setup_context is not _default_setup_context:
            args = _bound(cls.forward, args, kwargs, cls.setup_context is _default_setup_context)
        return super().apply(*args)


_default_setup_context = Function.setup_context


def _bound(
    forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], takes_ctx: bool
) -> tuple[Any, ...]:
    """The arguments in order, with the defaults of `forward` filled in."""
    import inspect

    signature = inspect.signature(forward)
    leading: tuple[Any, ...] = (None,) if takes_ctx else ()
    bound = signature.bind(*leading, *args, **kwargs)
    bound.apply_defaults()
    return bound.args[len(leading) :]


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a `backward` whose result cannot be differentiated again: trying to raises RuntimeError."""
    from functools import wraps

    @wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        from . import no_grad

        with no_grad():
            outputs = fn(ctx, *args)
        recording = _C.is_grad_enabled() and any(isinstance(arg, _C.Tensor) and arg.requires_grad for arg in args)
        if not recording:
            return outputs
        single = not isinstance(outputs, tuple)
        marked = _refuse_second(*((outputs,) if single else outputs))
        return marked[0] if single else marked

    return wrapper


class _RefuseSecond(Function):
    """Passes gradients on and refuses to be differentiated."""

    @staticmethod
    def forward(ctx: Any, anchor: Any, *outputs: Any) -> Any:
        return tuple(o.detach() if isinstance(o, _C.Tensor) else o for o in outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def _refuse_second(*outputs: Any) -> tuple[Any, ...]:
    anchor = _C._VariableFunctions.zeros(1).requires_grad_()
    return _RefuseSecond.apply(anchor, *outputs)


class InplaceFunction(Function):
    """A function that may work in place: the older form, with `inplace` as a constructor argument."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """Kept for its name: `Function.apply` takes nested arguments as they are, without recording the tensors inside."""
