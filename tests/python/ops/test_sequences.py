"""Sequences count and round their steps as PyTorch 2.13 does."""

from __future__ import annotations

import pytest
import rushlight as torch


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.int8, torch.uint8])
def test_narrow_integers_are_counted_by_the_numbers_as_given(dtype: torch.dtype) -> None:
    expected = torch.tensor([0, -4, -8]).to(dtype)
    assert torch.equal(torch.arange(0.0, -8.000001, -4.0, dtype=dtype), expected)
    assert torch.arange(0, 2.5, 1.5, dtype=dtype).tolist() == [0, 1]


def test_int64_is_counted_by_whole_numbers() -> None:
    assert torch.arange(0.0, -8.000001, -4.0, dtype=torch.int64).tolist() == [0, -4]
    assert torch.arange(0, 2.5, 1.5, dtype=torch.int64).tolist() == [0, 1]
    with pytest.raises(ValueError, match="step must be nonzero"):
        torch.arange(0, 2.5, 0.5, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="unsupported range"):
        torch.arange(0, float("inf"), dtype=torch.int32)


def test_half_types_round_every_step() -> None:
    assert torch.linspace(-2.0, 4, 50, dtype=torch.bfloat16)[[8, 16, 24]].tolist() == [-1.015625, -0.0390625, 0.9375]
    assert torch.linspace(-2.0, 4, 50, dtype=torch.float16)[[9, 16, 20]].tolist() == [
        -0.8984375,
        -0.041015625,
        0.44921875,
    ]


def test_logspace_of_one_step_is_the_power_of_the_number_as_given() -> None:
    assert torch.logspace(4.3, 4, 1, dtype=torch.bfloat16).tolist() == [19968.0]
    assert torch.linspace(4.3, 4, 1).tolist() == torch.tensor([4.3]).tolist()


STARTS = [
    (torch.bfloat16, 0.142578125, [0, 2, 4, 7, 9, 12, 14, 16, 18, 21]),
    (torch.bfloat16, 0.14453125, [0, 2, 4, 7, 9, 12, 14, 16, 18, 21]),
    (torch.float16, 0.13720703125, [0, 2, 4, 7, 9, 11, 14, 16, 19, 21]),
    (torch.float16, 0.1396484375, [0, 2, 4, 7, 9, 12, 14, 16, 19, 21]),
    (torch.float32, 0.142578125, [0, 2, 4, 7, 9, 11, 14, 16, 18, 21]),
]


@pytest.mark.parametrize(("dtype", "sample", "starts"), STARTS)
def test_fractional_windows_start_where_rounded_numbers_say(dtype: torch.dtype, sample: float, starts: list[int]) -> None:
    x = torch.arange(24.0, dtype=dtype).expand(1, 1, 3, 24).contiguous()
    samples = torch.tensor([[[sample, sample]]], dtype=dtype)
    found, _ = torch.nn.functional.fractional_max_pool2d(
        x, (1, 3), output_size=(1, 10), return_indices=True, _random_samples=samples
    )
    assert (found.flatten() - 2).tolist() == starts
