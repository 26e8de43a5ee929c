"""A program as a user with a strict type checker writes it; `test_stubs.py` gives it to mypy and runs it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_type

import rushlight
import rushlight as torch
from rushlight import Tensor, nn
from rushlight.utils.data import DataLoader, TensorDataset


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * grad  # type: ignore[no-any-return]


class Classifier(nn.Module):
    def __init__(self, features: int, classes: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 8), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(8, classes)

    def forward(self, x: Tensor) -> Tensor:
        hidden: Tensor = self.body(x)
        logits: Tensor = self.head(hidden)
        return logits


def operators() -> None:
    x = torch.arange(6, dtype=torch.float32).view(2, 3)
    assert_type(x, Tensor)
    assert_type(x + 1, Tensor)
    assert_type(2 / (x + 1), Tensor)
    assert_type(x == x, Tensor)
    assert_type(x.shape, torch.Size)
    assert_type(x.shape[0], int)
    assert_type(x.size(1), int)
    assert_type(x.dtype, torch.dtype)
    assert_type(x.device, torch.device)
    assert_type(x.max().item(), int | float | bool)
    values, indices = x.max(dim=1)
    assert_type(values, Tensor)
    assert_type(x.sort().indices, Tensor)
    assert_type(x.split([1, 2], dim=1), tuple[Tensor, ...])
    assert_type(torch.cat([x, x]), Tensor)
    assert_type(torch.linalg.svd(x).S, Tensor)
    assert_type(torch.equal(x, x), bool)
    assert_type(x.permute(1, 0).reshape(-1), Tensor)
    assert_type(x.to("cpu", torch.float64), Tensor)
    assert_type(x.to(torch.int64), Tensor)
    assert_type(x.add_(1), Tensor)
    assert_type(torch.float32, torch.dtype)
    assert_type(torch.finfo(torch.float32).eps, float)
    x += 1
    x[0, :2] = torch.zeros(2)


def batches(features: Tensor, labels: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    yield from DataLoader(TensorDataset(features, labels), batch_size=4, shuffle=True)


@torch.no_grad()
def accuracy(model: nn.Module, features: Tensor, labels: Tensor) -> float:
    return (model(features).argmax(1) == labels).float().mean().item()  # type: ignore[no-any-return]


def train() -> float:
    torch.manual_seed(0)
    features = torch.randn(16, 4)
    labels = (features.sum(dim=1) > 0).long()
    model = Classifier(4, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
    loss = torch.zeros(())
    for _ in range(3):
        for x, y in batches(features, labels):
            loss = nn.functional.cross_entropy(model(x), y)
            assert_type(loss, Tensor)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        schedule.step()
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model.state_dict(), Path(folder) / "model.pt")
        model.load_state_dict(torch.load(Path(folder) / "model.pt"))
    return accuracy(model, features, labels)


def derivatives() -> None:
    x = torch.ones(3, requires_grad=True)
    Square.apply(x).sum().backward()
    grad = x.grad
    assert_type(grad, Tensor | None)
    assert grad is not None
    with torch.no_grad():
        x -= 0.1 * grad
    assert x.grad_fn is None
    assert_type(torch.nn.functional.relu(x), Tensor)
    assert_type(torch.func.grad(lambda t: t.sin().sum())(x), Any)


if __name__ == "__main__":
    operators()
    derivatives()
    print(rushlight.__version__, 0.0 <= train() <= 1.0)
