"""Rprop: steps that depend on the signs of gradients only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight._C import _fused_rprop_

from .optimizer import (
    Optimizer,
    ParamsT,
    _are_numbers,
    _check_options,
    _new_step,
    _real,
    _run_closure,
    _use_grad_for_differentiable,
    _zeros_like,
)

__all__ = ["Rprop", "rprop"]


class Rprop(Optimizer):
    """Resilient backpropagation: a step per element grows while its gradient keeps its sign.

    Riedmiller and Braun, A direct adaptive method for faster backpropagation learning (1993).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = Rprop([w], lr=0.1)
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
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        _check_options(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
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
        for group in self.param_groups:
            lr = group["lr"]

            def new_state(p: Tensor, lr: Any = lr) -> dict[str, Any]:
                start = complex(lr, lr) if p.is_complex() else lr
                assert p.grad is not None
                return {
                    "step": _new_step(),
                    "prev": _zeros_like(p),
                    "step_size": rushlight.full_like(p.grad, start),
                }

            params, grads, states = self._ready(group, new_state)
            etaminus, etaplus = group["etas"]
            smallest, largest = group["step_sizes"]
            rprop(
                params,
                grads,
                [s["prev"] for s in states],
                [s["step_size"] for s in states],
                [s["step"] for s in states],
                foreach=group["foreach"],
                capturable=group["capturable"],
                maximize=group["maximize"],
                differentiable=group["differentiable"],
                step_size_min=smallest,
                step_size_max=largest,
                etaminus=etaminus,
                etaplus=etaplus,
            )
        return loss


def rprop(
    params: list[Tensor],
    grads: list[Tensor],
    prevs: list[Tensor],
    step_sizes: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    capturable: bool = False,
    maximize: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    step_size_min: float,
    step_size_max: float,
    etaminus: float,
    etaplus: float,
) -> None:
    """One step of Rprop over all parameters."""
    numbers = (etaminus, etaplus, step_size_min, step_size_max)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_rprop_(params, grads, prevs, step_sizes, state_steps, *numbers, maximize)
    ):
        return
    for i, param in enumerate(params):
        grad = -grads[i] if maximize else grads[i]
        step_t = state_steps[i]
        step_t += 1
        param, grad = _real(param), _real(grad)
        prev, step_size = _real(prevs[i]), _real(step_sizes[i])
        agreement = grad.mul(prev.clone() if differentiable else prev).sign()
        turned = agreement < 0
        factor = agreement.masked_fill(agreement > 0, etaplus)
        factor = factor.masked_fill(turned, etaminus).masked_fill(agreement == 0, 1)
        step_size.mul_(factor).clamp_(step_size_min, step_size_max)
        # Where the sign has turned, this step is skipped and the next one starts afresh.
        grad = grad.masked_fill(turned, 0)
        param.addcmul_(grad.sign(), step_size, value=-1)
        prev.copy_(grad)
