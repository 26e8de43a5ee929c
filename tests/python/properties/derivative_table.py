"""Samples for the derivatives of operators that have no case for values: a function and the tensors to differentiate.

A maker takes a `Steady` and returns `(function, *tensors)`. One that draws `numbers` is tried with complex ones, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight as torch
import rushlight.nn.functional as F
from steady import Steady

nn, ops, linalg = torch._C._nn, torch._C._VariableFunctions, torch._C._linalg
Maker = Callable[[Steady], tuple[Any, ...]]
MAKERS: dict[str, Maker] = {}


def enter(*names: str) -> Callable[[Maker], Maker]:
    def keep(maker: Maker) -> Maker:
        MAKERS.update(dict.fromkeys(names, maker))
        return maker

    return keep


# --- products and convolutions

MAKERS |= {
    "mm": lambda d: (torch.mm, d.numbers(2, 3), d.numbers(3, 2)),
    "bmm": lambda d: (torch.bmm, d.numbers(2, 2, 3), d.numbers(2, 3, 2)),
    "mv": lambda d: (torch.mv, d.numbers(2, 3), d.numbers(3)),
    "dot": lambda d: (torch.dot, d.numbers(3), d.numbers(3)),
    "vdot": lambda d: (torch.vdot, d.numbers(3), d.numbers(3)),
    "addmm": lambda d: (lambda *t: torch.addmm(*t, beta=0.5, alpha=2), d.numbers(3), d.numbers(2, 2), d.numbers(2, 3)),
    "addmv": lambda d: (lambda *t: torch.addmv(*t, beta=0.5, alpha=2), d.numbers(2), d.numbers(2, 3), d.numbers(3)),
    "addr": lambda d: (lambda *t: torch.addr(*t, beta=0.5, alpha=2), d.numbers(2, 3), d.numbers(2), d.numbers(3)),
    "addbmm": lambda d: (lambda *t: torch.addbmm(*t, beta=0.5, alpha=2), d.numbers(2, 2), d.numbers(2, 2, 3), d.numbers(2, 3, 2)),
    "baddbmm": lambda d: (lambda *t: torch.baddbmm(*t, beta=0.5, alpha=2), d.numbers(2, 1, 2), d.numbers(2, 2, 3), d.numbers(2, 3, 2)),
    "_scaled_dot_product_flash_attention_for_cpu": lambda d: (
        lambda *t: ops._scaled_dot_product_flash_attention_for_cpu(*t)[0], d.real(1, 2, 3, 2), d.real(1, 2, 3, 2), d.real(1, 2, 3, 2),
    ),
    "linalg_cross": lambda d: (lambda *t: torch.linalg.cross(*t, dim=0), d.numbers(3, 2), d.numbers(3, 1)),
    "_mm_nt": lambda d: (F.linear, d.numbers(2, 3), d.numbers(2, 3)),
    "_addmm_nt": lambda d: (F.linear, d.numbers(2, 3), d.numbers(2, 3), d.numbers(2)),
    "_scaled_mm": lambda d: (
        lambda *t: ops._scaled_mm(*(x.to(torch.float8_e5m2) for x in t), torch.ones(1), torch.ones(1), out_dtype=t[0].dtype),
        d.real(2, 3), d.real(3, 2),
    ),
}  # fmt: skip

# --- fake quantization

ZEROS, TENTHS, ON = torch.zeros(2, dtype=torch.int32), torch.full((2,), 0.1), torch.ones(1)
MAKERS |= {
    "fake_quantize_per_tensor_affine_cachemask": lambda d: (
        lambda x: torch._C._nn.fake_quantize_per_tensor_affine_cachemask(x, 0.1, 0, -99, 99), d.real(2, 3),
    ),
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams": lambda d: (
        lambda x: ops._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(x, TENTHS[:1], ZEROS[:1], ON, -99, 99), d.real(2, 3),
    ),
    "fake_quantize_per_channel_affine_cachemask": lambda d: (
        lambda x: torch._C._nn.fake_quantize_per_channel_affine_cachemask(x, TENTHS, ZEROS, 0, -99, 99), d.real(2, 3),
    ),
    "_fake_quantize_learnable_per_tensor_affine": lambda d: (
        lambda x: ops._fake_quantize_learnable_per_tensor_affine(x, TENTHS[:1], ZEROS[:1].float(), -99, 99), d.real(2, 3),
    ),
    "_fake_quantize_learnable_per_channel_affine": lambda d: (
        lambda x: ops._fake_quantize_learnable_per_channel_affine(x, TENTHS, ZEROS.float(), 0, -99, 99), d.real(2, 3),
    ),
    "_fused_moving_avg_obs_fq_helper": lambda d: (
        lambda x: ops._fused_moving_avg_obs_fq_helper(x, ON, ON, ON - 4, ON + 4, TENTHS[:1].clone(), ZEROS[:1].clone(), 0.1, 0, 99, 0),
        d.real(2, 3),
    ),
}  # fmt: skip


@enter("convolution")
def convolution(d: Steady) -> tuple[Any, ...]:
    rank, transposed = d.integer(1, 3), d.boolean()
    stride, padding, dilation = [d.integer(1, 2)] * rank, [d.integer(0, 1)] * rank, [d.integer(1, 2)] * rank

    def call(x: Any, weight: Any, bias: Any) -> Any:
        return torch.convolution(x, weight, bias, stride, padding, dilation, transposed, [0] * rank, 2)

    return call, d.numbers(1, 2, *[4] * rank), d.numbers(2, 1, *[2] * rank), d.numbers(2)


@enter("convolution_backward")
def convolution_backward(d: Steady) -> tuple[Any, ...]:
    def call(grad: Any, x: Any, weight: Any) -> Any:
        return torch.ops.aten.convolution_backward(grad, x, weight, [2], [1], [0], [1], False, [0], 1, [True, True, True])

    return call, d.numbers(1, 2, 3), d.numbers(1, 2, 4), d.numbers(2, 2, 2)


# --- operators of C++ alone, through what calls them; gradients of activations as derivatives that are recorded


def gradient_of(function: Callable[..., Any], *shape: int) -> Maker:
    """The gradient of `function` of a (2, 3) matrix, as a function of the gradient of its result, of `shape`, and of the matrix."""

    def call(grad: Any, x: Any) -> Any:
        with torch.enable_grad():
            x = x if x.requires_grad else x.clone().requires_grad_()
            return torch.autograd.grad(function(x), x, grad, create_graph=True)[0]

    if function in _COMPLEX:
        return lambda d: (call, d.numbers(*shape), d.numbers(2, 3))
    return lambda d: (call, d.real(*shape), d.real(2, 3, low=0.1, high=0.9))


_COMPLEX = (torch.sigmoid, torch.tanh)
_BACKWARD: dict[str, Callable[..., Any]] = {
    "threshold": lambda x: F.threshold(x, 0.5, 0.1),
    "gelu": lambda x: F.gelu(x, approximate="tanh"),
    "hardshrink": lambda x: F.hardshrink(x, 0.4),
    "softshrink": lambda x: F.softshrink(x, 0.4),
    "silu": F.silu,
    "softsign": F.softsign,
    "mish": F.mish,
    "sigmoid": torch.sigmoid,
    "logit": torch.logit,
    "elu": F.elu,
    "hardsigmoid": F.hardsigmoid,
    "hardtanh": lambda x: F.hardtanh(x, -0.5, 0.5),
    "hardswish": F.hardswish,
    "leaky_relu": F.leaky_relu,
    "log_sigmoid": F.logsigmoid,
    "softplus": lambda x: F.softplus(x, 2.0, 1.0),
    "tanh": torch.tanh,
    "_prelu": lambda x: F.prelu(x, torch.full_like(x[0, :1], 0.3)),
}
MAKERS |= {f"{name}_backward": gradient_of(function, 2, 3) for name, function in _BACKWARD.items()}
MAKERS |= {
    "select_backward": gradient_of(lambda x: x.select(0, 1), 3),
    "slice_backward": gradient_of(lambda x: x[:, ::2], 2, 2),
    "diagonal_backward": gradient_of(torch.diagonal, 2),
    "unfold_backward": gradient_of(lambda x: x.unfold(1, 2, 1), 2, 2, 2),
    "as_strided_backward": gradient_of(lambda x: x.as_strided((2, 2), (1, 1), 1), 2, 2),
    "as_strided_forward": lambda d: (lambda g, x: torch.func.grad(lambda y: (y.as_strided((2, 2), (1, 1), 1) * g).sum())(x), d.real(2, 2), d.real(2, 3)),
    "_prelu_kernel": lambda d: (F.prelu, d.real(2, 3), d.real(3)),
    "_var": lambda d: (lambda x: torch.var(x, [0], correction=0.5), d.numbers(3, 2)),
    "_std": lambda d: (lambda x: torch.std(x, [0], correction=1, keepdim=True), d.numbers(3, 2)),
    "_var_mean": lambda d: (lambda x: torch.var_mean(x, [0, 1]), d.numbers(3, 2)),
    "_std_mean": lambda d: (lambda x: torch.std_mean(x, [1]), d.numbers(3, 2)),
    "as_strided": lambda d: (lambda x: torch.as_strided(x, (2, 2), (1, 1), 1), d.numbers(4)),
    "as_strided_scatter": lambda d: (lambda x, y: torch.as_strided_scatter(x, y, (2, 2), (2, 1), 1), d.numbers(6), d.numbers(2, 2)),
    "_to_copy": lambda d: (lambda x: torch.ops.aten._to_copy(x, dtype=torch.complex128), d.numbers(2, 3)),
    "cat": lambda d: (lambda *t: torch.cat(t, 1), d.numbers(2, 3), d.numbers(2, 1), d.real(2, 2)),
    "median.dim": lambda d: (lambda x: torch.median(x, 1, True)[0], d.distinct(3, 4)),
    "igamma": lambda d: (lambda x, a=d.real(2, 3, low=0.5, high=3): torch.igamma(a, x), d.real(2, 3, low=0.5, high=3)),
    "igammac": lambda d: (lambda x, a=d.real(2, 3, low=0.5, high=3): torch.igammac(a, x), d.real(2, 3, low=0.5, high=3)),
}  # fmt: skip

# --- Fourier transforms and matrices

MAKERS |= {
    "_fft_c2c": lambda d: (lambda x: ops._fft_c2c(x, [0, 1], 1, True), _complex(d, 2, 3)),
    "_fft_r2c": lambda d: (lambda x: ops._fft_r2c(x, [0, 1], 1, True), d.real(2, 3)),
    "_fft_c2r": lambda d: (lambda x: ops._fft_c2r(x, [0, 1], 2, 4), _complex(d, 2, 3)),
    "linalg_solve_triangular": lambda d: (lambda a, b: torch.linalg.solve_triangular(a, b, upper=True), d.square(2), d.numbers(2, 3, 2)),
    "cholesky_solve": lambda d: (lambda b, l: torch.cholesky_solve(b, l.tril()), d.numbers(3, 2), d.square()),
    "cholesky_inverse": lambda d: (lambda l: torch.cholesky_inverse(l.tril(-1) + torch.diag_embed(l.diagonal().real)), d.square()),
    "linalg_cholesky_ex": lambda d: (lambda a: linalg.linalg_cholesky_ex(a @ a.mH, upper=True)[0], d.square(2)),
    "linalg_lu_factor_ex": lambda d: (lambda a: linalg.linalg_lu_factor_ex(a)[0], d.square(2)),
    "linalg_lu_solve": lambda d: (lambda lu, b: torch.linalg.lu_solve(lu, torch.tensor([1, 2, 3], dtype=torch.int32), b), d.square(), d.numbers(3, 2)),
    "_linalg_det": lambda d: (torch.linalg.det, d.square(2)),
    "_linalg_slogdet": lambda d: (lambda a: torch.linalg.slogdet(a), d.square(2)),
    "linalg_inv_ex": lambda d: (lambda a: linalg.linalg_inv_ex(a)[0], d.square(2)),
    "_linalg_solve_ex": lambda d: (lambda a, b: ops._linalg_solve_ex(a, b)[0], d.square(), d.numbers(3, 2)),
    "linalg_qr": lambda d: (lambda a: torch.linalg.qr(a), d.square(2)),
    "linalg_pinv.atol_rtol_tensor": lambda d: (torch.linalg.pinv, d.square()[:, :2]),
    # vectors are given up to a factor: what depends on them must not depend on it
    "linalg_eig": lambda d: (lambda a: (lambda e: (e[0], e[1].abs()))(torch.linalg.eig(a)), d.square()),
    "_linalg_eigh": lambda d: (lambda a: (lambda e: (e[0], e[1].abs()))(torch.linalg.eigh(a + a.mH)), d.square()),
    "_linalg_svd": lambda d: (lambda a: (lambda s: (s[1], (s[0][..., :2] * s[1]) @ s[2]))(torch.linalg.svd(a, full_matrices=False)), d.square()[:, :2]),
}  # fmt: skip


def _complex(d: Steady, *shape: int) -> torch.Tensor:
    return torch.complex(d.real(*shape), d.real(*shape))


# --- losses and normalisation


def targets(d: Steady, *shape: int) -> torch.Tensor:
    return d.real(*shape, low=0.1, high=0.9)


MAKERS |= {
    "binary_cross_entropy": lambda d: (lambda *t: F.binary_cross_entropy(*t), targets(d, 2, 3), targets(d, 2, 3), d.real(2, 3, low=0.5)),
    "binary_cross_entropy_with_logits": lambda d: (
        lambda x, y, w, p: F.binary_cross_entropy_with_logits(x, y, w, pos_weight=p), d.real(2, 3), targets(d, 2, 3), d.real(2, 3, low=0.5), d.real(3, low=0.5),
    ),
    "mse_loss": lambda d: (nn.mse_loss, d.numbers(2, 3), d.numbers(2, 3)),
    "smooth_l1_loss": lambda d: (lambda x, y: nn.smooth_l1_loss(x, y, 2, 0.7), d.real(2, 3), d.real(2, 3)),
    "huber_loss": lambda d: (lambda x, y: nn.huber_loss(x, y, 1, 0.7), d.real(2, 3), d.real(2, 3)),
    "_smooth_l1": lambda d: (lambda x, y: nn.smooth_l1_loss(x, y, 0, 0.7), d.real(2, 3), d.real(2, 3)),
    "_huber": lambda d: (lambda x, y: nn.huber_loss(x, y, 0, 0.7), d.real(2, 3), d.real(2, 3)),
    "_squared_difference": lambda d: (lambda x, y: nn.mse_loss(x, y, 0), d.real(2, 3), d.real(2, 3)),
    "native_group_norm": lambda d: (lambda *t: torch.native_group_norm(*t, 2, 4, 3, 2, 1e-3)[0], d.real(2, 4, 3), d.real(4), d.real(4)),
    "native_layer_norm": lambda d: (lambda x, w, b: torch.native_layer_norm(x, [2, 3], w, b, 1e-3)[0], d.real(2, 2, 3), d.real(2, 3), d.real(2, 3)),
    "_fused_rms_norm": lambda d: (lambda x, w: ops._fused_rms_norm(x, [3], w, 1e-3)[0], d.real(2, 3), d.real(3)),
    "native_batch_norm": lambda d: (lambda *t: torch.native_batch_norm(*t, None, None, True, 0.1, 1e-3)[0], d.real(3, 2, 2), d.real(2), d.real(2)),
    "_log_softmax": lambda d: (lambda x: ops._log_softmax(x, 1, False), d.real(2, 3)),
    "slice_inverse": lambda d: (lambda x: torch.slice_inverse(x, x.detach()), d.numbers(2, 3)),
    "segment_reduce": lambda d: (lambda x: torch.segment_reduce(x, "prod", lengths=torch.tensor([2, 1, 3]), initial=2), d.real(6, 2, low=0.5)),
    "_safe_softmax": lambda d: (lambda x: ops._safe_softmax(x, 1), d.real(2, 3)),
    "_softmax": lambda d: (lambda x: ops._softmax(x, 1, False), d.real(2, 3)),
    "_softmax_backward_data": lambda d: (lambda g, y: ops._softmax_backward_data(g, y, 1, torch.float64), d.real(2, 3), d.real(2, 3)),
    "_log_softmax_backward_data": lambda d: (lambda g, y: ops._log_softmax_backward_data(g, y, 1, torch.float64), d.real(2, 3), d.real(2, 3)),
}  # fmt: skip


def nll_loss(function: Callable[..., Any], *places: int) -> Maker:
    def maker(d: Steady) -> tuple[Any, ...]:
        weight, target, reduction = d.real(3, low=0.5), d.positions(2, *places, size=3), d.integer(0, 2)
        return lambda x: function(x, target, weight, reduction, -100)[0], d.real(2, 3, *places)

    return maker


def nll_loss_backward(forward: Callable[..., Any], backward: Callable[..., Any], *places: int) -> Maker:
    def maker(d: Steady) -> tuple[Any, ...]:
        weight, target, x = d.real(3, low=0.5), d.positions(2, *places, size=3), d.real(2, 3, *places)
        total = forward(x, target, weight, 1, -100)[1]
        return lambda grad: backward(grad, x, target, weight, 1, -100, total), d.real()

    return maker


MAKERS |= {
    "nll_loss_forward": nll_loss(nn.nll_loss_forward),
    "nll_loss2d_forward": nll_loss(nn.nll_loss2d_forward, 2, 2),
    "nll_loss_backward": nll_loss_backward(nn.nll_loss_forward, nn.nll_loss_backward),
    "nll_loss2d_backward": nll_loss_backward(nn.nll_loss2d_forward, nn.nll_loss2d_backward, 2, 2),
}


@enter("_cross_entropy")
def cross_entropy(d: Steady) -> tuple[Any, ...]:
    weight, target, reduction = d.real(3, low=0.5), d.positions(4, size=3), ("none", "mean", "sum")[d.integer(0, 2)]
    return lambda x: F.cross_entropy(x, target, weight, reduction=reduction), d.real(4, 3)
