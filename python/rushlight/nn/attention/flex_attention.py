"""Attention with scores and masks given as functions of positions.

The functions are called once with index tensors that broadcast over (batch, heads, queries, keys).
"""

from __future__ import annotations

import math

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = [
    "AuxOutput",
    "AuxRequest",
    "BlockMask",
    "FlexKernelOptions",
    "and_masks",
    "create_block_mask",
    "create_mask",
    "flex_attention",
    "noop_mask",
    "or_masks",
]

_DEFAULT_SPARSE_BLOCK_SIZE = 128
FlexKernelOptions = dict


class AuxRequest:
    """Which results beside the output are wanted.

    Args:
        lse: logarithms of the sums of exponentials.
        max_scores: largest scores.
    """

    def __init__(self, lse: bool = False, max_scores: bool = False) -> None:
        self.lse = lse
        self.max_scores = max_scores


class AuxOutput:
    """Results beside the output, (batch, heads, queries) each, or None."""

    def __init__(self, lse: Tensor | None = None, max_scores: Tensor | None = None) -> None:
        self.lse = lse
        self.max_scores = max_scores


def noop_mask(batch: Any, head: Any, token_q: Any, token_kv: Any) -> Tensor:
    """Allows everything."""
    return batch.new_ones((), dtype=rushlight.bool)


def and_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """Allows what all mask functions allow."""
    _check_callable(mask_mods)

    def and_mask(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
        result = b.new_ones((), dtype=rushlight.bool)
        for mask in mask_mods:
            result = result & mask(b, h, q_idx, kv_idx)
        return result

    return and_mask


def or_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """Allows what any mask function allows."""
    _check_callable(mask_mods)

    def or_mask(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
        result = b.new_zeros((), dtype=rushlight.bool)
        for mask in mask_mods:
            result = result | mask(b, h, q_idx, kv_idx)
        return result

    return or_mask


def _check_callable(mask_mods: Any) -> None:
    if not all(callable(mask) for mask in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")


def _positions(b: int, h: int, q: int, kv: int, device: Any) -> list[Tensor]:
    """Index tensors that broadcast to (b, h, q, kv)."""
    shapes = ((b, 1, 1, 1), (1, h, 1, 1), (1, 1, q, 1), (1, 1, 1, kv))
    return [
        rushlight.arange(n, device=device).view(shape) for n, shape in zip((b, h, q, kv), shapes)
    ]


def create_mask(
    mod_fn: Callable[..., Any],
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device: Any = None,
) -> Tensor:
    """A mask or score function as a tensor (B, H, Q_LEN, KV_LEN).

    Args:
        mod_fn: mask function of four arguments, or score function of five.
        B: batch size; 1 when None.
        H: number of heads; 1 when None.
        Q_LEN: number of queries.
        KV_LEN: number of keys.
        device: where the indices live.

    >>> create_mask(lambda b, h, q, kv: q >= kv, None, None, 2, 2)
    tensor([[[[ True, False],
              [ True,  True]]]])
    """
    from inspect import signature

    size = (B or 1, H or 1, Q_LEN, KV_LEN)
    positions = _positions(*size, device)
    positional = [p for p in signature(mod_fn).parameters.values() if p.default is p.empty]
    if len(positional) == 5:
        scores = rushlight.zeros(size, device=device)
        return mod_fn(scores, *positions).expand(size)
    return rushlight.as_tensor(mod_fn(*positions)).expand(size).to(rushlight.bool).contiguous()


def _ordered(dense: Tensor) -> tuple[Tensor, Tensor]:
    """How many blocks of each row are present, and their numbers before those of the others."""
    dense = dense.to(rushlight.int32)
    counts = dense.sum(dim=-1).to(rushlight.int32)
    indices = rushlight.argsort(dense, dim=-1, descending=True, stable=True)
    return counts, indices.to(rushlight.int32)


def _dense(counts: Tensor, indices: Tensor) -> Tensor:
    """Undoes `_ordered`."""
    columns = indices.shape[-1]
    present = rushlight.arange(columns, device=counts.device) < counts.unsqueeze(-1)
    result = rushlight.zeros(indices.shape, dtype=rushlight.int32, device=counts.device)
    return result.scatter(-1, indices.long(), present.to(rushlight.int32))


class BlockMask:
    """A mask function together with the blocks that it leaves.

    `create_block_mask` makes it.
    """

    _PARTS = (
        "kv_num_blocks",
        "kv_indices",
        "full_kv_num_blocks",
        "full_kv_indices",
        "q_num_blocks",
        "q_indices",
        "full_q_num_blocks",
        "full_q_indices",
    )

    def __init__(
        self,
        seq_lengths: tuple[int, int],
        kv_num_blocks: Tensor,
        kv_indices: Tensor,
        full_kv_num_blocks: Tensor | None,
        full_kv_indices: Tensor | None,
        q_num_blocks: Tensor | None,
        q_indices: Tensor | None,
        full_q_num_blocks: Tensor | None,
        full_q_indices: Tensor | None,
        BLOCK_SIZE: tuple[int, int] = (_DEFAULT_SPARSE_BLOCK_SIZE,) * 2,
        mask_mod: Callable[..., Any] = noop_mask,
    ) -> None:
        self.seq_lengths = seq_lengths
        self.kv_num_blocks = kv_num_blocks
        self.kv_indices = kv_indices
        self.full_kv_num_blocks = full_kv_num_blocks
        self.full_kv_indices = full_kv_indices
        self.q_num_blocks = q_num_blocks
        self.q_indices = q_indices
        self.full_q_num_blocks = full_q_num_blocks
        self.full_q_indices = full_q_indices
        self.BLOCK_SIZE = BLOCK_SIZE
        self.mask_mod = mask_mod

    @classmethod
    def from_kv_blocks(
        cls,
        kv_num_blocks: Tensor,
        kv_indices: Tensor,
        full_kv_num_blocks: Tensor | None = None,
        full_kv_indices: Tensor | None = None,
        BLOCK_SIZE: Any = _DEFAULT_SPARSE_BLOCK_SIZE,
        mask_mod: Callable[..., Any] | None = None,
        seq_lengths: tuple[int, int] | None = None,
        compute_q_blocks: bool = True,
    ) -> BlockMask:
        """A mask from the counts and numbers of the key blocks of each query block."""
        if isinstance(BLOCK_SIZE, int):
            BLOCK_SIZE = (BLOCK_SIZE, BLOCK_SIZE)
        if seq_lengths is None:
            rows, columns = kv_indices.shape[-2], kv_indices.shape[-1]
            seq_lengths = (rows * BLOCK_SIZE[0], columns * BLOCK_SIZE[1])
        by_query: dict[str, Any] = dict.fromkeys(cls._PARTS[4:])
        if compute_q_blocks:
            some = _ordered(_dense(kv_num_blocks, kv_indices).transpose(-2, -1))
            by_query["q_num_blocks"], by_query["q_indices"] = some
            if full_kv_num_blocks is not None and full_kv_indices is not None:
                full = _ordered(_dense(full_kv_num_blocks, full_kv_indices).transpose(-2, -1))
                by_query["full_q_num_blocks"], by_query["full_q_indices"] = full
        return cls(
            seq_lengths,
            kv_num_blocks,
            kv_indices,
            full_kv_num_blocks,
            full_kv_indices,
            **by_query,
            BLOCK_SIZE=BLOCK_SIZE,
            mask_mod=noop_mask if mask_mod is None else mask_mod,
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """(batch, heads, queries, keys)."""
        return (*self.kv_num_blocks.shape[:-1], *self.seq_lengths)

    def as_tuple(self, flatten: bool = True) -> tuple[Any, ...]:
        """The parts of the mask, in the order of the constructor."""
        lengths = self.seq_lengths if flatten else (self.seq_lengths,)
        size = self.BLOCK_SIZE if flatten else (self.BLOCK_SIZE,)
        parts = [getattr(self, name) for name in self._PARTS]
        return (*lengths, *parts, *size, self.mask_mod)

    def numel(self) -> int:
        """The number of pairs of query and key."""
        return math.prod(self.shape)

    def to_dense(self) -> Tensor:
        """1 for each block that is not empty, (batch, heads, query blocks, key blocks)."""
        dense = _dense(self.kv_num_blocks, self.kv_indices)
        if self.full_kv_num_blocks is not None and self.full_kv_indices is not None:
            dense = dense | _dense(self.full_kv_num_blocks, self.full_kv_indices)
        return dense

    def sparsity(self) -> float:
        """The share, in percent, of pairs that lie in empty blocks."""
        blocks = int(self.to_dense().sum())
        covered = blocks * self.BLOCK_SIZE[0] * self.BLOCK_SIZE[1]
        return 100 * (1 - covered / self.numel())

    def _map(self, change: Callable[[Tensor], Tensor]) -> BlockMask:
        parts = [getattr(self, name) for name in self._PARTS]
        changed: Any = [None if part is None else change(part) for part in parts]
        named = dict(zip(self._PARTS, changed))
        return BlockMask(
            self.seq_lengths, **named, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod
        )

    def to(self, device: Any) -> BlockMask:
        """The same mask on another device."""
        return self._map(lambda part: part.to(device))

    def __getitem__(self, index: Any) -> BlockMask:
        """The mask of some batches, heads and query blocks; set its `mask_mod` for the offsets."""
        index = index if isinstance(index, tuple) else (index,)
        index = tuple(slice(i, i + 1) if isinstance(i, int) else i for i in index)
        whole = {name: getattr(self, name) for name in self._PARTS[:4]}
        parts: dict[str, Any] = {
            name: None if part is None else part[index] for name, part in whole.items()
        }
        rows = parts["kv_num_blocks"].shape[-1]
        queries = min(rows * self.BLOCK_SIZE[0], self.seq_lengths[0])
        return BlockMask.from_kv_blocks(
            **parts,
            BLOCK_SIZE=self.BLOCK_SIZE,
            mask_mod=self.mask_mod,
            seq_lengths=(queries, self.seq_lengths[1]),
            compute_q_blocks=self.q_indices is not None,
        )

    def __repr__(self) -> str:
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%)"


def create_block_mask(
    mask_mod: Callable[..., Any],
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device: Any = None,
    BLOCK_SIZE: Any = _DEFAULT_SPARSE_BLOCK_SIZE,
    _compile: bool = False,
    separate_full_blocks: bool = True,
    compute_dq_write_order: bool = False,
    dq_kv_order: bool = True,
) -> BlockMask:
    """The blocks that a mask function leaves.

    Args:
        mask_mod: function of batch, head, query and key index that says what is allowed.
        B: batch size; 1 when None.
        H: number of heads; 1 when None.
        Q_LEN: number of queries.
        KV_LEN: number of keys.
        device: where the result lives.
        BLOCK_SIZE: size of a block, one number or (queries, keys).
        separate_full_blocks: list blocks without any masked pair apart.
    """
    if isinstance(BLOCK_SIZE, int):
        BLOCK_SIZE = (BLOCK_SIZE, BLOCK_SIZE)
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    rows, columns = (-(-n // size) for n, size in zip((Q_LEN, KV_LEN), BLOCK_SIZE))
    extra = (0, columns * BLOCK_SIZE[1] - KV_LEN, 0, rows * BLOCK_SIZE[0] - Q_LEN)
    padded = rushlight._C._nn.pad(mask.to(rushlight.int32), extra)
    blocks = padded.view(*mask.shape[:2], rows, BLOCK_SIZE[0], columns, BLOCK_SIZE[1])
    counts = blocks.sum(dim=(3, 5))
    full = counts == BLOCK_SIZE[0] * BLOCK_SIZE[1]
    some = counts > 0
    full_kv: tuple[Any, Any] = (None, None)
    if separate_full_blocks:
        full_kv = _ordered(full)
        some = some & ~full
    return BlockMask.from_kv_blocks(
        *_ordered(some),
        *full_kv,
        BLOCK_SIZE=BLOCK_SIZE,
        mask_mod=mask_mod,
        seq_lengths=(Q_LEN, KV_LEN),
    )


def flex_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    score_mod: Callable[..., Any] | None = None,
    block_mask: BlockMask | None = None,
    scale: float | None = None,
    enable_gqa: bool = False,
    return_lse: bool = False,
    kernel_options: Any = None,
    *,
    return_aux: AuxRequest | None = None,
) -> Any:
    """Attention with changed scores.

    Args:
        query: (B, Hq, L, E).
        key: (B, Hkv, S, E).
        value: (B, Hkv, S, Ev).
        score_mod: function of score and batch, head, query and key index; gives the new score.
        block_mask: what is allowed.
        scale: factor of the scores; 1 / sqrt(E) when None.
        enable_gqa: several query heads share a key head.
        return_lse: also return the logarithms of the sums of exponentials.
        kernel_options: accepted.
        return_aux: which results beside the output to return.

    >>> x = rushlight.ones(1, 1, 2, 4)
    >>> flex_attention(x, x, x, score_mod=lambda score, b, h, q, kv: score + kv - q).shape
    torch.Size([1, 1, 2, 4])
    """
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor.dim() != 4:
            raise NotImplementedError(
                f"flex_attention: {name} must be (batch, heads, length, size), got "
                f"{tuple(tensor.shape)}"
            )
    heads = query.size(1)
    if heads != key.size(1):
        if not enable_gqa:
            raise RuntimeError(
                f"flex_attention: Expect query and key/value to have the same number of heads "
                f"but got Hq={heads} and Hkv={key.size(1)}. Try setting enable_gqa=True for GQA."
            )
        if heads % key.size(1) != 0:
            raise ValueError(
                "flex_attention: Expect number of query heads to be a multiple of kv heads for "
                f"GQA but got Hq={heads} and Hkv={key.size(1)}."
            )
        key = key.repeat_interleave(heads // key.size(1), dim=1)
        value = value.repeat_interleave(heads // value.size(1), dim=1)
    if scale is None:
        scale = 1.0 / math.sqrt(query.size(-1))
    batch, length, keys = query.size(0), query.size(2), key.size(2)
    positions = _positions(batch, heads, length, keys, query.device)
    scores = rushlight.matmul(query, key.transpose(-2, -1)) * scale
    scores = scores.to(rushlight.float32) if scores.dtype != rushlight.float64 else scores
    if score_mod is not None:
        scores = score_mod(scores, *positions).expand(batch, heads, length, keys)
    if block_mask is not None:
        if block_mask.seq_lengths != (length, keys):
            raise ValueError(
                f"flex_attention: block_mask was created for {block_mask.seq_lengths} queries "
                f"and keys, got {(length, keys)}"
            )
        allowed = rushlight.as_tensor(block_mask.mask_mod(*positions))
        scores = scores.masked_fill(~allowed, -math.inf)
    top = scores.detach().amax(dim=-1)
    lse = rushlight.logsumexp(scores, dim=-1)
    # Rows without any allowed key give zeros.
    empty = (top == -math.inf).unsqueeze(-1)
    weights = scores.softmax(dim=-1).masked_fill(empty, 0.0)
    output = rushlight.matmul(weights.to(query.dtype), value)
    if return_aux is not None:
        return output, AuxOutput(
            lse if return_aux.lse else None, top if return_aux.max_scores else None
        )
    return (output, lse) if return_lse else output
