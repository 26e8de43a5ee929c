"""Symbolic numbers and control flow: sizes are always plain numbers here, so these act on plain numbers."""

from __future__ import annotations

import builtins
import math

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class SymInt:
    """Never the type of an object: sizes are plain `int`."""


class SymFloat:
    """Never the type of an object."""


class SymBool:
    """Never the type of an object."""


def sym_int(a: Any) -> int:
    """`int(a)`."""
    return builtins.int(a)


def sym_float(a: Any) -> float:
    """`float(a)`."""
    return builtins.float(a)


def sym_not(a: Any) -> bool:
    """`not a`."""
    return not a


def sym_max(a: Any, b: Any) -> Any:
    """The larger of two numbers, a float when either is."""
    largest = builtins.max(a, b)
    return builtins.float(largest) if isinstance(a, float) or isinstance(b, float) else largest


def sym_min(a: Any, b: Any) -> Any:
    """The smaller of two numbers, a float when either is."""
    least = builtins.min(a, b)
    return builtins.float(least) if isinstance(a, float) or isinstance(b, float) else least


def sym_sum(args: Iterable[Any]) -> Any:
    """The sum of some numbers."""
    return builtins.sum(args)


def sym_sqrt(a: Any) -> float:
    """`math.sqrt(a)`."""
    return math.sqrt(a)


_sym_sqrt, _sym_log2 = math.sqrt, math.log2
_sym_sin, _sym_cos, _sym_tan = math.sin, math.cos, math.tan
_sym_asin, _sym_acos, _sym_atan = math.asin, math.acos, math.atan
_sym_sinh, _sym_cosh, _sym_tanh = math.sinh, math.cosh, math.tanh


def sym_ite(b: Any, t: Any, f: Any) -> Any:
    """`t if b else f`."""
    return t if b else f


def sym_fresh_size(expr: Any) -> Any:
    """`expr`."""
    return expr


def _constrain_as_size(symbol: Any, min: int | None = None, max: int | None = None) -> None:
    """RuntimeError unless a number lies in a range of sizes."""
    _C._VariableFunctions.sym_constrain_range_for_size(symbol, min=min, max=max)


def cond(
    pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: tuple[Any, ...] | list[Any] = ()
) -> Any:
    """Call one of two functions: `true_fn(*operands)` when `pred`, a bool or a tensor of one element, is true."""
    return true_fn(*operands) if bool(pred) else false_fn(*operands)


def while_loop(cond_fn: Callable[..., Any], body_fn: Callable[..., Any], carried_inputs: Any) -> Any:
    """Repeat `carried = body_fn(*carried)` as long as `cond_fn(*carried)`."""
    carried = tuple(carried_inputs)
    while bool(cond_fn(*carried)):
        made = body_fn(*carried)
        carried = tuple(made) if isinstance(made, (tuple, list)) else (made,)
    return carried
