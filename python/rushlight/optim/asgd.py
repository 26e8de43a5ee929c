"""ASGD: stochastic gradient descent that also keeps the average of its path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight._C import _fused_asgd_

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

__all__ = ["ASGD", "asgd"]


class ASGD(Optimizer):
    """Gradient descent with averaged weights in `state[p]["ax"]`.

    Polyak and Juditsky, Acceleration of stochastic approximation by averaging (1992).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = ASGD([w], lr=0.1)
    >>> w.backward()
    >>> optimizer.step()
    >>> round(w.item(), 3)
    0.9
    """

    _added_options = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }
    _tensor_entries = ("step", "eta", "mu")

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        _check_options(lr, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
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
        for group in self.param_groups:
            lr = group["lr"]

            def new_state(p: Tensor, lr: Any = lr) -> dict[str, Any]:
                dtype = _get_scalar_dtype()
                return {
                    "step": _new_step(),
                    "eta": rushlight.tensor(float(lr), dtype=dtype).clone().detach(),
                    "mu": rushlight.ones((), dtype=dtype),
                    "ax": _zeros_like(p),
                }

            params, grads, states = self._ready(group, new_state)
            asgd(
                params,
                grads,
                [s["ax"] for s in states],
                [s["mu"] for s in states],
                [s["eta"] for s in states],
                [s["step"] for s in states],
                foreach=group["foreach"],
                maximize=group["maximize"],
                differentiable=group["differentiable"],
                capturable=group["capturable"],
                lambd=group["lambd"],
                lr=lr,
                t0=group["t0"],
                alpha=group["alpha"],
                weight_decay=group["weight_decay"],
            )
        return loss


def asgd(
    params: list[Tensor],
    grads: list[Tensor],
    axs: list[Tensor],
    mus: list[Tensor],
    etas: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lambd: float,
    lr: float,
    t0: float,
    alpha: float,
    weight_decay: float,
) -> None:
    """One step of ASGD over all parameters."""
    lr = _to_scalar(lr)
    numbers = (lr, lambd, alpha, t0, weight_decay)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_asgd_(params, grads, axs, mus, etas, state_steps, *numbers, maximize)
    ):
        return
    for i, param in enumerate(params):
        grad = -grads[i] if maximize else grads[i]
        mu, eta, step_t = mus[i], etas[i], state_steps[i]
        param, grad, ax = _real(param), _real(grad), _real(axs[i])
        step_t += 1
        step = _get_value(step_t)
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        rate = _get_value(eta)
        param.mul_(1 - lambd * rate)
        param.add_(grad, alpha=-rate)
        if mu.item() != 1:
            ax.add_(param.sub(ax).mul_(mu))
        else:
            ax.copy_(param)
        eta.copy_(_scalar(lr / ((1 + lambd * lr * step) ** alpha)))
        mu.copy_(_scalar(1 / max(1, step - t0)))


def _scalar(value: Any) -> Tensor:
    """A coefficient rounded as it is kept, whatever the dtype of the tensor it goes into."""
    if isinstance(value, Tensor):
        return value
    return rushlight.tensor(value, dtype=_get_scalar_dtype())
