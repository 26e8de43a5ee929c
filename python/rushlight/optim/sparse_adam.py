"""SparseAdam: Adam that changes only the entries a sparse gradient names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor

from .optimizer import (
    Optimizer,
    ParamsT,
    _check_lr,
    _run_closure,
    _to_scalar,
    _zeros_like,
)

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Lazy Adam for sparse gradients, e.g. of `Embedding(sparse=True)`; dense ones raise."""

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        _check_lr(lr)
        if not 0.0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for i, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        sparse = [
            [g, i]
            for g, group in enumerate(self.param_groups)
            for i, p in enumerate(group["params"])
            if p.is_sparse
        ]
        if sparse:
            raise ValueError(
                f"Sparse params at indices {sparse}: SparseAdam requires dense parameter tensors"
            )

    @rushlight.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; `closure` recomputes the loss, which is returned."""
        loss = _run_closure(closure)
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            lr, eps = _to_scalar(group["lr"]), group["eps"]
            for p in group["params"]:
                grad = p.grad
                if grad is None:
                    continue
                if not grad.is_sparse:
                    raise RuntimeError(
                        "SparseAdam does not support dense gradients, please consider Adam instead"
                    )
                state = self.state[p]
                if not state:
                    state["step"] = 0
                    state["exp_avg"] = _zeros_like(p)
                    state["exp_avg_sq"] = _zeros_like(p)
                state["step"] += 1
                grad = -grad if group.get("maximize", False) else grad
                _lazy_change(p, grad, state, beta1, beta2, lr, eps)
        return loss


def _lazy_change(
    param: Tensor,
    grad: Tensor,
    state: dict[str, Any],
    beta1: float,
    beta2: float,
    lr: Any,
    eps: float,
) -> None:
    """Update both moments and the parameter at the places where `grad` has values."""
    grad = grad.coalesce()
    indices, values, size = grad._indices(), grad._values(), grad.size()
    if values.numel() == 0:
        return

    def sparse(entries: Tensor) -> Tensor:
        return rushlight.sparse_coo_tensor(indices, entries, size)

    exp_avg, exp_avg_sq, step = state["exp_avg"], state["exp_avg_sq"], state["step"]
    old_avg = exp_avg.sparse_mask(grad)._values()
    change_avg = values.sub(old_avg).mul_(1 - beta1)
    exp_avg.add_(sparse(change_avg))
    old_sq = exp_avg_sq.sparse_mask(grad)._values()
    change_sq = values.pow(2).sub_(old_sq).mul_(1 - beta2)
    exp_avg_sq.add_(sparse(change_sq))
    numerator = change_avg.add_(old_avg)
    denominator = change_sq.add_(old_sq).sqrt_().add_(eps)
    step_size = lr * (1 - beta2**step) ** 0.5 / (1 - beta1**step)
    param.add_(sparse(-step_size * numerator.div_(denominator)))
