"""Steps with one stream as their source."""

from __future__ import annotations

import copy
import fnmatch
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import rushlight

from ..._utils.collate import default_collate
from ..._utils.worker import get_worker_info
from ...sampler import SequentialSampler
from ..datapipe import DataChunk, IterDataPipe, functional_datapipe


class IterableWrapper(IterDataPipe[Any]):
    """Any iterable as a stream; each pass reads a deep copy unless told otherwise."""

    def __init__(self, iterable: Iterable[Any], deepcopy: bool = True) -> None:
        self.iterable = iterable
        self.deepcopy = deepcopy

    def __iter__(self) -> Iterator[Any]:
        source = self.iterable
        if self.deepcopy:
            try:
                source = copy.deepcopy(source)
            except TypeError:
                pass  # generators and the like cannot be copied
        yield from source

    def __len__(self) -> int:
        return len(self.iterable)  # type: ignore[arg-type]


@functional_datapipe("map")
class Mapper(IterDataPipe[Any]):
    """`fn` of each sample, or of the columns `input_col` of it, put into `output_col`."""

    def __init__(
        self, datapipe: Any, fn: Callable[..., Any], input_col: Any = None, output_col: Any = None
    ) -> None:
        if input_col is None and output_col is not None:
            raise ValueError("`output_col` must be None when `input_col` is None.")
        self.datapipe = datapipe
        self.fn = fn
        self.input_col = input_col
        self.output_col = output_col[0] if isinstance(output_col, (list, tuple)) else output_col

    def _apply(self, data: Any) -> Any:
        if self.input_col is None:
            return self.fn(data)
        many = isinstance(self.input_col, (list, tuple))
        columns = self.input_col if many else (self.input_col,)
        result = self.fn(*(data[c] for c in columns))
        if self.output_col == -1:
            return (*data, result) if isinstance(data, tuple) else [*data, result]
        target = self.output_col if self.output_col is not None else columns[0]
        changed = list(data) if isinstance(data, tuple) else copy.copy(data)
        changed[target] = result
        return tuple(changed) if isinstance(data, tuple) else changed

    def __iter__(self) -> Iterator[Any]:
        for data in self.datapipe:
            yield self._apply(data)

    def __len__(self) -> int:
        return len(self.datapipe)


@functional_datapipe("collate")
class Collator(Mapper):
    """Batches of samples as tensors."""

    def __init__(
        self, datapipe: Any, conversion: Any = default_collate, collate_fn: Any = None
    ) -> None:
        super().__init__(datapipe, collate_fn or conversion)


@functional_datapipe("filter")
class Filter(IterDataPipe[Any]):
    """The samples (or the columns `input_col` of which) a function is true of."""

    def __init__(self, datapipe: Any, filter_fn: Callable[..., Any], input_col: Any = None) -> None:
        self.datapipe = datapipe
        self.filter_fn = filter_fn
        self.input_col = input_col

    def __iter__(self) -> Iterator[Any]:
        for data in self.datapipe:
            if self.input_col is None:
                keep = self.filter_fn(data)
            elif isinstance(self.input_col, (list, tuple)):
                keep = self.filter_fn(*(data[c] for c in self.input_col))
            else:
                keep = self.filter_fn(data[self.input_col])
            if keep:
                yield data


@functional_datapipe("batch")
class Batcher(IterDataPipe[DataChunk]):
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

    def __iter__(self) -> Iterator[DataChunk]:
        batch: list[Any] = []
        for data in self.datapipe:
            batch.append(data)
            if len(batch) == self.batch_size:
                yield self.wrapper_class(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.wrapper_class(batch)

    def __len__(self) -> int:
        count = len(self.datapipe)
        rest = 0 if self.drop_last else self.batch_size - 1
        return (count + rest) // self.batch_size


@functional_datapipe("unbatch")
class UnBatcher(IterDataPipe[Any]):
    """The samples of batches; -1 levels: however deep they are."""

    def __init__(self, datapipe: Any, unbatch_level: int = 1) -> None:
        self.datapipe = datapipe
        self.unbatch_level = unbatch_level

    def _open(self, element: Any, level: int) -> Iterator[Any]:
        if level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        if level == -1 and not isinstance(element, (list, DataChunk)):
            yield element
        elif level == 0:
            yield element
        elif isinstance(element, (list, DataChunk)):
            for item in element:
                yield from self._open(item, level if level == -1 else level - 1)
        else:
            raise IndexError(
                f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe"
            )

    def __iter__(self) -> Iterator[Any]:
        for element in self.datapipe:
            yield from self._open(element, self.unbatch_level)


@functional_datapipe("groupby")
class Grouper(IterDataPipe[Any]):
    """Batches of samples with the same key."""

    def __init__(
        self,
        datapipe: Any,
        group_key_fn: Callable[[Any], Any],
        *,
        keep_key: bool = False,
        buffer_size: int = 10000,
        group_size: int | None = None,
        guaranteed_group_size: int | None = None,
        drop_remaining: bool = False,
    ) -> None:
        self.datapipe = datapipe
        self.group_key_fn = group_key_fn
        self.keep_key = keep_key
        self.buffer_size = buffer_size
        self.group_size = group_size
        self.guaranteed_group_size = guaranteed_group_size
        self.drop_remaining = drop_remaining

    def _group(self, key: Any, members: list[Any]) -> Any:
        chunk = DataChunk(members)
        return (key, chunk) if self.keep_key else chunk

    def __iter__(self) -> Iterator[Any]:
        groups: dict[Any, list[Any]] = defaultdict(list)
        waiting = 0
        for data in self.datapipe:
            key = self.group_key_fn(data)
            groups[key].append(data)
            waiting += 1
            if self.group_size is not None and len(groups[key]) == self.group_size:
                waiting -= self.group_size
                yield self._group(key, groups.pop(key))
            elif waiting == self.buffer_size:
                largest = max(groups, key=lambda k: len(groups[k]))
                members = groups.pop(largest)
                waiting -= len(members)
                enough = self.guaranteed_group_size
                if enough is not None and len(members) < enough and not self.drop_remaining:
                    raise RuntimeError(f"Failed to group items: {members}")
                if enough is None or len(members) >= enough:
                    yield self._group(largest, members)
        for key, members in groups.items():
            yield self._group(key, members)


@functional_datapipe("shuffle")
class Shuffler(IterDataPipe[Any]):
    """The samples in an order that is random within a buffer."""

    def __init__(self, datapipe: Any, *, buffer_size: int = 10000, unbatch_level: int = 0) -> None:
        if buffer_size <= 0:
            raise ValueError("buffer_size should be larger than 0")
        self.datapipe = datapipe if unbatch_level == 0 else datapipe.unbatch(unbatch_level)
        self.buffer_size = buffer_size
        self._enabled = True
        self._seed: int | None = None

    def set_shuffle(self, shuffle: bool = True) -> Shuffler:
        """Turn shuffling on or off."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed: int) -> Shuffler:
        """The seed of the next pass."""
        self._seed = seed
        return self

    def __iter__(self) -> Iterator[Any]:
        if not self._enabled:
            yield from self.datapipe
            return
        if self._seed is None:
            self._seed = int(rushlight.empty((), dtype=rushlight.int64).random_().item())
        generator = random.Random(self._seed)
        self._seed = None
        buffer: list[Any] = []
        for data in self.datapipe:
            if len(buffer) == self.buffer_size:
                i = generator.randint(0, len(buffer) - 1)
                buffer[i], data = data, buffer[i]
                yield data
            else:
                buffer.append(data)
        while buffer:
            yield buffer.pop(generator.randint(0, len(buffer) - 1))

    def __len__(self) -> int:
        return len(self.datapipe)


class Sampler(IterDataPipe[Any]):
    """The indices a sampler draws for a source with a length."""

    def __init__(
        self,
        datapipe: Any,
        sampler: Any = SequentialSampler,
        sampler_args: tuple[Any, ...] | None = None,
        sampler_kwargs: dict[str, Any] | None = None,
    ) -> None:
        self.datapipe = datapipe
        self.sampler = sampler(datapipe, *(sampler_args or ()), **(sampler_kwargs or {}))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.sampler)

    def __len__(self) -> int:
        return len(self.sampler)


@functional_datapipe("sharding_filter")
class ShardingFilter(IterDataPipe[Any]):
    """In worker k of n, every n-th sample from k on; everything outside of workers."""

    def __init__(self, source_datapipe: Any, sharding_group_filter: Any = None) -> None:
        self.source_datapipe = source_datapipe
        self.instance_id, self.num_of_instances = 0, 1
        self._stated = False

    def apply_sharding(
        self, num_of_instances: int, instance_id: int, sharding_group: Any = None
    ) -> None:
        """Say which part this is."""
        self.instance_id, self.num_of_instances = instance_id, num_of_instances
        self._stated = True

    def __iter__(self) -> Iterator[Any]:
        part, parts = self.instance_id, self.num_of_instances
        info = get_worker_info()
        if info is not None and not self._stated:
            part, parts = info.id, info.num_workers
        for i, item in enumerate(self.source_datapipe):
            if i % parts == part:
                yield item


@functional_datapipe("list_files")
class FileLister(IterDataPipe[str]):
    """The paths of files in folders, sorted; `masks` are shell patterns for their names."""

    def __init__(
        self,
        root: str | Sequence[str] | IterDataPipe[str] = ".",
        masks: str | list[str] = "",
        *,
        recursive: bool = False,
        abspath: bool = False,
        non_deterministic: bool = False,
        length: int = -1,
    ) -> None:
        self.datapipe: Any = [root] if isinstance(root, str) else root
        self.masks = [masks] if isinstance(masks, str) else masks
        self.recursive = recursive
        self.abspath = abspath
        self.length = length

    def _wanted(self, name: str) -> bool:
        masks = [mask for mask in self.masks if mask]
        return not masks or any(fnmatch.fnmatch(name, mask) for mask in masks)

    def __iter__(self) -> Iterator[str]:
        for root in self.datapipe:
            folder = os.path.abspath(root) if self.abspath else root
            for path, folders, files in os.walk(folder):
                folders[:] = sorted(folders) if self.recursive else []
                for name in sorted(files):
                    if self._wanted(name):
                        yield os.path.join(path, name)


@functional_datapipe("open_files")
class FileOpener(IterDataPipe[Any]):
    """Pairs of a path and the open file."""

    def __init__(
        self,
        datapipe: Iterable[str],
        mode: str = "r",
        encoding: str | None = None,
        length: int = -1,
    ) -> None:
        if mode not in ("r", "rt", "t", "b", "rb"):
            raise ValueError(f"Invalid mode {mode}")
        self.datapipe = datapipe
        self.mode = mode if "r" in mode else "r" + mode
        self.encoding = encoding

    def __iter__(self) -> Iterator[Any]:
        for path in self.datapipe:
            yield path, open(path, self.mode, encoding=self.encoding)


@functional_datapipe("read_from_stream")
class StreamReader(IterDataPipe[Any]):
    """Pairs of a path and the content of its open file, whole or in chunks."""

    def __init__(self, datapipe: Any, chunk: int | None = None) -> None:
        self.datapipe = datapipe
        self.chunk = chunk

    def __iter__(self) -> Iterator[Any]:
        for path, stream in self.datapipe:
            with stream:
                while data := stream.read(-1 if self.chunk is None else self.chunk):
                    yield path, data
