"""`MaskedTensor`: data and a mask of the same shape, True where the data counts."""

from __future__ import annotations

from .. import _C
from . import reductions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions
_REDUCTIONS = ("sum", "mean", "prod", "amax", "amin", "argmax", "argmin", "var", "std")
_UNARY = "abs neg exp log sqrt square sin cos tanh sigmoid relu reciprocal floor ceil round sign".split()
_BINARY = "add sub mul div pow".split()


class MaskedTensor:
    """Made by `masked_tensor(data, mask)`; element-wise operators keep the mask, reductions leave masked-out elements aside."""

    def __init__(self, data: Tensor, mask: Tensor, requires_grad: bool = False) -> None:
        if mask.dtype is not _C.bool:
            raise TypeError(f"MaskedTensor: mask must have dtype bool, got {mask.dtype}")
        if data.shape != mask.shape:
            raise ValueError(
                f"MaskedTensor: data has shape {tuple(data.shape)} and mask {tuple(mask.shape)}; expand the mask"
            )
        self._data = data.requires_grad_() if requires_grad else data
        self._mask = mask

    def get_data(self) -> Tensor:
        """The data, masked-out elements included."""
        return self._data

    def get_mask(self) -> Tensor:
        """The mask."""
        return self._mask

    def to_tensor(self, value: Any) -> Tensor:
        """The data with `value` where it is masked out."""
        return self._data.masked_fill(~self._mask, value)

    def is_sparse(self) -> bool:
        """False."""
        return False

    @property
    def shape(self) -> Any:
        return self._data.shape

    @property
    def dtype(self) -> Any:
        return self._data.dtype

    def __repr__(self) -> str:
        def text(data: Any, mask: Any, indent: int) -> str:
            if not isinstance(mask, list):
                if not mask:
                    return "      --"
                return f"{data:8.4f}" if isinstance(data, float) else f"{data!s:>8}"
            if not mask or not isinstance(mask[0], list):
                return "[" + ", ".join(text(d, m, 0) for d, m in zip(data, mask)) + "]"
            pad = " " * indent
            rows = ",\n".join(pad + "  " + text(d, m, indent + 2) for d, m in zip(data, mask))
            return f"[\n{rows}\n{pad}]"

        return f"MaskedTensor(\n  {text(self._data.tolist(), self._mask.tolist(), 2)}\n)"

    def _binary(self, other: Any, operation: Callable[[Any, Any], Tensor]) -> MaskedTensor:
        if isinstance(other, MaskedTensor):
            if not _ops.equal(self._mask, other._mask):
                raise ValueError("MaskedTensor: the masks of both operands must match")
            other = other._data
        return MaskedTensor(operation(self._data, other), self._mask)

    def __add__(self, other: Any) -> MaskedTensor:
        return self._binary(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> MaskedTensor:
        return self._binary(other, lambda a, b: a - b)

    def __mul__(self, other: Any) -> MaskedTensor:
        return self._binary(other, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> MaskedTensor:
        return self._binary(other, lambda a, b: a / b)

    def __pow__(self, other: Any) -> MaskedTensor:
        return self._binary(other, lambda a, b: a**b)

    def __neg__(self) -> MaskedTensor:
        return MaskedTensor(-self._data, self._mask)

    def __getattr__(self, name: str) -> Any:
        if name in _UNARY:
            return lambda: MaskedTensor(getattr(self._data, name)(), self._mask)
        if name in _BINARY:
            return lambda other: self._binary(other, getattr(_ops, name))
        if name in _REDUCTIONS:
            return lambda dim=None, **options: self._reduced(name, dim, options)
        raise AttributeError(f"'MaskedTensor' object has no attribute '{name}'")

    def _reduced(self, name: str, dim: Any, options: dict[str, Any]) -> MaskedTensor:
        data = getattr(reductions, name)(self._data, dim, mask=self._mask, **options)
        keep = options.get("keepdim", False)
        mask = self._mask.any() if dim is None else self._mask.any(dim, keep)
        return MaskedTensor(data, mask.expand(data.shape))


def masked_tensor(data: Tensor, mask: Tensor, requires_grad: bool = False) -> MaskedTensor:
    """A masked tensor over a copy of the data."""
    return MaskedTensor(data.detach().clone(), mask.clone(), requires_grad)


def as_masked_tensor(data: Tensor, mask: Tensor) -> MaskedTensor:
    """A masked tensor over the data itself, connected to its graph."""
    return MaskedTensor(data, mask)


def is_masked_tensor(obj: Any, /) -> bool:
    """Whether `obj` is a masked tensor."""
    return isinstance(obj, MaskedTensor)
