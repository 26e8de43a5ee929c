"""Calls of nn.functional and of other functions written in Python, with an operand that overrides: what reaches `__torch_function__`.

`record.py` writes what PyTorch 2.13 hands over first: the function, the number of its positional arguments, its keywords.
"""

from __future__ import annotations

from typing import Any

CALLS = """
    F.threshold(x, 0.1, 20.0)
    F.relu(x)
    F.relu(x, inplace=True)
    F.glu(x)
    F.hardtanh(x)
    F.relu6(x)
    F.elu(x)
    F.selu(x)
    F.celu(x)
    F.leaky_relu(x)
    F.rrelu(x)
    F.tanhshrink(x)
    F.softsign(x)
    F.softmin(x, 1)
    F.softmax(x, 1)
    F.gumbel_softmax(x)
    F.log_softmax(x, 1)
    F.tanh(x)
    F.sigmoid(x)
    F.hardsigmoid(x)
    F.silu(x)
    F.mish(x)
    F.hardswish(x)
    F.gelu(x)
    F.softplus(x)
    F.hardshrink(x)
    F.softshrink(x)
    F.logsigmoid(x)
    F.prelu(x, w)
    F.dropout(x, 0.5)
    F.alpha_dropout(x)
    F.dropout1d(maps1)
    F.dropout2d(maps2)
    F.dropout3d(maps3)
    F.feature_alpha_dropout(maps2)
    F.embedding(index, table)
    F.embedding_bag(index, table)
    F.batch_norm(x, None, None, training=True)
    F.instance_norm(maps1)
    F.layer_norm(x, (4,))
    F.rms_norm(x, (4,))
    F.group_norm(x, 2)
    F.local_response_norm(maps1, 2)
    F.normalize(x)
    F.ctc_loss(maps1, index, index, index)
    F.nll_loss(x, index)
    F.poisson_nll_loss(x, y)
    F.gaussian_nll_loss(x, y, y)
    F.kl_div(x, y)
    F.cross_entropy(x, index)
    F.cross_entropy(x, plain_index, weight=w)
    F.binary_cross_entropy(x, y)
    F.binary_cross_entropy_with_logits(x, y)
    F.smooth_l1_loss(x, y)
    F.huber_loss(x, y)
    F.l1_loss(x, y)
    F.mse_loss(x, y)
    F.mse_loss(plain, y)
    F.margin_ranking_loss(x, y, y)
    F.hinge_embedding_loss(x, y)
    F.multilabel_margin_loss(x, y)
    F.soft_margin_loss(x, y)
    F.multilabel_soft_margin_loss(x, y)
    F.cosine_embedding_loss(x, y, w)
    F.multi_margin_loss(x, index)
    F.triplet_margin_loss(x, y, y)
    F.triplet_margin_with_distance_loss(x, y, y)
    F.cosine_similarity(x, y)
    F.pairwise_distance(x, y)
    F.pdist(x)
    F.one_hot(index)
    F.max_pool1d(maps1, 2)
    F.max_pool2d(maps2, 2)
    F.max_pool3d(maps3, 2)
    F.max_pool1d(maps1, 2, return_indices=True)
    F.max_pool2d(maps2, 2, return_indices=True)
    F.max_pool3d(maps3, 2, return_indices=True)
    F.max_pool2d_with_indices(maps2, 2)
    F.max_unpool1d(maps1, index, 2)
    F.max_unpool2d(maps2, index, 2)
    F.max_unpool3d(maps3, index, 2)
    F.avg_pool1d(maps1, 2)
    F.avg_pool2d(maps2, 2)
    F.avg_pool3d(maps3, 2)
    F.lp_pool1d(maps1, 2, 2)
    F.lp_pool2d(maps2, 2, 2)
    F.lp_pool3d(maps3, 2, 2)
    F.adaptive_max_pool1d(maps1, 2)
    F.adaptive_max_pool2d(maps2, 2)
    F.adaptive_max_pool3d(maps3, 2)
    F.adaptive_max_pool2d(maps2, 2, return_indices=True)
    F.adaptive_avg_pool1d(maps1, 2)
    F.adaptive_avg_pool2d(maps2, 2)
    F.adaptive_avg_pool3d(maps3, 2)
    F.fractional_max_pool2d(maps2, 2, output_size=2)
    F.fractional_max_pool3d(maps3, 2, output_size=2)
    F.fractional_max_pool2d(maps2, 2, output_size=2, return_indices=True)
    F.upsample(maps2, scale_factor=2)
    F.upsample_nearest(maps2, scale_factor=2)
    F.upsample_bilinear(maps2, scale_factor=2)
    F.interpolate(maps2, scale_factor=2)
    F.grid_sample(maps2, grid)
    F.affine_grid(maps1, (1, 1, 2, 2))
    F.pad(x, (1, 1))
    F.unfold(maps2, 2)
    F.fold(maps1, (2, 2), 1)
    F.linear(x, y)
    F.bilinear(x, x, maps1)
    F.conv1d(maps1, maps1)
    F.conv2d(maps2, maps2)
    F.scaled_dot_product_attention(maps2, maps2, maps2)
    F.multi_head_attention_forward(maps1, maps1, maps1, 4, 2, y, w, None, None, False, 0.0, y, w)
    F.channel_shuffle(maps2, 2)
    F.pixel_shuffle(maps2, 1)
    torch.nn.Linear(4, 2)(x)
    torch.nn.CrossEntropyLoss()(x, index)
    torch.nn.MaxPool2d(2)(maps2)
    torch.nn.BatchNorm2d(2)(maps2)
    torch.nn.Embedding(5, 4)(index)
    torch.einsum("ij,kj", x, y)
    torch.tensordot(x, y, 2)
    torch.norm(x)
    torch.unique(x)
    torch.unique_consecutive(x)
    torch.cdist(x, y)
    torch.meshgrid(w, w)
    torch.broadcast_tensors(x, y)
    torch.split(x, 1)
    torch.stft(w, 4, return_complex=True)
    torch.istft(x, 4)
    torch.block_diag(x, y)
    torch.cartesian_prod(w, w)
    torch.atleast_1d(x)
    torch.atleast_2d(x, y)
    torch.atleast_3d(x)
    torch.chain_matmul(x, y)
    torch.lu(y)
    torch.svd_lowrank(x)
    torch.pca_lowrank(x)
    torch.lobpcg(y)
    torch.unravel_index(index, (2, 2))
    x.norm()
    x.unique()
    x.split(1)
    x.stft(4)
    x.unflatten(1, (2, 2))
    x.lu()
    len(x)
    list(x)
    reversed(x)
    1.0 / x
    x.refine_names
    x.register_hook(print)
    x.backward()
    x in x
    x.__rpow__(2)
    x.where(plain > 0, y)
    x.polygamma(1)
    x.apply_(abs)
    x.map_(y, max)
"""


def calls() -> list[str]:
    return [line.strip() for line in CALLS.strip().splitlines()]


def first_override(torch: Any, call: str) -> str:
    """The function, number of arguments and keywords that an override of the operands of `call` receives first."""

    class Overriding(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = torch.overrides.resolve_name(func) or func.__name__
            seen.append(" ".join([name, str(len(args)), *sorted(kwargs or {})]))
            raise Seen

    class Seen(Exception):
        pass

    def operand(*shape: int) -> Any:
        return (torch.arange(float(torch.Size(shape).numel())).reshape(shape) + 1).as_subclass(Overriding)

    plain, index = torch.rand(3, 4), torch.tensor([0, 1, 1])
    spaces = {
        "torch": torch, "F": torch.nn.functional, "x": operand(3, 4), "y": operand(3, 4),
        "w": operand(4), "maps1": operand(1, 2, 4), "maps2": operand(1, 2, 4, 4), "maps3": operand(1, 2, 4, 4, 4),
        "grid": operand(1, 2, 2, 2), "table": operand(5, 4), "plain": plain, "plain_index": index,
        "index": index.as_subclass(Overriding),
    }  # fmt: skip
    seen: list[str] = []
    try:
        eval(call, spaces)
    except Seen:
        pass
    except (RuntimeError, TypeError, ValueError, AttributeError) as error:
        return f"{type(error).__name__}"
    return seen[0] if seen else "nothing"


def outcomes(torch: Any) -> dict[str, str]:
    return {call: first_override(torch, call) for call in calls()}
