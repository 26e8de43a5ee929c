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

from . import _reduction as _Reduction
from ._attention_functions import (
    _canonical_mask as _canonical_mask,
    _check_key_padding_mask as _check_key_padding_mask,
    _in_projection as _in_projection,
    _in_projection_packed as _in_projection_packed,
    _mha_shape_check as _mha_shape_check,
    _none_or_dtype as _none_or_dtype,
    multi_head_attention_forward as multi_head_attention_forward,
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


# Dropout


def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes each element with probability `p` and scales the rest by 1 / (1 - p) (Srivastava 2014).

    Args:
        input: floating tensor of any shape.
        p: probability of a zero, from 0 to 1.
        training: without it, `input` is returned as it is.
        inplace: writes to `input`.

    Raises:
        ValueError: `p` is outside [0, 1].

    >>> dropout(rushlight.ones(2), p=1.0)
    tensor([0., 0.])
    """
    _check_probability(p)
    if inplace:
        return rushlight.dropout_(input, p, training)
    return rushlight.dropout(input, p, training)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout that keeps mean and variance of the outputs of `selu`."""
    _check_probability(p)
    if inplace:
        return rushlight.alpha_dropout_(input, p, training)
    return rushlight.alpha_dropout(input, p, training)


def _feature_dropout(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    if inplace:
        return rushlight.feature_dropout_(input, p, training)
    return rushlight.feature_dropout(input, p, training)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes whole channels of an input (N, C, L) or (C, L)."""
    _check_probability(p)
    dims = input.dim()
    if dims not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {dims}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial "
            "dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D "
            "inputs)."
        )
    if dims == 3:
        return _feature_dropout(input, p, training, inplace)
    # In place the result must be written through to the unbatched input.
    result = _feature_dropout(input.unsqueeze(0), p, training, inplace)
    return input if inplace else result.squeeze(0)


def _warn_dropout_dims(name: str, dims: int, spatial: int) -> None:
    low, high = spatial + 1, spatial + 2
    warnings.warn(
        f"{name}: Received a {dims}-D input to {name}, which is deprecated and will result in "
        "an error in a future release. To retain the behavior and silence this warning, please "
        f"use dropout instead. Note that {name} exists to provide channel-wise dropout on "
        f"inputs with {spatial} spatial dimensions, a channel dimension, and an optional batch "
        f"dimension (i.e. {low}D or {high}D inputs).",
        stacklevel=3,
    )


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes whole channels of an input (N, C, H, W); 3-D input counts as (N, C, L)."""
    _check_probability(p)
    dims = input.dim()
    if dims == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D "
            "dropout behavior is desired - input is interpreted as shape (N, C, L), where C is "
            "the channel dim. This behavior will change in a future release to interpret the "
            "input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D "
            "channel-wise dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    elif dims != 4:
        _warn_dropout_dims("dropout2d", dims, 2)
    return _feature_dropout(input, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes whole channels of an input (N, C, D, H, W) or (C, D, H, W)."""
    _check_probability(p)
    dims = input.dim()
    if dims not in (4, 5):
        _warn_dropout_dims("dropout3d", dims, 3)
    if dims != 4:
        return _feature_dropout(input, p, training, inplace)
    result = _feature_dropout(input.unsqueeze(0), p, training, inplace)
    return input if inplace else result.squeeze(0)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Alpha dropout of whole channels."""
    _check_probability(p)
    if inplace:
        return rushlight.feature_alpha_dropout_(input, p, training)
    return rushlight.feature_alpha_dropout(input, p, training)


# Activations


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """`input` where it exceeds `threshold`, else `value`."""
    if inplace:
        return rushlight.threshold_(input, threshold, value)
    return rushlight.threshold(input, threshold, value)


_threshold = threshold


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(0, input)."""
    if inplace:
        return rushlight.relu_(input)
    return rushlight.relu(input)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """a * sigmoid(b), where a and b are the halves of `input` along `dim`."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _nn.glu(input, dim)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """`input` limited to [min_val, max_val]."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return _nn.hardtanh_(input, min_val, max_val)
    return _nn.hardtanh(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`input` limited to [0, 6]."""
    return _nn.relu6_(input) if inplace else _nn.relu6(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`input` where positive, else alpha * (exp(input) - 1)."""
    return _nn.elu_(input, alpha) if inplace else _nn.elu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Scaled `elu` with the constants of Klambauer et al. (2017)."""
    return rushlight.selu_(input) if inplace else rushlight.selu(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`elu` with a slope that is continuous for every alpha."""
    return rushlight.celu_(input, alpha) if inplace else rushlight.celu(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """`input` where positive, else negative_slope * input."""
    if inplace:
        return _nn.leaky_relu_(input, negative_slope)
    return _nn.leaky_relu(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Leaky relu with a slope drawn from [lower, upper) in training and their mean otherwise."""
    if inplace:
        return rushlight.rrelu_(input, lower, upper, training)
    return rushlight.rrelu(input, lower, upper, training)


def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """relu6(input + 3) / 6."""
    return _nn.hardsigmoid_(input) if inplace else _nn.hardsigmoid(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input)."""
    return _nn.silu_(input) if inplace else _nn.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
    return _nn.mish_(input) if inplace else _nn.mish(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * relu6(input + 3) / 6."""
    return _nn.hardswish_(input) if inplace else _nn.hardswish(input)


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """exp(input) divided by its sum along `dim`.

    Args:
        input: floating tensor of any shape.
        dim: the dimension whose elements will sum to 1; leaving it out warns and guesses.
        dtype: what `input` is converted to first, so that small types do not overflow.

    >>> softmax(rushlight.zeros(1, 4), dim=1)
    tensor([[0.2500, 0.2500, 0.2500, 0.2500]])
    """
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """softmax(-input)."""
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """log(softmax(input)), computed without overflow.

    Args:
        input: floating tensor of any shape.
        dim: the dimension whose exponentials will sum to 1; leaving it out warns and guesses.
        dtype: what `input` is converted to first.

    >>> log_softmax(rushlight.tensor([1000.0, 1000.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A sample of the Gumbel-softmax distribution.

    Args:
        logits: unnormalized log probabilities.
        tau: temperature, positive.
        hard: return one-hot samples whose gradient is that of the soft ones.
        eps: has no effect.
        dim: along which the probabilities lie.
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = rushlight.empty_like(logits, memory_format=rushlight.contiguous_format)
    gumbels = -noise.exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = rushlight.zeros_like(logits, memory_format=rushlight.contiguous_format)
    return one_hot.scatter_(dim, index, 1.0) - soft.detach() + soft


# Normalization


def _verify_batch_size(size: Any) -> None:
    count = size[0]
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {size}"
        )


def _verify_spatial_size(size: Any) -> None:
    count = 1
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {size}"
        )


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel over the batch, or by the running statistics (Ioffe and Szegedy 2015).

    Args:
        input: (N, C) or (N, C, ...), floating.
        running_mean: (C,), changed in training: `momentum` of the batch, the rest of what it was.
        running_var: (C,), in the same way, with the unbiased variance.
        weight: (C,), the scale of each channel; 1 when None.
        bias: (C,), added to each channel; 0 when None.
        training: uses the statistics of the batch and changes the running ones.
        momentum: share of the batch in the running statistics.
        eps: added to the variance.

    Raises:
        ValueError: one value per channel in training.

    >>> batch_norm(rushlight.tensor([[1.0], [3.0]]), None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    if training:
        _verify_batch_size(input.size())
    return rushlight.batch_norm(
        input,
        weight,
        bias,
        running_mean,
        running_var,
        training,
        momentum,
        eps,
        rushlight.backends.cudnn.enabled,
    )


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel of each sample over its spatial dimensions (Ulyanov 2016).

    Args:
        input: (N, C, ...), floating, with more than one spatial element.
        running_mean: (C,), changed when `use_input_stats`, used otherwise.
        running_var: (C,), in the same way.
        weight: (C,), the scale of each channel; 1 when None.
        bias: (C,), added to each channel; 0 when None.
        use_input_stats: normalizes by the input, not by the running statistics.
        momentum: share of the input in the running statistics.
        eps: added to the variance.

    >>> instance_norm(rushlight.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.0000,  1.0000]]])
    """
    if use_input_stats:
        _verify_spatial_size(input.size())
    return rushlight.instance_norm(
        input,
        weight,
        bias,
        running_mean,
        running_var,
        use_input_stats,
        momentum,
        eps,
        rushlight.backends.cudnn.enabled,
    )


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes over the last dimensions, those of `normalized_shape` (Ba, Kiros and Hinton 2016).

    Args:
        input: (*, normalized_shape), floating.
        normalized_shape: sizes of the dimensions that are normalized together.
        weight: of that shape, the scale of each element; 1 when None.
        bias: of that shape, added to each element; 0 when None.
        eps: added to the variance.

    Raises:
        RuntimeError: the last sizes of `input` are others.

    >>> layer_norm(rushlight.tensor([[1.0, 3.0]]), (2,))
    tensor([[-1.0000,  1.0000]])
    """
    return rushlight.layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divides by the root mean square over the last dimensions (Zhang and Sennrich 2019).

    Args:
        input: (*, normalized_shape), floating.
        normalized_shape: sizes of the dimensions that are normalized together.
        weight: of that shape, the scale of each element; 1 when None.
        eps: added to the mean square; the machine epsilon of the dtype when None.

    >>> rms_norm(rushlight.tensor([[3.0, 3.0]]), (2,))
    tensor([[1., 1.]])
    """
    return rushlight.rms_norm(input, normalized_shape, weight, eps)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes groups of channels of each sample (Wu and He 2018).

    Args:
        input: (N, C, ...), floating.
        num_groups: number of groups, a divisor of C.
        weight: (C,), the scale of each channel; 1 when None.
        bias: (C,), added to each channel; 0 when None.
        eps: added to the variance.

    Raises:
        RuntimeError: C is no multiple of `num_groups`.

    >>> group_norm(rushlight.tensor([[1.0, 3.0, 5.0, 9.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    size = list(input.size())
    if num_groups != 0:
        _verify_batch_size([size[0] * size[1] // num_groups, num_groups, *size[2:]])
    return rushlight.group_norm(input, num_groups, weight, bias, eps)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divides by a power of the mean square over `size` neighbouring channels."""
    dims = input.dim()
    if dims < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {dims} dimensions)")
    if input.numel() == 0:
        return input
    before, after = size // 2, (size - 1) // 2
    squares = input.mul(input)
    if dims == 3:
        padded = _nn.pad(squares.unsqueeze(1), (0, 0, before, after))
        mean = _nn.avg_pool2d(padded, (size, 1), stride=1).squeeze(1)
    else:
        shape = input.size()
        volume = squares.view(shape[0], 1, shape[1], shape[2], -1)
        padded = _nn.pad(volume, (0, 0, 0, 0, before, after))
        mean = _nn.avg_pool3d(padded, (size, 1, 1), stride=1).squeeze(1).view(shape)
    return input / mean.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Divides by the p-norm along `dim`, which counts as at least `eps`.

    >>> normalize(rushlight.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    if out is None:
        return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    denom = input.norm(p, dim, keepdim=True).clamp_min_(eps).expand_as(input)
    return rushlight.div(input, denom, out=out)


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
    return _nn.pad(input, pad, mode, value)


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
        raise RuntimeError(f"grouped_mm: output dtype must match `mat_a` dtype ({mat_a.dtype}), not {out_dtype}")
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
    - {"annotations", "rushlight", "warnings"}
)
