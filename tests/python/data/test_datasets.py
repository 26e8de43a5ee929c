"""Datasets and their combinations."""

import json
from pathlib import Path

import pytest
import rushlight as torch
from rushlight.utils.data import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())


class Stream(IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))

    def __len__(self):
        return self.n


def test_tensor_dataset_rows():
    data = TensorDataset(torch.arange(6).view(3, 2), torch.arange(3))
    x, y = data[2]
    assert x.tolist() == [4, 5] and y.item() == 2 and len(data) == 3
    with pytest.raises(AssertionError, match="Size mismatch"):
        TensorDataset(torch.ones(2), torch.ones(3))


def test_stack_dataset_tuples_and_dicts():
    assert StackDataset([1, 2], "ab")[1] == (2, "b")
    data = StackDataset(x=[1, 2], y="ab")
    assert data[0] == {"x": 1, "y": "a"}
    assert data.__getitems__([0, 1]) == [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]
    with pytest.raises(ValueError, match="Size mismatch"):
        StackDataset([1], [1, 2])


def test_concat_dataset_indices():
    data = ConcatDataset([[0, 1], [2], [3, 4]])
    assert [data[i] for i in range(5)] == [0, 1, 2, 3, 4]
    assert data[-1] == 4 and data.cumulative_sizes == [2, 3, 5]
    with pytest.raises(IndexError):
        data[5]
    with pytest.raises(ValueError, match="absolute value"):
        data[-6]
    with pytest.raises(AssertionError, match="IterableDataset"):
        ConcatDataset([Stream(1)])


def test_chain_dataset_streams():
    data = Stream(2) + Stream(3)
    assert isinstance(data, ChainDataset)
    assert list(data) == [0, 1, 0, 1, 2] and len(data) == 5


def test_subset_of_indices():
    assert Subset("abcdef", [5, 0])[0] == "f"
    assert Subset("abcdef", [5, 0]).__getitems__([0, 1]) == ["f", "a"]


def test_random_split_recorded():
    generator = torch.Generator().manual_seed(1)
    parts = random_split(range(10), [0.35, 0.35, 0.3], generator=generator)
    assert [list(p.indices) for p in parts] == RECORDED["split"]


def test_random_split_errors():
    with pytest.raises(ValueError, match="Sum of input lengths"):
        random_split(range(10), [3, 3])
    with pytest.warns(UserWarning, match="is 0"):
        random_split(range(10), [0.0, 1.0])


def test_base_classes_say_what_is_missing():
    with pytest.raises(NotImplementedError, match="__getitem__"):
        Dataset()[0]
    with pytest.raises(TypeError, match="abstract"):
        IterableDataset()
