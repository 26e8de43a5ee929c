"""assert_close and make_tensor."""

import pytest
import rushlight as torch
from rushlight.testing import assert_close, make_tensor

T = torch.tensor


def message(*args, **kwargs):
    with pytest.raises(AssertionError) as raised:
        assert_close(*args, **kwargs)
    return str(raised.value)


def test_tensor_message():
    assert message(T([1.0, 2.0]), T([1.0, 2.5])) == (
        "Tensor-likes are not close!\n\n"
        "Mismatched elements: 1 / 2 (50.0%)\n"
        "Greatest absolute difference: 0.5 at index (1,) (up to 1e-05 allowed)\n"
        "Greatest relative difference: 0.20000000298023224 at index (1,) "
        "(up to 1.3e-06 allowed)"
    )


def test_scalar_message():
    assert message(1.0, 2.0) == (
        "Scalars are not close!\n\n"
        "Expected 2.0 but got 1.0.\n"
        "Absolute difference: 1.0 (up to 1e-07 allowed)\n"
        "Relative difference: 0.5 (up to 1e-07 allowed)"
    )


def test_integers_have_to_be_equal():
    text = message(T([1, 2]), T([1, 3]))
    assert text.startswith("Tensor-likes are not equal!") and "allowed" not in text


def test_float8_is_compared_element_by_element():
    a, b = T([1.0, 2.0]).to(torch.float8_e4m3fn), T([1.0, 2.5]).to(torch.float8_e4m3fn)
    assert_close(a, a)
    assert message(a, b) == (
        "Tensor-likes are not 'equal'!\n\n"
        "Mismatched elements: 1 / 2 (50.0%)\n"
        "The first mismatched element is at index (1,)."
    )
    assert "not supported for bitwise comparison" in message(a, b, rtol=0.1, atol=0)


@pytest.mark.parametrize(
    ("actual", "expected", "words"),
    [
        (T([1.0]), T([1.0], dtype=torch.float64), "'dtype' do not match"),
        (T([1.0, 2.0]), T([1.0]), "'shape' do not match"),
        ([1, 2], [1], "length of the sequences mismatch: 2 != 1"),
        ({"a": 1}, {"b": 1}, "Missing keys in the actual mapping: ['b']"),
        ({"a": [T([1.0])]}, {"a": [T([2.0])]}, "occurred for item ['a'][0]"),
        (None, 1, "None mismatch"),
        (True, False, "Booleans mismatch"),
        (1, 1.0, "(d)types do not match"),
        (T([float("nan")]), T([float("nan")]), "Greatest absolute difference: nan"),
    ],
)
def test_messages(actual, expected, words):
    assert words in message(actual, expected)


def test_options():
    assert_close(T([float("nan")]), T([float("nan")]), equal_nan=True)
    assert_close(T([1.0]), T([1.5]), rtol=0, atol=0.5)
    assert message(1, 2, msg="own") == "own"
    assert message(1, 2, msg=lambda m: "own " + m).startswith("own Scalars")
    with pytest.raises(ValueError, match="no atol"):
        assert_close(1.0, 1.0, rtol=0.1)
    with pytest.raises(TypeError, match="No comparison pair"):
        assert_close("a", "b")


@pytest.mark.parametrize(
    "name", ["float32", "float64", "bfloat16", "complex64", "int64", "uint8", "bool"]
)
def test_make_tensor(name):
    dtype = getattr(torch, name)
    made = make_tensor(4, 5, dtype=dtype, device="cpu", noncontiguous=True)
    assert made.shape == (4, 5) and made.dtype == dtype and not made.is_contiguous()


def test_make_tensor_errors():
    with pytest.raises(ValueError, match="less than `high`"):
        make_tensor(2, dtype=torch.float32, device="cpu", low=2, high=1)
    with pytest.raises(ValueError, match="requires_grad"):
        make_tensor(2, dtype=torch.int32, device="cpu", requires_grad=True)
