"""Functions on grids: resizing, sampling, and sliding blocks."""

from __future__ import annotations

import math
import warnings

import rushlight
from rushlight import Tensor
from rushlight._overriding import any_overridden, overridden, take_over

from .modules.utils import _pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_nn = rushlight._C._nn

GRID_SAMPLE_INTERPOLATION_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
GRID_SAMPLE_PADDING_MODES = {"zeros": 0, "border": 1, "reflection": 2}

_WITH_ALIGNMENT = ("linear", "bilinear", "bicubic", "trilinear")
_MODES = (
    "nearest",
    "linear",
    "bilinear",
    "bicubic",
    "trilinear",
    "lanczos",
    "area",
    "nearest-exact",
)
_DIMS_OF_MODE = {"linear": 3, "bilinear": 4, "trilinear": 5}


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _check_lengths(input: Tensor, value: Any, what: str, names: str, label: str) -> list[Any]:
    """One entry for each spatial dimension."""
    spatial = input.dim() - 2
    if not _is_sequence(value):
        return [value] * spatial
    if len(value) != spatial:
        raise ValueError(
            f"Input and {what.removesuffix(' size')} must have the same number of spatial dimensions, but got input "
            f"with spatial dimensions of {list(input.shape[2:])} and {label} {value}. Please "
            f"provide input tensor in (N, C, d1, d2, ...,dK) format and {what} in "
            f"({names}1, {names}2, ...,{names}K) format."
        )
    return list(value)


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resizes the spatial dimensions.

    Args:
        input: (N, C, ...) with one to three spatial dimensions.
        size: output size, one number or one for each spatial dimension; or
        scale_factor: factor of the size, one number or one for each spatial dimension.
        mode: "nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear", "area"
            or "lanczos".
        align_corners: whether the centres of the corners of input and output coincide.
        recompute_scale_factor: sample with the ratio of the sizes instead of `scale_factor`.
        antialias: low-pass filter before downsampling.

    >>> interpolate(rushlight.ones(1, 1, 2, 2), scale_factor=2).shape
    torch.Size([1, 1, 4, 4])
    """
    if overridden(input):
        return take_over(interpolate, locals())
    if mode not in _WITH_ALIGNMENT:
        if mode == "lanczos":
            if align_corners:
                raise ValueError("Lanczos mode does not support align_corners=True")
        elif align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: "
                "linear | bilinear | bicubic | trilinear"
            )
    aligned = bool(align_corners)
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    output_size: Any = None
    scales: list[Any] | None = None
    if size is not None:
        output_size = _check_lengths(input, size, "output size", "o", "output size of")
        if _is_sequence(size) and not all(_is_integer(n) for n in output_size):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or "
                "Tuple[int, int, int], but got size with types "
                f"{[type(n) for n in output_size]}"
            )
    else:
        scales = _check_lengths(input, scale_factor, "scale_factor", "s", "scale_factor of shape")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if mode == "area" and output_size is None:
        recompute_scale_factor = True
    if recompute_scale_factor and scales is not None:
        output_size = [
            math.floor(float(n) * float(scale)) for n, scale in zip(input.shape[2:], scales)
        ]
        scales = None

    dims = input.dim()
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and dims == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and "
            "requires a 4-D tensor as input"
        )
    if dims in (3, 4, 5):
        if mode == "nearest":
            kernels = (_nn.upsample_nearest1d, _nn.upsample_nearest2d, _nn.upsample_nearest3d)
            return kernels[dims - 3](input, output_size, scales)
        if mode == "nearest-exact":
            name = f"_upsample_nearest_exact{dims - 2}d"
            return getattr(_nn, name)(input, output_size, scales)
        if mode == "area":
            if dims == 3:
                return rushlight.adaptive_avg_pool1d(input, output_size)
            pool = _nn.adaptive_avg_pool2d if dims == 4 else _nn.adaptive_avg_pool3d
            return pool(input, output_size)
        needed = _DIMS_OF_MODE.get(mode)
        if needed is not None and needed != dims:
            raise NotImplementedError(f"Got {dims}D input, but {mode} mode needs {needed}D input")
        kernel = _KERNEL_OF_MODE.get((mode, dims, antialias))
        if kernel is not None:
            return getattr(_nn, kernel)(input, output_size, aligned, scales)
    raise NotImplementedError(
        "Input Error: Only 3D, 4D and 5D input Tensors supported "
        f"(got {dims}D) for the modes: {' | '.join(_MODES)} (got {mode})"
    )


_KERNEL_OF_MODE = {
    ("linear", 3, False): "upsample_linear1d",
    ("bilinear", 4, False): "upsample_bilinear2d",
    ("bilinear", 4, True): "_upsample_bilinear2d_aa",
    ("trilinear", 5, False): "upsample_trilinear3d",
    ("bicubic", 4, False): "upsample_bicubic2d",
    ("bicubic", 4, True): "_upsample_bicubic2d_aa",
    ("lanczos", 4, True): "_upsample_lanczos2d_aa",
}


def _is_integer(value: Any) -> bool:
    if isinstance(value, Tensor):
        return not value.is_floating_point()
    return hasattr(value, "__index__")


def _warn_old_name(name: str) -> None:
    warnings.warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=3,
    )


def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The old name of `interpolate`."""
    _warn_old_name("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The old name of `interpolate` with mode "nearest"."""
    _warn_old_name("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The old name of `interpolate` with mode "bilinear" and aligned corners."""
    _warn_old_name("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _default_alignment(stacklevel: int = 3) -> bool:
    warnings.warn(
        "Default grid_sample and affine_grid behavior has changed to align_corners=False since "
        "1.3.0. Please specify align_corners=True if the old behavior is desired. See the "
        "documentation of grid_sample for details.",
        stacklevel=stacklevel,
    )
    return False


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Values of `input` at the positions `grid`.

    Args:
        input: (N, C, H, W) or (N, C, D, H, W).
        grid: positions (N, ..., 2) or (N, ..., 3), x first; -1 and 1 are the borders.
        mode: "bilinear", "nearest" or "bicubic".
        padding_mode: value outside: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centres of the corner elements.
    """
    if any_overridden(input, grid):
        return take_over(grid_sample, locals())
    if mode not in GRID_SAMPLE_INTERPOLATION_MODES:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or "
            f"'bicubic', but got: '{mode}'"
        )
    if padding_mode not in GRID_SAMPLE_PADDING_MODES:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            f"'reflection', but got: '{padding_mode}'"
        )
    if align_corners is None:
        align_corners = _default_alignment()
    return rushlight.grid_sampler(
        input,
        grid,
        GRID_SAMPLE_INTERPOLATION_MODES[mode],
        GRID_SAMPLE_PADDING_MODES[padding_mode],
        align_corners,
    )


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """The grid for `grid_sample` that an affine map makes.

    Args:
        theta: matrices (N, 2, 3) or (N, 3, 4).
        size: output size (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether -1 and 1 are the centres of the corner elements.
    """
    if overridden(theta):
        return take_over(affine_grid, locals())
    if align_corners is None:
        align_corners = _default_alignment()
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) not in (4, 5):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {size}."
        )
    spatial = len(size) - 2
    rows, columns = spatial, spatial + 1
    if theta.dim() != 3 or theta.shape[-2] != rows or theta.shape[-1] != columns:
        raise ValueError(
            f"Expected a batch of {spatial}D affine matrices of shape Nx{rows}x{columns} for "
            f"size {size}. Got {theta.shape}."
        )
    sizes = size[-spatial:]
    if align_corners and min(sizes) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
            "align_corners=True. This is not an intended use case of affine_grid. See the "
            "documentation of affine_grid for details.",
            stacklevel=2,
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return rushlight.affine_grid_generator(theta, size, align_corners)


def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Adds sliding blocks (N, C * block, L) up to an image (N, C, H, W).

    Args:
        input: (N, C * kernel_h * kernel_w, L) or without N, L being the number of positions.
        output_size: (H, W).
        kernel_size: height and width of a block, or one number for both.
        dilation: distance of the elements of a block.
        padding: zeros at every border that positions may reach into.
        stride: distance of the positions.

    Raises:
        RuntimeError: L is not the number of positions.

    >>> fold(unfold(rushlight.ones(1, 1, 2, 2), 2), (2, 2), 2)
    tensor([[[[1., 1.],
              [1., 1.]]]])
    """
    if overridden(input):
        return take_over(fold, locals())
    return _nn.col2im(
        input,
        _pair(output_size),
        _pair(kernel_size),
        _pair(dilation),
        _pair(padding),
        _pair(stride),
    )


def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Cuts an image (N, C, H, W) into sliding blocks (N, C * block, L).

    Args:
        input: (N, C, H, W) or without N.
        kernel_size: height and width of a block, or one number for both.
        dilation: distance of the elements of a block.
        padding: zeros at every border.
        stride: distance of the positions.

    >>> unfold(rushlight.arange(4.0).reshape(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
    if overridden(input):
        return take_over(unfold, locals())
    return _nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))
