"""Fetchers: from the indices of a batch to the batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dataset import Subset, TensorDataset
from .collate import default_collate


class _BaseDatasetFetcher:
    def __init__(
        self,
        dataset: Any,
        auto_collation: bool,
        collate_fn: Callable[[Any], Any],
        drop_last: bool,
    ) -> None:
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last

    def fetch(self, possibly_batched_index: Any) -> Any:
        """The collated batch of these indices, or the one sample without automatic batching."""
        raise NotImplementedError


class _IterableDatasetFetcher(_BaseDatasetFetcher):
    """Takes as many samples from a stream as there are indices."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.dataset_iter = iter(self.dataset)
        self.ended = False

    def fetch(self, possibly_batched_index: Any) -> Any:
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.dataset_iter))
        data = []
        for _ in possibly_batched_index:
            try:
                data.append(next(self.dataset_iter))
            except StopIteration:
                self.ended = True
                break
        if not data or (self.drop_last and len(data) < len(possibly_batched_index)):
            raise StopIteration
        return self.collate_fn(data)


class _MapDatasetFetcher(_BaseDatasetFetcher):
    """Takes samples by index."""

    def fetch(self, possibly_batched_index: Any) -> Any:
        if not self.auto_collation:
            return self.collate_fn(self.dataset[possibly_batched_index])
        if self.collate_fn is default_collate:
            rows = self._whole_rows(possibly_batched_index)
            if rows is not None:
                return rows
        getitems = getattr(self.dataset, "__getitems__", None)
        if callable(getitems):
            return self.collate_fn(getitems(possibly_batched_index))
        return self.collate_fn([self.dataset[i] for i in possibly_batched_index])

    def _whole_rows(self, indices: Any) -> list[Any] | None:
        """A batch of a `TensorDataset` by one index operation per tensor instead of one per sample."""
        dataset = self.dataset
        if type(dataset) is Subset and type(dataset.dataset) is TensorDataset:
            indices = [dataset.indices[i] for i in indices]
            dataset = dataset.dataset
        if type(dataset) is not TensorDataset or not indices:
            return None
        if not all(type(i) is int for i in indices):
            return None
        return [tensor[indices].contiguous() for tensor in dataset.tensors]
