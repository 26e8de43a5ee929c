"""Pipelines: steps as methods, several sources and results."""

import pytest
import rushlight as torch
from rushlight.utils.data import DataLoader, IterDataPipe, functional_datapipe
from rushlight.utils.data.datapipes.iter import IterableWrapper
from rushlight.utils.data.datapipes.map import SequenceWrapper


def test_steps_are_methods():
    pipe = IterableWrapper(range(7)).map(lambda x: x * 2).filter(lambda x: x % 4 == 0)
    assert list(pipe.batch(2)) == [[0, 4], [8, 12]]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pipe.nothing()


def test_columns():
    pipe = IterableWrapper([(1, 2), (3, 4)])
    assert list(pipe.map(lambda x: -x, input_col=1)) == [(1, -2), (3, -4)]
    assert list(pipe.map(lambda x: -x, input_col=0, output_col=-1)) == [(1, 2, -1), (3, 4, -3)]


def test_several_streams():
    a, b = IterableWrapper(range(4)).fork(2)
    assert list(a) == list(b) == [0, 1, 2, 3]
    a, b = IterableWrapper(range(5)).demux(2, lambda x: x % 2)
    assert list(a) == [0, 2, 4] and list(b) == [1, 3]
    assert list(IterableWrapper("ab").zip(IterableWrapper("cd"))) == [("a", "c"), ("b", "d")]
    assert list(IterableWrapper([1, 2]).mux(IterableWrapper([3, 4]))) == [1, 3, 2, 4]


def test_shuffle_keeps_everything_and_repeats_from_its_seed():
    pipe = IterableWrapper(range(10)).shuffle(buffer_size=4)
    first = list(pipe.set_seed(3))
    assert sorted(first) == list(range(10)) and list(pipe.set_seed(3)) == first


def test_groups():
    assert list(IterableWrapper("abca").groupby(ord)) == [["a", "a"], ["b"], ["c"]]


def test_maps():
    pipe = SequenceWrapper(range(7))
    assert list(pipe.batch(3)[2]) == [6] and pipe.zip(pipe)[2] == (2, 2)
    torch.manual_seed(1)
    assert list(pipe.shuffle()) == [5, 1, 6, 0, 2, 4, 3]


def test_workers_share_a_stream():
    loader = DataLoader(
        IterableWrapper(range(10)).sharding_filter(),
        num_workers=2,
        multiprocessing_context="fork",
    )
    assert sorted(int(v) for batch in loader for v in batch) == list(range(10))


def test_own_steps():
    @functional_datapipe("plus_one")
    class PlusOne(IterDataPipe):
        def __init__(self, source):
            self.source = source

        def __iter__(self):
            return (x + 1 for x in self.source)

    assert list(IterableWrapper([1]).plus_one()) == [2]
