"""assert_close: whether tensors, numbers and containers of them are equal up to tolerances."""

from __future__ import annotations

import cmath
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rushlight
from rushlight import Tensor

__all__ = ["assert_allclose", "assert_close"]

# By dtype the default rtol and atol.
_TOLERANCES: dict[str, tuple[float, float]] = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex32": (1e-3, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
# The same for assert_allclose, which is older.
_ALLCLOSE_TOLERANCES: dict[str, tuple[float, float]] = {
    "float16": (1e-3, 1e-3),
    "float32": (1e-4, 1e-5),
    "float64": (1e-5, 1e-8),
}
_NUMBER_DTYPES = {int: "int64", float: "float64", complex: "complex128"}


@dataclass
class _Options:
    allow_subclasses: bool
    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_device: bool
    check_dtype: bool
    check_layout: bool
    check_stride: bool

    def tolerances(self, *dtype_names: str) -> tuple[float, float]:
        """The stated tolerances, or the larger defaults of the dtypes."""
        if self.rtol is not None and self.atol is not None:
            return self.rtol, self.atol
        pairs = [_TOLERANCES.get(name, (0.0, 0.0)) for name in dtype_names]
        return max(p[0] for p in pairs), max(p[1] for p in pairs)


class _Mismatch(Exception):
    """Two values differ, at `path` inside the containers."""

    def __init__(self, message: str, path: tuple[Any, ...]) -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def text(self) -> str:
        if not self.path:
            return self.message
        item = "".join(str([part]) for part in self.path)
        return f"{self.message}\n\nThe failure occurred for item {item}"


def _dtype_name(tensor: Tensor) -> str:
    return str(tensor.dtype).rpartition(".")[2]


def _is_float8(tensor: Tensor) -> bool:
    return tensor.is_floating_point() and tensor.itemsize == 1


def _headline(subject: str, rtol: float, atol: float) -> str:
    kind = "equal" if rtol == 0 and atol == 0 else "close"
    return f"{subject} are not {kind}!\n\n"


def _allowed(rtol_or_atol: float, rtol: float, atol: float) -> str:
    return "" if rtol == 0 and atol == 0 else f" (up to {rtol_or_atol} allowed)"


def _scalar_message(actual: Any, expected: Any, rtol: float, atol: float) -> str:
    absolute = abs(actual - expected)
    relative = float("inf") if expected == 0 else absolute / abs(expected)
    return (
        _headline("Scalars", rtol, atol)
        + f"Expected {expected} but got {actual}.\n"
        + f"Absolute difference: {absolute}{_allowed(atol, rtol, atol)}\n"
        + f"Relative difference: {relative}{_allowed(rtol, rtol, atol)}"
    )


def _greatest(kind: str, difference: Tensor, limit: str) -> str:
    """The line about the greatest difference and where it is."""
    flat = difference.flatten()
    at = int(rushlight.argmax(flat).item())
    value = flat[at].item()
    index = []
    for size in reversed(difference.shape):
        index.append(at % size)
        at //= size
    return f"Greatest {kind} difference: {value} at index {tuple(reversed(index))}{limit}"


def _tensor_message(
    actual: Tensor, expected: Tensor, matches: Tensor, rtol: float, atol: float
) -> str:
    count = matches.numel()
    wrong = count - int(matches.sum().item())
    mismatched = f"Mismatched elements: {wrong} / {count} ({wrong / count:.1%})\n"
    if _is_float8(actual):
        first = tuple((~matches).nonzero()[0].tolist())
        return (
            "Tensor-likes are not 'equal'!\n\n"
            f"{mismatched}The first mismatched element is at index {first}."
        )
    if actual.dtype == rushlight.bool or not (actual.is_floating_point() or actual.is_complex()):
        # Differences of unsigned numbers would wrap.
        actual, expected = actual.to(rushlight.int64), expected.to(rushlight.int64)
    absolute = (actual - expected).abs()
    relative = absolute / expected.abs()
    absolute = absolute.masked_fill(matches, 0)
    relative = relative.masked_fill(matches, 0)
    return (
        _headline("Tensor-likes", rtol, atol)
        + mismatched
        + _greatest("absolute", absolute, _allowed(atol, rtol, atol))
        + "\n"
        + _greatest("relative", relative, _allowed(rtol, rtol, atol))
    )


def _compare_tensors(actual: Tensor, expected: Tensor, o: _Options, path: Any) -> None:
    def same(name: str, a: Any, b: Any) -> None:
        if a != b:
            raise _Mismatch(f"The values for attribute '{name}' do not match: {a} != {b}.", path)

    same("shape", actual.shape, expected.shape)
    if o.check_layout:
        same("layout", actual.layout, expected.layout)
    if o.check_device:
        same("device", actual.device, expected.device)
    if o.check_dtype:
        same("dtype", actual.dtype, expected.dtype)
    if o.check_stride and actual.layout == rushlight.strided:
        same("stride()", actual.stride(), expected.stride())
    rtol, atol = o.tolerances(_dtype_name(actual), _dtype_name(expected))
    actual, expected = actual.detach(), expected.detach()
    if actual.layout != rushlight.strided:
        actual = actual.to_dense()
    if expected.layout != rushlight.strided:
        expected = expected.to_dense()
    actual, expected = actual.cpu(), expected.cpu()
    if actual.dtype != expected.dtype:
        dtype = rushlight.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(dtype), expected.to(dtype)
    if _is_float8(actual) and (rtol != 0 or atol != 0):
        raise _Mismatch(
            f"Rtol={rtol} and atol={atol} are not supported for bitwise comparison of low dimensional"
            " floats. Please use rtol=0.0 and atol=0.0.",
            path,
        )
    matches = rushlight.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=o.equal_nan)
    if bool(matches.all()):
        return
    if actual.dim() == 0 and not _is_float8(actual):
        message = _scalar_message(actual.item(), expected.item(), rtol, atol)
    else:
        message = _tensor_message(actual, expected, matches, rtol, atol)
    raise _Mismatch(message, path)


def _compare_numbers(actual: Any, expected: Any, o: _Options, path: Any) -> None:
    if o.check_dtype and type(actual) is not type(expected):
        raise _Mismatch(f"The (d)types do not match: {type(actual)} != {type(expected)}.", path)
    names = (_NUMBER_DTYPES.get(type(v), "float64") for v in (actual, expected))
    rtol, atol = o.tolerances(*names)
    if actual == expected:
        return
    if o.equal_nan and cmath.isnan(actual) and cmath.isnan(expected):
        return
    difference = abs(actual - expected)
    if cmath.isfinite(difference) and difference <= atol + rtol * abs(expected):
        return
    raise _Mismatch(_scalar_message(actual, expected, rtol, atol), path)


def _is_number(value: Any) -> bool:
    if isinstance(value, (int, float, complex)) and not isinstance(value, bool):
        return True
    # NumPy scalars, without importing NumPy.
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return type(value).__module__ == "numpy" and kind in "iufc" and value.ndim == 0


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool) or (
        type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_")
    )


def _is_array(value: Any) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"


def _sorted_keys(keys: Any) -> list[Any]:
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)


def _compare(actual: Any, expected: Any, o: _Options, path: tuple[Any, ...]) -> None:
    sequences = all(isinstance(v, Sequence) and not isinstance(v, str) for v in (actual, expected))
    if sequences:
        if len(actual) != len(expected):
            raise _Mismatch(
                f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", path
            )
        for i, (a, b) in enumerate(zip(actual, expected)):
            _compare(a, b, o, (*path, i))
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        missing = set(expected) - set(actual)
        additional = set(actual) - set(expected)
        if missing or additional:
            raise _Mismatch(
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {_sorted_keys(missing)}\n"
                f"Additional keys in the actual mapping: {_sorted_keys(additional)}",
                path,
            )
        for key in _sorted_keys(expected):
            _compare(actual[key], expected[key], o, (*path, key))
    else:
        _compare_values(actual, expected, o, path)


def _compare_values(actual: Any, expected: Any, o: _Options, path: tuple[Any, ...]) -> None:
    if actual is None or expected is None:
        if actual is not expected:
            raise _Mismatch(f"None mismatch: {actual} is not {expected}", path)
    elif _is_bool(actual) and _is_bool(expected):
        if bool(actual) is not bool(expected):
            raise _Mismatch(f"Booleans mismatch: {actual} is not {expected}", path)
    elif _is_number(actual) and _is_number(expected):
        _compare_numbers(actual, expected, o, path)
    elif _comparable_tensors(actual, expected, o):
        if _is_array(actual):
            actual, expected = rushlight.as_tensor(actual), rushlight.as_tensor(expected)
        _compare_tensors(actual, expected, o, path)
    else:
        raise TypeError(
            "No comparison pair was able to handle inputs of type "
            f"{type(actual)} and {type(expected)}."
        )


def _comparable_tensors(actual: Any, expected: Any, o: _Options) -> bool:
    if _is_array(actual) and _is_array(expected):
        return True
    if not (isinstance(actual, Tensor) and isinstance(expected, Tensor)):
        return False
    if not o.allow_subclasses:
        return type(actual) is type(expected)
    return isinstance(actual, type(expected)) or isinstance(expected, type(actual))


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise AssertionError unless |actual - expected| <= atol + rtol * |expected| everywhere.

    Takes tensors, arrays, numbers, booleans, None and sequences or mappings of them. Tolerances
    default by dtype; give both or neither. `msg` replaces the message, or makes one from it.

    >>> import rushlight
    >>> assert_close(rushlight.tensor(1.0), rushlight.tensor(1.0 + 1e-7))
    """
    __tracebackhide__ = True
    if (rtol is None) != (atol is None):
        raise ValueError(
            "Both 'rtol' and 'atol' must be either specified or omitted, but got no "
            f"{'rtol' if rtol is None else 'atol'}."
        )
    options = _Options(
        allow_subclasses,
        rtol,
        atol,
        equal_nan,
        check_device,
        check_dtype,
        check_layout,
        check_stride,
    )
    try:
        _compare(actual, expected, options, ())
    except _Mismatch as mismatch:
        text = mismatch.text()
    else:
        return
    if callable(msg):
        text = msg(text)
    elif msg is not None:
        text = msg
    raise AssertionError(text)


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """The predecessor of `assert_close`, which does not compare dtypes."""
    warnings.warn(
        "`assert_allclose` is deprecated. Please use `assert_close` instead.",
        FutureWarning,
        stacklevel=2,
    )
    if not isinstance(actual, Tensor):
        actual = rushlight.tensor(actual)
    if not isinstance(expected, Tensor):
        expected = rushlight.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        pairs = [_ALLCLOSE_TOLERANCES.get(_dtype_name(t), (0.0, 0.0)) for t in (actual, expected)]
        rtol, atol = max(p[0] for p in pairs), max(p[1] for p in pairs)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_device=True,
        check_dtype=False,
        check_stride=False,
        msg=msg or None,
    )
