"""Causal masks for attention between sequences of different lengths."""

from __future__ import annotations

from enum import IntEnum, auto

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(IntEnum):
    """Where the diagonal of a mask that is not square starts."""

    UPPER_LEFT = auto()
    LOWER_RIGHT = auto()

    __str__ = int.__repr__


class CausalBias(Tensor):
    """A causal mask that scaled dot-product attention recognizes.

    As a tensor it is the boolean mask: True where attention is allowed.

    Args:
        variant: where the diagonal starts.
        seq_len_q: number of queries.
        seq_len_kv: number of keys.
    """

    def __new__(cls, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> Any:
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant)}")
        offset = seq_len_kv - seq_len_q if variant == CausalVariant.LOWER_RIGHT else 0
        mask = rushlight.ones(seq_len_q, seq_len_kv, dtype=rushlight.bool).tril(offset)
        bias = Tensor._make_subclass(cls, mask, False)
        bias.variant = variant
        bias.seq_len_q = seq_len_q
        bias.seq_len_kv = seq_len_kv
        return bias

    def __init__(self, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> None:
        pass

    def _materialize(self, device: Any = None) -> Tensor:
        """The mask as a plain tensor."""
        mask = self.as_subclass(Tensor)
        return mask if device is None else mask.to(device)

    def __repr__(self) -> str:
        return repr(self._materialize())

    __str__ = __repr__

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") == "scaled_dot_product_attention":
            names = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
            given = dict(zip(names, args)) | kwargs
            if given.get("is_causal"):
                raise ValueError("CausalBias should not be used with causal=True")
            mask = given.get("attn_mask")
            if isinstance(mask, CausalBias):
                given["attn_mask"] = mask._materialize(given["query"].device)
            return func(**given)
        plain = [a._materialize() if isinstance(a, CausalBias) else a for a in args]
        return rushlight._C._disabled_torch_function_impl(func, types, tuple(plain), kwargs)


def _check_two(name: str, size: tuple[int, ...]) -> None:
    if len(size) != 2:
        raise AssertionError(f"{name} only supports 2D tensors")


def causal_upper_left(*size: int) -> CausalBias:
    """The causal mask of (queries, keys) whose diagonal starts at the first key.

    >>> causal_upper_left(2, 3)
    tensor([[ True, False, False],
            [ True,  True, False]])
    """
    _check_two("causal_upper_left", size)
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size: int) -> CausalBias:
    """The causal mask of (queries, keys) whose diagonal ends at the last key.

    >>> causal_lower_right(2, 3)
    tensor([[ True,  True, False],
            [ True,  True,  True]])
    """
    _check_two("causal_lower_right", size)
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)
