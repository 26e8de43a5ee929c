"""`__dlpack_c_exchange_api__`: the table of functions by which C code exchanges tensors, called as C would."""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)

import pytest
import rushlight as torch


class DLDevice(Structure):
    _fields_ = [("type", c_int32), ("id", c_int32)]


class DLDataType(Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class DLTensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device", DLDevice),
        ("ndim", c_int32),
        ("dtype", DLDataType),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class Managed(Structure):
    pass


Deleter = CFUNCTYPE(None, POINTER(Managed))
Managed._fields_ = [
    ("major", c_uint32),
    ("minor", c_uint32),
    ("context", c_void_p),
    ("deleter", Deleter),
    ("flags", c_uint64),
    ("tensor", DLTensor),
]
SetError = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)


class Api(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("older", c_void_p),
        ("allocate", CFUNCTYPE(c_int, POINTER(DLTensor), POINTER(POINTER(Managed)), c_void_p, SetError)),
        ("managed_from_object", ctypes.PYFUNCTYPE(c_int, ctypes.py_object, POINTER(POINTER(Managed)))),
        ("object_from_managed", ctypes.PYFUNCTYPE(c_int, POINTER(Managed), POINTER(ctypes.py_object))),
        ("fields_from_object", ctypes.PYFUNCTYPE(c_int, ctypes.py_object, POINTER(DLTensor))),
        ("current_stream", ctypes.PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))),
    ]


@pytest.fixture
def api() -> Api:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    return Api.from_address(pointer(torch.Tensor.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def test_version_and_home(api: Api) -> None:
    assert (api.major, api.minor, api.older) == (1, 3, None)
    assert torch.nn.Parameter.__dlpack_c_exchange_api__ is torch.Tensor.__dlpack_c_exchange_api__


def test_fields_of_a_tensor(api: Api) -> None:
    x = torch.arange(6, dtype=torch.int16).reshape(2, 3).t()[1:]
    seen = DLTensor()
    assert api.fields_from_object(x, ctypes.byref(seen)) == 0
    assert (seen.data, seen.ndim, seen.device.type, seen.byte_offset) == (x.data_ptr(), 2, 1, 0)
    assert (seen.dtype.code, seen.dtype.bits, seen.dtype.lanes) == (0, 16, 1)
    assert seen.shape[:2] == [2, 2] and seen.strides[:2] == [1, 3]


def test_there_and_back_shares_memory(api: Api) -> None:
    for x in (torch.arange(4.0), torch.nn.Parameter(torch.ones(2)), torch.ones(3, dtype=torch.bfloat16)):
        managed = POINTER(Managed)()
        assert api.managed_from_object(x, ctypes.byref(managed)) == 0
        assert (managed.contents.major, managed.contents.flags) == (1, 0)
        back = ctypes.py_object()
        assert api.object_from_managed(managed, ctypes.byref(back)) == 0
        tensor = back.value
        assert tensor.data_ptr() == x.data_ptr() and tensor.dtype is x.dtype and not tensor.requires_grad


def test_memory_lives_until_it_is_deleted(api: Api) -> None:
    managed = POINTER(Managed)()
    assert api.managed_from_object(torch.arange(3), ctypes.byref(managed)) == 0
    values = ctypes.cast(managed.contents.tensor.data, POINTER(c_int64))
    assert values[:3] == [0, 1, 2]
    managed.contents.deleter(managed)


def test_allocation_follows_the_prototype(api: Api) -> None:
    prototype = DLTensor()
    assert api.fields_from_object(torch.zeros(2, 5, dtype=torch.float64), ctypes.byref(prototype)) == 0
    shape = (c_int64 * 2)(2, 5)
    prototype.shape = ctypes.cast(shape, POINTER(c_int64))
    managed, told = POINTER(Managed)(), []
    setter = SetError(lambda context, kind, message: told.append((kind, message)))
    assert api.allocate(ctypes.byref(prototype), ctypes.byref(managed), None, setter) == 0
    made = ctypes.py_object()
    assert api.object_from_managed(managed, ctypes.byref(made)) == 0
    assert made.value.shape == (2, 5) and made.value.dtype is torch.float64
    prototype.device.type = 2
    assert api.allocate(ctypes.byref(prototype), ctypes.byref(managed), None, setter) == -1
    assert told[0][0] == b"RuntimeError" and b"on the CPU only" in told[0][1]


def test_there_are_no_streams(api: Api) -> None:
    stream = c_void_p(7)
    assert api.current_stream(1, 0, ctypes.byref(stream)) == 0 and stream.value is None
    with pytest.raises(ValueError, match="no streams of device type 2"):
        api.current_stream(2, 0, ctypes.byref(stream))


def test_what_has_no_memory_is_refused(api: Api) -> None:
    managed = POINTER(Managed)()
    with pytest.raises(TypeError, match="expected a Tensor, got int"):
        api.managed_from_object(3, ctypes.byref(managed))
    with pytest.raises(BufferError, match="meta device"):
        api.managed_from_object(torch.ones(2, device="meta"), ctypes.byref(managed))
    with pytest.raises(BufferError, match="torch.strided"):
        api.fields_from_object(torch.ones(2).to_sparse(), ctypes.byref(DLTensor()))
