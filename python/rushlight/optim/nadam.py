"""NAdam: Adam with Nesterov momentum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight._C import _fused_nadam_

from .optimizer import (
    Optimizer,
    ParamsT,
    _are_numbers,
    _check_options,
    _get_scalar_dtype,
    _get_value,
    _new_step,
    _real,
    _run_closure,
    _to_scalar,
    _use_grad_for_differentiable,
    _zeros_like,
)

__all__ = ["NAdam", "nadam"]


class NAdam(Optimizer):
    """Adam that looks ahead along its momentum.

    Dozat, Incorporating Nesterov Momentum into Adam (2016).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = NAdam([w], lr=0.1)
    >>> w.backward()
    >>> optimizer.step()
    >>> w.item() < 1
    True
    """

    _added_options = {
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
    }
    _tensor_entries = ("step", "mu_product")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        _check_options(lr, betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
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
                "mu_product": rushlight.ones((), dtype=_get_scalar_dtype()),
                "exp_avg": _zeros_like(p),
                "exp_avg_sq": _zeros_like(p),
            }

        for group in self.param_groups:
            params, grads, states = self._ready(group, new_state)
            beta1, beta2 = group["betas"]
            nadam(
                params,
                grads,
                [s["exp_avg"] for s in states],
                [s["exp_avg_sq"] for s in states],
                [s["mu_product"] for s in states],
                [s["step"] for s in states],
                decoupled_weight_decay=group["decoupled_weight_decay"],
                foreach=group["foreach"],
                capturable=group["capturable"],
                differentiable=group["differentiable"],
                maximize=group["maximize"],
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                weight_decay=group["weight_decay"],
                momentum_decay=group["momentum_decay"],
                eps=group["eps"],
            )
        return loss


def nadam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    mu_products: list[Tensor],
    state_steps: list[Tensor],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
    momentum_decay: float,
    eps: float,
) -> None:
    """One step of NAdam over all parameters."""
    lr = _to_scalar(lr)
    numbers = (lr, beta1, beta2, weight_decay, eps, momentum_decay)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_nadam_(params, grads, exp_avgs, exp_avg_sqs, mu_products, state_steps, *numbers, maximize, decoupled_weight_decay)
    ):
        return
    for i, param in enumerate(params):
        grad = -grads[i] if maximize else grads[i]
        mu_product, step_t = mu_products[i], state_steps[i]
        param, grad = _real(param), _real(grad)
        exp_avg, exp_avg_sq = _real(exp_avgs[i]), _real(exp_avg_sqs[i])
        step_t += 1
        step = _get_value(step_t)
        bias_correction2 = 1 - beta2**step
        if weight_decay != 0:
            if decoupled_weight_decay:
                param.mul_(1 - lr * weight_decay)
            else:
                grad = grad.add(param, alpha=weight_decay)
        mu = beta1 * (1.0 - 0.5 * (0.96 ** (step * momentum_decay)))
        mu_next = beta1 * (1.0 - 0.5 * (0.96 ** ((step + 1) * momentum_decay)))
        mu_product *= mu
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        denom = exp_avg_sq.div(bias_correction2).sqrt()
        if differentiable:
            denom = denom.add(eps)
            mu_product_next = mu_product * mu_next
            grad = grad * (-lr * (1.0 - mu) / (1.0 - mu_product))
            look_ahead = exp_avg * (-lr * mu_next / (1.0 - mu_product_next))
            param.addcdiv_(grad, denom)
            param.addcdiv_(look_ahead, denom)
            continue
        product = _get_value(mu_product)
        denom.add_(eps)
        param.addcdiv_(grad, denom, value=-lr * (1.0 - mu) / (1.0 - product))
        param.addcdiv_(exp_avg, denom, value=(-lr * mu_next) / (1.0 - product * mu_next))
