"""Fourier transforms against NumPy: lengths, norms, frequencies, derivatives, errors."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch
from rushlight.autograd import gradcheck, gradgradcheck


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 16, 25, 31, 60, 97, 100, 128, 210, 243, 1009])
def test_lengths(n: int) -> None:
    x = torch.randn(3, n, dtype=torch.complex128)
    np.testing.assert_allclose(torch.fft.fft(x).numpy(), np.fft.fft(x.numpy()), atol=1e-10)
    np.testing.assert_allclose(torch.fft.ifft(x).numpy(), np.fft.ifft(x.numpy()), atol=1e-10)
    real = x.real.contiguous()
    np.testing.assert_allclose(torch.fft.rfft(real).numpy(), np.fft.rfft(real.numpy()), atol=1e-10)
    np.testing.assert_allclose(torch.fft.irfft(torch.fft.rfft(real), n=n).numpy(), real.numpy(), atol=1e-10)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_norms_and_dimensions(norm: str) -> None:
    x = torch.randn(4, 5, 6, dtype=torch.float64)
    for dims in ((0, 1), (2, 0), (0, 1, 2)):
        np.testing.assert_allclose(torch.fft.fftn(x, dim=dims, norm=norm).numpy(), np.fft.fftn(x.numpy(), axes=dims, norm=norm), atol=1e-10)
    np.testing.assert_allclose(torch.fft.fft(x, n=9, dim=1, norm=norm).numpy(), np.fft.fft(x.numpy(), 9, 1, norm), atol=1e-10)
    np.testing.assert_allclose(torch.fft.fft(x, n=3, dim=1, norm=norm).numpy(), np.fft.fft(x.numpy(), 3, 1, norm), atol=1e-10)


@pytest.mark.parametrize("n", [0, 1, 4, 5])
def test_frequencies_are_of_the_default_dtype(n: int) -> None:
    if n:
        np.testing.assert_allclose(torch.fft.fftfreq(n, d=0.5).numpy(), np.fft.fftfreq(n, 0.5))
        np.testing.assert_allclose(torch.fft.rfftfreq(n).numpy(), np.fft.rfftfreq(n))
    assert torch.fft.fftfreq(n).dtype == torch.float32
    assert torch.fft.fftfreq(n, dtype=torch.float64).dtype == torch.float64


DERIVED = {
    "fft": lambda x: torch.fft.fft(x).abs(), "rfft": lambda x: torch.fft.rfft(x, n=6).abs(), "fftn": lambda x: torch.fft.fftn(x).abs(),
    "irfft": torch.fft.irfft, "hfft": torch.fft.hfft, "ihfft": lambda x: torch.fft.ihfft(x).abs(), "rfft2": lambda x: torch.fft.rfft2(x).abs(),
}  # fmt: skip


@pytest.mark.parametrize("name", DERIVED)
def test_derivatives(name: str) -> None:
    x = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)
    assert gradcheck(DERIVED[name], (x,), check_forward_ad=True)
    assert gradgradcheck(DERIVED[name], (x,))


def test_short_time_transform_inverts() -> None:
    x, window = torch.randn(2, 64, dtype=torch.float64), torch.hann_window(16, dtype=torch.float64)
    spectrum = torch.stft(x, 16, hop_length=4, window=window, return_complex=True)
    np.testing.assert_allclose(torch.istft(spectrum, 16, hop_length=4, window=window, length=64).numpy(), x.numpy(), atol=1e-12)


def test_refusals() -> None:
    with pytest.raises(RuntimeError, match=r"Invalid number of data points \(0\)"):
        torch.fft.fft(torch.zeros(0))
    with pytest.raises(RuntimeError, match="FFT dims must be unique"):
        torch.fft.fftn(torch.ones(2, 3), dim=(0, 0))
    with pytest.raises(RuntimeError, match="Unsupported dtype Half"):
        torch.fft.fft(torch.ones(4, dtype=torch.float16))
