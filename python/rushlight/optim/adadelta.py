"""Adadelta: steps in units of recent changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight._C import _fused_adadelta_

from .optimizer import (
    Optimizer,
    ParamsT,
    _are_numbers,
    _check_options,
    _new_step,
    _real,
    _run_closure,
    _to_scalar,
    _use_grad_for_differentiable,
    _zeros_like,
)

__all__ = ["Adadelta", "adadelta"]


class Adadelta(Optimizer):
    """Scales each gradient by the ratio of recent changes to recent gradients.

    Zeiler, ADADELTA: An Adaptive Learning Rate Method (2012).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = Adadelta([w])
    >>> w.backward()
    >>> optimizer.step()
    >>> w.item() < 1
    True
    """

    _added_options = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        _check_options(lr, eps=eps, weight_decay=weight_decay)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    @_use_grad_for_differentiable
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; `closure` recomputes the loss, which is returned."""
        loss = _run_closure(closure)

        def new_state(p: Tensor) -> dict[str, Any]:
            return {
                "step": _new_step(),
                "square_avg": _zeros_like(p),
                "acc_delta": _zeros_like(p),
            }

        for group in self.param_groups:
            params, grads, states = self._ready(group, new_state)
            adadelta(
                params,
                grads,
                [s["square_avg"] for s in states],
                [s["acc_delta"] for s in states],
                [s["step"] for s in states],
                capturable=group["capturable"],
                foreach=group["foreach"],
                differentiable=group["differentiable"],
                lr=group["lr"],
                rho=group["rho"],
                eps=group["eps"],
                weight_decay=group["weight_decay"],
                maximize=group["maximize"],
            )
        return loss


def adadelta(
    params: list[Tensor],
    grads: list[Tensor],
    square_avgs: list[Tensor],
    acc_deltas: list[Tensor],
    state_steps: list[Tensor],
    capturable: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    rho: float,
    eps: float,
    weight_decay: float,
    maximize: bool,
) -> None:
    """One step of Adadelta over all parameters."""
    lr = _to_scalar(lr)
    numbers = (lr, rho, eps, weight_decay)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_adadelta_(params, grads, square_avgs, acc_deltas, state_steps, *numbers, maximize)
    ):
        return
    for i, param in enumerate(params):
        step_t = state_steps[i]
        step_t += 1
        grad = -grads[i] if maximize else grads[i]
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        grad = _real(grad)
        square_avg, acc_delta = _real(square_avgs[i]), _real(acc_deltas[i])
        square_avg.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        std = square_avg.add(eps).sqrt_()
        delta = acc_delta.add(eps).sqrt_()
        if differentiable:
            delta = delta.clone()
        delta.div_(std).mul_(grad)
        acc_delta.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        if param.is_complex():
            delta = rushlight.view_as_complex(delta)
        param.add_(delta, alpha=-lr)
