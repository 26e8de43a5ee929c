"""Samples for the derivatives of pooling, padding, resampling, random, recurrent and sparse operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight as torch
from derivative_table import Maker, gradient_of
from steady import Steady

nn, ops = torch._C._nn, torch._C._VariableFunctions
MAKERS: dict[str, Maker] = {}


def of_maps(function: Callable[..., Any], rank: int, *rest: Any, size: int = 4, distinct: bool = False) -> Maker:
    """`function(x, *rest)` of a batch of maps of `rank` dimensions."""

    def maker(d: Steady) -> tuple[Any, ...]:
        shape = (1, 2, *[size] * rank)
        return lambda x: _first(function(x, *rest)), d.distinct(*shape) if distinct else d.real(*shape)

    return maker


def of_gradients(function: Callable[..., Any], shape: tuple[int, ...], *rest: Any) -> Maker:
    """`function(grad, *rest)`."""
    return lambda d: (lambda grad: function(grad, *rest), d.real(*shape))


def pooled(function: Callable[..., Any], backward: Callable[..., Any], rank: int, *rest: Any, indices_last: bool = True) -> Maker:
    """The backward function of a pooling by maximum, which reads positions that the forward one found."""

    def maker(d: Steady) -> tuple[Any, ...]:
        x = d.distinct(1, 2, *[4] * rank)
        values, indices = function(x, *rest)
        return lambda grad: backward(grad, x, *rest, indices), d.real(*values.shape)

    return maker


def _first(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


MAKERS |= {
    "constant_pad_nd": lambda d: (lambda x: torch.constant_pad_nd(x, [1, 2, -1, 1], 3), d.numbers(2, 3)),
    "embedding": lambda d: (lambda w: torch.embedding(w, torch.tensor([[0, 2], [2, 3]]), 1), d.numbers(4, 2)),
    "col2im": lambda d: (lambda x: nn.col2im(x, [3, 4], [2, 2], [1, 1], [0, 1], [1, 2]), d.numbers(1, 4, 6)),
    "im2col": lambda d: (lambda x: nn.im2col(x, [2, 2], [1, 1], [0, 1], [1, 2]), d.numbers(1, 1, 3, 4)),
    "fractional_max_pool2d": lambda d: (lambda x: nn.fractional_max_pool2d(x, [2, 2], [2, 2], torch.full((1, 2, 2), 0.4).double())[0], d.distinct(1, 2, 5, 5)),
    "fractional_max_pool3d": lambda d: (lambda x: nn.fractional_max_pool3d(x, [2, 2, 2], [2, 2, 2], torch.full((1, 1, 3), 0.4).double())[0], d.distinct(1, 1, 4, 4, 4)),
    "max_pool2d_with_indices": of_maps(nn.max_pool2d_with_indices, 2, [2, 3], [2, 1], [1, 1], [1, 1], True, distinct=True),
    "max_pool3d_with_indices": of_maps(nn.max_pool3d_with_indices, 3, [2, 2, 2], [2, 1, 1], [0, 1, 1], distinct=True),
    "max_pool2d_with_indices_backward": pooled(nn.max_pool2d_with_indices, nn.max_pool2d_with_indices_backward, 2, [2, 2], [2, 1], [0, 1], [1, 1], False),
    "max_pool3d_with_indices_backward": pooled(nn.max_pool3d_with_indices, nn.max_pool3d_with_indices_backward, 3, [2, 2, 2], [2, 2, 1], [0, 0, 1], [1, 1, 1], False),
    "adaptive_max_pool2d": of_maps(nn.adaptive_max_pool2d, 2, [3, 2], distinct=True),
    "adaptive_max_pool3d": of_maps(nn.adaptive_max_pool3d, 3, [3, 2, 1], distinct=True),
}  # fmt: skip
for _rank in (2, 3):
    MAKERS[f"avg_pool{_rank}d"] = of_maps(getattr(nn, f"avg_pool{_rank}d"), _rank, [2] * _rank, [1] * _rank, [1] * _rank, True, False)
    MAKERS[f"_adaptive_avg_pool{_rank}d"] = of_maps(getattr(nn, f"adaptive_avg_pool{_rank}d"), _rank, [3, 2, 2][:_rank])
    MAKERS[f"avg_pool{_rank}d_backward"] = (
        lambda d, r=_rank: (lambda g: getattr(nn, f"avg_pool{r}d_backward")(g, torch.zeros(1, 2, *[4] * r).double(), [2] * r, [2] * r, [0] * r, False, True, None), d.real(1, 2, *[2] * r))
    )  # fmt: skip
    MAKERS[f"_adaptive_avg_pool{_rank}d_backward"] = (
        lambda d, r=_rank: (lambda g: getattr(ops, f"_adaptive_avg_pool{r}d_backward")(g, torch.zeros(1, 2, *[4] * r).double()), d.real(1, 2, *[3] * r))
    )  # fmt: skip
    MAKERS[f"adaptive_max_pool{_rank}d_backward"] = (
        lambda d, r=_rank: (lambda x, i: (lambda g: getattr(nn, f"adaptive_max_pool{r}d_backward")(g, x, i), d.real(*i.shape)))(
            x := d.distinct(1, 2, *[4] * r), getattr(nn, f"adaptive_max_pool{r}d")(x, [3] * r)[1])
    )  # fmt: skip
for _rank in (1, 2, 3):
    for _mode in ("reflection", "replication"):
        _name, _pad = f"{_mode}_pad{_rank}d", [1, 2] * _rank
        MAKERS[_name] = of_maps(getattr(nn, _name), _rank, _pad, size=3)
        MAKERS[f"{_name}_backward"] = (
            lambda d, n=_name, r=_rank: (lambda g: getattr(nn, f"{n}_backward")(g, torch.zeros(1, 2, *[3] * r).double(), [1, 2] * r), d.real(1, 2, *[6] * r))
        )  # fmt: skip
RESAMPLING = {  # rank, further arguments
    "upsample_nearest1d": (1,), "upsample_nearest2d": (2,), "upsample_nearest3d": (3,),
    "_upsample_nearest_exact1d": (1,), "_upsample_nearest_exact2d": (2,), "_upsample_nearest_exact3d": (3,),
    "upsample_linear1d": (1, False), "upsample_bilinear2d": (2, True), "upsample_trilinear3d": (3, False), "upsample_bicubic2d": (2, False),
    "_upsample_bilinear2d_aa": (2, False), "_upsample_bicubic2d_aa": (2, False), "_upsample_lanczos2d_aa": (2, False),
}  # fmt: skip
for _name, (_rank, *_rest) in RESAMPLING.items():
    _sizes = [5, 3, 2][:_rank]
    MAKERS[_name] = of_maps(getattr(nn, _name), _rank, _sizes, *_rest, size=3)
    MAKERS[f"{_name}_backward"] = of_gradients(getattr(nn, f"{_name}_backward"), (1, 2, *_sizes), _sizes, [1, 2, *[3] * _rank], *_rest)


def sampler(function: Callable[..., Any], rank: int) -> Maker:
    def maker(d: Steady) -> tuple[Any, ...]:
        mode, padding, corners = (d.integer(0, 1) if rank == 3 else d.integer(0, 2)), d.integer(0, 2), d.boolean()
        grid = d.real(1, *[2] * rank, rank, low=-1.3, high=1.3)
        return lambda x, grid: function(x, grid, mode, padding, corners), d.real(1, 2, *[3] * rank), grid

    return maker


MAKERS |= {"grid_sampler_2d": sampler(torch.grid_sampler_2d, 2), "grid_sampler_3d": sampler(torch.grid_sampler_3d, 3)}


# --- random: every call starts from the same seed


def seeded(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*tensors: Any) -> Any:
        torch.manual_seed(3)
        return _first(function(*tensors))

    return call


def overwritten(name: str, *rest: Any) -> Maker:
    """In place: what was there gets no gradient."""
    return lambda d: (seeded(lambda x: getattr(x * 2, name)(*rest) + x), d.real(2, 3))


MAKERS |= {
    "rrelu_with_noise_backward": gradient_of(seeded(lambda x: nn.rrelu_with_noise(x - 0.5, torch.zeros_like(x), 0.1, 0.3, True)), 2, 3),
    "native_dropout": lambda d: (seeded(lambda x: torch.native_dropout(x, 0.4, True)), d.real(2, 3)),
    "bernoulli": lambda d: (seeded(torch.bernoulli), d.real(2, 3, low=0.1, high=0.9)),
    "bernoulli_.Tensor": lambda d: (seeded(lambda x, p: (x * 2).bernoulli_(p) + x), d.real(2, 3), d.real(2, 3, low=0.1, high=0.9)),
    "bernoulli_.float": overwritten("bernoulli_", 0.4),
    "poisson": lambda d: (seeded(torch.poisson), d.real(2, 3, low=0.5, high=4)),
    "random_.from": overwritten("random_", 2, 5),
    "random_.to": overwritten("random_", 5),
    "random_": lambda d: (seeded(lambda x: (x * 2).random_() * 1e-16 + x), d.real(2, 3)),
    "uniform_": overwritten("uniform_"),
    "cauchy_": overwritten("cauchy_"),
    "log_normal_": overwritten("log_normal_"),
    "exponential_": overwritten("exponential_"),
    "geometric_": overwritten("geometric_", 0.4),
    "normal_": overwritten("normal_"),
    "normal.Tensor_float": lambda d: (seeded(lambda m: torch.normal(m, 1.0)), d.real(2, 3)),
    "normal.float_Tensor": lambda d: (seeded(lambda s: torch.normal(0.0, s)), d.real(2, 3, low=0.5)),
    "normal.Tensor_Tensor": lambda d: (seeded(torch.normal), d.real(2, 3), d.real(2, 3, low=0.5)),
    "_standard_gamma": lambda d: (seeded(torch._standard_gamma), d.real(2, 3, low=1.5, high=4)),
    "rrelu_with_noise": lambda d: (seeded(lambda x: nn.rrelu_with_noise(x, torch.zeros(2, 3).double(), 0.1, 0.3, True)), d.real(2, 3)),
}  # fmt: skip


# --- recurrent layers and sparse tensors


def recurrent(d: Steady) -> tuple[Any, ...]:
    kind = (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN)[d.integer(0, 2)]
    layer = kind(2, 2).double()
    names = [name for name, _ in layer.named_parameters()]

    def call(x: Any, *weights: Any) -> Any:
        return torch.func.functional_call(layer, dict(zip(names, weights)), (x,))[0]

    return call, d.real(3, 1, 2), *(d.real(*p.shape) for p in layer.parameters())


INDICES = torch.tensor([[0, 1, 1], [2, 0, 1]])


def coo(values: Any) -> Any:
    return torch.sparse_coo_tensor(INDICES, values, (2, 3))


MAKERS |= {
    "_rnn_layer": recurrent,
    "_sparse_coo_tensor_unsafe": lambda d: (lambda v: coo(v).to_dense(), d.numbers(3)),
    "_sparse_compressed_tensor_unsafe": lambda d: (lambda v: torch.sparse_csr_tensor(torch.tensor([0, 1, 3]), torch.tensor([2, 0, 1]), v, (2, 3)).to_dense(), d.real(3)),
    "_sparse_values": lambda d: (lambda v: coo(v).coalesce().values() * 2, d.real(3)),
    "_coalesce": lambda d: (lambda v: torch.sparse_coo_tensor(INDICES[:, [0, 0, 1]], v, (2, 3)).coalesce().to_dense(), d.real(3)),
    "_to_dense": lambda d: (lambda v: coo(v).to_dense(), d.numbers(3)),
    "_to_sparse.sparse_dim": lambda d: (lambda x: x.to_sparse(1).to_dense(), d.real(2, 3)),
    "_to_sparse": lambda d: (lambda x: x.to_sparse().to_dense(), d.real(2, 3)),
    "_to_sparse_csr": lambda d: (lambda x: x.to_sparse_csr().to_dense(), d.real(2, 3)),
    "_to_sparse_csc": lambda d: (lambda x: x.to_sparse_csc().to_dense(), d.real(2, 3)),
    "sparse_mask": lambda d: (lambda x: x.sparse_mask(coo(torch.ones(3).double()).coalesce()).to_dense(), d.real(2, 3)),
    "_sparse_take": lambda d: (lambda v: torch.sparse_coo_tensor(INDICES[:, [0, 0, 1]], v, (2, 3)).coalesce().values(), d.real(3)),
    "_sparse_addmm": lambda d: (lambda a, v, b: torch.sparse.addmm(a, coo(v), b, beta=0.5, alpha=2), d.real(2, 2), d.real(3), d.real(3, 2)),
    "_sparse_sparse_matmul": lambda d: (lambda v, w: (coo(v) @ coo(w).t()).to_dense(), d.real(3), d.real(3)),
    "_sparse_sum.dim": lambda d: (lambda v: torch.sparse.sum(coo(v), 0).to_dense(), d.real(3)),
    "_sparse_softmax_of": lambda d: (lambda v: torch.sparse.softmax(coo(v), 1).to_dense(), d.real(3)),
    "_sparse_log_softmax_of": lambda d: (lambda v: torch.sparse.log_softmax(coo(v), 1).to_dense(), d.real(3)),
    "sparse_sampled_addmm": lambda d: (
        lambda v, a, b: torch.sparse.sampled_addmm(torch.sparse_csr_tensor(torch.tensor([0, 1, 3]), torch.tensor([2, 0, 1]), v, (2, 3)), a, b, beta=0.5).to_dense(),
        d.real(3), d.real(2, 2), d.real(2, 3),
    ),
}  # fmt: skip
