"""One call of an operator with its expected result, and every form in which the catalogue says it can be made.

A case is a function from a `Draw` to a `Call`. `check` makes the call as function, method, in place and with `out=`,
as far as the operator has these forms, and compares each with what NumPy computed. RUSHLIGHT_EXAMPLES in the
environment sets the number of examples of an operator (5), RUSHLIGHT_RANDOM draws new ones in each run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import rushlight as torch
from hypothesis import HealthCheck, Phase, note, settings
from operands import Draw, Operand, numpy_of

ROOT = Path(__file__).parents[3]
EXAMPLES = int(os.environ.get("RUSHLIGHT_EXAMPLES", "5"))
SETTINGS = settings(
    max_examples=EXAMPLES,
    derandomize="RUSHLIGHT_RANDOM" not in os.environ,
    deadline=None,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
EPSILON = {torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7, torch.float32: 2.0**-23, torch.float64: 2.0**-52}
LARGEST = {torch.float16: 65504.0, torch.bfloat16: 3.3895e38, torch.float32: 3.4028235e38, torch.float64: 1.7976931348623157e308}
SMALLEST = {torch.float16: 2.0**-24, torch.bfloat16: 2.0**-133, torch.float32: 2.0**-149, torch.float64: 2.0**-1074}
REAL_OF = {torch.complex64: torch.float32, torch.complex128: torch.float64}


@dataclass(frozen=True)
class Call:
    """Arguments, and what must come back: an array, or a tuple or list of them, or a Python value."""

    args: tuple[Any, ...]
    want: Any
    dtype: torch.dtype | None = None  # of the (first) result, where it is promised
    kwargs: dict[str, Any] = field(default_factory=dict)
    rtol: float = 4.0  # in units of the result dtype's epsilon
    atol: float = 0.0  # the same, absolute
    forms: bool = True  # whether in-place and out= forms make sense for these arguments
    via: Callable[..., Any] | None = None  # how Python spells the call, where it has no function


Case = Callable[[Draw], Call]


def enter(table: dict[str, Case], *names: str) -> Callable[[Case], Case]:
    """Enters a case under the names of the overloads that it covers."""

    def keep(function: Case) -> Case:
        table.update(dict.fromkeys(names, function))
        return function

    return keep


@cache
def catalogue() -> list[Any]:
    """Operators as the code generator sees them."""
    sys.path.insert(0, str(ROOT / "codegen"))
    from model import load

    return load(ROOT / "catalogue")


def identity(operator: Any) -> str:
    """`add.Tensor`: how a table names an overload."""
    return operator.name + (f".{operator.schema.overload}" if operator.schema.overload else "")


@cache
def operators() -> dict[str, Any]:
    """Overloads by name; the form of a pointwise operator for numbers goes with the one for tensors."""
    return {identity(operator): operator for operator in catalogue() if not operator.number}


def function_of(operator: Any) -> Callable[..., Any] | None:
    """The function under the first Python home that has one; some operators exist in place only."""
    for home in operator.names:
        name = operator.name.removeprefix(home + "_")
        place = {"torch": torch, "nn": torch._C._nn, "linalg": torch.linalg, "special": torch.special}.get(home)
        if place is not None and hasattr(place, name):
            return getattr(place, name)
    return getattr(torch._VF, operator.name, None) or getattr(torch.Tensor, operator.name, None)


def unwrap(value: Any) -> Any:
    """Tensors in the place of operands."""
    if isinstance(value, Operand):
        return value.tensor
    if isinstance(value, (list, tuple)) and any(isinstance(item, Operand) for item in value):
        return type(value)(unwrap(item) for item in value)
    return value


def check(name: str, case: Case, draw: Draw) -> None:
    """Draws a call of the overload `name` and checks every form of it."""
    operator, call = operators()[name], case(draw)
    args, kwargs = tuple(unwrap(a) for a in call.args), {k: unwrap(v) for k, v in call.kwargs.items()}
    note(f"{name}{call.args} {call.kwargs}")
    before = [numpy_of(a).copy() for a in args if isinstance(a, torch.Tensor)]
    function = call.via or function_of(operator)
    if (operator.inplace_only and not call.via) or function is None:
        target = draw.place(numpy_of(args[0]), args[0].dtype).tensor
        getattr(target, operator.name.rstrip("_") + "_")(*args[1:], **kwargs)
        compare(name, target, call)
        return
    got = function(*args, **kwargs)
    compare(name, got, call)
    for value, array in zip((a for a in args if isinstance(a, torch.Tensor)), before):
        np.testing.assert_array_equal(numpy_of(value), array, err_msg=f"{name} changes its argument")
    if hasattr(torch.Tensor, operator.name) and isinstance(args[0], torch.Tensor) and "Tensor" in operator.names and not call.via:
        compare(f"Tensor.{name}", getattr(args[0], operator.name)(*args[1:], **kwargs), call)
    if call.forms and operator.inplace and isinstance(got, torch.Tensor):
        check_in_place(operator, args, kwargs, got, call, draw)
    if call.forms and operator.out:
        check_out(operator, args, kwargs, got, call, draw)


def check_in_place(operator: Any, args: tuple[Any, ...], kwargs: dict[str, Any], got: torch.Tensor, call: Call, draw: Draw) -> None:
    first = args[0]
    if not isinstance(first, torch.Tensor) or got.shape != first.shape or got.dtype != first.dtype:
        return
    target = draw.place(numpy_of(first), first.dtype).tensor
    method = getattr(target, operator.name + "_", None) or getattr(torch._C._nn, operator.name + "_", None)
    if method is None:
        result = getattr(torch, operator.name + "_")(target, *args[1:], **kwargs)
    else:
        result = method(*args[1:], **kwargs) if hasattr(target, operator.name + "_") else method(target, *args[1:], **kwargs)
    assert result is target, f"{operator.name}_ returns another tensor"
    compare(f"{operator.name}_", target, call)


def check_out(operator: Any, args: tuple[Any, ...], kwargs: dict[str, Any], got: Any, call: Call, draw: Draw) -> None:
    results = got if isinstance(got, (tuple, list)) else (got,)
    targets = tuple(draw.place(np.zeros(tuple(r.shape)), r.dtype).tensor if draw.boolean() else torch.empty(0, dtype=r.dtype) for r in results)
    target = targets if isinstance(got, (tuple, list)) else targets[0]
    back = function_of(operator)(*args, **kwargs, out=target)
    for one, other in zip(back if isinstance(back, (tuple, list)) else (back,), targets):
        assert one is other, f"{operator.name}(out=) returns another tensor"
    compare(f"{operator.name}(out=)", target, call)


def compare(name: str, got: Any, call: Call) -> None:
    """Raises AssertionError that names the form unless `got` is what the call wants."""
    want = call.want
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want), f"{name}: {len(got)} results, not {len(want)}"
        for i, (one, other) in enumerate(zip(got, want)):
            dtype = call.dtype if i == 0 else None
            compare(f"{name}[{i}]", one, replace(call, want=other, dtype=dtype))
    else:
        compare_one(name, got, want, call, call.dtype)


def compare_one(name: str, got: Any, want: Any, call: Call, dtype: torch.dtype | None) -> None:
    if not isinstance(got, torch.Tensor):
        assert got == want and type(got) is type(want), f"{name}: {got!r}, not {want!r}"
        return
    want = np.asarray(want)
    assert tuple(got.shape) == want.shape, f"{name}: shape {tuple(got.shape)}, not {want.shape}"
    assert dtype is None or got.dtype == dtype, f"{name}: {got.dtype}, not {dtype}"
    if got.dtype.is_complex:
        for part, function in (("real", np.real), ("imaginary", np.imag)):
            scale = np.abs(want)
            compare_floats(f"{name} {part}", function(numpy_of(got)), function(want), scale, REAL_OF[got.dtype], call)
    elif got.dtype.is_floating_point:
        want = want.astype(np.float64)
        compare_floats(name, numpy_of(got), want, np.abs(want), got.dtype, call)
    else:
        np.testing.assert_array_equal(numpy_of(got), want, err_msg=name)


def compare_floats(name: str, got: np.ndarray, want: np.ndarray, scale: np.ndarray, dtype: torch.dtype, call: Call) -> None:
    """Within `rtol` epsilons of the size of the result; beyond the largest number infinity is right."""
    epsilon, largest = EPSILON[dtype], LARGEST[dtype]
    with np.errstate(all="ignore"):
        bound = call.rtol * epsilon * scale + call.atol * epsilon + SMALLEST[dtype]
        close = np.abs(got - want) <= bound
        close |= (got == want) | (np.isnan(got) & np.isnan(want))
        close |= np.isinf(got) & (np.sign(got) == np.sign(want)) & (np.abs(want) >= largest * (1 - call.rtol * epsilon))
        close |= np.isinf(want) & (np.sign(got) == np.sign(want)) & (np.abs(got) >= largest * (1 - call.rtol * epsilon))
    if not np.all(close):
        where = np.argwhere(~close)[0]
        index = tuple(where)
        raise AssertionError(f"{name}: {got[index]!r} at {tuple(map(int, where))}, not {want[index]!r} ({(~close).sum()} of {close.size} differ, bound {np.broadcast_to(bound, close.shape)[index]:.3g})")
