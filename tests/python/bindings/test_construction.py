"""torch.tensor and its kin: inference of dtype and shape, sharing, errors."""

import array

import numpy as np
import pytest
import rushlight as torch


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        ([1, 2.0], torch.float32, (2,)),
        ([True, 1], torch.int64, (2,)),
        ([True, False], torch.bool, (2,)),
        ([1, 2j], torch.complex64, (2,)),
        ([[1, 2], (3, 4)], torch.int64, (2, 2)),
        ([[True], [1.5]], torch.float32, (2, 1)),
        ([], torch.float32, (0,)),
        ([[], []], torch.float32, (2, 0)),
        (3, torch.int64, ()),
        (range(3), torch.int64, (3,)),
        (array.array("i", [1, 2]), torch.int64, (2,)),
        ([np.float64(1)], torch.float64, (1,)),
        ([np.int32(1)], torch.int32, (1,)),
        (np.float32(1), torch.float32, ()),
        ([np.True_, False], torch.bool, (2,)),
        ([np.array([1, 2])], torch.int64, (1, 2)),
        ([torch.tensor(1.0), 2], torch.float32, (2,)),
        ([[torch.tensor(1, dtype=torch.int8)]], torch.int8, (1, 1)),
        (np.ones((2, 3)), torch.float64, (2, 3)),
        (np.array(3.0), torch.float64, ()),
    ],
)
def test_inference(data, dtype, shape):
    made = torch.tensor(data)
    assert made.dtype is dtype and made.shape == shape
    assert made.tolist() == np.array(data if not isinstance(data, range) else list(data)).tolist() or 0 in shape


@pytest.mark.parametrize(
    ("data", "options", "error", "text"),
    [
        ([[1, 2], [3]], {}, ValueError, "expected sequence of length 2 at dim 1 \\(got 1\\)"),
        ([1, [2]], {}, TypeError, "cannot be interpreted as an integer"),
        ([[1], 2], {}, TypeError, "not a sequence"),
        (["a"], {}, ValueError, "too many dimensions 'str'"),
        ("a", {}, TypeError, "invalid data type 'str'"),
        (b"ab", {}, TypeError, "invalid data type 'bytes'"),
        (10**30, {}, ValueError, "Overflow when unpacking long"),
        (300, {"dtype": torch.uint8}, RuntimeError, "cannot be converted to type uint8 without overflow"),
        ([2**40], {"dtype": torch.int32}, RuntimeError, "cannot be converted to type int32 without overflow"),
        (float("nan"), {"dtype": torch.int64}, RuntimeError, "without overflow"),
        (2j, {"dtype": torch.float32}, TypeError, "must be real number, not complex"),
        (None, {}, RuntimeError, "Could not infer dtype of NoneType"),
        ({1, 2}, {}, RuntimeError, "Could not infer dtype of set"),
        (object(), {}, RuntimeError, "Could not infer dtype of object"),
        ([1], {"requires_grad": True}, RuntimeError, "can require gradients"),
        ([torch.ones(2), 1], {}, ValueError, "only one element tensors can be converted to Python scalars"),
    ],
)
def test_errors(data, options, error, text):
    with pytest.raises((error, TypeError), match=text):
        torch.tensor(data, **options)


def test_list_that_contains_itself():
    data = [1]
    data.append(data)
    with pytest.raises((TypeError, ValueError)):
        torch.tensor(data)
    data[0] = data
    with pytest.raises((TypeError, ValueError)):
        torch.tensor(data)


def test_values_by_dtype():
    assert torch.tensor(-1, dtype=torch.uint8).item() == 255 and torch.tensor(2.7, dtype=torch.int64).item() == 2
    assert torch.tensor(float("nan"), dtype=torch.bool).item() is True
    assert torch.tensor(1e39, dtype=torch.float32).item() == float("inf")
    assert torch.tensor([10**20], dtype=torch.float32).item() == pytest.approx(1e20)


def test_copies_and_sharing():
    a = np.ones(3)
    copied, shared = torch.tensor(a), torch.as_tensor(a)
    a[0] = 7
    assert copied[0] == 1 and shared[0] == 7
    t = torch.ones(2)
    assert torch.as_tensor(t) is t and torch.asarray(t, copy=True) is not t
    with pytest.warns(UserWarning, match="copy construct"):
        assert torch.tensor(t).tolist() == [1, 1]
    with pytest.raises(ValueError, match="can't alias"):
        torch.asarray([1], copy=False)


def test_options():
    assert torch.tensor([1.0], requires_grad=True).requires_grad and torch.tensor([1.0], device="meta").is_meta
    with pytest.raises(TypeError, match="argument 'dtype' must be torch.dtype, not str"):
        torch.tensor([1], dtype="f")


def test_legacy_constructor():
    assert torch.Tensor(2, 3).tolist() == [[0, 0, 0], [0, 0, 0]] and torch.Tensor([1, 2]).dtype is torch.float32
    assert (
        torch.Tensor((2, 3)).tolist() == [2, 3]
        and torch.Tensor(torch.Size([2])).shape == (2,)
        and torch.Tensor().shape == (0,)
    )
    assert torch.FloatTensor([1]).dtype is torch.float32 and torch.LongTensor(2).tolist() == [0, 0]
    with pytest.raises(TypeError, match="data must be a sequence \\(got float\\)"):
        torch.Tensor(2.0)
    with pytest.raises(TypeError, match="but got str|failed to unpack"):
        torch.Tensor(2, "a")


def test_new_methods():
    x = torch.ones(2, dtype=torch.float64)
    assert x.new_tensor([1, 2]).dtype is torch.float64 and x.new_zeros(2, 3).dtype is torch.float64
    assert x.new(3).shape == (3,) and x.new([3, 4]).tolist() == [3, 4]


def test_frombuffer():
    memory = bytearray(b"abcd")
    shorts = torch.frombuffer(memory, dtype=torch.int16)
    assert shorts.tolist() == [25185, 25699]
    shorts[0] = 0
    assert memory[:2] == b"\0\0"
    with pytest.raises(ValueError, match="must be a multiple of element size"):
        torch.frombuffer(memory, dtype=torch.int16, offset=1)
    with pytest.raises(ValueError, match="must not be greater than actual buffer length"):
        torch.frombuffer(memory, dtype=torch.int32, count=2)
