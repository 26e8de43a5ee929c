"""Pooling functions: max, fractional, adaptive, power-average and unpooling."""

from __future__ import annotations

import math

import rushlight
from rushlight import Tensor
from rushlight._overriding import any_overridden, overridden, take_over

from .modules.utils import _list_with_default, _pair, _single, _triple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_nn = rushlight._C._nn


def _stride(stride: Any) -> Any:
    return () if stride is None else stride


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """Maxima of windows along one dimension, and where they were."""
    if overridden(input):
        return take_over(max_pool1d_with_indices, locals())
    return rushlight.max_pool1d_with_indices(
        input, kernel_size, _stride(stride), padding, dilation, ceil_mode
    )


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """Maxima of windows along two dimensions, and where they were."""
    if overridden(input):
        return take_over(max_pool2d_with_indices, locals())
    return _nn.max_pool2d_with_indices(
        input, kernel_size, _stride(stride), padding, dilation, ceil_mode
    )


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """Maxima of windows along three dimensions, and where they were."""
    if overridden(input):
        return take_over(max_pool3d_with_indices, locals())
    return _nn.max_pool3d_with_indices(
        input, kernel_size, _stride(stride), padding, dilation, ceil_mode
    )


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Maxima of windows along one dimension.

    Args:
        input: (N, C, L) or (C, L).
        kernel_size: size of a window.
        stride: distance of windows; `kernel_size` when None.
        padding: positions of -inf added at both ends.
        dilation: distance of the elements of a window.
        ceil_mode: keep a last, incomplete window.
        return_indices: also return where the maxima were.
    """
    if overridden(input):
        return take_over(max_pool1d_with_indices if return_indices else max_pool1d, locals())
    if return_indices:
        return max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return rushlight.max_pool1d(input, kernel_size, _stride(stride), padding, dilation, ceil_mode)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Maxima of windows along two dimensions; arguments as for `max_pool1d`.

    >>> max_pool2d(rushlight.arange(4.0).reshape(1, 2, 2), 2)
    tensor([[[3.]]])
    """
    if overridden(input):
        return take_over(max_pool2d_with_indices if return_indices else max_pool2d, locals())
    if return_indices:
        return max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return rushlight.max_pool2d(input, kernel_size, _stride(stride), padding, dilation, ceil_mode)


def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Maxima of windows along three dimensions; arguments as for `max_pool1d`."""
    if overridden(input):
        return take_over(max_pool3d_with_indices if return_indices else max_pool3d, locals())
    if return_indices:
        return max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return rushlight.max_pool3d(input, kernel_size, _stride(stride), padding, dilation, ceil_mode)


_max_pool1d, _max_pool2d, _max_pool3d = max_pool1d, max_pool2d, max_pool3d


def _fractional(
    input: Tensor,
    kernel_size: Any,
    output_size: Any,
    output_ratio: Any,
    samples: Tensor | None,
    spatial: int,
) -> tuple[Tensor, Tensor]:
    name = f"fractional_max_pool{spatial}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    as_tuple = _pair if spatial == 2 else _triple
    if output_size is None:
        if output_ratio is None:
            raise ValueError("output_ratio must not be None when output_size is None")
        sizes = input.size()[-spatial:]
        output_size = [int(n * r) for n, r in zip(sizes, as_tuple(output_ratio))]
    if samples is None:
        batched = input.dim() == spatial + 2
        samples = rushlight.rand(
            input.size(0) if batched else 1,
            input.size(-spatial - 1),
            spatial,
            dtype=input.dtype,
            device=input.device,
        )
    operator = _nn.fractional_max_pool2d if spatial == 2 else _nn.fractional_max_pool3d
    return operator(input, kernel_size, output_size, samples)


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Maxima of randomly placed 2-D windows, and where they were."""
    if any_overridden(input, _random_samples):
        return take_over(fractional_max_pool2d_with_indices, locals())
    return _fractional(input, kernel_size, output_size, output_ratio, _random_samples, 2)


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Maxima of randomly placed 3-D windows, and where they were."""
    if any_overridden(input, _random_samples):
        return take_over(fractional_max_pool3d_with_indices, locals())
    return _fractional(input, kernel_size, output_size, output_ratio, _random_samples, 3)


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Maxima of randomly placed 2-D windows (Graham 2014).

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: size of a window.
        output_size: size of the output; or
        output_ratio: the size of the output as a fraction of the input.
        return_indices: also return where the maxima were.
    """
    if any_overridden(input, _random_samples):
        return take_over(
            fractional_max_pool2d_with_indices if return_indices else fractional_max_pool2d,
            locals(),
        )
    result = _fractional(input, kernel_size, output_size, output_ratio, _random_samples, 2)
    return result if return_indices else result[0]


def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Maxima of randomly placed 3-D windows; arguments as for `fractional_max_pool2d`."""
    if any_overridden(input, _random_samples):
        return take_over(
            fractional_max_pool3d_with_indices if return_indices else fractional_max_pool3d,
            locals(),
        )
    result = _fractional(input, kernel_size, output_size, output_ratio, _random_samples, 3)
    return result if return_indices else result[0]


_fractional_max_pool2d, _fractional_max_pool3d = fractional_max_pool2d, fractional_max_pool3d


def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """Maxima of `output_size` equal windows, and where they were."""
    if overridden(input):
        return take_over(adaptive_max_pool1d_with_indices, locals())
    return rushlight.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """Maxima of a grid of equal windows, and where they were."""
    if overridden(input):
        return take_over(adaptive_max_pool2d_with_indices, locals())
    return _nn.adaptive_max_pool2d(input, _list_with_default(output_size, input.size()))


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """Maxima of a 3-D grid of equal windows, and where they were."""
    if overridden(input):
        return take_over(adaptive_max_pool3d_with_indices, locals())
    return _nn.adaptive_max_pool3d(input, _list_with_default(output_size, input.size()))


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima of `output_size` equal windows along the last dimension."""
    if overridden(input):
        return take_over(
            adaptive_max_pool1d_with_indices if return_indices else adaptive_max_pool1d, locals()
        )
    result = adaptive_max_pool1d_with_indices(input, output_size)
    return result if return_indices else result[0]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima of a grid of equal windows; None keeps a size of the input."""
    if overridden(input):
        return take_over(
            adaptive_max_pool2d_with_indices if return_indices else adaptive_max_pool2d, locals()
        )
    result = adaptive_max_pool2d_with_indices(input, output_size)
    return result if return_indices else result[0]


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima of a 3-D grid of equal windows; None keeps a size of the input."""
    if overridden(input):
        return take_over(
            adaptive_max_pool3d_with_indices if return_indices else adaptive_max_pool3d, locals()
        )
    result = adaptive_max_pool3d_with_indices(input, output_size)
    return result if return_indices else result[0]


_adaptive_max_pool1d = adaptive_max_pool1d
_adaptive_max_pool2d = adaptive_max_pool2d
_adaptive_max_pool3d = adaptive_max_pool3d


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Means of a grid of equal windows; None keeps a size of the input."""
    if overridden(input):
        return take_over(adaptive_avg_pool2d, locals())
    return _nn.adaptive_avg_pool2d(input, _list_with_default(output_size, input.size()))


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Means of a 3-D grid of equal windows; None keeps a size of the input."""
    if overridden(input):
        return take_over(adaptive_avg_pool3d, locals())
    return _nn.adaptive_avg_pool3d(input, _list_with_default(output_size, input.size()))


def _power_mean_root(mean: Tensor, norm_type: float, count: int) -> Tensor:
    # The sign and relu make an even root of a negative sum zero instead of NaN.
    return (rushlight.sign(mean) * rushlight.relu(mean.abs())).mul(count).pow(1.0 / norm_type)


def _volume(kernel_size: tuple[int, ...]) -> int:
    count = 1
    for n in kernel_size:
        count *= n
    return count


def _extreme_pool(pool: Any, input: Tensor, norm_type: float, *window: Any) -> Tensor:
    """The infinite norms: the largest or the least magnitude of each window."""
    sign = 1 if norm_type > 0 else -1
    largest: Tensor = pool(input.abs() * sign, *window[:2], 0, 1, window[2])
    return largest * sign


def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    ceil_mode: bool = False,
) -> Tensor:
    """p-norms of windows along one dimension: (sum x^p)^(1/p)."""
    if overridden(input):
        return take_over(lp_pool1d, locals())
    if math.isinf(norm_type):
        return _extreme_pool(max_pool1d, input, norm_type, kernel_size, stride, ceil_mode)
    mean = rushlight.avg_pool1d(input.pow(norm_type), kernel_size, _stride(stride), 0, ceil_mode)
    return _power_mean_root(mean, norm_type, _volume(_single(kernel_size)))


def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    ceil_mode: bool = False,
) -> Tensor:
    """p-norms of windows along two dimensions."""
    if overridden(input):
        return take_over(lp_pool2d, locals())
    if math.isinf(norm_type):
        return _extreme_pool(max_pool2d, input, norm_type, kernel_size, stride, ceil_mode)
    mean = _nn.avg_pool2d(input.pow(norm_type), kernel_size, _stride(stride), 0, ceil_mode)
    return _power_mean_root(mean, norm_type, _volume(_pair(kernel_size)))


def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    ceil_mode: bool = False,
) -> Tensor:
    """p-norms of windows along three dimensions."""
    if overridden(input):
        return take_over(lp_pool3d, locals())
    if math.isinf(norm_type):
        return _extreme_pool(max_pool3d, input, norm_type, kernel_size, stride, ceil_mode)
    mean = _nn.avg_pool3d(input.pow(norm_type), kernel_size, _stride(stride), 0, ceil_mode)
    return _power_mean_root(mean, norm_type, _volume(_triple(kernel_size)))


def _unpool_output_size(
    input: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Any:
    """The output size of unpooling, checked against what these windows can come from."""
    spatial = len(kernel_size)
    default = [
        (n - 1) * stride[d] + kernel_size[d] - 2 * padding[d]
        for d, n in enumerate(input.size()[-spatial:])
    ]
    if output_size is None:
        return default
    if len(output_size) == spatial + 2:
        output_size = output_size[2:]
    if len(output_size) != spatial:
        raise ValueError(
            f"output_size should be a sequence containing {spatial} or {spatial + 2} elements, "
            f"but it has a length of '{len(output_size)}'"
        )
    for d in range(spatial):
        low, high = default[d] - stride[d], default[d] + stride[d]
        if not low < output_size[d] < high:
            raise ValueError(
                f'invalid output_size "{output_size}" (dim {d} must be between {low} and {high})'
            )
    return list(output_size)


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Puts the maxima of `max_pool1d` back where they were, with zeros elsewhere."""
    if any_overridden(input, indices):
        return take_over(max_unpool1d, locals())
    kernel = _single(kernel_size)
    stride = kernel if stride is None else _single(stride)
    size = _unpool_output_size(input, kernel, stride, _single(padding), output_size)
    size = [*size, 1]
    return _nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size).squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Puts the maxima of `max_pool2d` back where they were, with zeros elsewhere."""
    if any_overridden(input, indices):
        return take_over(max_unpool2d, locals())
    kernel = _pair(kernel_size)
    stride = kernel if stride is None else _pair(stride)
    size = _unpool_output_size(input, kernel, stride, _pair(padding), output_size)
    return _nn.max_unpool2d(input, indices, size)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Puts the maxima of `max_pool3d` back where they were, with zeros elsewhere."""
    if any_overridden(input, indices):
        return take_over(max_unpool3d, locals())
    kernel = _triple(kernel_size)
    stride = kernel if stride is None else _triple(stride)
    padding = _triple(padding)
    size = _unpool_output_size(input, kernel, stride, padding, output_size)
    return _nn.max_unpool3d(input, indices, size, stride, padding)
