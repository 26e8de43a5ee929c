"""RMSprop: steps scaled by a running root mean square of the gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rushlight import Tensor
from rushlight._C import _fused_rmsprop_

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

__all__ = ["RMSprop", "rmsprop"]


class RMSprop(Optimizer):
    """Divides the gradient by a running root mean square; `centered` takes the mean off first.

    Hinton, lecture 6e of Neural Networks for Machine Learning (2012); centered: Graves (2013).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = RMSprop([w], lr=0.01)
    >>> w.backward()
    >>> optimizer.step()
    >>> round(w.item(), 4)
    0.9
    """

    _added_options = {
        "momentum": 0,
        "centered": False,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        _check_options(lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    @_use_grad_for_differentiable
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; `closure` recomputes the loss, which is returned."""
        loss = _run_closure(closure)
        for group in self.param_groups:
            momentum, centered = group["momentum"], group["centered"]

            def new_state(
                p: Tensor, momentum: float = momentum, centered: bool = centered
            ) -> dict[str, Any]:
                state = {"step": _new_step(), "square_avg": _zeros_like(p)}
                if momentum > 0:
                    state["momentum_buffer"] = _zeros_like(p)
                if centered:
                    state["grad_avg"] = _zeros_like(p)
                return state

            params, grads, states = self._ready(group, new_state)
            rmsprop(
                params,
                grads,
                [s["square_avg"] for s in states],
                [s["grad_avg"] for s in states] if centered else [],
                [s["momentum_buffer"] for s in states] if momentum > 0 else [],
                [s["step"] for s in states],
                foreach=group["foreach"],
                maximize=group["maximize"],
                differentiable=group["differentiable"],
                capturable=group["capturable"],
                lr=group["lr"],
                alpha=group["alpha"],
                eps=group["eps"],
                weight_decay=group["weight_decay"],
                momentum=momentum,
                centered=centered,
            )
        return loss


def rmsprop(
    params: list[Tensor],
    grads: list[Tensor],
    square_avgs: list[Tensor],
    grad_avgs: list[Tensor],
    momentum_buffer_list: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    alpha: float,
    eps: float,
    weight_decay: float,
    momentum: float,
    centered: bool,
) -> None:
    """One step of RMSprop over all parameters."""
    lr = _to_scalar(lr)
    numbers = (lr, alpha, eps, weight_decay, momentum)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_rmsprop_(
            params,
            grads,
            square_avgs,
            grad_avgs if centered else [],
            momentum_buffer_list if momentum > 0 else [],
            state_steps,
            *numbers,
            maximize,
        )
    ):
        return
    for i, param in enumerate(params):
        step_t = state_steps[i]
        step_t += 1
        grad = -grads[i] if maximize else grads[i]
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        param, grad, square_avg = _real(param), _real(grad), _real(square_avgs[i])
        square_avg.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if centered:
            grad_avg = _real(grad_avgs[i])
            grad_avg.lerp_(grad, 1 - alpha)
            avg = square_avg.addcmul(grad_avg, grad_avg, value=-1).sqrt_()
        else:
            avg = square_avg.sqrt()
        avg = avg.add(eps) if differentiable else avg.add_(eps)
        if momentum > 0:
            buffer = _real(momentum_buffer_list[i])
            buffer.mul_(momentum).addcdiv_(grad, avg)
            param.add_(buffer, alpha=-lr)
        else:
            param.addcdiv_(grad, avg, value=-lr)
