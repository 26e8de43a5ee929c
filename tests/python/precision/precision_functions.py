"""Functions of one variable: how a library is called, a reference in float64 and one with 30 digits, and the domain.

To add one: a row in `FUNCTIONS`. A domain leaves out only where no result is asked for or where the function has zeros
that no floating-point argument hits, so that the last place says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

INFINITY = float("inf")
POSITIVE = (0.0, INFINITY)
Array = np.ndarray


@dataclass(frozen=True)
class Function:
    """`name` is looked up in the module, then in `special` and `nn.functional`."""

    wide: Callable[[Array], Array]  # float64
    exact: str  # a Python expression of x with mpmath's names
    low: float = -INFINITY
    high: float = INFINITY
    half: bool = True  # whether PyTorch has it for half types


def softplus(x: Array) -> Array:
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def mish(x: Array) -> Array:
    # tanh(log(1 + e)) = (e^2 + 2e) / (e^2 + 2e + 2)
    e = np.exp(np.minimum(x, 40))
    return x * (e * (e + 2)) / (e * (e + 2) + 2)


FUNCTIONS: dict[str, Function] = {
    "sqrt": Function(np.sqrt, "sqrt(x)", *POSITIVE),
    "rsqrt": Function(lambda x: 1 / np.sqrt(x), "1/sqrt(x)", *POSITIVE),
    "reciprocal": Function(lambda x: 1 / x, "1/x"),
    "exp": Function(np.exp, "exp(x)"),
    "exp2": Function(np.exp2, "mpf(2)**x"),
    "expm1": Function(np.expm1, "expm1(x)"),
    "log": Function(np.log, "log(x)", *POSITIVE),
    "log2": Function(np.log2, "log(x)/log(2)", *POSITIVE),
    "log10": Function(np.log10, "log(x)/log(10)", *POSITIVE),
    "log1p": Function(np.log1p, "log1p(x)", -1, INFINITY),
    "sin": Function(np.sin, "sin(x)"),
    "cos": Function(np.cos, "cos(x)"),
    "tan": Function(np.tan, "tan(x)"),
    "asin": Function(np.arcsin, "asin(x)", -1, 1),
    "acos": Function(np.arccos, "acos(x)", -1, 1),
    "atan": Function(np.arctan, "atan(x)"),
    "sinh": Function(np.sinh, "sinh(x)"),
    "cosh": Function(np.cosh, "cosh(x)"),
    "tanh": Function(np.tanh, "tanh(x)"),
    "asinh": Function(np.arcsinh, "asinh(x)"),
    "acosh": Function(np.arccosh, "acosh(x)", 1, INFINITY),
    "atanh": Function(np.arctanh, "atanh(x)", -1, 1),
    "sigmoid": Function(special.expit, "1/(1+exp(-x))"),
    "log_sigmoid": Function(lambda x: -softplus(-x), "-log1p(exp(-x))", -80, 80),
    "softplus": Function(softplus, "log1p(exp(x))", -80, 19),
    "silu": Function(lambda x: x * special.expit(x), "x/(1+exp(-x))", -80, INFINITY),
    "mish": Function(mish, "x*tanh(log1p(exp(x)))", -40, INFINITY),
    "gelu": Function(lambda x: x * special.ndtr(x), "x*ncdf(x)", -5, INFINITY),
    "erf": Function(special.erf, "erf(x)"),
    "erfc": Function(special.erfc, "erfc(x)", -INFINITY, 9),
    "erfinv": Function(special.erfinv, "erfinv(x)", -1, 1),
    "erfcx": Function(special.erfcx, "exp(x*x)*erfc(x)", -9, 20, False),
    "ndtr": Function(special.ndtr, "ncdf(x)", -12, INFINITY),
    "ndtri": Function(special.ndtri, "sqrt(2)*erfinv(2*x-1)", 0.5, 1, False),
    "log_ndtr": Function(special.log_ndtr, "log(ncdf(x))", -30, 5, False),
    "entr": Function(special.entr, "-x*log(x)", 0, 0.9),
    "sinc": Function(lambda x: np.where(x == 0, 1, np.sinc(x)), "sinpi(x)/(pi*x)", -0.95, 0.95),
    "lgamma": Function(special.gammaln, "loggamma(x)", 2.5, INFINITY),
    "digamma": Function(special.digamma, "digamma(x)", 2, INFINITY),
    "i0": Function(special.i0, "besseli(0,x)", -80, 80),
    "i0e": Function(special.i0e, "besseli(0,x)*exp(-abs(x))", -1e4, 1e4),
    "i1": Function(special.i1, "besseli(1,x)", -80, 80, False),
    "i1e": Function(special.i1e, "besseli(1,x)*exp(-abs(x))", -1e4, 1e4, False),
    "bessel_j0": Function(special.j0, "besselj(0,x)", -2, 2, False),
    "bessel_j1": Function(special.j1, "besselj(1,x)", -3, 3, False),
    "bessel_y0": Function(special.y0, "bessely(0,x)", 1e-30, 0.8, False),
    "bessel_y1": Function(special.y1, "bessely(1,x)", 1e-30, 2, False),
    "modified_bessel_k0": Function(special.k0, "besselk(0,x)", 1e-30, 80, False),
    "modified_bessel_k1": Function(special.k1, "besselk(1,x)", 1e-30, 80, False),
    "airy_ai": Function(lambda x: special.airy(x)[0], "airyai(x)", -2, 9, False),
}


def call(module: Any, name: str, x: Any) -> Any:
    """The function `name` of a library, wherever it lives."""
    for place in (module, module.special, module._C._nn, module.nn.functional):
        if hasattr(place, name):
            return getattr(place, name)(x)
    raise AttributeError(name)
