"""RAdam: Adam with rectified variance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rushlight import Tensor
from rushlight._C import _fused_radam_

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

__all__ = ["RAdam", "radam"]


class RAdam(Optimizer):
    """Adam that takes plain momentum steps until its second moment can be trusted.

    Liu et al., On the Variance of the Adaptive Learning Rate and Beyond (2019).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = RAdam([w], lr=0.1)
    >>> w.backward()
    >>> optimizer.step()
    >>> round(w.item(), 4)
    0.9
    """

    _added_options = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "capturable": False,
    }

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        _check_options(lr, betas, eps=eps, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
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
                "exp_avg": _zeros_like(p),
                "exp_avg_sq": _zeros_like(p),
            }

        for group in self.param_groups:
            params, grads, states = self._ready(group, new_state)
            beta1, beta2 = group["betas"]
            radam(
                params,
                grads,
                [s["exp_avg"] for s in states],
                [s["exp_avg_sq"] for s in states],
                [s["step"] for s in states],
                decoupled_weight_decay=group["decoupled_weight_decay"],
                foreach=group["foreach"],
                differentiable=group["differentiable"],
                capturable=group["capturable"],
                maximize=group["maximize"],
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                weight_decay=group["weight_decay"],
                eps=group["eps"],
            )
        return loss


def radam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    state_steps: list[Tensor],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
    eps: float,
) -> None:
    """One step of RAdam over all parameters."""
    lr = _to_scalar(lr)
    numbers = (lr, beta1, beta2, weight_decay, eps)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_radam_(params, grads, exp_avgs, exp_avg_sqs, [], state_steps, *numbers, maximize, decoupled_weight_decay)
    ):
        return
    # Length of the approximated simple moving average in the limit of many steps.
    rho_inf = 2 / (1 - beta2) - 1
    for i, param in enumerate(params):
        grad = -grads[i] if maximize else grads[i]
        step_t = state_steps[i]
        param, grad = _real(param), _real(grad)
        exp_avg, exp_avg_sq = _real(exp_avgs[i]), _real(exp_avg_sqs[i])
        step_t += 1
        step = _get_value(step_t)
        if weight_decay != 0:
            if decoupled_weight_decay:
                param.mul_(1 - lr * weight_decay)
            else:
                grad = grad.add(param, alpha=weight_decay)
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        bias_correction1 = 1 - beta1**step
        bias_correction2 = 1 - beta2**step
        corrected = exp_avg / bias_correction1
        rho_t = rho_inf - 2 * step * (beta2**step) / bias_correction2
        if rho_t > 5.0:
            root = exp_avg_sq.sqrt()
            root = root.add(eps) if differentiable else root.add_(eps)
            adaptive = (bias_correction2**0.5) / root
            rectified = (
                (rho_t - 4) * (rho_t - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho_t)
            ) ** 0.5
            param.add_(corrected * lr * adaptive * rectified, alpha=-1.0)
        else:
            param.add_(corrected * lr, alpha=-1.0)
