"""Special functions against SciPy, and orthogonal polynomials against their recurrences in SciPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from calls import Case
from pointwise_rows import row
from scipy import special

PLAIN = {"special": False}
POSITIVE, UNIT = (0.05, 12.0), (-0.98, 0.98)
REAL = "Fhib"  # every real dtype
WIDE = "Fib"  # no half types


def sinc(x: np.ndarray) -> np.ndarray:
    return np.where(x == 0, 1, np.sin(np.pi * x) / np.where(x == 0, 1, np.pi * x))


def entr(x: np.ndarray) -> np.ndarray:
    return special.entr(x)


def log_ndtr(x: np.ndarray) -> np.ndarray:
    return special.log_ndtr(x)


def zeta(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    return special.zeta(x, q)


def third_kind(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Chebyshev polynomials of the third kind: V0 = 1, V1 = 2x - 1."""
    return recurrence(x, n, lambda x: 2 * x - 1)


def fourth_kind(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Chebyshev polynomials of the fourth kind: W0 = 1, W1 = 2x + 1."""
    return recurrence(x, n, lambda x: 2 * x + 1)


def recurrence(x: np.ndarray, n: np.ndarray, first: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    x, n = np.broadcast_arrays(x, n)
    before, now = np.ones_like(x), first(x)
    result = np.where(n < 1, before, now)
    for k in range(2, int(np.max(n, initial=0)) + 1):
        before, now = now, 2 * x * now - before
        result = np.where(np.floor(n) == k, now, result)
    return np.where(n < 0, 0, result)


def degrees(evaluate: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """SciPy takes the degree first, and it must be whole."""
    return lambda x, n: np.where(n < 0, 0, evaluate(np.floor(np.maximum(n, 0)).astype(int), x.astype(float)))


POLYNOMIALS = {
    "chebyshev_polynomial_t": degrees(special.eval_chebyt),
    "chebyshev_polynomial_u": degrees(special.eval_chebyu),
    "chebyshev_polynomial_v": third_kind,
    "chebyshev_polynomial_w": fourth_kind,
    "shifted_chebyshev_polynomial_t": degrees(special.eval_sh_chebyt),
    "shifted_chebyshev_polynomial_u": degrees(special.eval_sh_chebyu),
    "shifted_chebyshev_polynomial_v": lambda x, n: third_kind(2 * x.astype(float) - 1, n),
    "shifted_chebyshev_polynomial_w": lambda x, n: fourth_kind(2 * x.astype(float) - 1, n),
    "hermite_polynomial_h": degrees(special.eval_hermite),
    "hermite_polynomial_he": degrees(special.eval_hermitenorm),
    "laguerre_polynomial_l": degrees(special.eval_laguerre),
    "legendre_polynomial_p": degrees(special.eval_legendre),
}
SPECIAL: dict[str, Case] = {
    "erf": row(special.erf, REAL, result="float"),
    "erfc": row(special.erfc, REAL, (-4, 4), result="float", rtol=16),
    "erfinv": row(special.erfinv, REAL, UNIT, result="float", rtol=8, half=0.6, **PLAIN),
    "special_erfcx": row(special.erfcx, WIDE, (-4, 9), result="float", rtol=16),
    "xlogy.Tensor": row(special.xlogy, REAL, (0, 9), POSITIVE, arity=2, number=True, result="float", **PLAIN),
    "xlogy.Scalar_Self": row(special.xlogy, REAL, (0, 9), POSITIVE, arity=2, number_at=0, result="float", **PLAIN),
    "special_xlog1py": row(special.xlog1py, REAL, (0, 9), POSITIVE, arity=2, number=True, result="float", **PLAIN),
    "special_xlog1py.self_scalar": row(special.xlog1py, REAL, (0, 9), POSITIVE, arity=2, number_at=0, result="float", **PLAIN),
    "special_zeta": row(zeta, WIDE, (1.5, 9), (0.5, 9), arity=2, number=True, result="float", rtol=32, **PLAIN),
    "special_zeta.self_scalar": row(zeta, WIDE, (2, 9), (0.5, 9), arity=2, number_at=0, result="float", rtol=32, **PLAIN),
    "mvlgamma": row(special.multigammaln, "Fhi", (2, 12), parameters=[(1,), (2,), (3,)], result="float", rtol=16, half=6, atol=16, **PLAIN),
    "sinc": row(sinc, "f", (-0.95, 0.95), result="float", rtol=12, half=0.7, **PLAIN),
    "lgamma": row(special.gammaln, REAL, (0.1, 30), result="float", rtol=12, half=0.6, atol=12, **PLAIN),
    "digamma": row(special.digamma, REAL, POSITIVE, result="float", rtol=12, half=0.6, atol=12, **PLAIN),
    "i0": row(special.i0, REAL, result="float", rtol=12, half=0.6),
    "special_i0e": row(special.i0e, REAL, result="float", rtol=12, half=0.6, **PLAIN),
    "special_i1": row(special.i1, WIDE, result="float", rtol=12, **PLAIN),
    "special_i1e": row(special.i1e, WIDE, result="float", rtol=12, **PLAIN),
    "igamma": row(special.gammainc, "f", POSITIVE, arity=2, mixed=False, rtol=256, half=2, **PLAIN),
    "igammac": row(special.gammaincc, "f", POSITIVE, arity=2, mixed=False, rtol=256, half=2, atol=64, **PLAIN),
    "special_entr": row(entr, REAL, (0, 9), result="float", rtol=6, atol=2, half=0.6, **PLAIN),
    "special_ndtri": row(special.ndtri, WIDE, (0.01, 0.99), result="float", rtol=12, atol=12, **PLAIN),
    "special_log_ndtr": row(log_ndtr, WIDE, (-9, 4), result="float", rtol=24, **PLAIN),
    "special_ndtr": row(special.ndtr, REAL, (-4, 9), result="float", rtol=24, half=2, **PLAIN),
    "special_airy_ai": row(lambda x: special.airy(np.minimum(x, 200))[0], WIDE, (-3, 9), result="float", rtol=64, atol=64, **PLAIN),
    "special_bessel_j0": row(special.j0, WIDE, (-20, 20), result="float", rtol=16, atol=8, **PLAIN),
    "special_bessel_j1": row(special.j1, WIDE, (-20, 20), result="float", rtol=16, atol=8, **PLAIN),
    "special_bessel_y0": row(special.y0, WIDE, (0.1, 20), result="float", rtol=16, atol=8, **PLAIN),
    "special_bessel_y1": row(special.y1, WIDE, (0.1, 20), result="float", rtol=16, atol=8, **PLAIN),
    "special_modified_bessel_i0": row(special.i0, WIDE, result="float", rtol=16, **PLAIN),
    "special_modified_bessel_i1": row(special.i1, WIDE, result="float", rtol=16, **PLAIN),
    "special_modified_bessel_k0": row(special.k0, WIDE, POSITIVE, result="float", rtol=24, **PLAIN),
    "special_modified_bessel_k1": row(special.k1, WIDE, POSITIVE, result="float", rtol=24, **PLAIN),
    "special_scaled_modified_bessel_k0": row(special.k0e, WIDE, POSITIVE, result="float", rtol=24, **PLAIN),
    "special_scaled_modified_bessel_k1": row(special.k1e, WIDE, POSITIVE, result="float", rtol=24, **PLAIN),
    "special_spherical_bessel_j0": row(lambda x: np.sinc(x / np.pi), WIDE, (-3, 3), result="float", rtol=12, **PLAIN),
}
for _name, _reference in POLYNOMIALS.items():
    _shared = {"arity": 2, "result": "float", "rtol": 64, "atol": 64, "special": False, "mixed": False}
    SPECIAL["special_" + _name] = row(_reference, "Fi", (-1, 1), (0, 5), **_shared)
    SPECIAL[f"special_{_name}.x_scalar"] = row(_reference, "Fi", (-1, 1), (0, 5), number_at=0, **_shared)
    SPECIAL[f"special_{_name}.n_scalar"] = row(_reference, "Fi", (-1, 1), (0, 5), number_at=1, **_shared)
ALIASES = {
    "special_expm1": "expm1", "special_exp2": "exp2", "special_psi": "digamma", "special_digamma": "digamma", "special_gammaln": "lgamma",
    "special_erf": "erf", "special_erfc": "erfc", "special_erfinv": "erfinv", "special_xlogy.self_scalar": "xlogy.Scalar_Self",
    "special_i0": "i0", "special_logit": "logit", "special_expit": "sigmoid", "special_sinc": "sinc", "special_log1p": "log1p",
    "special_gammainc": "igamma", "special_gammaincc": "igammac", "special_multigammaln": "mvlgamma",
}
