"""How a row of a pointwise table becomes a case: operands that broadcast, promotion, numbers for operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import rushlight as torch
from calls import REAL_OF, Call, Case, operators
from operands import FLOATS, Draw, Operand, dtypes_of, numpy_dtype, numpy_of

Domain = tuple[float, float]
HALF = FLOATS[2:]


def row(
    reference: Callable[..., Any],
    dtypes: str = "fib",
    *domains: Domain,
    result: str = "same",
    arity: int = 1,
    number: bool = False,
    number_at: int | None = None,
    nonzero: bool = False,
    parameters: Sequence[tuple[Any, ...]] = ((),),
    options: Sequence[dict[str, Any]] = ({},),
    special: bool = True,
    mixed: bool = True,
    rtol: float = 4.0,
    half: float = 0.51,
    atol: float = 0.0,
    wide: bool = False,
    grid: bool = False,
    forms: bool = True,
    factor: bool = False,
) -> Case:
    """A pointwise case.

    `reference` receives arrays of the promoted dtype, then `parameters` and `options`. `domains`: one for all operands
    or one each. `grid`: only multiples of 1/4. `result`: "same" as promoted, "float" (integers become float32), "bool", or "real" (of complex numbers).
    `number`: the last operand may be a number; `number_at`: that operand always is one. `nonzero`: the last operand is
    never zero. `special`: floats include NaN, infinities and numbers at the ends of the range; `wide`: integers, too.
    `factor`: next to a half type a number or 0-dim tensor for the last operand keeps its digits.
    `rtol` and `atol` count epsilons of float32 and float64; `half` is the bound of half types, which round once.
    """
    ranges = domains or ((-9.0, 9.0),)

    def case(draw: Draw) -> Call:
        allowed = dtypes_of(dtypes)
        dtype = draw.choice(allowed)
        shape = draw.shape()
        args: list[Any] = []
        for i in range(arity):
            domain = ranges[min(i, len(ranges) - 1)]
            last = i == arity - 1
            if i == number_at or (number and last and draw.integer(0, 3) == 0):
                args.append(draw_number(draw, dtype, domain, nonzero and last))
                continue
            mine = draw.partner(dtype, allowed) if mixed and i and draw.integer(0, 3) == 3 else dtype
            if result == "float" and mine is not dtype:  # under vmap 0-dim operands become of the other's dtype first
                domain = (max(domain[0], 0), domain[1])
            own = shape if arity == 1 or draw.boolean() else narrowed(draw, shape)
            args.append(draw_operand(draw, mine, own, domain, special, wide, nonzero and last, grid))
        common = promoted(args)
        computed = torch.float32 if result == "float" and not (common.is_floating_point or common.is_complex) else common
        keeps = factor and computed in HALF and np.ndim(getattr(args[-1], "array", 0)) == 0 and np.ndim(getattr(args[0], "array", 0)) > 0
        arrays = [as_array(a, torch.float32 if keeps and i == arity - 1 else computed) for i, a in enumerate(args)]
        extra, keywords = draw.choice(parameters), draw.choice(options)
        with np.errstate(all="ignore"):
            want = reference(*arrays, *extra, **keywords)
        shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
        promised = torch.bool if result == "bool" else REAL_OF.get(computed, computed) if result == "real" else computed
        narrow = computed in HALF
        return Call((*args, *extra), np.broadcast_to(want, shape), promised, dict(keywords), half if narrow else rtol, atol, forms)

    return case


def draw_number(draw: Draw, dtype: torch.dtype, domain: Domain, nonzero: bool) -> int | float:
    """A number that every floating dtype can hold."""
    low, high = max(domain[0], -50), min(domain[1], 50)
    if draw.boolean() or not (dtype.is_floating_point or dtype.is_complex):
        value = draw.integer(int(np.ceil(low)), int(high))
        return value or 1 if nonzero else value
    value = draw.integer(int(np.ceil(low * 4)), int(high * 4)) / 4
    return value or 1.0 if nonzero else value


def draw_operand(draw: Draw, dtype: torch.dtype, shape: tuple[int, ...], domain: Domain, special: bool, wide: bool, nonzero: bool, grid: bool) -> Operand:
    if wide and not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool):
        ends = torch.iinfo(dtype)
        values = draw.generator().integers(ends.min, ends.max, shape, endpoint=True, dtype=numpy_dtype(dtype))
    elif nonzero or grid:
        values = draw.values(shape, dtype, domain, special)
        values = np.round(values * 4) / 4 if grid and dtype.is_floating_point else values
        values = np.where(values == 0, 1, values) if nonzero else values
    else:
        return draw.tensor(dtype, shape, domain, special=special)
    return draw.place(values, dtype)


def narrowed(draw: Draw, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts to `shape`."""
    kept = shape[draw.integer(0, len(shape)) :]
    return tuple(1 if draw.integer(0, 2) == 0 else n for n in kept)


def promoted(args: Sequence[Any]) -> torch.dtype:
    """The dtype of the operands together; its rules have tests of their own."""
    values = [a.tensor if isinstance(a, Operand) else a for a in args]
    if len(values) == 1:
        return values[0].dtype
    if len(values) == 2:
        return torch.result_type(*values)
    dims = [v for v in values if isinstance(v, torch.Tensor)]
    common = dims[0]
    for other in dims[1:]:
        dtype = torch.result_type(common, other)
        common = torch.empty((1,) * max(common.dim(), other.dim()), dtype=dtype)
    return common.dtype


def as_array(value: Any, dtype: torch.dtype) -> np.ndarray:
    if isinstance(value, Operand):
        return value.array if value.dtype == dtype else numpy_of(value.tensor.to(dtype))
    return numpy_of(torch.tensor(value).to(dtype))


def known(table: dict[str, Case]) -> dict[str, Case]:
    """The table, after a look that each of its names is in the catalogue."""
    if unknown := set(table) - set(operators()):
        raise KeyError(f"not in the catalogue: {sorted(unknown)}")
    return table
