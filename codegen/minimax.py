"""Fits the polynomials of the vector mathematics and prints src/cpu/pointwise/coefficients.h.

    python codegen/minimax.py | clang-format > src/cpu/pointwise/coefficients.h

Needs mpmath. Every row of `FITS` is a smooth remainder of a function on its reduced interval, once the leading terms,
which the kernels add in two words, are taken out. A polynomial gets as many coefficients as keep its part of the
result's relative error below `TARGET` of the type; they come from Remez's exchange on a grid of Chebyshev points in 50
digits and are then rounded to the type.
"""

from __future__ import annotations

import math
import struct
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
    Fit("kExp2", "(2^f - 1) / f for |f| <= 1/2", power_of_two, -mpf("0.5001"), mpf("0.5001"), lambda f: abs(f), kinds=("float",)),
    Fit("kSinh", "(sinh r - r) / r^3 in r^2, |r| <= ln2/2", of_square(mp.sinh, [mpf(1)], True), mpf(0), HALF_LN2**2, lambda z: z),
    Fit("kCosh", "(cosh r - 1 - r^2/2) / r^4 in r^2, |r| <= ln2/2", of_square(mp.cosh, [mpf(1), mpf(1) / 2], False), mpf(0), HALF_LN2**2, lambda z: z * z),
    Fit("kLog", "(2 atanh s - 2 s) / s^3 in s^2, s = f / (2 + f), 1 + f in [sqrt(1/2), sqrt(2)]", of_square(lambda s: 2 * mp.atanh(s), [mpf(2)], True), mpf(0), S_MAX**2, lambda w: w / 2),
    Fit("kLogShort", "(log(1 + f) - f + f^2/2) / f^3, 1 + f in [0.75, 1.5)", logarithm, mpf("-0.2501"), mpf("0.5001"), lambda f: f * f, {"float": 2}, ("float",)),
    *(
        Fit(f"kShortLog{base}", f"log_{base} e times (log(1 + f) - f + {BEND} f^2) / f^2, 1 + f in [0.75, 1.5)", lambda f, base=base: (f * logarithm(f) - mpf(1) / 2) / mp.log(base) + bend(base), mpf("-0.2501"), mpf("0.5001"), lambda f, base=base: abs(f) * mp.log(base), {"float": 3}, ("float",), True)
        for base in (2, 10)
    ),
    Fit("kSin", "(sin r - r) / r^3 in r^2, |r| <= pi/4", of_square(mp.sin, [mpf(1)], True), mpf(0), QUARTER_PI**2, lambda z: z, {"float": 2}),
    Fit("kShortTan", "(tan r - r) / r^3 in r^2, |r| <= pi/4", of_square(mp.tan, [mpf(1)], True), mpf(0), QUARTER_PI**2, lambda z: z, {"float": 1}, ("float",)),
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
    Fit("kExpOfHalf", "(e^r - 1 - r) / r^2 for |r| <= ln2/2, for half types", lambda r: mpf("0.5") + r * exponential(r), -HALF_LN2, HALF_LN2, lambda r: r * r, {"float": 14}, ("float",)),
    Fit("kErfinv", "erfinv(x) / x in w - 5/2, w = -log(1 - x^2) <= 5; a first guess", lambda v: erfinv_ratio(v + mpf("2.5")), mpf("-2.5"), mpf("2.501"), lambda v: mpf(1), {"double": 37}, ("double",)),
    Fit("kErfinvTail", "erfinv(x) / x in sqrt(w) - 4, w from 5 on; a first guess", lambda v: erfinv_ratio((v + 4) ** 2), mpf("2.235") - 4, mpf("6.1") - 4, lambda v: mpf(1) / 3, {"double": 37}, ("double",)),
]


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


def erf_table() -> list[list[float]]:
    """A row of centres c, one of erf(c) and six of coefficients of (erf(c + t) - erf(c)) / t, for quarters of [0, 4).

    Centres are chosen so that erf(c) is nearly a float32; that of the first quarter is 0, with (erf(t) - t) / t.
    """
    columns = []
    for i in range(16):
        low, high, centre, lead = mpf(i) / 4, mpf(i + 1) / 4, mpf(0), mpf(1)
        if i > 0:
            lead = mpf(0)
            middle = mpf(2 * i + 1) / 8
            unit = mpf(2) ** (mp.floor(mp.log(middle, 2)) - 23)
            # Near the middle, erf is this float32; its inverse by steps along the tangent.
            target = mpf(rounded(mp.erf(middle), "float"))
            for _ in range(30):
                middle -= (mp.erf(middle) - target) * mp.sqrt(mp.pi) / 2 * mp.exp(middle * middle)
            middle = mp.nint(middle / unit) * unit

            def misses(k: int, middle: mpf = middle, unit: mpf = unit) -> mpf:
                value = mp.erf(middle + k * unit)
                return abs(value - rounded(value, "float"))

            centre = middle + min(range(-1000, 1000), key=misses) * unit

        def slope(t: mpf, centre: mpf = centre, lead: mpf = lead) -> mpf:
            t = t if abs(t) > mpf(10) ** -20 else mpf(10) ** -20
            with mp.workdps(80):
                return +((mp.erf(centre + t) - mp.erf(centre)) / t - lead)

        fit = Fit("", "", slope, low - centre, high - centre, lambda t: mpf(1))
        grid = [(fit.low + fit.high) / 2 - (fit.high - fit.low) / 2 * mp.cos(mp.pi * k / 100) for k in range(101)]
        coefficients, _ = remez(fit, 6, grid, [slope(v) for v in grid])
        columns.append([centre, mp.erf(centre), *coefficients])
    return [[rounded(column[row], "float") for column in columns] for row in range(8)]


FOUND: dict[tuple[str, str], list[mpf]] = {}


def main() -> None:
    print("// Polynomials of the vector mathematics: minimax fits with as many coefficients as each type needs.")
    print("// Made by codegen/minimax.py, which says how; `error` is the largest part of a result's relative error.")
    print("#pragma once\n\nnamespace rushlight::pointwise {\n\ntemplate <class T>\nstruct Coefficients;\n")
    for kind in ("float", "double"):
        print(f"template <>\nstruct Coefficients<{kind}> {{")
        for fit in FITS:
            if kind not in fit.kinds:
                continue
            size = 400
            grid = [(fit.low + fit.high) / 2 - (fit.high - fit.low) / 2 * mp.cos(mp.pi * k / size) for k in range(size + 1)]
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
    rows = ",\n".join("{" + ", ".join(text(c, "float") for c in row) + "}" for row in erf_table())
    print("// Centres c of quarters of [0, 4), erf(c), and coefficients of (erf(c + t) - erf(c)) / t; for c = 0 less 1.")
    print(f"alignas(64) inline constexpr float kErfTable[8][16] = {{{rows}}};\n")
    print("}  // namespace rushlight::pointwise")


if __name__ == "__main__":
    main()
