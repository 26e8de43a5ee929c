"""dtype, device, Size, Generator, finfo and iinfo as objects."""

import pytest
import rushlight as torch


def test_dtypes():
    assert repr(torch.float32) == "torch.float32" and torch.float is torch.float32 and torch.long is torch.int64
    assert torch.float16.itemsize == 2 and torch.complex64.is_complex and not torch.int8.is_floating_point
    assert torch.complex128.to_real() is torch.float64 and torch.float32.to_complex() is torch.complex64
    assert torch.bfloat16.is_floating_point and torch.uint8.is_signed is False
    with pytest.raises(RuntimeError, match="Unknown Complex ScalarType for Int"):
        torch.int32.to_complex()


def test_python_types_stand_for_dtypes():
    assert torch.ones(1, dtype=float).dtype is torch.float64 and torch.ones(1, dtype=int).dtype is torch.int64
    assert torch.ones(1).to(bool).dtype is torch.bool
    with pytest.raises(TypeError, match="argument 'dtype' must be torch.dtype, not str"):
        torch.ones(1, dtype="float32")


def test_devices():
    cuda = torch.device("cuda:1")
    assert cuda.type == "cuda" and cuda.index == 1 and cuda == torch.device("cuda", 1) != torch.device("cuda")
    assert str(torch.device("cpu")) == "cpu" and repr(cuda) == "device(type='cuda', index=1)"
    assert hash(cuda) == hash(torch.device("cuda:1")) and torch.device(cuda) == cuda
    assert torch.device("cpu") != torch.device("cpu:0")
    for text in ("cpu:x", "cuda:-1", "cuda:01"):
        with pytest.raises(RuntimeError, match="Invalid device string"):
            torch.device(text)
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"):
        torch.device("toaster")
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.ones(1, device="cuda")
    with torch.device("meta"):
        assert torch.ones(2).is_meta
    assert torch.ones(2).is_cpu


def test_size():
    size = torch.Size([2, 3])
    assert repr(size) == "torch.Size([2, 3])" and size.numel() == 6 and size == (2, 3)
    for value in (size[:1], size + (4,), (4,) + size, size * 2):
        assert type(value) is torch.Size
    with pytest.raises(TypeError, match="item 0 is 'str'"):
        torch.Size(["a"])


def test_generator():
    generator = torch.Generator().manual_seed(3)
    assert generator.initial_seed() == 3 and generator.device == torch.device("cpu")
    state = generator.get_state()
    assert state.dtype is torch.uint8 and state.shape == (5056,)
    first = torch.rand(3, generator=generator).tolist()
    generator.set_state(state)
    assert torch.rand(3, generator=generator).tolist() == first
    assert torch.Generator().manual_seed(-1).initial_seed() == 2**64 - 1
    with pytest.raises(ValueError, match="Overflow"):
        torch.Generator().manual_seed(1 << 70)
    with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
        generator.set_state(torch.zeros(3))


def test_number_limits():
    assert torch.finfo(torch.float32).eps == 2**-23 and torch.finfo().dtype == "float32"
    assert torch.finfo(torch.bfloat16).max == 3.3895313892515355e38 and torch.iinfo(torch.int8).min == -128
    assert repr(torch.iinfo(torch.int8)) == "iinfo(min=-128, max=127, dtype=int8)"
    with pytest.raises(TypeError, match="requires a floating point input type"):
        torch.finfo(torch.int8)
    with pytest.raises(TypeError, match="not supported by torch.iinfo"):
        torch.iinfo(torch.bool)


def test_promotion():
    assert torch.promote_types(torch.int8, torch.uint8) is torch.int16
    assert torch.result_type(torch.tensor([1]), 1.0) is torch.float32 and not torch.can_cast(torch.float, torch.int)
