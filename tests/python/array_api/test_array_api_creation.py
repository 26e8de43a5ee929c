"""Array API: creation functions, and exchange by DLPack."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch
import rushlight.array_api as xp


@pytest.mark.parametrize(
    ("args", "expected"),
    [((3,), [0, 1, 2]), ((5, 2), []), ((2, 5, -1), []), ((5, 2, -2), [5, 3]), ((0, 1, 0.25), [0.0, 0.25, 0.5, 0.75])],
)
def test_arange(args: tuple[float, ...], expected: list[float]) -> None:
    found = xp.arange(*args)
    assert found.tolist() == expected
    assert found.dtype == (torch.float32 if isinstance(args[-1], float) else torch.int64)


def test_arange_needs_a_step() -> None:
    with pytest.raises(ValueError, match="step must not be 0"):
        xp.arange(0, 3, 0)


def test_linspace() -> None:
    assert xp.linspace(0, 1, 4, endpoint=False).tolist() == [0.0, 0.25, 0.5, 0.75]
    assert xp.linspace(0, 1, 0).shape == (0,) and xp.linspace(0, 1, 1).tolist() == [0.0]
    assert xp.linspace(0, 1j, 3).dtype == torch.complex64


@pytest.mark.parametrize("k", [-4, -1, 0, 2, 5])
def test_eye(k: int) -> None:
    np.testing.assert_array_equal(xp.eye(3, 4, k=k).numpy(), np.eye(3, 4, k=k))


def test_shapes_may_be_numbers() -> None:
    assert xp.zeros(3).shape == (3,) and xp.ones(()).shape == () and xp.full(2, 1j).dtype == torch.complex64
    assert xp.full(2, True).dtype == torch.bool and xp.full(2, 2**40).dtype == torch.int64


def test_meshgrid_defaults_to_cartesian() -> None:
    x, y = xp.meshgrid(torch.arange(2), torch.arange(3))
    assert x.shape == y.shape == (3, 2)
    assert xp.meshgrid() == ()
    with pytest.raises(ValueError, match="'xy' or 'ij'"):
        xp.meshgrid(torch.arange(2), indexing="ji")


def test_asarray_copies_as_told() -> None:
    x = xp.ones(2)
    assert xp.asarray(x) is x
    assert xp.asarray(x, copy=True).data_ptr() != x.data_ptr()
    with pytest.raises(ValueError, match="alias"):
        xp.asarray(x, dtype=torch.float64, copy=False)
    with pytest.raises(ValueError, match="alias"):
        xp.asarray([1.0], copy=False)


def test_reshape_copies_as_told() -> None:
    x = torch.arange(6).reshape(2, 3)
    assert xp.reshape(x, (3, 2), copy=False).data_ptr() == x.data_ptr()
    assert xp.reshape(x, (-1,), copy=True).data_ptr() != x.data_ptr()
    with pytest.raises(ValueError, match="not possible without a copy"):
        xp.reshape(x.T, (6,), copy=False)


def test_squeeze_only_axes_of_size_one() -> None:
    assert xp.squeeze(torch.ones(1, 2, 1), (0, -1)).shape == (2,)
    with pytest.raises(ValueError, match="axis 1 of shape"):
        xp.squeeze(torch.ones(1, 2), 1)


def test_expand_dims_refuses_a_place_named_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        xp.expand_dims(torch.ones(2), (0, -3))
    with pytest.raises(IndexError, match="out of range"):
        xp.expand_dims(torch.ones(2), 2)


def test_broadcast_shapes_that_do_not_fit() -> None:
    assert xp.broadcast_shapes((3, 1), (4,)) == (3, 4) and xp.broadcast_shapes() == ()
    with pytest.raises(ValueError, match="broadcast"):
        xp.broadcast_shapes((3,), (4,))


@pytest.mark.parametrize("copy", [None, True, False])
def test_from_dlpack(copy: bool | None) -> None:
    array = np.arange(4.0)
    x = xp.from_dlpack(array, copy=copy)
    x[0] = 9
    assert bool(array[0] == 9) is (copy is not True)
    back = np.from_dlpack(x, copy=copy)
    assert back.tolist() == x.tolist() == [9, 1, 2, 3]
    assert np.shares_memory(back, x.numpy()) is (copy is not True)


class OldProducer:
    """A producer that knows no keywords, as before version 1 of the protocol."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor

    def __dlpack__(self) -> object:
        return self.tensor.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.tensor.__dlpack_device__()


def test_from_dlpack_of_an_old_producer() -> None:
    x = torch.arange(3)
    assert xp.from_dlpack(OldProducer(x)).data_ptr() == x.data_ptr()
    assert xp.from_dlpack(OldProducer(x), copy=False).data_ptr() == x.data_ptr()
    copied = xp.from_dlpack(OldProducer(x), copy=True)
    assert copied.data_ptr() != x.data_ptr() and torch.equal(copied, x)


def test_dlpack_of_what_cannot_be_exported() -> None:
    assert torch.ones(2).__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError, match="device type 2"):
        torch.ones(2).__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="meta"):
        torch.ones(2, device="meta").__dlpack__()
    with pytest.raises(BufferError, match="require gradient"):
        torch.ones(2, requires_grad=True).__dlpack__()
