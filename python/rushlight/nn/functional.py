"""torch.nn.functional: layers and losses as functions.

Operators whose Python signature is the native one are taken as they are; the others are thin
functions here and in the `_*_functions` files, grouped by family.
"""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

import warnings

import rushlight
from rushlight import (
    Tensor,
    adaptive_avg_pool1d as adaptive_avg_pool1d,
    avg_pool1d as avg_pool1d,
    bilinear as bilinear,
    celu_ as celu_,
    channel_shuffle as channel_shuffle,
    conv1d as conv1d,
    conv2d as conv2d,
    conv3d as conv3d,
    conv_tbc as conv_tbc,
    conv_transpose1d as conv_transpose1d,
    conv_transpose2d as conv_transpose2d,
    conv_transpose3d as conv_transpose3d,
    cosine_similarity as cosine_similarity,
    hardshrink as hardshrink,
    native_channel_shuffle as native_channel_shuffle,
    pairwise_distance as pairwise_distance,
    pdist as pdist,
    pixel_shuffle as pixel_shuffle,
    pixel_unshuffle as pixel_unshuffle,
    prelu as prelu,
    relu_ as relu_,
    rrelu_ as rrelu_,
    selu_ as selu_,
    threshold_ as threshold_,
)
from rushlight._overriding import any_overridden, overridden, take_over

from . import _reduction as _Reduction
from ._activation_functions import (
    _get_softmax_dim as _get_softmax_dim,
    celu as celu,
    elu as elu,
    glu as glu,
    gumbel_softmax as gumbel_softmax,
    hardsigmoid as hardsigmoid,
    hardswish as hardswish,
    hardtanh as hardtanh,
    leaky_relu as leaky_relu,
    log_softmax as log_softmax,
    mish as mish,
    relu as relu,
    relu6 as relu6,
    rrelu as rrelu,
    selu as selu,
    sigmoid as sigmoid,
    silu as silu,
    softmax as softmax,
    softmin as softmin,
    softsign as softsign,
    tanh as tanh,
    tanhshrink as tanhshrink,
    threshold as threshold,
)
from ._attention_functions import (
    _canonical_mask as _canonical_mask,
    _check_key_padding_mask as _check_key_padding_mask,
    _in_projection as _in_projection,
    _in_projection_packed as _in_projection_packed,
    _mha_shape_check as _mha_shape_check,
    _none_or_dtype as _none_or_dtype,
    multi_head_attention_forward as multi_head_attention_forward,
)
from ._dropout_functions import (
    _check_probability as _check_probability,
    _feature_dropout as _feature_dropout,
    _warn_dropout_dims as _warn_dropout_dims,
    alpha_dropout as alpha_dropout,
    dropout as dropout,
    dropout1d as dropout1d,
    dropout2d as dropout2d,
    dropout3d as dropout3d,
    feature_alpha_dropout as feature_alpha_dropout,
)
from ._image_functions import (
    GRID_SAMPLE_INTERPOLATION_MODES as GRID_SAMPLE_INTERPOLATION_MODES,
    GRID_SAMPLE_PADDING_MODES as GRID_SAMPLE_PADDING_MODES,
    affine_grid as affine_grid,
    fold as fold,
    grid_sample as grid_sample,
    interpolate as interpolate,
    unfold as unfold,
    upsample as upsample,
    upsample_bilinear as upsample_bilinear,
    upsample_nearest as upsample_nearest,
)
from ._loss_functions import (
    binary_cross_entropy as binary_cross_entropy,
    binary_cross_entropy_with_logits as binary_cross_entropy_with_logits,
    cosine_embedding_loss as cosine_embedding_loss,
    cross_entropy as cross_entropy,
    ctc_loss as ctc_loss,
    gaussian_nll_loss as gaussian_nll_loss,
    hinge_embedding_loss as hinge_embedding_loss,
    huber_loss as huber_loss,
    kl_div as kl_div,
    l1_loss as l1_loss,
    linear_cross_entropy as linear_cross_entropy,
    margin_ranking_loss as margin_ranking_loss,
    mse_loss as mse_loss,
    multi_margin_loss as multi_margin_loss,
    multilabel_margin_loss as multilabel_margin_loss,
    multilabel_soft_margin_loss as multilabel_soft_margin_loss,
    nll_loss as nll_loss,
    poisson_nll_loss as poisson_nll_loss,
    smooth_l1_loss as smooth_l1_loss,
    soft_margin_loss as soft_margin_loss,
    triplet_margin_loss as triplet_margin_loss,
    triplet_margin_with_distance_loss as triplet_margin_with_distance_loss,
)
from ._norm_functions import (
    _verify_batch_size as _verify_batch_size,
    _verify_spatial_size as _verify_spatial_size,
    batch_norm as batch_norm,
    group_norm as group_norm,
    instance_norm as instance_norm,
    layer_norm as layer_norm,
    local_response_norm as local_response_norm,
    normalize as normalize,
    rms_norm as rms_norm,
)
from ._pool_functions import (
    _adaptive_max_pool1d as _adaptive_max_pool1d,
    _adaptive_max_pool2d as _adaptive_max_pool2d,
    _adaptive_max_pool3d as _adaptive_max_pool3d,
    _fractional_max_pool2d as _fractional_max_pool2d,
    _fractional_max_pool3d as _fractional_max_pool3d,
    _max_pool1d as _max_pool1d,
    _max_pool2d as _max_pool2d,
    _max_pool3d as _max_pool3d,
    _unpool_output_size as _unpool_output_size,
    adaptive_avg_pool2d as adaptive_avg_pool2d,
    adaptive_avg_pool3d as adaptive_avg_pool3d,
    adaptive_max_pool1d as adaptive_max_pool1d,
    adaptive_max_pool1d_with_indices as adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d as adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices as adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d as adaptive_max_pool3d,
    adaptive_max_pool3d_with_indices as adaptive_max_pool3d_with_indices,
    fractional_max_pool2d as fractional_max_pool2d,
    fractional_max_pool2d_with_indices as fractional_max_pool2d_with_indices,
    fractional_max_pool3d as fractional_max_pool3d,
    fractional_max_pool3d_with_indices as fractional_max_pool3d_with_indices,
    lp_pool1d as lp_pool1d,
    lp_pool2d as lp_pool2d,
    lp_pool3d as lp_pool3d,
    max_pool1d as max_pool1d,
    max_pool1d_with_indices as max_pool1d_with_indices,
    max_pool2d as max_pool2d,
    max_pool2d_with_indices as max_pool2d_with_indices,
    max_pool3d as max_pool3d,
    max_pool3d_with_indices as max_pool3d_with_indices,
    max_unpool1d as max_unpool1d,
    max_unpool2d as max_unpool2d,
    max_unpool3d as max_unpool3d,
)
from ._scaled_product_functions import (
    ScalingType as ScalingType,
    SwizzleType as SwizzleType,
    scaled_grouped_mm as scaled_grouped_mm,
    scaled_mm as scaled_mm,
)
from .modules.utils import _list_with_default, _pair, _single, _triple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_nn = rushlight._C._nn

avg_pool2d = _nn.avg_pool2d
avg_pool3d = _nn.avg_pool3d
elu_ = _nn.elu_
gelu = _nn.gelu
hardtanh_ = _nn.hardtanh_
leaky_relu_ = _nn.leaky_relu_
linear = _nn.linear
one_hot = _nn.one_hot
scaled_dot_product_attention = _nn.scaled_dot_product_attention
softplus = _nn.softplus
softshrink = _nn.softshrink
logsigmoid = _nn.log_sigmoid

_OVERRIDES = (
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
)


if not TYPE_CHECKING:  # a checker would take any name for known

    def __getattr__(name: str) -> Any:
        if name in _OVERRIDES:
            from rushlight import overrides

            return getattr(overrides, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Embedding, padding, products


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` that the indices `input` name.

    Args:
        input: integer indices of any shape.
        weight: table (number of rows, size of a row).
        padding_idx: row that receives no gradient.
        max_norm: rows used are first scaled, in place, to at most this norm.
        norm_type: the p of that norm.
        scale_grad_by_freq: divide a row's gradient by its number of uses.
        sparse: make the gradient of `weight` sparse.
    """
    if any_overridden(input, weight):
        return take_over(embedding, locals())
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.size(0)
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        if padding_idx < 0:
            padding_idx += rows
    if max_norm is not None:
        input = input.contiguous()
        _no_grad_embedding_renorm_(weight, input, max_norm, norm_type)
    return rushlight.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def _no_grad_embedding_renorm_(
    weight: Tensor, input: Tensor, max_norm: float, norm_type: float
) -> None:
    with rushlight.no_grad():
        rushlight.embedding_renorm_(weight, input, max_norm, norm_type)


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Sum, mean or maximum of the embeddings in each bag of indices.

    Args:
        input: indices (bags, bag size), or all bags one after the other (1-D).
        weight: table (number of rows, size of a row).
        offsets: for 1-D input, where each bag starts.
        max_norm: rows used are first scaled, in place, to at most this norm.
        norm_type: the p of that norm.
        scale_grad_by_freq: divide a row's gradient by its number of uses.
        mode: "sum", "mean" or "max".
        sparse: make the gradient of `weight` sparse.
        per_sample_weights: factors of the indices, with mode "sum".
        include_last_offset: `offsets` ends with the length of `input`.
        padding_idx: index that counts as absent.
    """
    if any_overridden(input, weight, offsets, per_sample_weights):
        return take_over(embedding_bag, locals())
    if weight.dtype == rushlight.long and input.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage "
            "`embedding_bag(weight, input, ...)` is deprecated, and should now be "
            "`embedding_bag(input, weight, ...)`.",
            stacklevel=2,
        )
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, "
            f"then it must have the same shape as the input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(
            f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}"
        )
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a "
                f"mini-batch of fixed length sequences. However, found offsets of type "
                f"{type(offsets)}"
            )
        offsets = rushlight.arange(
            0, input.numel(), input.size(1), dtype=input.dtype, device=input.device
        )
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}"
        )
    modes = ("sum", "mean", "max")
    if mode not in modes:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max":
        if scale_grad_by_freq:
            raise ValueError("max mode does not support scaling the gradient by the frequency")
        if sparse:
            raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        _no_grad_embedding_renorm_(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only "
            f"supported for mode='sum' (got mode='{mode}')."
        )
    return rushlight.embedding_bag(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        modes.index(mode),
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )[0]


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Extends the last dimensions.

    Args:
        input: any tensor; for other modes than "constant", at most 5-D.
        pad: counts (before, after) of the last dimension, then of the one before it, ...
        mode: "constant", "reflect", "replicate" or "circular".
        value: what to fill with in mode "constant"; 0 when None.

    >>> pad(rushlight.ones(1, 2), (1, 0))
    tensor([[0., 1., 1.]])
    """
    if overridden(input):
        return take_over(_pad, locals())
    return _nn.pad(input, pad, mode, value)


_pad = pad  # under a name that its own argument does not hide


def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    *,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: Any = None,
) -> Tensor:
    """Products of several pairs of matrices.

    Args:
        mat_a: (G, M, K), or (M, K) whose rows (with a 3-D `mat_b`) or columns (with a 2-D one) fall
            into G groups.
        mat_b: (G, K, N), or (K, N) whose columns or rows fall into groups in the same way.
        offs: int32 tensor of G ends of groups, increasing; only with a 2-D matrix.
        bias: None; PyTorch does not take one either.
        out_dtype: the dtype of `mat_a` or None.

    Raises:
        RuntimeError: other numbers of dimensions, `offs` missing or superfluous, a bias.

    >>> rows, matrices = rushlight.ones(3, 2), rushlight.stack((rushlight.eye(2), 2 * rushlight.eye(2)))
    >>> grouped_mm(rows, matrices, offs=rushlight.tensor([1, 3], dtype=rushlight.int32))
    tensor([[1., 1.],
            [2., 2.],
            [2., 2.]])
    """
    if any_overridden(mat_a, mat_b, offs, bias):
        return take_over(grouped_mm, locals())
    for name, matrix in (("mat_a", mat_a), ("mat_b", mat_b)):
        if matrix.dim() not in (2, 3):
            raise RuntimeError(f"grouped_mm: {name} has to be 2 or 3d, not {matrix.dim()}d")
    if (offs is None) != (mat_a.dim() == 3 and mat_b.dim() == 3):
        raise RuntimeError(
            "grouped_mm: Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d"
        )
    if bias is not None:
        raise RuntimeError("grouped_mm: Bias not supported yet; add it to the result")
    if out_dtype not in (None, mat_a.dtype):
        raise RuntimeError(
            f"grouped_mm: output dtype must match `mat_a` dtype ({mat_a.dtype}), not {out_dtype}"
        )
    if offs is None:
        return mat_a @ mat_b
    ends = offs.tolist()
    spans = [slice(start, end) for start, end in zip([0, *ends], ends)]
    if mat_b.dim() == 3:  # groups of rows
        return rushlight.cat([mat_a[span] @ matrix for span, matrix in zip(spans, mat_b)])
    if mat_a.dim() == 3:  # groups of columns
        return rushlight.cat([matrix @ mat_b[:, span] for span, matrix in zip(spans, mat_a)], 1)
    return rushlight.stack([mat_a[:, span] @ mat_b[span] for span in spans])


__all__ = sorted(
    {name for name in globals() if not name.startswith("_") and name.islower()}
    - {"annotations", "rushlight", "warnings", "any_overridden", "overridden", "take_over"}
)
for _name in __all__:  # overrides know every function by the name under which users call it
    if getattr(globals()[_name], "__module__", "").startswith("rushlight.nn._"):
        globals()[_name].__module__ = __name__
