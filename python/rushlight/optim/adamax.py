"""Adamax: Adam with the infinity norm as its second moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight._C import _fused_adamax_

from .optimizer import (
    Optimizer,
    ParamsT,
    _are_numbers,
    _check_options,
    _get_value,
    _new_step,
    _real,
    _run_closure,
    _to_scalar,
    _use_grad_for_differentiable,
    _zeros_like,
)

__all__ = ["Adamax", "adamax"]


class Adamax(Optimizer):
    """Adam whose second moment is the largest recent gradient.

    Kingma and Ba, Adam: A Method for Stochastic Optimization (2014), section 7.1.

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = Adamax([w], lr=0.1)
    >>> w.backward()
    >>> optimizer.step()
    >>> round(w.item(), 4)
    0.9
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
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        _check_options(lr, betas, eps=eps, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    @_use_grad_for_differentiable
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; `closure` recomputes the loss, which is returned."""
        loss = _run_closure(closure)

        def new_state(p: Tensor) -> dict[str, Any]:
            return {
                "step": _new_step(),
                "exp_avg": _zeros_like(p),
                "exp_inf": _zeros_like(p),
            }

        for group in self.param_groups:
            params, grads, states = self._ready(group, new_state)
            beta1, beta2 = group["betas"]
            adamax(
                params,
                grads,
                [s["exp_avg"] for s in states],
                [s["exp_inf"] for s in states],
                [s["step"] for s in states],
                foreach=group["foreach"],
                maximize=group["maximize"],
                differentiable=group["differentiable"],
                capturable=group["capturable"],
                eps=group["eps"],
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                weight_decay=group["weight_decay"],
            )
        return loss


def adamax(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_infs: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
) -> None:
    """One step of Adamax over all parameters."""
    lr = _to_scalar(lr)
    numbers = (lr, beta1, beta2, weight_decay, eps)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_adamax_(params, grads, exp_avgs, exp_infs, [], state_steps, *numbers, maximize, False)
    ):
        return
    for i, param in enumerate(params):
        grad = -grads[i] if maximize else grads[i]
        step_t = state_steps[i]
        step_t += 1
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        param, grad = _real(param), _real(grad)
        exp_avg, exp_inf = _real(exp_avgs[i]), _real(exp_infs[i])
        exp_avg.lerp_(grad, 1 - beta1)
        if differentiable:
            exp_inf.copy_(rushlight.maximum(exp_inf * beta2, grad.abs().add_(eps)))
        else:
            rushlight.maximum(exp_inf.mul_(beta2), grad.abs().add_(eps), out=exp_inf)
        bias_correction = 1 - beta1 ** _get_value(step_t)
        param.addcdiv_(exp_avg, exp_inf, value=-(lr / bias_correction))
