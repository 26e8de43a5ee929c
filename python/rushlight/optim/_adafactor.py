"""Adafactor: second moments kept as row and column averages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor

from .optimizer import (
    Optimizer,
    ParamsT,
    _check_lr,
    _new_step,
    _run_closure,
    _to_scalar,
)

__all__ = ["Adafactor", "adafactor"]


class Adafactor(Optimizer):
    """Adaptive steps with memory for a row and a column per matrix instead of the whole.

    Shazeer and Stern, Adafactor: Adaptive Learning Rates with Sublinear Memory Cost (2018).

    >>> import rushlight
    >>> w = rushlight.ones(2, 3, requires_grad=True)
    >>> optimizer = Adafactor([w])
    >>> w.sum().backward()
    >>> optimizer.step()
    >>> sorted(optimizer.state[w])
    ['col_var', 'row_var', 'step']
    """

    _added_options = {"foreach": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        _check_lr(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        defaults = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    @rushlight.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; `closure` recomputes the loss, which is returned."""
        loss = _run_closure(closure)
        for group in self.param_groups:
            if any(p.grad is not None and p.is_complex() for p in group["params"]):
                raise RuntimeError("Adafactor does not support complex parameters")
            params, grads, states = self._ready(group, _new_state)
            eps1, eps2 = group["eps"]
            adafactor(
                params,
                grads,
                [s.get("row_var") for s in states],
                [s.get("col_var") for s in states],
                [s.get("variance") for s in states],
                [s["step"] for s in states],
                foreach=group["foreach"],
                d=group["d"],
                lr=group["lr"],
                beta2_decay=group["beta2_decay"],
                weight_decay=group["weight_decay"],
                eps1=eps1,
                eps2=eps2,
                maximize=group["maximize"],
            )
        return loss


def _new_state(p: Tensor) -> dict[str, Any]:
    state: dict[str, Any] = {"step": _new_step()}
    grad = p.grad
    assert grad is not None
    if grad.dim() > 1:
        rows, columns = list(grad.shape), list(grad.shape)
        rows[-1] = 1
        columns[-2] = 1
        state["row_var"] = grad.new_zeros(rows)
        state["col_var"] = grad.new_zeros(columns)
    else:
        state["variance"] = rushlight.zeros_like(grad, memory_format=rushlight.preserve_format)
    return state


def adafactor(
    params: list[Tensor],
    grads: list[Tensor],
    row_vars: list[Tensor | None],
    col_vars: list[Tensor | None],
    variances: list[Tensor | None],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_complex: bool = False,
    *,
    d: float,
    lr: float | Tensor,
    beta2_decay: float,
    weight_decay: float,
    eps1: float | None,
    eps2: float,
    maximize: bool,
) -> None:
    """One step of Adafactor over all parameters."""
    rate: Any = _to_scalar(lr)
    for i, param in enumerate(params):
        grad = -grads[i] if maximize else grads[i]
        smallest = rushlight.finfo(param.dtype).eps if eps1 is None else eps1
        step_t = state_steps[i]
        step_t += 1
        step = step_t.item()
        one_minus_beta2 = step**beta2_decay
        rho = min(rate, 1 / (step**0.5))
        alpha = max(eps2, param.norm(2).item() / (param.numel() ** 0.5)) * rho
        if weight_decay != 0:
            param.mul_(1 - rate * weight_decay)
        if grad.dim() > 1:
            row_var, col_var = row_vars[i], col_vars[i]
            if row_var is None or col_var is None:
                raise ValueError("adafactor: matrices need row_var and col_var in their state")
            row_mean = rushlight.norm(grad, dim=-1, keepdim=True).square_()
            row_var.lerp_(row_mean.div_(grad.size(-1)), one_minus_beta2)
            col_mean = rushlight.norm(grad, dim=-2, keepdim=True).square_()
            col_var.lerp_(col_mean.div_(grad.size(-2)), one_minus_beta2)
            estimate = row_var @ col_var
            estimate.div_(row_var.mean(dim=-2, keepdim=True).clamp_(min=smallest))
        else:
            variance = variances[i]
            if variance is None:
                raise ValueError("adafactor: vectors need variance in their state")
            variance.lerp_(grad.square(), one_minus_beta2)
            estimate = variance.clone()
        update = estimate.clamp_(min=smallest * smallest).rsqrt_()
        update.mul_(grad)
        clip = max(1.0, update.norm(2).item() / ((update.numel() ** 0.5) * d))
        param.add_(update, alpha=-alpha / clip)
