"""Multi-head attention as a function, with its checks of shapes and masks."""

from __future__ import annotations

import math
import warnings

import rushlight
from rushlight import Tensor
from rushlight._overriding import any_overridden, take_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_nn = rushlight._C._nn


def _require(condition: bool, message: str) -> None:
    # Programs catch AssertionError here, and `python -O` must not switch the checks off.
    if not condition:
        raise AssertionError(message)


def _none_or_dtype(input: Tensor | None) -> Any:
    return None if input is None else input.dtype


def _canonical_mask(
    mask: Tensor | None,
    mask_name: str,
    other_type: Any,
    other_name: str,
    target_type: Any,
    check_other: bool = True,
) -> Tensor | None:
    """The mask as numbers to add: -inf where a boolean mask is True."""
    if mask is None:
        return None
    is_float = mask.is_floating_point()
    _require(
        is_float or mask.dtype == rushlight.bool,
        f"only bool and floating types of {mask_name} are supported",
    )
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type "
            "for both instead.",
            stacklevel=3,
        )
    if is_float:
        return mask
    return rushlight.zeros_like(mask, dtype=target_type).masked_fill_(mask, -math.inf)


def _check_key_padding_mask(key_padding_mask: Tensor, src_len: int, bsz: int) -> None:
    rows, columns = key_padding_mask.shape[0], key_padding_mask.shape[1]
    _require(rows == bsz, f"Expected key_padded_mask.shape[0] to be {bsz}, but got {rows}")
    _require(
        columns == src_len, f"Expected key_padded_mask.shape[1] to be {src_len}, but got {columns}"
    )


def _mha_shape_check(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    num_heads: int,
) -> bool:
    """Whether the inputs have a batch dimension; raises if they disagree."""
    dims = query.dim()
    _require(
        dims in (2, 3),
        f"query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor",
    )
    label = "batched (3-D)" if dims == 3 else "unbatched (2-D)"
    _require(
        key.dim() == dims and value.dim() == dims,
        f"For {label} `query`, expected `key` and `value` to be {dims}-D but found "
        f"{key.dim()}-D and {value.dim()}-D tensors respectively",
    )
    if key_padding_mask is not None:
        _require(
            key_padding_mask.dim() == dims - 1,
            f"For {label} `query`, expected `key_padding_mask` to be `None` or {dims - 1}-D but "
            f"found {key_padding_mask.dim()}-D tensor instead",
        )
    if attn_mask is not None:
        _require(
            attn_mask.dim() in (2, 3),
            f"For {label} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found "
            f"{attn_mask.dim()}-D tensor instead",
        )
        if dims == 2 and attn_mask.dim() == 3:
            expected = (num_heads, query.shape[0], key.shape[0])
            _require(
                tuple(attn_mask.shape) == expected,
                f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}",
            )
    return dims == 3


def _parts(projected: Tensor, count: int, size: int) -> Any:
    """The `count` results of one joint projection, each contiguous."""
    stacked = projected.unflatten(-1, (count, size)).unsqueeze(0).transpose(0, -2)
    return stacked.squeeze(-2).contiguous().unbind(0)


def _in_projection_packed(
    q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None = None
) -> list[Tensor]:
    """Projects query, key and value by the stacked weight, in as few products as possible."""
    size = q.size(-1)
    if k is v and q is k:
        return list(_parts(_nn.linear(q, w, b), 3, size))
    if k is v:
        w_q, w_kv = w.split([size, size * 2])
        b_q, b_kv = (None, None) if b is None else b.split([size, size * 2])
        return [_nn.linear(q, w_q, b_q), *_parts(_nn.linear(k, w_kv, b_kv), 2, size)]
    weights = w.chunk(3)
    biases = (None, None, None) if b is None else b.chunk(3)
    return [_nn.linear(x, wx, bx) for x, wx, bx in zip((q, k, v), weights, biases)]


def _in_projection(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    b_q: Tensor | None = None,
    b_k: Tensor | None = None,
    b_v: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Projects query, key and value by a weight each."""
    size, size_k, size_v = q.size(-1), k.size(-1), v.size(-1)
    for weight, expected, name in (
        (w_q, (size, size), "query"),
        (w_k, (size, size_k), "key"),
        (w_v, (size, size_v), "value"),
    ):
        _require(
            tuple(weight.shape) == expected,
            f"expecting {name} weights shape of {expected}, but got {weight.shape}",
        )
    return _nn.linear(q, w_q, b_q), _nn.linear(k, w_k, b_k), _nn.linear(v, w_v, b_v)


def _heads(x: Tensor, static: Tensor | None, bsz: int, num_heads: int, head_dim: int) -> Tensor:
    """(batch * heads, length, head_dim), or the static tensor of that shape."""
    if static is None:
        return x.view(x.shape[0], bsz * num_heads, head_dim).transpose(0, 1)
    _require(
        static.size(0) == bsz * num_heads,
        f"expecting static.size(0) of {bsz * num_heads}, but got {static.size(0)}",
    )
    _require(
        static.size(2) == head_dim,
        f"expecting static.size(2) of {head_dim}, but got {static.size(2)}",
    )
    return static


def _checked_attn_mask(
    attn_mask: Tensor, tgt_len: int, src_len: int, bsz: int, num_heads: int
) -> Tensor:
    """The mask with three dimensions, or an error about its shape."""
    shape = tuple(attn_mask.shape)
    if attn_mask.dim() == 2:
        if shape != (tgt_len, src_len):
            raise RuntimeError(
                f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be "
                f"{(tgt_len, src_len)}."
            )
        return attn_mask.unsqueeze(0)
    if attn_mask.dim() == 3:
        if shape != (bsz * num_heads, tgt_len, src_len):
            raise RuntimeError(
                f"The shape of the 3D attn_mask is {attn_mask.shape}, but should be "
                f"{(bsz * num_heads, tgt_len, src_len)}."
            )
        return attn_mask
    raise RuntimeError(f"attn_mask's dimension {attn_mask.dim()} is not supported")


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attention with several heads between two projections (Vaswani 2017).

    Args:
        query: (L, N, E) or (L, E).
        key: (S, N, E_k) or (S, E_k).
        value: (S, N, E_v) or (S, E_v).
        embed_dim_to_check: E.
        num_heads: number of heads; divides E.
        in_proj_weight: the three input weights stacked (3E, E).
        in_proj_bias: their biases (3E).
        bias_k: a key (1, 1, E) appended to all sequences.
        bias_v: the value appended with it.
        add_zero_attn: append a key and a value of zeros.
        dropout_p: share of attention weights dropped in training.
        out_proj_weight: (E, E).
        out_proj_bias: (E).
        training: whether dropout applies.
        key_padding_mask: (N, S) or (S), True or -inf where a key is padding.
        need_weights: also return the attention weights.
        attn_mask: (L, S) or (N * heads, L, S), True or -inf where attention is forbidden.
        use_separate_proj_weight: take the next three instead of `in_proj_weight`.
        q_proj_weight: (E, E).
        k_proj_weight: (E, E_k).
        v_proj_weight: (E, E_v).
        static_k: keys that replace the projected ones, (N * heads, S, E / heads).
        static_v: values that replace the projected ones.
        average_attn_weights: return the mean of the weights over the heads.
        is_causal: `attn_mask` is the causal mask.

    Returns:
        The output (L, N, E) or (L, E), and the weights (N, L, S) or (N, heads, L, S), or None.
    """
    if any_overridden(
        query,
        key,
        value,
        in_proj_weight,
        in_proj_bias,
        bias_k,
        bias_v,
        out_proj_weight,
        out_proj_bias,
        key_padding_mask,
        attn_mask,
        q_proj_weight,
        k_proj_weight,
        v_proj_weight,
        static_k,
        static_v,
    ):
        return take_over(multi_head_attention_forward, locals())
    batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        # Equal inputs stay equal, so that one product projects them all.
        same_kv, same_qk = value is key, key is query
        query = query.unsqueeze(1)
        key = query if same_qk else key.unsqueeze(1)
        value = key if same_kv else value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    tgt_len, bsz, embed_dim = query.shape
    src_len = key.shape[0]

    key_padding_mask = _canonical_mask(
        key_padding_mask, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask", query.dtype
    )
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module "
            "method `generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and key_padding_mask is None and not need_weights:
        # The attention kernel knows the causal mask by itself.
        attn_mask = None
    else:
        attn_mask = _canonical_mask(
            attn_mask, "attn_mask", None, "", query.dtype, check_other=False
        )
        if key_padding_mask is not None:
            is_causal = False

    _require(
        embed_dim == embed_dim_to_check,
        f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed_dim}",
    )
    head_dim = embed_dim // num_heads
    _require(
        head_dim * num_heads == embed_dim,
        f"embed_dim {embed_dim} not divisible by num_heads {num_heads}",
    )
    q, k, v = _project(
        query,
        key,
        value,
        in_proj_weight,
        in_proj_bias,
        (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None,
    )

    if attn_mask is not None:
        attn_mask = _checked_attn_mask(attn_mask, tgt_len, src_len, bsz, num_heads)
    if bias_k is not None and bias_v is not None:
        _require(static_k is None, "bias cannot be added to static key.")
        _require(static_v is None, "bias cannot be added to static value.")
        k = rushlight.cat([k, bias_k.repeat(1, bsz, 1)])
        v = rushlight.cat([v, bias_v.repeat(1, bsz, 1)])
        attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
    else:
        _require(bias_k is None, "bias_k must come with bias_v")
        _require(bias_v is None, "bias_v must come with bias_k")

    q = _heads(q, None, bsz, num_heads, head_dim)
    k = _heads(k, static_k, bsz, num_heads, head_dim)
    v = _heads(v, static_v, bsz, num_heads, head_dim)
    if add_zero_attn:
        zeros = (bsz * num_heads, 1, head_dim)
        k = rushlight.cat([k, rushlight.zeros(zeros, dtype=k.dtype, device=k.device)], dim=1)
        v = rushlight.cat([v, rushlight.zeros(zeros, dtype=v.dtype, device=v.device)], dim=1)
        attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
    src_len = k.size(1)

    if key_padding_mask is not None:
        _check_key_padding_mask(key_padding_mask, src_len, bsz)
        padding = (
            key_padding_mask.view(bsz, 1, 1, src_len)
            .expand(-1, num_heads, -1, -1)
            .reshape(bsz * num_heads, 1, src_len)
        )
        attn_mask = padding if attn_mask is None else attn_mask + padding

    if not training:
        dropout_p = 0.0
    weights: Tensor | None = None
    if need_weights:
        _require(
            not (is_causal and attn_mask is None), "is_causal needs attn_mask with need_weights"
        )
        scaled = q * math.sqrt(1.0 / head_dim)
        if attn_mask is None:
            scores = rushlight.bmm(scaled, k.transpose(-2, -1))
        else:
            scores = rushlight.baddbmm(attn_mask, scaled, k.transpose(-2, -1))
        weights = scores.softmax(-1)
        if dropout_p > 0.0:
            weights = rushlight.dropout(weights, dropout_p, True)
        output = rushlight.bmm(weights, v)
        output = output.transpose(0, 1).contiguous().view(tgt_len * bsz, embed_dim)
        weights = weights.view(bsz, num_heads, tgt_len, src_len)
        if average_attn_weights:
            weights = weights.mean(dim=1)
    else:
        if attn_mask is not None:
            if attn_mask.size(0) == 1 and attn_mask.dim() == 3:
                attn_mask = attn_mask.unsqueeze(0)
            else:
                attn_mask = attn_mask.view(bsz, num_heads, -1, src_len)
        output = _nn.scaled_dot_product_attention(
            q.view(bsz, num_heads, tgt_len, head_dim),
            k.view(bsz, num_heads, src_len, head_dim),
            v.view(bsz, num_heads, src_len, head_dim),
            attn_mask,
            dropout_p,
            is_causal,
        )
        output = output.permute(2, 0, 1, 3).contiguous().view(bsz * tgt_len, embed_dim)

    output = _nn.linear(output, out_proj_weight, out_proj_bias).view(tgt_len, bsz, -1)
    if not batched:
        output = output.squeeze(1)
        weights = None if weights is None else weights.squeeze(0)
    return output, weights


def _project(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    separate: Any,
) -> Any:
    """Query, key and value after the input projections."""
    if separate is None:
        _require(
            key.shape == value.shape,
            f"key shape {key.shape} does not match value shape {value.shape}",
        )
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        return _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)
    _require(
        key.shape[:2] == value.shape[:2],
        f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}",
    )
    for weight, name in zip(separate, ("q", "k", "v")):
        _require(
            weight is not None,
            f"use_separate_proj_weight is True but {name}_proj_weight is None",
        )
    biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
    return _in_projection(query, key, value, *separate, *biases)


def _widened(mask: Tensor | None) -> Tensor | None:
    """The mask with one more key, which is allowed."""
    return None if mask is None else _nn.pad(mask, (0, 1))
