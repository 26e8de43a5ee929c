"""`torch._foreach_*`: one operator over lists of tensors. Each tensor is computed by itself; nothing is fused."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from . import Tensor

    def __getattr__(name: str) -> Any: ...  # what the loops of this file define

UNARY = """
    abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt
    sigmoid sign sin sinh sqrt tan tanh trunc""".split()
BINARY = "add sub mul div maximum minimum clamp_max clamp_min pow".split()
TERNARY = "addcmul addcdiv".split()


def _each(name: str, tensors: Sequence[Tensor], other: Any) -> Iterator[Any]:
    """The second operand for each tensor: one number or tensor for all, or a list as long as the first."""
    if not isinstance(other, (list, tuple)):
        return iter([other] * len(tensors))
    if len(other) != len(tensors):
        raise RuntimeError(
            f"{name}: Tensor lists must have the same number of tensors, got {len(tensors)} and {len(other)}"
        )
    return iter(other)


def _unary(title: str) -> Callable[..., Any]:
    method, inplace = title[len("_foreach_") :], title.endswith("_")

    def function(self: Sequence[Tensor]) -> Any:
        results = tuple(getattr(t, method)() for t in self)
        return self if inplace else results

    return function


def _binary(title: str) -> Callable[..., Any]:
    method, inplace = title[len("_foreach_") :], title.endswith("_")
    takes_alpha = method.rstrip("_") in ("add", "sub")

    def function(self: Any, other: Any = None, *, alpha: Any = 1, scalar: Any = None, exponent: Any = None) -> Any:
        other = next((o for o in (other, scalar, exponent) if o is not None), None)
        options = {"alpha": alpha} if takes_alpha and alpha != 1 else {}
        if isinstance(self, (int, float)):  # number ** tensors
            return tuple(getattr(self, f"__{method}__")(t) for t in other)
        second = _each(title, self, other)
        results = tuple(_apply(t, method, o, options) for t, o in zip(self, second))
        return self if inplace else results

    return function


def _apply(tensor: Tensor, method: str, other: Any, options: dict[str, Any]) -> Tensor:
    kind = method.rstrip("_")
    if kind in ("maximum", "minimum", "clamp_max", "clamp_min"):
        # the same limit under four names, of which only the clamps take numbers and work in place
        method = ("clamp_min" if kind in ("maximum", "clamp_min") else "clamp_max") + "_" * method.endswith("_")
    return getattr(tensor, method)(other, **options)


def _ternary(title: str) -> Callable[..., Any]:
    method, inplace = title[len("_foreach_") :], title.endswith("_")

    def function(
        self: Sequence[Tensor],
        tensor1: Sequence[Tensor],
        tensor2: Sequence[Tensor],
        scalars: Any = 1,
        *,
        value: Any = None,
    ) -> Any:
        values = scalars if value is None else value
        if isinstance(values, _C.Tensor):
            values = values.tolist()
        weights = _each(title, self, values)
        first, second = _each(title, self, tensor1), _each(title, self, tensor2)
        rows = zip(self, first, second, weights)
        results = tuple(getattr(t, method)(a, b, value=w) for t, a, b, w in rows)
        return self if inplace else results

    return function


def _lerp(title: str) -> Callable[..., Any]:
    method, inplace = title[len("_foreach_") :], title.endswith("_")

    def function(self: Sequence[Tensor], tensors1: Sequence[Tensor], weights: Any = None, *, weight: Any = None) -> Any:
        chosen = _each(title, self, weights if weight is None else weight)
        rows = zip(self, _each(title, self, tensors1), chosen)
        results = tuple(getattr(t, method)(e, w) for t, e, w in rows)
        return self if inplace else results

    return function


def _foreach_copy_(self: Sequence[Tensor], src: Sequence[Tensor], non_blocking: bool = False) -> Sequence[Tensor]:
    """Overwrite each tensor with the one at its place in `src`."""
    for tensor, source in zip(self, _each("_foreach_copy_", self, src)):
        tensor.copy_(source, non_blocking)
    return self


def _foreach_zero_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Set each tensor to 0."""
    for tensor in self:
        tensor.zero_()
    return self


def _foreach_clone(self: Sequence[Tensor], *, memory_format: Any = None) -> tuple[Tensor, ...]:
    """A copy of each tensor."""
    return tuple(tensor.clone(memory_format=memory_format or _C.preserve_format) for tensor in self)


def _foreach_mm(self: Sequence[Tensor], mat2: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The product of each matrix with the one at its place in `mat2`."""
    return tuple(a.mm(b) for a, b in zip(self, _each("_foreach_mm", self, mat2)))


def _foreach_norm(self: Sequence[Tensor], ord: float = 2, dtype: Any = None) -> tuple[Tensor, ...]:
    """The vector norm of each tensor."""
    vector_norm = _C._linalg.linalg_vector_norm
    return tuple(vector_norm(tensor, ord, dtype=dtype) for tensor in self)


def _foreach_powsum(self: Sequence[Tensor], ord: float = 2, dtype: Any = None) -> tuple[Tensor, ...]:
    """The sum of |x|^ord over each tensor."""
    return tuple(tensor.abs().pow(ord).sum(dtype=dtype) for tensor in self)


def _foreach_max(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The largest element of each tensor."""
    return tuple(tensor.max() for tensor in self)


for _make, _group in ((_unary, UNARY), (_binary, BINARY), (_ternary, TERNARY), (_lerp, ["lerp"])):
    for _name in _group:
        for _title in (f"_foreach_{_name}", f"_foreach_{_name}_"):
            _function = globals()[_title] = _make(_title)
            _function.__name__ = _function.__qualname__ = _title
            _function.__doc__ = f"`{_name}` for each tensor of a list."
