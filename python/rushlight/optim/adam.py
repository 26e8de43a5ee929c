"""Adam: steps scaled by running moments of the gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight._C import _fused_adam_

from .optimizer import (
    Optimizer,
    ParamsT,
    _are_numbers,
    _check_fused,
    _check_options,
    _get_value,
    _new_step,
    _real,
    _run_closure,
    _to_scalar,
    _use_grad_for_differentiable,
    _zeros_like,
)

__all__ = ["Adam", "adam"]


class Adam(Optimizer):
    """Adam, with decay added to the gradient, or to the weight by `decoupled_weight_decay`.

    Kingma and Ba, Adam: A Method for Stochastic Optimization (2014); `amsgrad`: Reddi et al. (2018).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = Adam([w], lr=0.1)
    >>> (3 * w).backward()
    >>> optimizer.step()
    >>> round(w.item(), 4)
    0.9
    """

    _added_options = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "fused": None,
    }

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor):
            if foreach and not capturable:
                raise ValueError(
                    "lr as a Tensor is not supported for capturable=False and foreach=True"
                )
        _check_options(lr, betas, eps=eps, weight_decay=weight_decay)
        _check_tensor_betas(betas, capturable, foreach)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)
        _check_fused(fused, foreach, differentiable)

    def _sparse_message(self) -> str:
        return "Adam does not support sparse gradients, please consider SparseAdam instead"

    @_use_grad_for_differentiable
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; `closure` recomputes the loss, which is returned."""
        loss = _run_closure(closure)
        for group in self.param_groups:
            amsgrad = group["amsgrad"]

            def new_state(p: Tensor, amsgrad: bool = amsgrad) -> dict[str, Any]:
                state = {
                    "step": _new_step(),
                    "exp_avg": _zeros_like(p),
                    "exp_avg_sq": _zeros_like(p),
                }
                if amsgrad:
                    state["max_exp_avg_sq"] = _zeros_like(p)
                return state

            params, grads, states = self._ready(group, new_state)
            beta1, beta2 = group["betas"]
            adam(
                params,
                grads,
                [s["exp_avg"] for s in states],
                [s["exp_avg_sq"] for s in states],
                [s["max_exp_avg_sq"] for s in states] if amsgrad else [],
                [s["step"] for s in states],
                amsgrad=amsgrad,
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                weight_decay=group["weight_decay"],
                eps=group["eps"],
                maximize=group["maximize"],
                foreach=group["foreach"],
                capturable=group["capturable"],
                differentiable=group["differentiable"],
                fused=group["fused"],
                decoupled_weight_decay=group["decoupled_weight_decay"],
            )
        return loss


def _check_tensor_betas(betas: Any, capturable: bool, foreach: bool | None) -> None:
    """Betas are both numbers or both one-element tensors."""
    kinds = [isinstance(beta, Tensor) for beta in betas]
    if any(kinds) and not all(kinds):
        raise ValueError("betas must be either both floats or both Tensors")
    if not any(kinds):
        return
    for i, beta in enumerate(betas):
        if not capturable and foreach:
            raise ValueError(
                f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True"
            )
        if beta.numel() != 1:
            raise ValueError(f"Tensor betas[{i}] must be 1-element")


def adam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    max_exp_avg_sqs: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_complex: bool = False,
    decoupled_weight_decay: bool = False,
    *,
    amsgrad: bool,
    beta1: float | Tensor,
    beta2: float | Tensor,
    lr: float | Tensor,
    weight_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """One step of Adam over all parameters; the moments and step counters change in place."""
    lr, beta1, beta2 = _to_scalar(lr), _to_scalar(beta1), _to_scalar(beta2)
    numbers = (lr, beta1, beta2, weight_decay, eps)
    plain = not differentiable and _are_numbers(*numbers)
    if plain and _fused_adam_(
        params,
        grads,
        exp_avgs,
        exp_avg_sqs,
        max_exp_avg_sqs if amsgrad else [],
        state_steps,
        *numbers,
        maximize,
        decoupled_weight_decay,
    ):
        return
    for i, param in enumerate(params):
        grad = -grads[i] if maximize else grads[i]
        exp_avg, exp_avg_sq, step_t = exp_avgs[i], exp_avg_sqs[i], state_steps[i]
        step_t += 1
        if weight_decay != 0:
            if decoupled_weight_decay:
                param.mul_(1 - lr * weight_decay)
            elif isinstance(weight_decay, Tensor) and weight_decay.requires_grad:
                grad = grad.addcmul(param.clone(), weight_decay)
            else:
                grad = grad.add(param, alpha=weight_decay)
        param, grad = _real(param), _real(grad)
        exp_avg, exp_avg_sq = _real(exp_avg), _real(exp_avg_sq)
        exp_avg.lerp_(grad, 1 - beta1)
        if differentiable and isinstance(beta2, Tensor) and beta2.requires_grad:
            exp_avg_sq.lerp_(grad.square(), 1 - beta2)
        else:
            exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if differentiable:
            largest = _real(max_exp_avg_sqs[i]) if amsgrad else None
            _recorded_change(param, exp_avg, exp_avg_sq, largest, step_t, beta1, beta2, lr, eps)
            continue
        step = _get_value(step_t)
        bias_correction1 = 1 - beta1**step
        bias_correction2 = 1 - beta2**step
        step_size = lr / bias_correction1
        bias_correction2_sqrt = bias_correction2**0.5
        if amsgrad:
            largest = _real(max_exp_avg_sqs[i])
            rushlight.maximum(largest, exp_avg_sq, out=largest)
            denom = (largest.sqrt() / bias_correction2_sqrt).add_(eps)
        else:
            denom = (exp_avg_sq.sqrt() / bias_correction2_sqrt).add_(eps)
        param.addcdiv_(exp_avg, denom, value=-step_size)


def _recorded_change(
    param: Tensor,
    exp_avg: Tensor,
    exp_avg_sq: Tensor,
    largest: Tensor | None,
    step: Tensor,
    beta1: Any,
    beta2: Any,
    lr: Any,
    eps: float,
) -> None:
    """The change of a parameter with every factor kept in the graph."""
    bias_correction1 = 1 - beta1**step
    bias_correction2 = 1 - beta2**step
    negative_step_size = (lr / bias_correction1).neg()
    root = bias_correction2.sqrt()
    if largest is not None:
        largest.copy_(rushlight.maximum(largest.clone(), exp_avg_sq))
        second = largest
    else:
        second = exp_avg_sq
    denom = (second.sqrt() / (root * negative_step_size)).add_(eps / negative_step_size)
    param.addcdiv_(exp_avg, denom)
