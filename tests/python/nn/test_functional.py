"""torch.nn.functional, init and utils against PyTorch's recorded results and draws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rushlight
import rushlight.nn
from closeness import assert_close
from functional_cases import CASES, run_case

RESULTS = json.loads(Path(__file__).with_name("functional_results.json").read_text())


def test_results_cover_all_cases():
    assert len(RESULTS) == len(CASES)


@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_function_matches_recording(number):
    expected = RESULTS[number]
    found = run_case(rushlight, rushlight.nn, CASES[number])
    assert found["shapes"] == expected["shapes"]
    assert_close(found["values"], expected["values"], "values", 2e-5)
    assert_close(found["next"], expected["next"], "next draw", 1e-9)


def test_grouped_mm_is_a_product_per_group():
    rushlight.manual_seed(0)
    offs = rushlight.tensor([2, 2, 5], dtype=rushlight.int32)
    rows, columns = rushlight.randn(5, 4), rushlight.randn(4, 5)
    left, right = rushlight.randn(3, 6, 4), rushlight.randn(3, 4, 7)
    product = rushlight.nn.functional.grouped_mm
    assert rushlight.equal(product(left, right), left @ right)
    by_rows = product(rows, right, offs=offs)
    assert by_rows.shape == (5, 7)
    assert_close(by_rows.tolist(), rushlight.cat([rows[:2] @ right[0], rows[2:] @ right[2]]).tolist(), "rows", 1e-6)
    by_columns = product(left, columns, offs=offs)
    assert by_columns.shape == (6, 5)
    assert_close(by_columns[:, 2:].tolist(), (left[2] @ columns[:, 2:]).tolist(), "columns", 1e-6)
    inner = product(columns, rows, offs=offs)
    assert inner.shape == (3, 4, 4) and inner[1].abs().sum() == 0
    assert_close(inner.sum(0).tolist(), (columns @ rows).tolist(), "inner", 1e-5)


def test_grouped_mm_refuses():
    product, a, b = rushlight.nn.functional.grouped_mm, rushlight.ones(2, 3, 3), rushlight.ones(3, 3)
    with pytest.raises(RuntimeError, match="Have to provide offsets"):
        product(a, b)
    with pytest.raises(RuntimeError, match="has to be 2 or 3d"):
        product(b[0], b)
    with pytest.raises(RuntimeError, match="Bias not supported"):
        product(a, a, bias=b)


def test_losses_called_without_a_reduction_do_not_reduce() -> None:
    """PyTorch's parser reads the default `Mean` as 0; the functions of nn.functional state theirs."""
    x, y = rushlight.tensor([[0.2, 0.5], [0.1, 0.9]]), rushlight.tensor([[0.7, 0.5], [0.3, 0.2]])
    sign = rushlight.tensor([1.0, -1.0])
    assert rushlight.kl_div(x, y).shape == (2, 2)
    assert rushlight.binary_cross_entropy_with_logits(x, y).shape == (2, 2)
    assert rushlight.hinge_embedding_loss(x, sign).shape == (2, 2)
    assert rushlight.cosine_embedding_loss(x, y, sign).shape == (2,)
    assert rushlight.margin_ranking_loss(x[0], y[0], sign).shape == (2,)
    assert rushlight.triplet_margin_loss(x, y, x + 1).shape == (2,)
    assert rushlight.nn.functional.kl_div(x, y, reduction="mean").shape == ()
    assert rushlight.nn.functional.binary_cross_entropy_with_logits(x, y).shape == ()


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_infinite_norms_of_windows(dims: int) -> None:
    function = getattr(rushlight.nn.functional, f"lp_pool{dims}d")
    x = rushlight.tensor([-3.0, 1.0, 2.0, -5.0]).reshape([1] * (dims + 1) + [4])
    window = [1] * (dims - 1) + [2] if dims > 1 else 2
    assert function(x, float("inf"), window).flatten().tolist() == [3.0, 5.0]
    assert function(x, -float("inf"), window).flatten().tolist() == [1.0, 2.0]
    assert function(x, float("inf"), window, stride=1).flatten().tolist() == [3.0, 2.0, 5.0]


def test_a_mask_beside_is_causal_is_for_the_fused_form_alone() -> None:
    attention = rushlight.nn.functional.scaled_dot_product_attention
    q, mask = rushlight.randn(1, 2, 3, 4), rushlight.randn(3, 3)
    triangle = rushlight.full((3, 3), -float("inf")).triu(1)
    rushlight.testing.assert_close(attention(q, q, q, attn_mask=mask, is_causal=True), attention(q, q, q, attn_mask=mask + triangle))
    for operand, options in (
        (q[0], {"attn_mask": mask}),
        (q, {"attn_mask": mask, "dropout_p": 0.5}),
        (q, {"attn_mask": mask.clone().requires_grad_()}),
        (q, {"attn_mask": mask.expand(2, 3, 3)}),
    ):
        with pytest.raises(RuntimeError, match="attn_mask should not be set when is_causal=True"):
            attention(operand, operand, operand, is_causal=True, **options)


def test_an_empty_list_of_sizes_may_be_none() -> None:
    x = rushlight.arange(16.0).reshape(1, 1, 4, 4)
    functional = rushlight.nn.functional
    assert rushlight.equal(functional.avg_pool2d(x, 2, None), functional.avg_pool2d(x, 2))
    assert rushlight.equal(functional.avg_pool2d(x, 2, stride=None), functional.avg_pool2d(x, 2, 2))
    assert rushlight.equal(rushlight.max_pool2d(x, 2, None), rushlight.max_pool2d(x, 2))
    assert rushlight.equal(rushlight.roll(x, 1, None), rushlight.roll(x, 1))
    assert x.amax(None) == 15 and rushlight.amin(x, dim=None, keepdim=True).shape == (1, 1, 1, 1)
