"""Steps with several streams as their source or result."""

from __future__ import annotations

import copy as copying
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ..datapipe import IterDataPipe, functional_datapipe


@functional_datapipe("concat")
class Concater(IterDataPipe[Any]):
    """One stream after the other."""

    def __init__(self, *datapipes: Any) -> None:
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self.datapipes)

    def __len__(self) -> int:
        return sum(len(pipe) for pipe in self.datapipes)


@functional_datapipe("zip")
class Zipper(IterDataPipe[Any]):
    """Tuples of one sample of each stream, until the shortest ends."""

    def __init__(self, *datapipes: Any) -> None:
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[Any]:
        return zip(*self.datapipes)

    def __len__(self) -> int:
        return min(len(pipe) for pipe in self.datapipes)


@functional_datapipe("mux")
class Multiplexer(IterDataPipe[Any]):
    """One sample of each stream in turn, until the shortest ends."""

    def __init__(self, *datapipes: Any) -> None:
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[Any]:
        for samples in zip(*self.datapipes):
            yield from samples

    def __len__(self) -> int:
        return min(len(pipe) for pipe in self.datapipes) * len(self.datapipes)


class _Branches:
    """Samples of one source on their way to several streams, which may read at their own pace."""

    def __init__(
        self, source: Any, count: int, buffer_size: int, route: Callable[[Any], Any]
    ) -> None:
        self.source = source
        self.count = count
        self.buffer_size = buffer_size
        self.route = route
        self._start()

    def _start(self) -> None:
        self.queues: list[deque[Any]] = [deque() for _ in range(self.count)]
        self.iterator: Iterator[Any] | None = None
        self.begun: set[int] = set()

    def read(self, i: int) -> Iterator[Any]:
        """The samples of branch `i`; a second pass of a branch starts all anew."""
        if i in self.begun or self.iterator is None:
            self._start()
            self.iterator = iter(self.source)
        self.begun.add(i)
        iterator, queues = self.iterator, self.queues
        while True:
            while not queues[i]:
                try:
                    sample = next(iterator)
                except StopIteration:
                    return
                for target, value in self.route(sample):
                    queues[target].append(value)
                waiting = sum(len(q) for k, q in enumerate(queues) if k != i)
                if 0 <= self.buffer_size < waiting:
                    raise BufferError(
                        f"{waiting} samples wait for other branches, more than buffer_size "
                        f"{self.buffer_size}; read the branches more evenly or enlarge it"
                    )
            yield queues[i].popleft()


class _ChildDataPipe(IterDataPipe[Any]):
    """One of the streams that a source was divided into."""

    def __init__(self, branches: _Branches, index: int) -> None:
        self.branches = branches
        self.index = index

    def __iter__(self) -> Iterator[Any]:
        return self.branches.read(self.index)

    def __len__(self) -> int:
        return len(self.branches.source)


def Forker(  # noqa: N802 - a class in PyTorch, whose constructor returns a list of pipes
    datapipe: Any, num_instances: int, buffer_size: int = 1000, copy: str | None = None
) -> list[Any]:
    """Several streams with all samples of one."""
    if num_instances < 1:
        raise ValueError(f"Expected `num_instances` larger than 0, but {num_instances} is found")
    if num_instances == 1:
        return [datapipe]
    copier = {None: lambda x: x, "shallow": copying.copy, "deep": copying.deepcopy}[copy]

    def route(sample: Any) -> list[tuple[int, Any]]:
        return [(i, copier(sample)) for i in range(num_instances)]

    branches = _Branches(datapipe, num_instances, buffer_size, route)
    return [_ChildDataPipe(branches, i) for i in range(num_instances)]


def Demultiplexer(  # noqa: N802 - a class in PyTorch, whose constructor returns a list of pipes
    datapipe: Any,
    num_instances: int,
    classifier_fn: Callable[[Any], int | None],
    drop_none: bool = False,
    buffer_size: int = 1000,
) -> list[Any]:
    """Several streams that share the samples of one by what a function says."""
    if num_instances < 1:
        raise ValueError(f"Expected `num_instances` larger than 0, but {num_instances} is found")

    def route(sample: Any) -> list[tuple[int, Any]]:
        target = classifier_fn(sample)
        if target is None and drop_none:
            return []
        if target is None or not 0 <= target < num_instances:
            raise ValueError(
                f"Output of the classification fn should be between 0 and {num_instances - 1}. "
                f"{target} is returned."
            )
        return [(target, sample)]

    branches = _Branches(datapipe, num_instances, buffer_size, route)
    return [_ChildDataPipe(branches, i) for i in range(num_instances)]


IterDataPipe.register_function("fork", Forker)
IterDataPipe.register_function("demux", Demultiplexer)
