"""The array API namespace: how it is found, what it holds, what it says of itself."""

from __future__ import annotations

import inspect

import pytest
import rushlight as torch
import rushlight.array_api as xp

FUNCTIONS = """
    abs acos acosh add all any arange argmax argmin argsort asarray asin asinh astype atan atan2 atanh bitwise_and
    bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor broadcast_arrays broadcast_shapes
    broadcast_to can_cast ceil clip concat conj copysign cos cosh count_nonzero cumulative_prod cumulative_sum diff divide
    empty empty_like equal exp expand_dims expm1 eye finfo flip floor floor_divide from_dlpack full full_like greater
    greater_equal hypot iinfo imag isdtype isfinite isin isinf isnan less less_equal linspace log log10 log1p log2 logaddexp
    logical_and logical_not logical_or logical_xor matmul matrix_transpose max maximum mean meshgrid min minimum moveaxis
    multiply negative nextafter nonzero not_equal ones ones_like permute_dims positive pow prod real reciprocal remainder
    repeat reshape result_type roll round searchsorted sign signbit sin sinh sort sqrt square squeeze stack std subtract sum
    take take_along_axis tan tanh tensordot tile tril triu trunc unique_all unique_counts unique_inverse unique_values
    unstack var vecdot where zeros zeros_like __array_namespace_info__""".split()
LINALG = """
    cholesky cross det diagonal eig eigh eigvals eigvalsh inv matmul matrix_norm matrix_power matrix_rank matrix_transpose
    outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm""".split()
FFT = "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift".split()


def test_tensor_names_its_namespace() -> None:
    x = torch.ones(2)
    assert x.__array_namespace__() is xp
    assert x.__array_namespace__(api_version="2025.12") is xp
    assert xp.__array_api_version__ == "2025.12"
    with pytest.raises(ValueError, match="unsupported array API version '2019.12'"):
        x.__array_namespace__(api_version="2019.12")


def test_older_versions_return_lists() -> None:
    older = torch.ones(2).__array_namespace__(api_version="2024.12")
    assert older.__array_api_version__ == "2024.12" and older.sin is xp.sin
    assert type(older.broadcast_arrays(torch.ones(2))) is list
    assert type(older.meshgrid(torch.ones(2))) is list
    assert type(older.__array_namespace_info__().devices()) is list
    assert type(xp.broadcast_arrays(torch.ones(2))) is tuple
    assert type(xp.meshgrid(torch.ones(2))) is tuple


@pytest.mark.parametrize(("space", "names"), [(xp, FUNCTIONS), (xp.linalg, LINALG), (xp.fft, FFT)])
def test_functions_are_there_and_documented(space: object, names: list[str]) -> None:
    for name in names:
        function = getattr(space, name)
        assert callable(function) and function.__doc__ and function.__name__ == name
        assert inspect.signature(function) is not None


def test_constants_and_dtypes() -> None:
    assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (torch.e, torch.pi, torch.inf, None) and xp.nan != xp.nan
    assert (xp.bool, xp.uint8, xp.complex64) == (torch.bool, torch.uint8, torch.complex64)


def test_info() -> None:
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert xp.ones((1,) * 64).ndim == 64
    assert info.default_device() == torch.device("cpu") and info.devices() == (torch.device("cpu"),)
    assert info.default_dtypes()["complex floating"] == torch.complex64
    assert info.dtypes(kind="signed integer") == {
        f"int{bits}": getattr(torch, f"int{bits}") for bits in (8, 16, 32, 64)
    }
    assert set(info.dtypes(kind=("bool", "complex floating"))) == {"bool", "complex64", "complex128"}
    assert "float16" not in info.dtypes()
    with pytest.raises(ValueError, match="unknown kind 'float'"):
        info.dtypes(kind="float")


def test_moving_to_a_device() -> None:
    x = torch.ones(2)
    assert x.to_device("cpu") is x and x.to_device("meta").is_meta
    with pytest.raises(ValueError, match="no streams"):
        x.to_device("cpu", stream=1)
