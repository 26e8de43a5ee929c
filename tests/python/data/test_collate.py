"""Batches from samples of all kinds."""

import collections

import pytest
import rushlight as torch
from rushlight.utils.data import default_collate, default_convert

Point = collections.namedtuple("Point", "x y")


def test_numbers_and_text():
    assert default_collate([1, 2]).tolist() == [1, 2]
    assert default_collate([1.0, 2.0]).dtype == torch.float64
    assert default_collate([True, False]).dtype == torch.bool
    assert default_collate(["a", "b"]) == ["a", "b"]


def test_containers_keep_their_kind():
    batch = default_collate([{"p": Point(1, 2.0), "l": [1, "a"]}] * 2)
    assert isinstance(batch["p"], Point) and batch["p"].x.tolist() == [1, 1]
    assert batch["l"][0].tolist() == [1, 1] and batch["l"][1] == ("a", "a")
    made = default_collate([collections.OrderedDict(a=1)] * 2)
    assert isinstance(made, collections.OrderedDict)


def test_tensors_are_stacked():
    assert default_collate([torch.ones(2), torch.zeros(2)]).tolist() == [[1, 1], [0, 0]]
    with pytest.raises(RuntimeError, match="equal size"):
        default_collate([torch.ones(2), torch.ones(3)])


def test_what_cannot_be_collated_raises():
    with pytest.raises(TypeError, match="found <class 'object'>"):
        default_collate([object()])
    with pytest.raises(RuntimeError, match="equal size"):
        default_collate([[1, 2], [3]])


def test_numpy_arrays():
    numpy = pytest.importorskip("numpy")
    assert default_collate([numpy.ones(2)] * 2).dtype == torch.float64
    assert default_collate([numpy.float32(1), numpy.float32(2)]).tolist() == [1.0, 2.0]
    assert isinstance(default_convert([numpy.ones(2)])[0], torch.Tensor)
    with pytest.raises(TypeError, match="found <U1"):
        default_collate([numpy.array(["a"])])


def test_what_programs_import_for_their_own_collating():
    from rushlight.utils.data._utils.collate import default_collate_err_msg_format, np_str_obj_array_pattern

    assert default_collate_err_msg_format.format("x").startswith("default_collate: batch must contain tensors")
    assert [bool(np_str_obj_array_pattern.search(kind)) for kind in ("<U3", "|S2", "|O", "<f4", "|b1")] == [True] * 3 + [False] * 2
