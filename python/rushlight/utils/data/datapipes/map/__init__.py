"""Steps of maps."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import rushlight

from ..datapipe import DataChunk, MapDataPipe, functional_datapipe
from ..iter import IterableWrapper, Shuffler as _IterShuffler

__all__ = ["Batcher", "Concater", "Mapper", "SequenceWrapper", "Shuffler", "Zipper"]


class SequenceWrapper(MapDataPipe[Any]):
    """Any sequence or mapping as a map, by default over a deep copy."""

    def __init__(self, sequence: Any, deepcopy: bool = True) -> None:
        self.sequence = copy.deepcopy(sequence) if deepcopy else sequence

    def __getitem__(self, index: Any) -> Any:
        return self.sequence[index]

    def __len__(self) -> int:
        return len(self.sequence)


def _same(x: Any) -> Any:
    return x


@functional_datapipe("map")
class Mapper(MapDataPipe[Any]):
    """`fn` of each sample."""

    def __init__(self, datapipe: Any, fn: Callable[[Any], Any] = _same) -> None:
        self.datapipe = datapipe
        self.fn = fn

    def __getitem__(self, index: Any) -> Any:
        return self.fn(self.datapipe[index])

    def __len__(self) -> int:
        return len(self.datapipe)


@functional_datapipe("concat")
class Concater(MapDataPipe[Any]):
    """One map after the other."""

    def __init__(self, *datapipes: Any) -> None:
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        self.datapipes = datapipes

    def __getitem__(self, index: int) -> Any:
        start = 0
        for pipe in self.datapipes:
            if index - start < len(pipe):
                return pipe[index - start]
            start += len(pipe)
        raise IndexError(f"Index {index} is out of range.")

    def __len__(self) -> int:
        return sum(len(pipe) for pipe in self.datapipes)


@functional_datapipe("zip")
class Zipper(MapDataPipe[Any]):
    """Tuples of the samples of several maps at one index."""

    def __init__(self, *datapipes: Any) -> None:
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        self.datapipes = datapipes

    def __getitem__(self, index: Any) -> Any:
        return tuple(pipe[index] for pipe in self.datapipes)

    def __len__(self) -> int:
        return min(len(pipe) for pipe in self.datapipes)


@functional_datapipe("batch")
class Batcher(MapDataPipe[DataChunk]):
    """Lists of `batch_size` samples."""

    def __init__(
        self,
        datapipe: Any,
        batch_size: int,
        drop_last: bool = False,
        wrapper_class: Any = DataChunk,
    ) -> None:
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __getitem__(self, index: int) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(f"Index {index} is out of bound.")
        start = index * self.batch_size
        end = min(start + self.batch_size, len(self.datapipe))
        return self.wrapper_class(self.datapipe[i] for i in range(start, end))

    def __len__(self) -> int:
        rest = 0 if self.drop_last else self.batch_size - 1
        return (len(self.datapipe) + rest) // self.batch_size


class Shuffler(_IterShuffler):
    """A stream of the samples of a map in random order."""

    def __init__(self, datapipe: Any, *, indices: list[Any] | None = None) -> None:
        self.source = datapipe
        self.indices = list(range(len(datapipe))) if indices is None else indices
        super().__init__(IterableWrapper(self.indices), buffer_size=max(len(self.indices), 1))

    def __iter__(self) -> Iterator[Any]:
        if not self._enabled:
            order = list(self.indices)
        else:
            if self._seed is None:
                self._seed = int(rushlight.empty((), dtype=rushlight.int64).random_().item())
            # Taken from the end, as PyTorch does.
            order = random.Random(self._seed).sample(self.indices, len(self.indices))[::-1]
            self._seed = None
        for i in order:
            yield self.source[i]

    def __len__(self) -> int:
        return len(self.source)


MapDataPipe.register_datapipe_as_function("shuffle", Shuffler)
