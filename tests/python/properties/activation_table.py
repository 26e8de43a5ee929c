"""Activations and the pointwise parts of losses: formulas in NumPy."""

from __future__ import annotations

import numpy as np
from calls import Case
from pointwise_rows import row
from scipy import special

SOFT = {"special": False}  # formulas below say nothing about infinities


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x)) if x.dtype.kind == "c" else special.expit(x)


def softplus(x: np.ndarray, beta: float = 1, threshold: float = 20) -> np.ndarray:
    return np.where(x * beta > threshold, x, np.log1p(np.exp(np.minimum(x * beta, 700))) / beta)


def elu(x: np.ndarray, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> np.ndarray:
    return scale * np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0) * input_scale))


def gelu(x: np.ndarray, approximate: str = "none") -> np.ndarray:
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    return x * special.ndtr(x)


def celu(x: np.ndarray, alpha: float = 1.0) -> np.ndarray:
    return np.maximum(x, 0) + np.minimum(0, alpha * np.expm1(np.minimum(x, 0) / alpha))


def hardshrink(x: np.ndarray, lambd: float = 0.5) -> np.ndarray:
    return np.where((x >= -lambd) & (x <= lambd), 0, x)


def softshrink(x: np.ndarray, lambd: float = 0.5) -> np.ndarray:
    return np.where(x > lambd, x - lambd, np.where(x < -lambd, x + lambd, x * 0))


def logit(x: np.ndarray, eps: float | None = None) -> np.ndarray:
    x = x if eps is None else np.clip(x, eps, 1 - eps)
    return np.log(x / (1 - x))


def threshold(x: np.ndarray, limit: float, value: float) -> np.ndarray:
    return np.where(x <= limit, value, x)


SELU = (1.6732632423543772, 1.0507009873554805)
ACTIVATION: dict[str, Case] = {
    "relu": row(lambda x: np.maximum(x, 0), "fi", rtol=0),
    "relu6": row(lambda x: np.clip(x, 0, 6), "fi", rtol=0),
    "gelu": row(gelu, "f", options=[{}, {"approximate": "tanh"}], rtol=8, half=0.6, atol=8, **SOFT),
    "hardshrink": row(hardshrink, "f", options=[{}, {"lambd": 2.0}], rtol=0),
    "softshrink": row(softshrink, "f", options=[{}, {"lambd": 2.0}], rtol=1),
    "selu": row(lambda x: elu(x, *SELU), "f", rtol=6, half=0.6),
    "celu": row(celu, "f", options=[{}, {"alpha": 0.5}], rtol=6, half=0.6),
    "elu": row(elu, "f", options=[{}, {"alpha": 0.5}, {"alpha": 2.0, "scale": 2.0, "input_scale": 0.5}], rtol=6),
    "silu": row(lambda x: x * sigmoid(x), "fc", rtol=6, **SOFT),
    "softsign": row(lambda x: x / (1 + np.abs(x)), "fib", result="float", rtol=2),
    "mish": row(lambda x: x * np.tanh(softplus(x)), "f", rtol=8, half=0.6, **SOFT),
    "sigmoid": row(sigmoid, "fibc", (-5, 5), result="float", rtol=6),
    "logit": row(logit, "fib", (0.01, 0.99), options=[{}, {"eps": 0.25}], result="float", rtol=8, atol=8, half=0.6, special=False),
    "threshold": row(threshold, "fi", parameters=[(1, 3), (2, 0)], rtol=0),
    "hardsigmoid": row(lambda x: np.clip(x + 3, 0, 6) / 6, "f", rtol=2, atol=2),
    "hardtanh": row(lambda x, min_val=-1, max_val=1: np.clip(x, min_val, max_val), "f", options=[{}, {"min_val": -2.0, "max_val": 0.5}], rtol=0),
    "hardswish": row(lambda x: x * np.clip(x + 3, 0, 6) / 6, "f", rtol=4, atol=4, **SOFT),
    "leaky_relu": row(lambda x, negative_slope=0.01: np.where(x > 0, x, x * negative_slope), "f", options=[{}, {"negative_slope": 0.5}], rtol=2),
    "log_sigmoid": row(lambda x: -softplus(-x, threshold=1e9), "f", rtol=6, **SOFT),
    "softplus": row(softplus, "f", options=[{}, {"beta": 2}, {"threshold": 3}], rtol=6, **SOFT),
}
