"""Operators of one's own (`torch.library`): Python functions with a name, a derivative and a rule for meta tensors."""

from __future__ import annotations

from . import _C
from ._ops import register

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

__all__ = [
    "CustomOpDef",
    "Library",
    "custom_op",
    "define",
    "fallthrough_kernel",
    "get_ctx",
    "impl",
    "impl_abstract",
    "infer_schema",
    "opcheck",
    "register_autograd",
    "register_fake",
    "register_kernel",
    "triton_op",
    "wrap_triton",
]

_defined: dict[str, CustomOpDef] = {}


def _split(qualname: str) -> tuple[str, str]:
    namespace, colons, rest = qualname.partition("::")
    if not colons:
        raise ValueError(f"library: an operator is named 'namespace::name', got {qualname!r}")
    return namespace, rest.partition("(")[0].partition(".")[0].strip()


class CustomOpDef:
    """An operator made by `custom_op`: call it, and add a derivative, a meta rule or kernels to it."""

    def __init__(self, qualname: str, function: Callable[..., Any], mutates_args: Any = ()) -> None:
        self._namespace, self._name = _split(qualname)
        self._qualname = f"{self._namespace}::{self._name}"
        self._function = function
        self._mutates = mutates_args
        self._kernels: dict[str, Callable[..., Any]] = {}
        self._fake: Callable[..., Any] | None = None
        self._backward: Callable[..., Any] | None = None
        self._setup: Callable[..., Any] | None = None
        self._vmap: Callable[..., Any] | None = None
        self.__name__ = self._name
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        _defined[self._qualname] = self
        register(self._namespace, self._name, self)

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def register_kernel(self, device_types: Any, func: Callable[..., Any] | None = None) -> Any:
        """Another function for tensors on the given devices."""

        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            kinds = (
                ("cpu",) if device_types is None else (device_types,) if isinstance(device_types, str) else device_types
            )
            self._kernels.update(dict.fromkeys(kinds, function))
            return function

        return keep if func is None else keep(func)

    def register_fake(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """The function that makes results of the right shape for meta tensors."""
        self._fake = fn
        return fn

    def register_autograd(
        self, backward: Callable[..., Any], *, setup_context: Callable[..., Any] | None = None
    ) -> None:
        """The derivative: `backward(ctx, *grads)`, and `setup_context(ctx, inputs, output)` to save what it needs."""
        self._backward, self._setup = backward, setup_context

    def register_vmap(self, func: Callable[..., Any] | None = None) -> Any:
        """The operator for whole batches: `func(info, in_dims, *args)` returns `(output, out_dims)`."""

        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            self._vmap = function
            return function

        return keep if func is None else keep(func)

    def register_torch_dispatch(self, torch_dispatch_class: Any, fn: Any = None, /) -> Any:
        """Accepted: there is no dispatch below operators to be called from."""
        return (lambda function: function) if fn is None else fn

    def _compute(self, *args: Any) -> Any:
        device = next((a.device.type for a in args if isinstance(a, _C.Tensor)), "cpu")
        if device == "meta" and self._fake is not None:
            return self._fake(*args)
        return self._kernels.get(device, self._function)(*args)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            import inspect

            bound = inspect.signature(self._function).bind(*args, **kwargs)
            bound.apply_defaults()
            args = tuple(bound.arguments.values())
        if self._vmap is not None:
            from ._batched_function import by_rule, level_of

            level = level_of(args)
            if level is not None:
                return by_rule(self._vmap, self._qualname, args, level)
        if self._backward is None or not _C.is_grad_enabled():
            return self._compute(*args)
        return self._recorded().apply(*args)

    def _recorded(self) -> Any:
        """The operator as a custom autograd function."""
        from .autograd import Function

        op = self

        class Recorded(Function):
            @staticmethod
            def forward(ctx: Any, *inputs: Any) -> Any:
                output = op._compute(*inputs)
                if op._setup is not None:
                    op._setup(ctx, inputs, output)
                return output

            @staticmethod
            def backward(ctx: Any, *grads: Any) -> Any:
                return op._backward(ctx, *grads)  # type: ignore[misc]

        Recorded.__name__ = self._name
        return Recorded


def custom_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str] = (),
    device_types: Any = None,
    schema: str | None = None,
    tags: Any = None,
) -> Any:
    """Make the operator "namespace::name" from a function of tensors and plain values; usable as a decorator."""

    def make(function: Callable[..., Any]) -> CustomOpDef:
        return CustomOpDef(name, function, mutates_args)

    return make if fn is None else make(fn)


def _op(op: Any) -> CustomOpDef:
    if isinstance(op, CustomOpDef):
        return op
    name = op if isinstance(op, str) else f"{op.namespace}::{op.__name__.partition('.')[0]}"
    found = _defined.get(f"{_split(name)[0]}::{_split(name)[1]}")
    if found is None:
        raise RuntimeError(f"library: there is no operator {name!r}; make it with torch.library.custom_op")
    return found


def register_fake(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None, **kwargs: Any) -> Any:
    """The rule for meta tensors of an operator; usable as a decorator."""

    def keep(function: Callable[..., Any]) -> Callable[..., Any]:
        return _op(op).register_fake(function)

    return keep if func is None else keep(func)


impl_abstract = register_fake


def register_kernel(op: Any, device_types: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """Another function of an operator for tensors on the given devices."""
    return _op(op).register_kernel(device_types, func)


def register_autograd(
    op: Any, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None, lib: Any = None
) -> None:
    """The derivative of an operator."""
    _op(op).register_autograd(backward, setup_context=setup_context)


def register_vmap(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """The operator for whole batches: `func(info, in_dims, *args)` returns `(output, out_dims)`."""
    return _op(op).register_vmap(func)


def _undefined(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"library: operator {name!r} has a schema but no implementation yet")

    return function


def define(qualname: str, schema: str, *, lib: Any = None, tags: Any = ()) -> None:
    """Name an operator; `impl` gives it a function."""
    CustomOpDef(qualname, _undefined(qualname))


def impl(qualname: Any, types: Any, func: Callable[..., Any] | None = None, *, lib: Any = None) -> Any:
    """The function of an operator, for "cpu", "default" or "CompositeImplicitAutograd"; usable as a decorator."""

    def keep(function: Callable[..., Any]) -> Callable[..., Any]:
        kinds = (types,) if isinstance(types, str) else tuple(types)
        op = _op(qualname)
        for kind in kinds:
            if kind.lower() in ("cuda", "xpu", "mps"):
                op._kernels[kind.lower()] = function
            elif kind == "Meta":
                op._fake = function
            elif kind not in ("Autograd", "AutogradCPU", "AutogradCUDA"):
                op._function = function
        return function

    return keep if func is None else keep(func)


class Library:
    """Operators of one namespace: `Library("my", "DEF")`, then `define(schema)` and `impl(name, function)`."""

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Name an operator by its schema, "name(Tensor x) -> Tensor"."""
        name = schema.partition("(")[0].strip()
        CustomOpDef(f"{self.ns}::{name}", _undefined(f"{self.ns}::{name}"))
        return name

    def impl(self, op_name: Any, fn: Callable[..., Any], dispatch_key: str = "", *, with_keyset: bool = False) -> None:
        """The function of an operator."""
        name = op_name if isinstance(op_name, str) else op_name.__name__.partition(".")[0]
        name = name if "::" in name else f"{self.ns}::{name}"
        impl(name, dispatch_key or self.dispatch_key or "CompositeExplicitAutograd", fn)


def fallthrough_kernel(*args: Any, **kwargs: Any) -> Any:
    """Always refused: there is nothing below an operator to fall through to."""
    raise NotImplementedError("library.fallthrough_kernel: must not be called")


def get_ctx() -> Any:
    """Always refused: meta rules see sizes as plain numbers."""
    raise RuntimeError("library.get_ctx: rushlight has no symbolic sizes; meta rules get plain numbers")


def infer_schema(
    prototype_function: Callable[..., Any], /, *, mutates_args: Any = (), op_name: str | None = None
) -> str:
    """The schema text of a function, from its annotations."""
    import inspect

    names = {"Tensor": "Tensor", "int": "SymInt", "float": "float", "bool": "bool", "str": "str", "None": "()"}

    def text(annotation: Any) -> str:
        plain = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        return names.get(plain.rpartition(".")[2], plain.rpartition(".")[2])

    signature = inspect.signature(prototype_function)
    parts = [
        f"{text(p.annotation)} {p.name}" + ("" if p.default is p.empty else f"={p.default}")
        for p in signature.parameters.values()
    ]
    return f"{op_name or ''}({', '.join(parts)}) -> {text(signature.return_annotation)}"


def triton_op(name: str, fn: Callable[..., Any] | None = None, /, *, mutates_args: Any = (), schema: Any = None) -> Any:
    """`custom_op`: there is no Triton here to call."""
    return custom_op(name, fn, mutates_args=mutates_args)


def wrap_triton(triton_kernel: Any, /) -> Any:
    """Always refused: there is no Triton here."""
    raise RuntimeError("library.wrap_triton: rushlight runs on the CPU, without Triton")


def opcheck(op: Any, args: tuple[Any, ...], kwargs: Any = None, **options: Any) -> dict[str, str]:
    """Check the meta rule and the derivative of an operator on sample arguments; raises where one is wrong."""
    from .autograd import gradcheck

    custom = _op(op)
    kwargs = kwargs or {}
    report = {}
    if custom._fake is not None:
        real = custom(*args, **kwargs)
        fake = custom._fake(*(a.to("meta") if isinstance(a, _C.Tensor) else a for a in args), **kwargs)
        for r, f in zip(*(x if isinstance(x, (tuple, list)) else (x,) for x in (real, fake))):
            if r.shape != f.shape or r.dtype != f.dtype:
                raise AssertionError(
                    f"opcheck: the meta rule says {tuple(f.shape)} {f.dtype}, the operator gives {tuple(r.shape)} {r.dtype}"
                )
        report["test_faketensor"] = "SUCCESS"
    if custom._backward is not None:
        gradcheck(lambda *xs: custom(*xs, **kwargs), args, fast_mode=True)
        report["test_autograd_registration"] = "SUCCESS"
    return report
