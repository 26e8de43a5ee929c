"""Manipulation functions of the array API standard."""

from __future__ import annotations

from .. import _C
from ..functional import broadcast_shapes as _broadcast_shapes
from ._array import keep_arrays
from ._axes import as_tuple
from ._promotion import common_dtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .. import Tensor

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]

_ops = _C._VariableFunctions


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """Views of the arrays in the one shape they broadcast to."""
    return tuple(_ops.broadcast_tensors(arrays)) if arrays else ()


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that shapes broadcast to; ValueError if they do not."""
    try:
        return tuple(_broadcast_shapes(*shapes))
    except RuntimeError as error:
        raise ValueError(str(error)) from None


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """A view of the array in a shape that it broadcasts to."""
    return _ops.broadcast_to(x, shape)


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """The arrays joined along an axis, or flattened and joined if it is None; they promote to one dtype."""
    dtype = common_dtype(arrays)
    parts = [array.to(dtype) if axis is not None else array.to(dtype).reshape(-1) for array in arrays]
    return _ops.cat(parts, 0 if axis is None else axis)


def expand_dims(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """A view with axes of size one at the places `axis` of the result."""
    axes = as_tuple(axis)
    rank = x.ndim + len(axes)
    for one in axes:
        if not -rank <= one < rank:
            raise IndexError(f"expand_dims: axis {one} is out of range for a result of {rank} dimensions")
    places = sorted(one % rank for one in axes)
    if len(set(places)) != len(places):
        raise ValueError(f"expand_dims: axes {axes} name one place twice")
    for place in places:
        x = x.unsqueeze(place)
    return x


def flip(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """The elements in reverse order along the axes, by default along all."""
    return _ops.flip(x, tuple(range(x.ndim)) if axis is None else as_tuple(axis))


def moveaxis(x: Tensor, source: Any, destination: Any, /) -> Tensor:
    """A view with axes moved to other places, the rest in their order."""
    return _ops.movedim(x, source, destination)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """A view with the axes in the given order."""
    return _ops.permute(x, tuple(axes))


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Each element (or slice along `axis`) as often as `repeats` says, one number or one for each."""
    if isinstance(repeats, _C.Tensor):
        repeats = repeats.to(_C.int64)
    return _ops.repeat_interleave(x, repeats, dim=axis)


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """The elements in another shape; `copy` true makes a copy in any case, false raises ValueError if one is needed."""
    shape = as_tuple(shape)
    if copy:
        return x.clone().reshape(shape)
    if copy is None:
        return x.reshape(shape)
    try:
        return x.view(shape)
    except RuntimeError as error:
        raise ValueError(f"reshape: {tuple(x.shape)} to {shape} is not possible without a copy: {error}") from None


def roll(x: Tensor, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """The elements moved on by `shift` along the axes, those beyond the end put in front; flattened without axes."""
    return _ops.roll(x, shift) if axis is None else _ops.roll(x, shift, axis)


def squeeze(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """A view without the axes named, which must have size one."""
    axes = as_tuple(axis)
    for one in axes:
        if x.shape[one] != 1:
            raise ValueError(f"squeeze: axis {one} of shape {tuple(x.shape)} has size {x.shape[one]}, not 1")
    return _ops.squeeze(x, axes)


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """The arrays joined along a new axis; they promote to one dtype."""
    dtype = common_dtype(arrays)
    return _ops.stack([array.to(dtype) for array in arrays], axis)


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """Copies of the array side by side, as many along each axis as `repetitions` says."""
    return _ops.tile(x, tuple(repetitions))


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis as views."""
    return tuple(_ops.unbind(x, axis))


keep_arrays(globals(), __all__)
