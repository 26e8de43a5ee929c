"""Measures errors in units of the last place over float32, float64 and half inputs, and of reductions against exact sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from precision_functions import FUNCTIONS, Function, call

DIGITS = {"float32": 23, "float64": 52, "float16": 10, "bfloat16": 7}  # of the fraction
LEAST = {"float32": -126, "float64": -1022, "float16": -14, "bfloat16": -126}  # exponent of the smallest normal number
LARGEST = {"float32": 3.4028234663852886e38, "float64": 1.7976931348623157e308, "float16": 65504.0, "bfloat16": 3.3895313892515355e38}


def ulps(got: np.ndarray, want: np.ndarray, dtype: str) -> np.ndarray:
    """|got - want| in units of the last place of `want`; infinite where one of them is NaN or infinite alone."""
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(want)[1] - 1, LEAST[dtype])
        error = np.abs(got - want) / np.ldexp(1.0, exponent - DIGITS[dtype])
        beyond = np.abs(want) > LARGEST[dtype]
        error = np.where(beyond & ((got == np.sign(want) * np.inf) | (np.abs(got) == LARGEST[dtype])), 0, error)
        error = np.where((got == want) | (np.isnan(got) & np.isnan(want)), 0, error)
    return np.where(np.isnan(error), np.inf, error)


def pieces(step: int, low: float, high: float, size: int = 1 << 20) -> Iterator[np.ndarray]:
    """Every `step`-th float32 of the domain."""
    for begin in range(0, 1 << 32, size * step):
        bits = np.arange(begin, min(begin + size * step, 1 << 32), step, dtype=np.uint64).astype(np.uint32)
        x = bits.view(np.float32)
        with np.errstate(invalid="ignore"):
            x = x[(x >= low) & (x <= high) & np.isfinite(x)]
        if x.size:
            yield x


def worst(errors: np.ndarray, x: np.ndarray, before: tuple[float, float]) -> tuple[float, float]:
    if errors.size == 0:
        return before
    at = int(errors.argmax())
    return (float(errors[at]), float(x[at])) if errors[at] > before[0] else before


def single(module: Any, name: str, step: int) -> tuple[float, float]:
    """The largest error over every `step`-th float32, and where it is."""
    f, found = FUNCTIONS[name], (0.0, 0.0)
    for x in pieces(step, f.low, f.high):
        got = call(module, name, module.from_numpy(x)).numpy().astype(np.float64)
        with np.errstate(all="ignore"):
            found = worst(ulps(got, f.wide(x.astype(np.float64)), "float32"), x, found)
    return found


def half(module: Any, name: str, dtype: str) -> tuple[float, float]:
    """The largest error over all 65,536 numbers of a half type."""
    f = FUNCTIONS[name]
    x = module.from_numpy(np.arange(-32768, 32768, dtype=np.int16)).view(getattr(module, dtype))
    values = x.double().numpy()
    with np.errstate(all="ignore"):
        inside = np.isfinite(values) & (values >= f.low) & (values <= f.high)
        return worst(ulps(call(module, name, x).double().numpy()[inside], f.wide(values[inside]), dtype), values[inside], (0.0, 0.0))


def samples(f: Function, count: int, seed: int = 3) -> np.ndarray:
    """float64 numbers of the domain: half of them by exponent, half evenly within ten of zero or within the domain."""
    rng = np.random.default_rng(seed)
    low, high = max(f.low, -700.0), min(f.high, 700.0)
    even = rng.uniform(max(low, -10), min(high, 10) if high > -10 else high, count // 2)
    bottom = -40 if f.low <= 0 else math.log2(f.low) if f.low > 1e-300 else -40
    scaled = 2.0 ** rng.uniform(max(bottom, -40), math.log2(high) if high > 0 else 0, count * 2) * rng.choice([-1.0, 1.0], count * 2)
    values = np.concatenate([even, scaled[(scaled >= low) & (scaled <= high)][: count - count // 2]])
    return values[(values > low) & (values < high)]


def exact(f: Function, x: np.ndarray) -> list[Any]:
    """mpmath's numbers."""
    import mpmath

    mpmath.mp.dps = 40
    names = {n: getattr(mpmath, n) for n in dir(mpmath) if not n.startswith("_")}
    code = compile(f.exact, f.exact, "eval")
    return [eval(code, names | {"x": mpmath.mpf(float(v))}) for v in x]


def double(module: Any, name: str, x: np.ndarray, want: list[Any]) -> tuple[float, float]:
    """The largest error over float64 points whose results are known to more digits."""
    got, found = call(module, name, module.from_numpy(x)).numpy(), (0.0, 0.0)
    for point, value, right in zip(x, got, want):
        right = right.real if hasattr(right, "real") else right
        nearest = float(right)
        if math.isinf(nearest) or nearest == 0 or abs(nearest) < 2.3e-308:
            continue
        unit = math.ldexp(1.0, math.frexp(nearest)[1] - 1 - 52)
        error = float(abs(right - float(value)) / unit) if math.isfinite(value) else math.inf
        found = max(found, (error, float(point)))
    return found


# --- reductions ----------------------------------------------------------------------------------------


def squares_around(x: np.ndarray) -> float:
    middle = math.fsum(x) / len(x)
    return math.fsum((v - middle) ** 2 for v in x)


def log_sum(x: np.ndarray) -> float:
    top = float(x.max())
    return top + math.log(math.fsum(np.exp(x - top)))


Reduction = tuple[Callable[[Any, Any], Any], Callable[[np.ndarray], Any]]
REDUCTIONS: dict[str, Reduction] = {
    "sum": (lambda m, x: x.sum(), lambda x: math.fsum(x)),
    "mean": (lambda m, x: x.mean(), lambda x: math.fsum(x) / len(x)),
    "var": (lambda m, x: x.var(), lambda x: squares_around(x) / (len(x) - 1)),
    "std": (lambda m, x: x.std(), lambda x: math.sqrt(squares_around(x) / (len(x) - 1))),
    "norm": (lambda m, x: m.linalg.vector_norm(x), lambda x: math.sqrt(math.fsum(x * x))),
    "norm 1": (lambda m, x: m.linalg.vector_norm(x, 1), lambda x: math.fsum(np.abs(x))),
    "norm 3": (lambda m, x: m.linalg.vector_norm(x, 3), lambda x: math.fsum(np.abs(x) ** 3) ** (1 / 3)),
    "prod": (lambda m, x: (x[:64] + 0.5).prod(), None),
    "logsumexp": (lambda m, x: (x * 10).logsumexp(0), None),
    "softmax": (lambda m, x: x[:512].softmax(0), None),
    "cumsum": (lambda m, x: x.cumsum(0), None),
    "dot": (lambda m, x: m.dot(x, x), lambda x: math.fsum(x * x)),
    "mm": (lambda m, x: x[:4096].reshape(64, 64) @ x[:4096].reshape(64, 64), None),
}


def reference(name: str, x: np.ndarray, rounded: Callable[[np.ndarray], np.ndarray]) -> Any:
    """The result for float64 values; `rounded` rounds to the dtype, as the library's own steps before the call do."""
    if name == "prod":
        return np.prod(rounded(x[:64] + 0.5).astype(np.longdouble)).astype(float)
    if name == "logsumexp":
        return log_sum(rounded(x * 10))
    if name == "softmax":
        e = np.exp(x[:512] - x[:512].max())
        return e / math.fsum(e)
    if name == "cumsum":
        return np.cumsum(x.astype(np.longdouble)).astype(float)
    if name == "mm":
        a = x[:4096].reshape(64, 64)
        return np.array([[math.fsum(row * column) for column in a.T] for row in a])
    return REDUCTIONS[name][1](x)


def reduction(module: Any, name: str, dtype: str, sizes: tuple[int, ...] = (4096, 100003)) -> float:
    """The largest relative error over sizes, in epsilons of the dtype; the terms are positive, so nothing cancels."""
    found = 0.0
    kind = getattr(module, dtype)
    for size in sizes:
        values = np.random.default_rng(size).uniform(0, 1, size)
        x = module.from_numpy(values).to(kind)

        def rounded(v: np.ndarray) -> np.ndarray:
            return module.from_numpy(np.ascontiguousarray(v)).to(kind).double().numpy()

        want = np.asarray(reference(name, x.double().numpy(), rounded))
        got = REDUCTIONS[name][0](module, x).double().numpy()
        if dtype == "float16" and not np.all(np.isfinite(got)):
            continue  # beyond the largest number
        found = max(found, float(np.max(np.abs(got - want) / np.abs(want))) * 2.0 ** DIGITS[dtype])
    return found
