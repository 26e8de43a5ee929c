"""Operands for derivatives and meta tensors: small, of one dtype, away from edges, the same in each run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import rushlight as torch
from operands import Draw, Operand


class Steady(Draw):
    """A `Draw` of seeded numbers that picks `dtype` wherever a case may have it.

    Floating operands hold no special values, no two equal ones and no multiples of 1/4, so that a point where there is no
    derivative is never hit, and no memory twice. `offered` tells afterwards which dtypes the case could have had.
    """

    def __init__(self, seed: int, dtype: torch.dtype | None) -> None:
        self._rng = np.random.default_rng(seed)
        self.dtype = dtype
        self.offered: set[torch.dtype] = set()

    def choice(self, options: Sequence[Any]) -> Any:
        if self.dtype is not None and all(isinstance(option, torch.dtype) for option in options):
            self.offered.update(options)
            if self.dtype in options:
                return self.dtype
        return options[int(self._rng.integers(len(options)))]

    def integer(self, low: int, high: int) -> int:
        return int(self._rng.integers(low, high + 1))

    def boolean(self) -> bool:
        return bool(self._rng.integers(2))

    def generator(self) -> np.random.Generator:
        return np.random.default_rng(self._rng.integers(1 << 30))

    def shape(self, low: int = 0, high: int = 4, edges: Sequence[int] = (1, 2, 3)) -> tuple[int, ...]:
        sizes = [n for n in edges if 0 < n < 4] or [min(edges)]
        return tuple(sizes[int(self._rng.integers(len(sizes)))] for _ in range(self.integer(low, max(low, min(high, 3)))))

    def dims(self, ndim: int, least: int = 0) -> tuple[int, ...]:
        order = self._rng.permutation(ndim).tolist()
        return tuple(d - ndim if self.boolean() else d for d in order[: self.integer(min(least, ndim), ndim)])

    def permutation(self, count: int) -> tuple[int, ...]:
        return tuple(self._rng.permutation(count).tolist())

    def values(self, shape: tuple[int, ...], dtype: torch.dtype, domain: tuple[float, float], special: bool = False) -> np.ndarray:
        return super().values(shape, dtype, (max(domain[0], -4.0), min(domain[1], 4.0)) if self.dtype else domain)

    def place(self, values: np.ndarray, dtype: torch.dtype, also: str = "") -> Operand:
        if self.dtype is not None and dtype.is_floating_point and values.size:
            values = np.where(values * 4 == np.round(values * 4), values + self._rng.uniform(1e-3, 2e-3, values.shape), values)
        return super().place(values, dtype)

    def tensor(self, *args: Any, **kwargs: Any) -> Operand:
        return super().tensor(*args, **{**kwargs, "special": False})

    # what makers of this folder use beside the above

    def real(self, *shape: int, low: float = -2.0, high: float = 2.0) -> torch.Tensor:
        """Real numbers of the precision of `dtype`."""
        return torch.from_numpy(self._rng.uniform(low, high, shape))

    def numbers(self, *shape: int, low: float = -2.0, high: float = 2.0) -> torch.Tensor:
        """Numbers of `dtype`."""
        values = self.real(*shape, low=low, high=high)
        return torch.complex(values, self.real(*shape, low=low, high=high)) if self.dtype is torch.complex128 else values

    def positions(self, *shape: int, size: int) -> torch.Tensor:
        """Indices below `size`."""
        return torch.from_numpy(self._rng.integers(0, size, shape))

    def distinct(self, *shape: int) -> torch.Tensor:
        """Real numbers no two of which are close."""
        count = math.prod(shape)
        return torch.from_numpy(self._rng.permutation(count).reshape(shape) * 0.25 - count / 8 + 0.01)

    def square(self, *batch: int, size: int = 3) -> torch.Tensor:
        """Matrices with different and large singular values."""
        return self.numbers(*batch, size, size, low=-0.5, high=0.5) + torch.diag(torch.arange(2.0, 2.0 + size).double())

    def hermitian(self, *batch: int, size: int = 3) -> torch.Tensor:
        """Positive definite matrices with different eigenvalues."""
        half = self.numbers(*batch, size, size, low=-0.3, high=0.3)
        return half @ half.mH + torch.diag(torch.arange(1.0, 1.0 + size).double())
