"""Fits the polynomials of the vector mathematics and prints src/cpu/pointwise/coefficients.h, or tables.h.

    python codegen/minimax.py | clang-format > src/cpu/pointwise/coefficients.h
    python codegen/minimax.py tables | clang-format > src/cpu/pointwise/tables.h

Needs mpmath. Every row of `FITS` is a smooth remainder of a function on its reduced interval, once the leading terms,
which the kernels add in two words, are taken out. A polynomial gets as many coefficients as keep its part of the
result's relative error below `TARGET` of the type; they come from Remez's exchange on a grid of Chebyshev points in 50
digits and are then rounded to the type. Every row of `tables` is a float32 function cut into pieces.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import mpmath as mp
from mpmath import mpf

mp.mp.dps = 50
TARGET = {"float": mpf(2) ** -30, "double": mpf(2) ** -61}
Real = Callable[[mpf], mpf]


@dataclass(frozen=True)
class Fit:
    """`function` on [low, high]; an error of the polynomial, times `share`, is the relative error of the result."""

    name: str
    comment: str
    function: Real
    low: mpf
    high: mpf
    share: Real
    loose: dict[str, int] = field(default_factory=dict)  # bits by which a type's target is weaker
    kinds: tuple[str, ...] = ("float", "double")
    settled: bool = False  # whether the rounded coefficients are improved by steps of their last places


def of_square(f: Real, lead: list[mpf], odd: bool) -> Real:
    """(f(r) - leading terms) / (next power), as a function of z = r^2; the leading powers are r or 1 on, in steps of two."""

    def direct(z: mpf) -> mpf:
        with mp.workdps(140):
            r = mp.sqrt(z)
            start = 1 if odd else 0
            rest = f(r) - mp.fsum(c * r ** (start + 2 * k) for k, c in enumerate(lead))
            return +(rest / r ** (start + 2 * len(lead)))

    return lambda z: direct(max(z, mpf(10) ** -40))


def logarithm(f: mpf) -> mpf:
    with mp.workdps(140):
        f = f if abs(f) > mpf(10) ** -25 else mpf(10) ** -25
        return +((mp.log1p(f) - f + f * f / 2) / f**3)


def power_of_two(f: mpf) -> mpf:
    with mp.workdps(100):
        f = f if abs(f) > mpf(10) ** -25 else mpf(10) ** -25
        return +((mpf(2) ** f - 1) / f)


def exponential(r: mpf) -> mpf:
    with mp.workdps(140):
        r = r if abs(r) > mpf(10) ** -25 else mpf(10) ** -25
        return +((mp.exp(r) - 1 - r - r * r / 2) / r**3)


def square_of_exponential(r: mpf) -> mpf:
    return mpf("0.5") + r * exponential(r)


def log_one_plus(y: mpf) -> mpf:
    with mp.workdps(140):
        y = min(max(y, mpf(10) ** -25), 1 - mpf(10) ** -25)
        return +((mp.log1p(y) / y - mp.log(2)) / (1 - y))


CENTRE = 3  # of the scaled complementary error function's variable t = (a - 3) / (a + 3)


def scaled_erfc(t: mpf) -> mpf:
    """exp(a^2) erfc(a) (1 + 2a)."""
    a = CENTRE * (1 + t) / (1 - t)
    with mp.workdps(110):
        return mp.exp(a * a) * mp.erfc(a) * (1 + 2 * a)


def scaled_erfc_slope(t: mpf) -> mpf:
    with mp.workdps(120):
        t = t if abs(t) > mpf(10) ** -25 else mpf(10) ** -25
        return +((scaled_erfc(t) - scaled_erfc(mpf(0))) / t)


def gelu_tail(u: mpf) -> mpf:
    a = 4 * (1 / u - 1) / mp.sqrt(2)
    with mp.workdps(110):
        return mp.exp(a * a) * mp.erfc(a) / 2 / u


with mp.workdps(60):
    DIGAMMA_ROOT = mp.findroot(mp.digamma, mpf("1.4616321449683623"))


def digamma_slope(u: mpf) -> mpf:
    gap = u + mpf(3) / 2 - DIGAMMA_ROOT
    with mp.workdps(110):
        gap = gap if abs(gap) > mpf(10) ** -25 else mpf(10) ** -25
        return +(mp.digamma(DIGAMMA_ROOT + gap) / gap)


def digamma_tail(z: mpf) -> mpf:
    x = 1 / mp.sqrt(max(z, mpf(10) ** -12))
    with mp.workdps(110):
        return +((mp.log(x) - 1 / (2 * x) - mp.digamma(x)) * x * x)


def cotangent(z: mpf) -> mpf:
    z = max(z, mpf(10) ** -25)
    with mp.workdps(110):
        v = mp.sqrt(z)
        return +((mp.pi * mp.cot(mp.pi * v) - 1 / v) / v)


def place(a: float) -> mpf:
    return (mpf(a) - CENTRE) / (mpf(a) + CENTRE)


def erfinv(x: mpf, one_minus: mpf) -> mpf:
    """From 1 - x^2, since x is near one."""
    guess = mp.sqrt(-mp.log(one_minus)) * mpf("0.9")
    if x < mpf("0.9"):
        return mp.erfinv(x)
    tail = one_minus / (1 + x)
    y = guess
    for _ in range(60):
        step = (mp.erfc(y) - tail) / (-2 / mp.sqrt(mp.pi) * mp.exp(-y * y))
        step = step / (1 + y * step)
        y -= step
        if abs(step) < mpf(10) ** -30:
            break
    return y


def erfinv_ratio(w: mpf) -> mpf:
    """erfinv(x) / x at w = -log(1 - x^2)."""
    w = max(w, mpf(10) ** -10)
    one_minus = mp.exp(-w)
    x = mp.sqrt(1 - one_minus)
    return erfinv(x, one_minus) / x


with mp.workdps(150):
    ERF_SLOPE = 2 / mp.sqrt(mp.pi)
HALF_LN2 = mp.log(2) / 2 * mpf("1.001")
QUARTER_PI = mp.pi / 4 * mpf("1.001")
EIGHTH = mp.tan(mp.pi / 8) * mpf("1.001")
BEND = mpf("0.390625")  # takes most of log 1.5 and its neighbours, which are near the logarithm of 2
S_MAX = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * mpf("1.002")


def rounded(x: mpf, kind: str) -> float:
    return struct.unpack("f", struct.pack("f", float(x)))[0] if kind == "float" else float(x)


def bend(base: int) -> float:
    """As the kernel rounds it."""
    return rounded(BEND * rounded(1 / mp.log(base), "float"), "float")


FITS = [
    Fit("kExp", "(e^r - 1 - r - r^2/2) / r^3 for |r| <= ln2/2", exponential, -HALF_LN2, HALF_LN2, lambda r: r * r),
    Fit("kShortExp", "(e^r - 1 - r) / r^2 for |r| <= ln2/2", square_of_exponential, -HALF_LN2, HALF_LN2, abs, {"float": 4}, ("float",)),
    Fit("kTableExp", "likewise for |r| <= ln2/32", square_of_exponential, -HALF_LN2 / 16, HALF_LN2 / 16, lambda r: r * r, {"float": 3}, ("float",)),
    Fit("kExp2", "(2^f - 1) / f for |f| <= 1/2", power_of_two, -mpf("0.5001"), mpf("0.5001"), lambda f: abs(f), kinds=("float",)),
    Fit("kSinh", "(sinh r - r) / r^3 in r^2, |r| <= ln2/2", of_square(mp.sinh, [mpf(1)], True), mpf(0), HALF_LN2**2, lambda z: z),
    Fit("kCosh", "(cosh r - 1 - r^2/2) / r^4 in r^2, |r| <= ln2/2", of_square(mp.cosh, [mpf(1), mpf(1) / 2], False), mpf(0), HALF_LN2**2, lambda z: z * z),
    Fit("kLog", "(2 atanh s - 2 s) / s^3 in s^2, s = f / (2 + f), 1 + f in [sqrt(1/2), sqrt(2)]", of_square(lambda s: 2 * mp.atanh(s), [mpf(2)], True), mpf(0), S_MAX**2, lambda w: w / 2),
    Fit("kLogShort", "(log(1 + f) - f + f^2/2) / f^3, 1 + f in [0.75, 1.5)", logarithm, mpf("-0.2501"), mpf("0.5001"), lambda f: f * f, {"float": 2}, ("float",)),
    Fit("kLogOnePlus", "(log(1 + y) / y - ln2) / (1 - y) on [0, 1]", log_one_plus, mpf(0), mpf(1), lambda y: y * (1 - y) / mp.log1p(y) if y else mpf(1), {"float": 3}, ("float",)),
    *(
        Fit(f"kShortLog{base}", f"log_{base} e times (log(1 + f) - f + {BEND} f^2) / f^2, 1 + f in [0.75, 1.5)", lambda f, base=base: (f * logarithm(f) - mpf(1) / 2) / mp.log(base) + bend(base), mpf("-0.2501"), mpf("0.5001"), lambda f, base=base: abs(f) * mp.log(base), {"float": 2}, ("float",), True)
        for base in (2, 10)
    ),
    Fit("kSin", "(sin r - r) / r^3 in r^2, |r| <= pi/4", of_square(mp.sin, [mpf(1)], True), mpf(0), QUARTER_PI**2, lambda z: z, {"float": 2}),
    Fit("kShortAtan", "(atan t - t) / t^3 in t^2, |t| <= 1", of_square(mp.atan, [mpf(1)], True), mpf(0), mpf("1.0001"), lambda z: z, {"float": 2}, ("float",), True),
    Fit("kCos", "(cos r - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4", of_square(mp.cos, [mpf(1), mpf(-1) / 2], False), mpf(0), QUARTER_PI**2, lambda z: z * z * mp.sqrt(2)),
    Fit("kAtan", "(atan t - t) / t^3 in t^2, |t| <= tan(pi/8)", of_square(mp.atan, [mpf(1)], True), mpf(0), EIGHTH**2, lambda z: z),
    Fit("kAsin", "(asin x - x) / x^3 in x^2, |x| <= 1/2", of_square(mp.asin, [mpf(1)], True), mpf(0), mpf(1) / 4, lambda z: z),
    Fit("kErf", "(erf(x) / x - 2 / sqrt(pi)) / x^2 in x^2, |x| <= 1/2", of_square(mp.erf, [ERF_SLOPE], True), mpf(0), mpf(1) / 4, lambda z: z),
    Fit("kErfc", "(q(t) - q(0)) / t, q = e^(a^2) erfc(a) (1 + 2a), t = (a - 3) / (a + 3), a >= 1/2", scaled_erfc_slope, place(0.47), place(27.3), lambda t: abs(t), {"float": 1, "double": 3}),
    Fit("kShortSin", "(sin r - r) / r^3 in r^2, |r| <= pi/2; for float32 results", of_square(mp.sin, [mpf(1)], True), mpf(0), 4 * QUARTER_PI**2, lambda z: z, {"double": 30}, ("double",)),
    Fit("kShortErfinv", "erfinv(x) / x in w - 5/2, w = -log(1 - x^2) <= 5; for float32 results", lambda v: erfinv_ratio(v + mpf("2.5")), mpf("-2.5"), mpf("2.501"), lambda v: mpf(1), {"double": 32}, ("double",)),
    Fit("kShortErfinvTail", "erfinv(x) / x in sqrt(w) - 3, w from 5 to 17; for float32 results", lambda v: erfinv_ratio((v + 3) ** 2), mpf("2.235") - 3, mpf("4.13") - 3, lambda v: mpf(1) / 3, {"double": 32}, ("double",)),
    Fit("kDigamma", "digamma(x) / (x - its root) in x - 3/2, x from 1 to 2", digamma_slope, mpf("-0.5"), mpf("0.5"), lambda u: 1 / digamma_slope(u), {"float": 3}, ("float",), True),
    Fit("kDigammaTail", "(log x - 1/(2 x) - digamma(x)) x^2 in 1/x^2, x >= 2", digamma_tail, mpf(0), mpf("0.25"), lambda z: z * 2, {"float": 2}, ("float",)),
    Fit("kCotangent", "(pi cot(pi v) - 1/v) / v in v^2, |v| <= 1/2", cotangent, mpf(0), mpf("0.25"), lambda z: z, {"float": 3}, ("float",)),
    Fit("kGeluTail", "e^(a^2/2) Phi(-a) / u in u = 1 / (1 + a/4), for half types", gelu_tail, 1 / (1 + mpf("13.6") / 4), mpf(1), lambda u: 1 / gelu_tail(u), {"float": 14}, ("float",)),
    Fit("kExpOfHalf", "(e^r - 1 - r) / r^2 for |r| <= ln2/2, for half types", square_of_exponential, -HALF_LN2, HALF_LN2, lambda r: r * r, {"float": 14}, ("float",)),
    Fit("kErfinv", "erfinv(x) / x in w - 5/2, w = -log(1 - x^2) <= 5; a first guess", lambda v: erfinv_ratio(v + mpf("2.5")), mpf("-2.5"), mpf("2.501"), lambda v: mpf(1), {"double": 37}, ("double",)),
    Fit("kErfinvTail", "erfinv(x) / x in sqrt(w) - 4, w from 5 on; a first guess", lambda v: erfinv_ratio((v + 4) ** 2), mpf("2.235") - 4, mpf("6.1") - 4, lambda v: mpf(1) / 3, {"double": 37}, ("double",)),
]


def chebyshev(low: mpf, high: mpf, size: int) -> list[mpf]:
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * k / size) for k in range(size + 1)]


def remez(fit: Fit, count: int, grid: list[mpf], values: list[mpf]) -> tuple[list[mpf], mpf]:
    """Coefficients and the largest weighted error on the grid."""
    weights = [fit.share(v) for v in grid]
    top = max(weights)
    weights = [max(w, top / 50) for w in weights]
    points = [(len(grid) - 1) * k // count for k in range(count + 1)]
    coefficients: list[mpf] = []
    for _ in range(12):
        a = mp.matrix(count + 1, count + 1)
        b = mp.matrix(count + 1, 1)
        for row, i in enumerate(points):
            for k in range(count):
                a[row, k] = grid[i] ** k
            a[row, count] = (-1) ** row / weights[i]
            b[row] = values[i]
        solution = mp.lu_solve(a, b)
        coefficients = [solution[k] for k in range(count)]
        level = abs(solution[count])
        errors = [(mp.polyval(coefficients[::-1], v) - f) * w for v, f, w in zip(grid, values, weights)]
        runs: list[int] = []  # the largest error of every run of one sign
        for i, e in enumerate(errors):
            if runs and (errors[runs[-1]] > 0) == (e > 0):
                runs[-1] = i if abs(e) > abs(errors[runs[-1]]) else runs[-1]
            else:
                runs.append(i)
        while len(runs) > count + 1:
            runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
        worst = max(abs(e) for e in errors)
        if len(runs) < count + 1 or worst < level * mpf("1.02"):
            break
        points = runs
    return coefficients, max(abs(e) for e in errors)


def settled(fit: Fit, coefficients: list[mpf], grid: list[mpf], values: list[mpf]) -> list[mpf]:
    """float32 coefficients near the given ones, whose largest weighted error no step of a last place makes smaller."""
    weights, points = [float(fit.share(v)) for v in grid], [float(v) for v in grid]
    wanted = [float(f) for f in values]

    def worst(c: list[float]) -> float:
        total = 0.0
        for weight, point, want in zip(weights, points, wanted):
            value = 0.0
            for a in reversed(c):
                value = value * point + a
            total = max(total, abs(value - want) * weight)
        return total

    best = [rounded(c, "float") for c in coefficients]
    error, better = worst(best), True
    while better:
        better = False
        for k in range(len(best)):
            for steps in (-8, -4, -2, -1, 1, 2, 4, 8):
                step = steps * 2.0 ** (math.frexp(best[k])[1] - 24)
                trial = [*best[:k], best[k] + step, *best[k + 1 :]]
                if (found := worst(trial)) < error:
                    best, error, better = trial, found, True
    return [mpf(c) for c in best]


def text(x: float, kind: str) -> str:
    if x == float("inf"):
        return "INFINITY"
    digits = f"{x:.9g}" if kind == "float" else repr(x)
    return (digits if "." in digits or "e" in digits else digits + ".0") + ("f" if kind == "float" else "")


def words(x: mpf, kind: str, count: int, head: int = 0) -> list[float]:
    """`x` as a sum of numbers of the type, the first one with `head` bits if given."""
    result = []
    if head:
        unit = mpf(2) ** (mp.floor(mp.log(x, 2)) + 1 - head)
        result.append(rounded(mp.nint(x / unit) * unit, kind))
    while len(result) < count:
        result.append(rounded(x - mp.fsum(result), kind))
    return result


def constants(kind: str) -> list[tuple[str, str, list[float]]]:
    head = 16 if kind == "float" else 42  # times an exponent of 8 or 11 bits it is exact
    def lacks(name: str) -> list[float]:
        first = FOUND[name, kind][0]
        return [rounded(first - rounded(first, kind), kind)]

    return [
        ("kLn2", "ln 2, its head exact in products with exponents", words(mp.log(2), kind, 2, head)),
        *([("kLn2Over16", "ln 2 / 16", words(mp.log(2) / 16, kind, 2))] if kind == "float" else []),
        ("kLog10Of2", "likewise log10 2", words(mp.log10(2), kind, 2, head)),
        ("kLog2OfE", "log2 e", words(1 / mp.log(2), kind, 2)),
        ("kLog10OfE", "log10 e", words(1 / mp.log(10), kind, 2)),
        ("kHalfPi", "pi / 2", words(mp.pi / 2, kind, 3)),
        ("kQuarterPi", "pi / 4", words(mp.pi / 4, kind, 2)),
        ("kErfSlope", "2 / sqrt(pi)", words(ERF_SLOPE, kind, 2)),
        ("kErfcCentre", "q(0) of kErfc", words(scaled_erfc(mpf(0)), kind, 2)),
        ("kSinLow", "what the first coefficient of kSin lacks", lacks("kSin")),
        ("kCosLow", "likewise kCos", lacks("kCos")),
        *([("kDigammaRoot", "the positive root of digamma", words(DIGAMMA_ROOT, kind, 2))] if kind == "float" else []),
        *([("kExp2Low", "likewise kExp2", lacks("kExp2"))] if kind == "float" else []),
    ]


@dataclass(frozen=True)
class Piece:
    """A function on [low, high]: f(c + t) = f(c) + t P(t), or t + t P(t) with `odd`, or t + t P(t^2) with `even`."""

    function: Real
    low: mpf
    high: mpf
    kind: str = ""
    tries: int = 1000  # places that are looked at
    near: int = 150  # those of them near the middle
    kept: int = 8  # those of which whole columns are made

    def centres(self) -> list[mpf]:
        """Where the function is nearly a float32, and t P(t) about the same part of the results at both ends."""
        ends = self.function(self.low), self.function(self.high)
        middle = 2 * ends[0] * ends[1] / (ends[0] + ends[1])
        points = [mpf(rounded(self.low + (self.high - self.low) * k / self.tries, "float")) for k in range(1, self.tries)]
        values = sorted(((self.function(c), c) for c in points), key=lambda pair: abs(pair[0] - middle))
        return [c for _, c in sorted(values[: self.near], key=lambda pair: lack(pair[0]) / pair[0])[: self.kept]]

    def about(self, c: mpf, count: int) -> list[mpf]:
        """c, f(c) and the coefficients of P."""
        value = mpf(0) if self.kind else self.function(c)

        def slope(v: mpf) -> mpf:
            with mp.workdps(80):
                v = v if abs(v) > mpf(10) ** -20 else mpf(10) ** -20
                t = mp.sqrt(v) if self.kind == "even" else v
                return +((self.function(c + t) - value) / t - (1 if self.kind else 0))

        low, high = (self.low - c, self.high - c) if self.kind != "even" else (self.low**2, self.high**2)
        fit = Fit("", "", slope, low, high, lambda t: mpf(1) if self.kind else abs(t / self.function(c + t)))
        grid = chebyshev(low, high, 60)
        return [c, value, *remez(fit, count, grid, [slope(v) for v in grid])[0]]

    def column(self, count: int) -> list[mpf]:
        """That of the centre where f(c) and the first coefficient lose least."""
        if self.kind:
            return self.about(mpf(0), count)
        columns = [self.about(c, count) for c in self.centres()]
        return min(columns, key=lambda v: lack(v[1]) + lack(v[2]) * (self.high - self.low) / 2)


def lack(x: mpf) -> mpf:
    return abs(x - rounded(x, "float"))


TANH_SCALE, ERFC_SCALE, GELU_SCALE = 0.8, 0.74, 1.875


def quarters(f: Real, scale: float, first: str, **search: int) -> list[Piece]:
    """Cut where u = a * scale + 1/2 is a multiple of a quarter of its power of two; columns by the bits of u in [1/2, 8)."""
    pieces = []
    for k in range(16):
        unit = mpf(2) ** ((k // 4 + 2) % 4 - 3)
        low, high = ((unit * (n + k % 4) - mpf("0.5")) / rounded(mpf(scale), "float") for n in (4, 5))
        pieces.append(Piece(f, low, high, "" if low else first, **search))
    return pieces


def erfinv_columns(count: int) -> list[list[mpf]]:
    """Of erfinv(1 - m 2^e) in m from 1 to 2, and of erfinv up to 1/2, by the last five bits of the exponent of 1 - x."""
    first = Piece(mp.erfinv, mpf(0), mpf("0.5"), "even").column(count)
    columns = [[mpf("inf") if k == 1 else mpf(0) for k in range(count + 2)]] + [[mpf(0)] * (count + 2)] * 6
    for k in range(24, 1, -1):
        columns.append(Piece(lambda m, k=k: mp.erfinv(1 - m * mpf(2) ** -k), mpf(1), mpf(2) if k < 24 else mpf("1.01")).column(count))
    return [*columns, first, first]


def tables() -> list[tuple[str, str, list[list[mpf]]]]:
    """Names, comments and columns."""

    def columns(pieces: list[Piece]) -> list[list[mpf]]:
        return [piece.column(6) for piece in pieces]

    powers = [mpf(2) ** (mpf(k) / 16) for k in range(16)]
    return [
        ("kExpTable", "2^(k/16), and the relative part that its rounding loses", [[v, v / rounded(v, "float") - 1] for v in powers]),
        ("kErfTable", "erf on quarters of [0, 4)", columns([Piece(mp.erf, mpf(k) / 4, mpf(k + 1) / 4, "" if k else "odd") for k in range(16)])),
        ("kTanhTable", "tanh on [0, 9.3]; pieces by the bits of u = kTanhScale a + 1/2", columns(quarters(mp.tanh, TANH_SCALE, "odd", tries=8000, near=1900, kept=60))),
        ("kErfcTable", "e^(a^2) erfc(a) on [0, 10.1]; pieces by the bits of u = kErfcScale a + 1/2", columns(quarters(scaled, ERFC_SCALE, ""))),
        ("kGeluTable", "derivative of gelu less 1/2 on [0, 4); pieces by the bits of u = kGeluScale a + 1/2", columns(quarters(gelu_slope, GELU_SCALE, "odd"))),
        ("kErfinvTable", "erfinv(x); pieces by the exponent of 1 - x", erfinv_columns(9)),
    ]


def scaled(a: mpf) -> mpf:
    return mp.exp(a * a) * mp.erfc(a)


def gelu_slope(a: mpf) -> mpf:
    return mp.erf(a / mp.sqrt(2)) / 2 + a * mp.npdf(a)


FOUND: dict[tuple[str, str], list[mpf]] = {}


def print_tables() -> None:
    print("// Functions of float32 in pieces, of which a vector looks up its own: rows of centres c, of f(c), and of coefficients")
    print("// of (f(c + t) - f(c)) / t. The piece from zero on has c = f(c) = 0 and coefficients of f(t) / t - 1, of erfinv in t^2.")
    print("// Made by codegen/minimax.py.\n#pragma once\n\n#include <cmath>\n\nnamespace rushlight::pointwise {\n")
    for name, scale in (("kTanhScale", TANH_SCALE), ("kErfcScale", ERFC_SCALE), ("kGeluScale", GELU_SCALE)):
        print(f"inline constexpr float {name} = {scale}f;")
    for name, comment, columns in tables():
        rows = ",\n".join("{" + ", ".join(text(rounded(v, "float"), "float") for v in row) + "}" for row in zip(*columns))
        print(f"// {comment}\nalignas(64) inline constexpr float {name}[{len(columns[0])}][{len(columns)}] = {{{rows}}};")
    print("\n}  // namespace rushlight::pointwise")


def main() -> None:
    print("// Polynomials of the vector mathematics: minimax fits with as many coefficients as each type needs.")
    print("// Made by codegen/minimax.py, which says how; `error` is the largest part of a result's relative error.")
    print("#pragma once\n\nnamespace rushlight::pointwise {\n\ntemplate <class T>\nstruct Coefficients;\n")
    for kind in ("float", "double"):
        print(f"template <>\nstruct Coefficients<{kind}> {{")
        for fit in FITS:
            if kind not in fit.kinds:
                continue
            grid = chebyshev(fit.low, fit.high, 400)
            values = [fit.function(v) for v in grid]
            target = TARGET[kind] * 2 ** fit.loose.get(kind, 0)
            count = 2
            while True:
                coefficients, error = remez(fit, count, grid, values)
                if error < target:
                    break
                count += 1
            if fit.settled:
                coefficients = settled(fit, coefficients, grid, values)
            FOUND[fit.name, kind] = coefficients
            print(f"  // {fit.comment}; error 2^{float(mp.log(error, 2)):.1f}")
            print(f"  static constexpr {kind} {fit.name}[] = {{{', '.join(text(rounded(c, kind), kind) for c in coefficients)}}};")
        for name, comment, parts in constants(kind):
            print(f"  // {comment}")
            print(f"  static constexpr {kind} {name}[] = {{{', '.join(text(c, kind) for c in parts)}}};")
        print("};\n")
    print("}  // namespace rushlight::pointwise")


if __name__ == "__main__":
    print_tables() if "tables" in sys.argv else main()
