"""Files of NumPy, both ways: what NumPy writes is read, what is written is NumPy's own bytes, the rest is refused."""

from __future__ import annotations

import io

import numpy as np
import pytest
import rushlight as torch
from rushlight import npz

DTYPES = "bool int8 uint8 int16 int32 int64 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
SHAPES = [(), (0,), (3,), (1,), (2, 3), (2, 0, 4), (2, 3, 4), (1000, 1)]


def saved(array: np.ndarray, **options) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_arrays_pass_both_ways(dtype, shape):
    rows = (np.arange(np.prod(shape)) % 100).reshape(shape).astype(dtype)
    for array in (rows, np.asfortranarray(rows)):
        tensor = npz.load_npy(saved(array))
        assert tensor.dtype is getattr(torch, dtype)
        assert np.array_equal(tensor.numpy(), array) and tensor.shape == array.shape
        assert npz.save_npy(tensor) == saved(array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_big_endian_bytes_are_turned(dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    assert np.array_equal(npz.load_npy(saved(array.astype(array.dtype.newbyteorder(">")))).numpy(), array)


def test_column_major_strides_stay():
    tensor = npz.load_npy(saved(np.asfortranarray(np.ones((2, 3, 4)))))
    assert tensor.stride() == (1, 2, 6)
    assert npz.load_npy(npz.save_npy(torch.ones(4, 3, 2).permute(2, 1, 0))).stride() == (1, 2, 6)
    assert npz.load_npy(npz.save_npy(torch.arange(6).reshape(2, 3)[:, ::2])).tolist() == [[0, 2], [3, 5]]


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_header_versions(version):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.arange(3.0), version=version)
    assert npz.load_npy(file.getvalue()).tolist() == [0, 1, 2]


def test_loaded_tensors_can_be_changed(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.zeros(3))
    tensor = npz.load_npy(path)
    tensor += 1
    assert tensor.tolist() == [1, 1, 1] and np.load(path).tolist() == [0, 0, 0]


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives_of_numpy(save, tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.zeros(5000), "scalar": np.array(2.5), "ünï": np.array([True])}
    save(tmp_path / "x.npz", **arrays)
    for back in (npz.load_file(tmp_path / "x.npz"), npz.load((tmp_path / "x.npz").read_bytes())):
        assert list(back) == list(arrays)
        assert all(np.array_equal(back[name].numpy(), arrays[name]) for name in arrays)


def test_archives_for_numpy(tmp_path):
    tensors = {"w": torch.randn(3, 4), "n": torch.arange(3), "empty": torch.empty(0, 2)}
    npz.save_file(tensors, tmp_path / "y.npz")
    assert (tmp_path / "y.npz").read_bytes() == npz.save(tensors)
    back = np.load(tmp_path / "y.npz")
    assert all(np.array_equal(back[name], tensors[name].numpy()) for name in tensors)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([object()]), "Python objects are refused"),
        (np.array(["a"]), "'<U1' is not supported"),
        (np.zeros(2, [("x", "f4")]), "records are not supported"),
        (np.zeros(2, "M8[D]"), "is not supported"),
        (np.zeros(2, np.longdouble), "is not supported"),
    ],
)
def test_what_is_no_tensor_is_refused(array, message):
    with pytest.raises(RuntimeError, match=message):
        npz.load_npy(saved(array, allow_pickle=True))


def header(text: bytes, data: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"", "npy @0: needs 6 bytes"),
        (b"\x93NUMPX\x01\x00", "npy @0: not an npy array"),
        (b"\x93NUMPY\x04\x00", "npy @6: npy version 4.0 is not known"),
        (
            header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", b"\0" * 15),
            "needs 16 bytes, past the end",
        ),
        (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", b"\0" * 17), "1 bytes after the array"),
        (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "not a whole number"),
        (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}"), "shape overflows"),
        (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 18446744073709551616)}"), "size overflows"),
        (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9223372036854775808)}"), "shape overflows"),
        (
            header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (" + b"1," * 65 + b")}"),
            "more than 64 dimensions",
        ),
        (header(b"{'descr': '<f4', 'fortran_order': 1, 'shape': ()}"), "neither True nor False"),
        (header(b"{'descr': '<f4', 'shape': ()}"), "is missing"),
        (header(b"{'descr': '<f4', 'descr': '<f4'"), "repeated key 'descr'"),
        (header(b"{'descr': 'f4', 'fortran_order': False, 'shape': ()}"), "dtype 'f4' is not supported"),
    ],
)
def test_damaged_files_are_refused_with_entry_and_offset(file, message):
    with pytest.raises(RuntimeError, match=message):
        npz.load_npy(file)


def test_what_numpy_cannot_hold_is_refused():
    with pytest.raises(RuntimeError, match="NumPy has no bfloat16"):
        npz.save_npy(torch.ones(2, dtype=torch.bfloat16))
    with pytest.raises(RuntimeError, match="device meta"):
        npz.save_npy(torch.ones(2, device="meta"))
    with pytest.raises(TypeError, match="values must be tensors, not int"):
        npz.save({"a": 1})
