"""Results have the same bits for any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import rushlight as torch

SHAPES = [(1_000_003,), (1000, 1003), (64, 127, 129), (3, 70_001)]


@pytest.fixture(autouse=True)
def restore_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def bits(tensor: torch.Tensor) -> bytes:
    return tensor.contiguous().numpy().tobytes()


def same_bits(compute: Callable[[], torch.Tensor]) -> None:
    results = []
    for threads in (1, 2, 4):
        torch.set_num_threads(threads)
        results.append(bits(compute()))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["sum", "mean", "prod", "amax", "var", "std", "logsumexp", "argmax", "norm"])
def test_reductions_same_bits(name: str, shape: tuple[int, ...]) -> None:
    x = torch.randn(shape)
    for dim in range(len(shape)):
        if name == "norm":
            same_bits(lambda: torch.linalg.vector_norm(x, dim=dim))
        else:
            same_bits(lambda: getattr(torch, name)(x, dim))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["softmax", "log_softmax", "cumsum", "cumprod"])
def test_rows_same_bits(name: str, shape: tuple[int, ...]) -> None:
    x = torch.randn(shape)
    for dim in range(len(shape)):
        same_bits(lambda: getattr(torch, name)(x, dim))


def test_norm_gradients_same_bits() -> None:
    x = torch.randn(300, 70, 33, requires_grad=True)
    w = torch.randn(33, requires_grad=True)
    g = torch.randn(300, 70, 33)

    def layer_norm() -> torch.Tensor:
        y = torch.layer_norm(x, (33,), w)
        dx, dw = torch.autograd.grad(y, (x, w), g)
        return torch.cat([dx.flatten(), dw])

    same_bits(layer_norm)


def test_cross_entropy_same_bits() -> None:
    x, t = torch.randn(5000, 101, requires_grad=True), torch.randint(0, 101, (5000,))

    def loss() -> torch.Tensor:
        value = torch.nn.functional.cross_entropy(x, t)
        return torch.cat([value.detach().reshape(1), torch.autograd.grad(value, x)[0].flatten()])

    same_bits(loss)
