"""The sampler that gives each process of a job its own part of a dataset."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from typing import Any

import rushlight

from .dataset import Dataset
from .sampler import Sampler

__all__ = ["DistributedSampler"]


def _process_group() -> Any:
    """The distributed package with a group that has been initialised."""
    try:
        dist = importlib.import_module("rushlight.distributed")
    except ImportError:
        dist = None
    if dist is None or not (dist.is_available() and dist.is_initialized()):
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group, or give num_replicas and rank."
        )
    return dist


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th index, from `rank` on; call `set_epoch` to reshuffle each epoch.

    The indices are padded to a multiple of `num_replicas`, or cut with `drop_last`.

    >>> list(DistributedSampler(range(5), num_replicas=2, rank=1, shuffle=False))
    [1, 3, 0]
    """

    def __init__(
        self,
        dataset: Dataset[Any],
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None:
            num_replicas = int(_process_group().get_world_size())
        if rank is None:
            rank = int(_process_group().get_rank())
        if rank >= num_replicas or rank < 0:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        length = len(dataset)  # type: ignore[arg-type]
        if drop_last and length % num_replicas != 0:
            self.num_samples = math.ceil((length - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(length / num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[int]:
        length = len(self.dataset)  # type: ignore[arg-type]
        if self.shuffle:
            generator = rushlight.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = rushlight.randperm(length, generator=generator).tolist()
        else:
            indices = list(range(length))
        if self.drop_last:
            indices = indices[: self.total_size]
        elif indices:
            missing = self.total_size - len(indices)
            indices += (indices * math.ceil(missing / len(indices)))[:missing]
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Shuffle differently from now on, alike in all processes."""
        self.epoch = epoch
