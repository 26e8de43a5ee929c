"""Factories: values, dtypes, counts, and arguments that must be refused."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
import rushlight as torch


@pytest.mark.parametrize("args", [(5,), (2, 9), (2, 9, 3), (9, 2, -2), (0.0, 1.0, 0.1), (1, 2.5, 0.5), (3, 3)])
def test_arange(args: tuple) -> None:
    ours, numpys = torch.arange(*args), np.arange(*args)
    assert ours.dtype is (torch.int64 if all(isinstance(a, int) for a in args) else torch.float32)
    np.testing.assert_allclose(ours.numpy(), numpys, rtol=1e-6)


@pytest.mark.parametrize(
    ("args", "message"),
    [((0, 5, 0), "step must be nonzero"), ((0, 5, -1), "inconsistent with step sign"), ((0, float("inf")), "unsupported range")],
)
def test_arange_refuses(args: tuple, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        torch.arange(*args)


def test_linspace_meets_both_ends() -> None:
    for steps in (1, 2, 7, 100):
        x = torch.linspace(-0.3, 1.7, steps, dtype=torch.float64)
        np.testing.assert_allclose(x.numpy(), np.linspace(-0.3, 1.7, steps), rtol=1e-14)
    assert torch.linspace(0, 1, 3)[-1].item() == 1 and torch.linspace(5, 9, 0).shape == (0,)
    np.testing.assert_allclose(torch.logspace(0, 3, 4, dtype=torch.float64).numpy(), [1, 10, 100, 1000])


def test_full_follows_the_number() -> None:
    assert torch.full((2,), 1).dtype is torch.int64 and torch.full((2,), True).dtype is torch.bool
    assert torch.full((2,), 1.0).dtype is torch.float32 and torch.full((2,), 1j).dtype is torch.complex64


def test_like_keeps_strides_dtype_and_format() -> None:
    x = torch.zeros(2, 3, 4, dtype=torch.int16).permute(2, 0, 1)
    y = torch.empty_like(x)
    assert y.dtype is torch.int16 and y.stride() == x.stride()
    assert torch.zeros_like(x[::2]).is_contiguous() is False or x[::2].shape[0] == 1
    assert torch.ones_like(x, memory_format=torch.contiguous_format).is_contiguous()


def test_eye_and_shapes() -> None:
    assert torch.eye(2, 3).tolist() == [[1, 0, 0], [0, 1, 0]] and torch.eye(0).shape == (0, 0)
    with pytest.raises(RuntimeError, match="negative dimension"):
        torch.zeros(2, -1)
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
        torch.empty(2**40, 2**40)


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
def test_windows(name: str) -> None:
    ours = getattr(torch, {"hanning": "hann"}.get(name, name) + "_window")(9, periodic=False, dtype=torch.float64)
    np.testing.assert_allclose(ours.numpy(), getattr(np, name)(9), atol=1e-15)


def test_meta_tensors_have_shapes_alone() -> None:
    x = torch.empty(2, 3, device="meta")
    assert torch.cat([x, x]).shape == (4, 3) and (x.t() @ x).shape == (3, 3)
    with pytest.raises(NotImplementedError, match="no data"):
        x.to("cpu")


@pytest.mark.parametrize(
    "make",
    [
        lambda **o: torch.fft.fftfreq(5, 0.5, **o),
        lambda **o: torch.fft.rfftfreq(5, 0.5, **o),
        lambda **o: torch.arange(3.0, **o),
        lambda **o: torch.hann_window(3, **o),
        lambda **o: torch.full((3,), 2.0, **o),
    ],
)
def test_factories_make_leaves_that_require_grad(make: Callable[..., torch.Tensor]) -> None:
    made = make(requires_grad=True)
    assert made.requires_grad and made.is_leaf and torch.equal(made.detach(), make())


@pytest.mark.parametrize("make", [torch.zeros, torch.rand, torch.empty, torch.arange, torch.fft.fftfreq])
def test_factories_that_write_to_out_may_require_grad(make: Callable[..., torch.Tensor]) -> None:
    out = torch.ones(3)
    assert make(3, out=out, requires_grad=True) is out and out.requires_grad and out.is_leaf
    plain = torch.ones(3)
    assert not make(3, out=plain).requires_grad


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer build reuses no memory")
def test_the_memory_given_back_last_is_reused_first() -> None:
    blocks = [torch.empty(3 << 20) for _ in range(3)]
    last = blocks[1].data_ptr()
    blocks[0] = blocks[2] = None
    blocks[1] = None
    assert torch.empty(3 << 20).data_ptr() == last


@pytest.mark.parametrize("make", [torch.linspace, lambda a, b, steps, **o: torch.logspace(a, b, steps, **o)])
def test_sequences_of_bool_are_refused(make: Callable[..., torch.Tensor]) -> None:
    assert make(0, 1, 0, dtype=torch.bool).shape == (0,)
    with pytest.raises(NotImplementedError, match="not implemented for 'Bool'"):
        make(0, 1, 2, dtype=torch.bool)
    with pytest.raises(NotImplementedError, match="range_cpu"):
        torch.range(0, 1, dtype=torch.bool)


def test_windows_take_their_length_from_a_tensor() -> None:
    for length in (0, 1, 4):
        for given in (torch.tensor(length), torch.tensor([float(length)])[0]):
            assert torch.equal(torch.signal.windows.hann(given), torch.signal.windows.hann(length))
    assert torch.signal.windows.bartlett(torch.tensor([1])).tolist() == [1.0]
