"""Autocast: dtypes of results as PyTorch has them, converted weights kept, contexts nested and as decorators."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import pytest
import rushlight as torch
from autocast_calls import OPERANDS, lines, outcome

RECORDED: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("recorded.json").read_text())
DIFFERENT = {
    "pdist": "PyTorch has none for half types",
    "linalg.pinv": "PyTorch's ends with a product that autocast sees",
    "linalg.matrix_exp": "PyTorch has none for float16 on the CPU",
    "LayerNorm": "PyTorch refuses float64 beside float32 weights",
    "BatchNorm2d": "PyTorch refuses float64 beside float32 weights",
    "sparse": "sparse products stay in float32 here",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", lines())
def test_result_dtypes(name: str) -> None:
    found = {dtype: outcome(torch, lines()[name], dtype, other) for dtype, other in OPERANDS}
    assert (found == RECORDED[name]) is (name not in DIFFERENT), (found, RECORDED[name])


def conversions(loss: torch.Tensor) -> int:
    """How many nodes of the graph convert a dtype."""
    seen, todo = set(), [loss.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo.extend(next_node for next_node, _ in node.next_functions)
    return sum(node.name().startswith("ToCopy") for node in seen)


@pytest.mark.parametrize(("kept", "count"), [(True, 1), (False, 3)])
def test_a_weight_is_converted_once(kept: bool, count: int) -> None:
    weight = torch.randn(3, 3, requires_grad=True)
    x = torch.randn(3, 3).bfloat16()
    with torch.autocast("cpu", cache_enabled=kept):
        assert torch.is_autocast_cache_enabled() is kept
        y = x @ weight @ weight @ weight
    assert torch.is_autocast_cache_enabled()
    assert conversions(y.sum()) == count
    y.float().sum().backward()
    plain = weight.detach().bfloat16().requires_grad_()
    (x @ plain @ plain @ plain).float().sum().backward()
    torch.testing.assert_close(weight.grad, plain.grad.float(), rtol=0.05, atol=0.05)


def test_a_changed_weight_is_converted_anew() -> None:
    weight = torch.ones(2, 2, requires_grad=True)
    x = torch.ones(2, 2)
    with torch.autocast("cpu"):
        assert (x @ weight)[0, 0] == 2
        with torch.no_grad():
            weight.mul_(2)
        assert (x @ weight)[0, 0] == 4


def test_conversions_without_history_are_not_kept() -> None:
    weight = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        with torch.no_grad():
            torch.ones(2, 2) @ weight
        (torch.ones(2, 2) @ weight).sum().backward()
    assert weight.grad is not None and weight.grad.dtype is torch.float32


def test_kept_weights_are_let_go_when_the_outermost_region_ends() -> None:
    weight = torch.ones(2, 2, requires_grad=True)
    before = sys.getrefcount(weight)
    with torch.autocast("cpu"):
        with torch.autocast("cpu"):
            torch.ones(2, 2) @ weight
        y = torch.ones(2, 2) @ weight
    del y
    assert sys.getrefcount(weight) == before
    for _ in range(3):
        with torch.autocast("cpu"):
            ((torch.ones(2, 2) @ weight) @ weight).sum().backward()


def test_regions_nest_with_their_dtypes() -> None:
    x = torch.ones(2, 2)
    assert torch.get_autocast_dtype("cpu") is torch.bfloat16
    with torch.autocast("cpu", torch.float16):
        assert torch.get_autocast_dtype("cpu") is torch.get_autocast_cpu_dtype() is torch.float16
        assert (x @ x).dtype is torch.float16
        with torch.autocast("cpu", torch.bfloat16):
            assert (x @ x).dtype is torch.bfloat16
            with torch.autocast("cpu", enabled=False):
                assert (x @ x).dtype is torch.float32 and not torch.is_autocast_enabled("cpu")
        assert (x @ x).dtype is torch.float16
    assert torch.get_autocast_dtype("cpu") is torch.bfloat16 and not torch.is_autocast_cpu_enabled()


def test_a_region_is_a_decorator_that_can_be_used_again() -> None:
    region = torch.autocast("cpu")

    @region
    def product(x: torch.Tensor) -> torch.Tensor:
        return x @ x

    @torch.autocast("cpu", enabled=False)
    def plain(x: torch.Tensor) -> torch.Tensor:
        return x @ x

    x = torch.ones(2, 2)
    assert product(x).dtype is product(x).dtype is torch.bfloat16 and product.__name__ == "product"
    with region, region:
        assert plain(x).dtype is torch.float32 and (x @ x).dtype is torch.bfloat16


def test_a_region_ends_when_an_error_leaves_it() -> None:
    with pytest.raises(ZeroDivisionError), torch.autocast("cpu"):
        raise ZeroDivisionError
    assert not torch.is_autocast_enabled("cpu")


def test_a_region_belongs_to_its_thread() -> None:
    found = []
    with torch.autocast("cpu"):
        thread = threading.Thread(target=lambda: found.append((torch.ones(2, 2) @ torch.ones(2, 2)).dtype))
        thread.start()
        thread.join()
    assert found == [torch.float32]


def test_gradients_and_forward_mode_go_through_composite_operators() -> None:
    q = torch.randn(1, 2, 3, 4, requires_grad=True)
    with torch.autocast("cpu"):
        torch.nn.functional.scaled_dot_product_attention(q, q, q).float().sum().backward()
        loss = torch.nn.functional.cross_entropy(q[0, 0].bfloat16(), torch.tensor([0, 1, 2]))
        _, tangent = torch.func.jvp(lambda x: torch.linalg.vecdot(x, x), (q.detach(),), (torch.ones(1, 2, 3, 4),))
    assert q.grad is not None and q.grad.dtype is torch.float32 and loss.dtype is torch.float32
    assert tangent.dtype is torch.bfloat16
