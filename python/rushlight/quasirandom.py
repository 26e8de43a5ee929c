"""Sobol' sequences (`torch.quasirandom`).

Direction numbers: S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM
J. Sci. Comput. 30 (2008), their table new-joe-kuo-6.21201, packed in `sobol_joe_kuo.bin`: all polynomials as 32-bit
numbers, then half of each (odd) initial number as three planes of bytes. Scrambling: J. Matousek, "On the
L2-discrepancy for anchored boxes" (1998).
"""

from __future__ import annotations

import os
import zlib

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import Tensor

_ops = _C._VariableFunctions
_BITS = 30
_DIMENSIONS = 21201

_table: tuple[list[int], bytes] | None = None


def _numbers() -> tuple[list[int], bytes]:
    """The polynomials, and the planes of bytes of the initial numbers."""
    global _table
    if _table is None:
        with open(os.path.join(os.path.dirname(__file__), "sobol_joe_kuo.bin"), "rb") as file:
            raw = zlib.decompress(file.read())
        width = 4 * _DIMENSIONS
        polynomials = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, width, 4)]
        _table = polynomials, raw[width:]
    return _table


def _directions(dimensions: int) -> list[list[int]]:
    """The direction numbers of the first dimensions, `_BITS` each, scaled to `_BITS` bits."""
    polynomials, planes = _numbers()
    count = len(planes) // 3
    rows = []
    at = 0
    for d, polynomial in enumerate(polynomials[:dimensions]):
        degree = max(polynomial.bit_length() - 1, 1)
        v = [1 + 2 * (planes[i] | planes[count + i] << 8 | planes[2 * count + i] << 16) for i in range(at, at + degree)]
        at += degree
        if d == 0:
            v = [1] * _BITS
        for j in range(len(v), _BITS):
            new = v[j - degree]
            for k in range(1, degree + 1):
                if polynomial >> (degree - k) & 1:
                    new ^= v[j - k] << k
            v.append(new)
        rows.append([number << (_BITS - 1 - j) for j, number in enumerate(v[:_BITS])])
    return rows


class SobolEngine:
    """Draws points of a Sobol' sequence in `dimension` dimensions, in [0, 1).

    With `scramble`, digits are scrambled at random, from `seed` if one is given. ValueError above `MAXDIM` dimensions.
    """

    MAXBIT = _BITS
    MAXDIM = _DIMENSIONS

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None) -> None:
        if not 0 <= dimension <= self.MAXDIM:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.dimension = dimension
        self.scramble = scramble
        self.seed = seed
        self.sobolstate = _ops.tensor(_directions(dimension), dtype=_C.int64).reshape(dimension, _BITS)
        self.shift = _ops.zeros(dimension, dtype=_C.int64)
        if scramble:
            self._scramble()
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**_BITS).reshape(1, -1)
        self.num_generated = 0

    def _scramble(self) -> None:
        """Multiply the digits by a random lower triangular matrix and shift them by random digits."""
        generator = _C.Generator()
        if self.seed is not None:
            generator.manual_seed(self.seed)
        else:
            generator.seed()
        powers = 2 ** _ops.arange(_BITS, dtype=_C.int64)
        digits = _ops.randint(2, (self.dimension, _BITS), generator=generator)
        self.shift = (digits * powers).sum(1)
        matrices = _ops.randint(2, (self.dimension, _BITS, _BITS), generator=generator).tril()
        diagonal = _ops.eye(_BITS, dtype=_C.int64)
        matrices = matrices * (1 - diagonal) + diagonal
        falling = powers.flip(0)
        bits = (self.sobolstate.unsqueeze(1) // falling.reshape(1, -1, 1)) % 2  # dimension, digit, direction number
        scrambled = (matrices.unsqueeze(3) * bits.unsqueeze(1)).sum(2) % 2
        self.sobolstate = (scrambled * falling.reshape(1, -1, 1)).sum(1)

    def _advance(self, n: int, start: int) -> list[Tensor]:
        """The next `n` points as integers, the first being number `start` of the sequence."""
        points = []
        for i in range(start, start + n):
            lowest_zero = (~i & (i + 1)).bit_length() - 1
            self.quasi = self.quasi ^ self.sobolstate[:, lowest_zero]
            points.append(self.quasi)
        return points

    def draw(self, n: int = 1, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """The next `n` points, (n, dimension)."""
        dtype = dtype or _ops.get_default_dtype()
        fresh = self.num_generated == 0
        points = self._advance(n - fresh, self.num_generated - (not fresh))
        parts = [self._first_point.to(dtype)] if fresh else []
        if points:
            parts.append(_ops.stack(points).to(dtype) / 2**_BITS)
        result = _ops.cat(parts) if len(parts) > 1 else parts[0]
        self.num_generated += n
        if out is not None:
            return out.resize_(result.shape).copy_(result)
        return result

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """The next 2**m points; ValueError unless as many were drawn before, or none: only then they are balanced."""
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                f"The balance properties of Sobol' points require n to be a power of 2. {self.num_generated} points have "
                f"been previously generated, then: n={self.num_generated}+2**{m}={total}. If you still want to do this, "
                "please use 'SobolEngine.draw()' instead."
            )
        return self.draw(n, out=out, dtype=dtype)

    def reset(self) -> SobolEngine:
        """Begin the sequence again."""
        self.quasi = self.shift.clone()
        self.num_generated = 0
        return self

    def fast_forward(self, n: int) -> SobolEngine:
        """Leave out the next `n` points."""
        fresh = self.num_generated == 0
        self._advance(n - fresh, self.num_generated - (not fresh))
        self.num_generated += n
        return self

    def __repr__(self) -> str:
        parts = [f"dimension={self.dimension}"]
        if self.scramble:
            parts.append("scramble=True")
        if self.seed is not None:
            parts.append(f"seed={self.seed}")
        return f"SobolEngine({', '.join(parts)})"
