"""Sequences of different lengths: padded and packed."""

from __future__ import annotations

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


class PackedSequence_(tuple["Any", ...]):
    """The four parts of a packed batch, by name and position."""

    __slots__ = ()
    _fields = ("data", "batch_sizes", "sorted_indices", "unsorted_indices")

    @property
    def data(self) -> Tensor:
        """The elements of all sequences, step by step."""
        return self[0]

    @property
    def batch_sizes(self) -> Tensor:
        """How many sequences reach each step; int64 on the CPU."""
        return self[1]

    @property
    def sorted_indices(self) -> Tensor | None:
        """The order in which the sequences were packed."""
        return self[2]

    @property
    def unsorted_indices(self) -> Tensor | None:
        """The order that undoes `sorted_indices`."""
        return self[3]

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
        return f"{type(self).__name__}({parts})"


class PackedSequence(PackedSequence_):
    """A batch of sequences of different lengths without padding, for RNN, LSTM and GRU.

    `pack_padded_sequence` and `pack_sequence` make it.
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError(
                "batch_sizes should always be on CPU. Instances of PackedSequence should never "
                "be created manually. They should be instantiated by functions like "
                "pack_sequence and pack_padded_sequences in nn.utils.rnn."
            )
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return tuple.__new__(cls, (data, batch_sizes, sorted_indices, unsorted_indices))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same batch with its data on another device or of another dtype."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        kwargs = {k: v for k, v in kwargs.items() if k not in ("device", "dtype")}
        moved = [
            None if x is None else x.to(data.device, **kwargs)
            for x in (self.sorted_indices, self.unsorted_indices)
        ]
        return type(self)(data, self.batch_sizes, *moved)

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same batch on a CUDA device."""
        return self.to(*args, **({"device": "cuda"} | kwargs) if not args else kwargs)

    def cpu(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same batch on the CPU."""
        return self.to(*args, **kwargs, device="cpu")

    def pin_memory(self) -> PackedSequence:
        """The same batch in pinned memory."""
        pinned = [
            None if x is None else x.pin_memory()
            for x in (self.sorted_indices, self.unsorted_indices)
        ]
        return type(self)(self.data.pin_memory(), self.batch_sizes, *pinned)

    def double(self) -> PackedSequence:
        """With float64 data."""
        return self.to(dtype=rushlight.double)

    def float(self) -> PackedSequence:
        """With float32 data."""
        return self.to(dtype=rushlight.float)

    def half(self) -> PackedSequence:
        """With float16 data."""
        return self.to(dtype=rushlight.half)

    def long(self) -> PackedSequence:
        """With int64 data."""
        return self.to(dtype=rushlight.long)

    def int(self) -> PackedSequence:
        """With int32 data."""
        return self.to(dtype=rushlight.int)

    def short(self) -> PackedSequence:
        """With int16 data."""
        return self.to(dtype=rushlight.short)

    def char(self) -> PackedSequence:
        """With int8 data."""
        return self.to(dtype=rushlight.int8)

    def byte(self) -> PackedSequence:
        """With uint8 data."""
        return self.to(dtype=rushlight.uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a CUDA device."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Whether the data is in pinned memory."""
        return self.data.is_pinned()


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes this one.

    >>> invert_permutation(rushlight.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    output = rushlight.empty_like(permutation)
    output.scatter_(
        0, permutation, rushlight.arange(0, permutation.numel(), device=permutation.device)
    )
    return output


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Packs padded sequences.

    Args:
        input: (T, B, ...), or (B, T, ...) if `batch_first`.
        lengths: length of each sequence, a list or an int64 tensor on the CPU.
        batch_first: which dimension of `input` is the batch.
        enforce_sorted: require falling lengths; otherwise the sequences are sorted first.
    """
    if not isinstance(lengths, Tensor):
        lengths = rushlight.as_tensor(lengths, dtype=rushlight.int64, device="cpu")
    if not enforce_sorted:
        lengths, sorted_indices = rushlight.sort(lengths, descending=True)
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    else:
        sorted_indices = None
    counts = lengths.tolist()
    batch = input.size(0 if batch_first else 1)
    if len(counts) != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} "
            f"(batch_size={batch})"
        )
    if any(n <= 0 for n in counts):
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' "
            "that is <= 0"
        )
    if any(a < b for a, b in zip(counts, counts[1:])):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
            "You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability."
        )
    steps = input.size(1 if batch_first else 0)
    if counts and counts[0] > steps:
        raise RuntimeError(
            f"Expected all `lengths` to be at most the padded length {steps}, but got {counts[0]}"
        )
    sizes = _sizes_of_steps(counts)
    if batch_first:
        input = input.transpose(0, 1)
    if len(sizes) == steps and sizes and sizes[-1] == batch:
        data = input.reshape(steps * batch, *input.shape[2:])
    else:
        data = rushlight.cat([input[t, :n] for t, n in enumerate(sizes)])
    batch_sizes = rushlight.tensor(sizes, dtype=rushlight.int64)
    return PackedSequence(data, batch_sizes, sorted_indices, None)


def _sizes_of_steps(lengths: list[int]) -> list[int]:
    """How many of the falling lengths reach each step."""
    sizes: list[int] = []
    remaining = len(lengths)
    for step in range(lengths[0] if lengths else 0):
        while lengths[remaining - 1] <= step:
            remaining -= 1
        sizes.append(remaining)
    return sizes


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Pads a packed batch.

    Args:
        sequence: packed batch.
        batch_first: return (B, T, ...) instead of (T, B, ...).
        padding_value: what to pad with.
        total_length: T; the longest length when None.

    Returns:
        The padded sequences and their lengths, in the order before packing.
    """
    sizes = sequence.batch_sizes.tolist()
    longest = len(sizes)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in "
                f"input, but got total_length={total_length} and max sequence length being "
                f"{longest}"
            )
        longest = total_length
    data = sequence.data
    batch = sizes[0] if sizes else 0
    padded = data.new_full((longest, batch, *data.shape[1:]), padding_value)
    # Row t * batch + b of the result is element b of step t.
    rows = [t * batch + b for t, n in enumerate(sizes) for b in range(n)]
    index = rushlight.tensor(rows, dtype=rushlight.int64, device=data.device)
    flat = padded.view(longest * batch, *data.shape[1:]).index_copy(0, index, data)
    padded = flat.view(longest, batch, *data.shape[1:])
    lengths = rushlight.tensor(
        [sum(1 for n in sizes if n > b) for b in range(batch)], dtype=rushlight.int64
    )
    if batch_first:
        padded = padded.transpose(0, 1)
    unsorted_indices = sequence.unsorted_indices
    if unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, unsorted_indices)
        lengths = lengths[unsorted_indices.cpu()]
    return padded, lengths


def pad_sequence(
    sequences: Any,
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Stacks sequences of different lengths.

    Args:
        sequences: tensors (L_i, ...).
        batch_first: return (B, T, ...) instead of (T, B, ...).
        padding_value: what to pad with.
        padding_side: "right" or "left".

    >>> pad_sequence([rushlight.ones(1), rushlight.ones(2)], batch_first=True)
    tensor([[1., 0.],
            [1., 1.]])
    """
    if not hasattr(sequences, "__iter__"):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    return rushlight._C._nn.pad_sequence(tuple(sequences), batch_first, padding_value, padding_side)


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """Undoes `pad_sequence` (for padding on the right)."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [sequence[:n] for sequence, n in zip(padded_sequences, lengths.tolist())]


def pack_sequence(sequences: Iterable[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs sequences (L_i, ...); unless `enforce_sorted`, they are sorted by length first."""
    sequences = list(sequences)
    lengths = rushlight.as_tensor([sequence.size(0) for sequence in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Undoes `pack_sequence`."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
