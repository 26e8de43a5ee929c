"""Drawn tensors: every shape, dtype and memory layout a pointwise, reduce, index or shape operator can meet.

`Draw` is the one source of choices of a case; what it draws is an `Operand`: a tensor with the NumPy array of the
values it must hold. Half types have no NumPy counterpart, so floats come as float64 and complex numbers as complex128.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import rushlight as torch
from hypothesis import strategies as st

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
UNSIGNED = (torch.uint64, torch.uint32, torch.uint16)
SIGNED = (torch.int64, torch.int32, torch.int16, torch.int8)
INTEGERS = (*SIGNED, torch.uint8, *UNSIGNED)
COMPLEX = (torch.complex64, torch.complex128)
DTYPES = {  # letters of a table's `dtypes`
    "F": FLOATS[:2],
    "h": FLOATS[2:],
    "f": FLOATS,
    "i": INTEGERS,
    "b": (torch.bool,),
    "c": COMPLEX,
}
SPECIAL = np.array([math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 1e-40, 3e38, -3e38])
LAYOUTS = ("contiguous", "contiguous", "offset", "permuted", "stepped", "expanded", "channels_last")
EDGE = (0, 1, 1, 2, 2, 3, 4, 5, 7)  # sizes of a dimension


def dtypes_of(letters: str) -> tuple[torch.dtype, ...]:
    return tuple(dtype for letter in letters for dtype in DTYPES[letter])


def numpy_of(tensor: torch.Tensor) -> np.ndarray:
    """The values in a NumPy array: floats as float64, complex numbers as complex128."""
    tensor = tensor.detach()
    if tensor.dtype.is_complex:
        return tensor.to(torch.complex128).resolve_conj().numpy()
    return (tensor.double() if tensor.dtype.is_floating_point else tensor).numpy()


def numpy_dtype(dtype: torch.dtype) -> np.dtype:
    """The NumPy dtype in which a reference computes for `dtype`."""
    return numpy_of(torch.empty(0, dtype=dtype)).dtype


@dataclass(frozen=True)
class Operand:
    """A tensor and the values that it must hold."""

    tensor: torch.Tensor
    array: np.ndarray
    layout: str = "contiguous"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def dtype(self) -> torch.dtype:
        return self.tensor.dtype

    def __repr__(self) -> str:
        return f"<{self.dtype} {tuple(self.shape)} {self.layout}, strides {self.tensor.stride()}: {self.array.ravel()[:8]}>"


class Draw:
    """Choices of one example."""

    def __init__(self, data: st.DataObject) -> None:
        self._draw = data.draw
        self._streams = 0
        self._unsigned = self.integer(0, 2) == 2

    def choice(self, options: Sequence[Any]) -> Any:
        """One of the options; the first is the simplest. One draw in three prefers unsigned dtypes."""
        if self._unsigned:
            options = [option for option in options if isinstance(option, torch.dtype) and option in UNSIGNED] or options
        return options[self._draw(st.integers(0, len(options) - 1))]

    def partner(self, dtype: torch.dtype, options: Sequence[torch.dtype]) -> torch.dtype:
        """An option that promotes with `dtype`: uint64 and signed integers have no common dtype."""
        return self.choice([option for option in options if torch.uint64 not in (dtype, option) or not {dtype, option} & {*SIGNED}])

    def integer(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    def boolean(self) -> bool:
        return self._draw(st.booleans())

    def generator(self) -> np.random.Generator:
        """Random numbers; those of two operands differ, whatever is drawn."""
        self._streams += 1
        return np.random.default_rng([self._streams, self._draw(st.integers(0, 1 << 20))])

    def shape(self, low: int = 0, high: int = 4, edges: Sequence[int] = EDGE) -> tuple[int, ...]:
        """Sizes of `low` to `high` dimensions; now and then one row that is longer than a vector register."""
        if low <= 1 <= high and self.integer(0, 7) == 7:
            return (self.choice((33, 129, 1031)),)
        return tuple(self.choice(edges) for _ in range(self.integer(low, high)))

    def dim(self, ndim: int) -> int:
        """A dimension, counted from either end; a 0-dim tensor has the dimensions 0 and -1."""
        ndim = max(ndim, 1)
        return self.integer(-ndim, ndim - 1)

    def dims(self, ndim: int, least: int = 0) -> tuple[int, ...]:
        """Distinct dimensions in any order, counted from either end."""
        order = self._draw(st.permutations(range(ndim))) if ndim else []
        count = self.integer(min(least, ndim), ndim)
        return tuple(d - ndim if self.boolean() else d for d in order[:count])

    def permutation(self, count: int) -> tuple[int, ...]:
        return tuple(self._draw(st.permutations(range(count))))

    def values(self, shape: tuple[int, ...], dtype: torch.dtype, domain: tuple[float, float], special: bool = False) -> np.ndarray:
        rng = self.generator()
        low, high = domain
        if dtype is torch.bool:
            return rng.random(shape) < 0.6
        if not dtype.is_floating_point and not dtype.is_complex:
            low, high = (max(low, -100), min(high, 100)) if dtype is not torch.uint8 else (max(low, 0), min(high, 200))
            low, high = math.ceil(low), max(math.floor(high), math.ceil(low))
            return rng.integers(low, high + 1, shape)  # below zero: in UNSIGNED the largest numbers, when placed
        values = rng.uniform(low, high, shape)
        if dtype.is_complex:
            return values + 1j * rng.uniform(low, high, shape)
        if special:
            values = np.where(rng.random(shape) < 0.15, rng.choice(SPECIAL, shape), values)
        return values

    def tensor(
        self,
        dtype: torch.dtype,
        shape: tuple[int, ...] | None = None,
        domain: tuple[float, float] = (-9, 9),
        *,
        special: bool = False,
        writable: bool = False,
        distinct: bool = False,
    ) -> Operand:
        """A tensor of any layout. `writable`: no two elements share memory; `distinct`: no two are equal."""
        shape = self.shape() if shape is None else shape
        count = math.prod(shape)
        if distinct:
            rng = self.generator()
            values = (rng.permutation(count) - count // 2).reshape(shape) * (0.25 if dtype.is_floating_point else 1)
        else:
            values = self.values(shape, dtype, domain, special)
        return self.place(values, dtype, "expanded" if not writable and not distinct else "")

    def place(self, values: np.ndarray, dtype: torch.dtype, also: str = "") -> Operand:
        """Puts values into memory in a drawn layout; `also` names the one that repeats elements, where it is allowed."""
        layout = self.choice(LAYOUTS)
        shape = values.shape
        if layout == "expanded":
            if also != layout or not shape:
                layout = "contiguous"
            else:
                kept = [n if n == 0 or self.boolean() else 1 for n in shape]
                values = np.broadcast_to(values[tuple(slice(0, n) for n in kept)], shape)
        plain = torch.from_numpy(np.array(values, order="C")).to(dtype)
        array = numpy_of(plain)
        return Operand(self._lay_out(plain, layout), array, layout)

    def _lay_out(self, plain: torch.Tensor, layout: str) -> torch.Tensor:
        shape = tuple(plain.shape)
        if layout == "channels_last" and len(shape) == 4:
            return plain.contiguous(memory_format=torch.channels_last)
        if layout == "permuted" and len(shape) > 1:
            order = self.permutation(len(shape))
            inverse = [order.index(d) for d in range(len(shape))]
            return plain.permute(order).contiguous().permute(inverse)
        if layout == "stepped" and shape:
            steps = [self.integer(1, 3) for _ in shape]
            base = torch.zeros([n * step + 1 for n, step in zip(shape, steps)], dtype=plain.dtype)
            view = base[tuple(slice(1, 1 + n * step, step) for n, step in zip(shape, steps))]
            view.copy_(plain)
            return view
        if layout == "offset":
            base = torch.zeros(plain.numel() + 3, dtype=plain.dtype)
            base[3:].copy_(plain.reshape(-1))
            return base[3:].view(shape)
        if layout == "expanded":
            kept = tuple(slice(0, 1) if n > 1 and _repeats(plain, d) else slice(None) for d, n in enumerate(shape))
            return plain[kept].contiguous().expand(shape)
        return plain


def _repeats(tensor: torch.Tensor, dim: int) -> bool:
    array = numpy_of(tensor)
    return array.size > 0 and np.array_equal(array, np.broadcast_to(np.take(array, [0], dim), array.shape), equal_nan=array.dtype.kind in "fc")
