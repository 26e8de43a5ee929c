"""Products of float8 matrices that carry scales."""

from __future__ import annotations

from enum import Enum

import rushlight
from rushlight import Tensor
from rushlight._overriding import any_overridden, take_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeVar

    _T = TypeVar("_T")


class ScalingType(Enum):
    """Which elements of a matrix share a scale."""

    TensorWise = 0
    RowWise = 1
    BlockWise1x16 = 2
    BlockWise1x32 = 3
    BlockWise1x128 = 4
    BlockWise128x128 = 5


class SwizzleType(Enum):
    """The order in which scales of blocks lie in memory."""

    NO_SWIZZLE = 0
    SWIZZLE_32_4_4 = 1


def _listed(value: _T | Sequence[_T]) -> list[_T]:
    return list(value) if isinstance(value, (list, tuple)) else [value]  # type: ignore[list-item]


def scaled_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    scale_a: Tensor | list[Tensor],
    scale_recipe_a: ScalingType | list[ScalingType],
    scale_b: Tensor | list[Tensor],
    scale_recipe_b: ScalingType | list[ScalingType],
    swizzle_a: SwizzleType | list[SwizzleType] | None = None,
    swizzle_b: SwizzleType | list[SwizzleType] | None = None,
    bias: Tensor | None = None,
    output_dtype: rushlight.dtype | None = rushlight.bfloat16,
    contraction_dim: Sequence[int] = (),
    use_fast_accum: bool = False,
) -> Tensor:
    """(scale_a * mat_a) @ (scale_b * mat_b) + bias of float8 matrices, in float32 and rounded once.

    Args:
        mat_a: (M, K) of a float8 dtype.
        mat_b: (K, N) of a float8 dtype.
        scale_a, scale_b: float32; one element each (TensorWise), or (M, 1) and (1, N), contiguous
            (RowWise).
        scale_recipe_a, scale_recipe_b: both TensorWise or both RowWise; scales of blocks belong to
            devices that the library does not have.
        swizzle_a, swizzle_b: of no effect: scales that are not of blocks have one order.
        bias: N elements of a floating dtype that is not float8.
        output_dtype: of the result; None for that of `mat_a`.
        contraction_dim: the dimensions that are summed over, of `mat_a` and of `mat_b`.
        use_fast_accum: of no effect.

    Raises:
        ValueError: scales that are not as said, or dimensions that do not match.

    >>> eight = rushlight.eye(2).to(rushlight.float8_e4m3fn)
    >>> half, per_tensor = rushlight.tensor(0.5), ScalingType.TensorWise
    >>> scaled_mm(eight, eight, half, per_tensor, half, per_tensor, output_dtype=rushlight.float32)
    tensor([[0.2500, 0.0000],
            [0.0000, 0.2500]])
    """
    if any_overridden(mat_a, mat_b, bias):
        return take_over(scaled_mm, locals())
    recipes = [*_listed(scale_recipe_a), *_listed(scale_recipe_b)]
    scales = [*_listed(scale_a), *_listed(scale_b)]
    one_kind = recipes in ([ScalingType.TensorWise] * 2, [ScalingType.RowWise] * 2)
    if not one_kind or len(scales) != 2:
        raise ValueError(
            "scaled_mm: Invalid scaling configuration. Both matrices have one scale (TensorWise) or scales of rows "
            f"and columns (RowWise); got {recipes} for {len(scales)} tensors of scales"
        )
    if recipes[0] is ScalingType.TensorWise and not all(scale.numel() == 1 for scale in scales):
        raise ValueError(
            f"scaled_mm: scale_a must have 1 Float element, and scale_b; got {[tuple(s.shape) for s in scales]}"
        )
    if recipes[0] is ScalingType.RowWise and not all(scale.dim() == 2 for scale in scales):
        raise ValueError(
            "scaled_mm: Invalid scaling configuration. RowWise scales are of shape (M, 1) and (1, N), got "
            f"{[tuple(s.shape) for s in scales]}"
        )
    if contraction_dim and len(contraction_dim) != 2:
        raise ValueError(f"scaled_mm: contraction_dim must have exactly 2 elements, got {contraction_dim}")
    first, second = contraction_dim or (1, 0)
    if mat_a.dim() == 2 and mat_b.dim() == 2 and mat_a.size(first) != mat_b.size(second):
        shapes = " and ".join("x".join(map(str, matrix.shape)) for matrix in (mat_a, mat_b))
        raise ValueError(
            f"scaled_mm: mat_a and mat_b shapes cannot be multiplied ({shapes}) with contraction dims "
            f"mat_a: {first}, mat_b: {second}"
        )
    return rushlight._scaled_mm(mat_a, mat_b, scales[0], scales[1], bias, None, output_dtype, use_fast_accum)


def scaled_grouped_mm(*args: Any, **kwargs: Any) -> Tensor:
    """Always refused, as PyTorch does on the CPU: raises NotImplementedError."""
    raise NotImplementedError(
        "scaled_grouped_mm: Could not run 'aten::_scaled_grouped_mm_v2' with arguments from the 'CPU' backend; "
        "multiply the groups one by one with scaled_mm"
    )
