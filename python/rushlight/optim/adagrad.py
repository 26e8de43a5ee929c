"""Adagrad: steps scaled by the sum of all squared gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight._C import _fused_adagrad_

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
)

__all__ = ["Adagrad", "adagrad"]


class Adagrad(Optimizer):
    """Gradient descent whose step shrinks with the squared gradients seen so far.

    Duchi, Hazan and Singer, Adaptive Subgradient Methods (2011).

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = Adagrad([w], lr=0.1)
    >>> w.backward()
    >>> optimizer.step()
    >>> round(w.item(), 4)
    0.9
    """

    _added_options = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "fused": None,
    }

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        _check_options(lr, lr_decay=lr_decay, weight_decay=weight_decay, initial_accumulator_value=initial_accumulator_value, eps=eps)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        _check_fused(fused, foreach, differentiable)
        for group in self.param_groups:
            value = group["initial_accumulator_value"]
            for p in group["params"]:
                start = complex(value, value) if p.is_complex() else value
                self.state[p] = {
                    "step": _new_step(),
                    "sum": rushlight.full_like(p, start, memory_format=rushlight.preserve_format),
                }

    def share_memory(self) -> None:
        """Move the state into shared memory, for training by several processes."""
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["sum"].share_memory_()

    @_use_grad_for_differentiable
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; `closure` recomputes the loss, which is returned."""
        loss = _run_closure(closure)
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            grads = [p.grad for p in params]
            adagrad(
                params,
                grads,
                [self.state[p]["sum"] for p in params],
                [self.state[p]["step"] for p in params],
                lr=group["lr"],
                weight_decay=group["weight_decay"],
                lr_decay=group["lr_decay"],
                eps=group["eps"],
                has_sparse_grad=any(g.is_sparse for g in grads),
                foreach=group["foreach"],
                maximize=group["maximize"],
                differentiable=group["differentiable"],
                fused=group["fused"],
            )
        return loss


def adagrad(
    params: list[Tensor],
    grads: list[Tensor],
    state_sums: list[Tensor],
    state_steps: list[Tensor],
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_sparse_grad: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    weight_decay: float,
    lr_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """One step of Adagrad over all parameters."""
    lr = _to_scalar(lr)
    numbers = (lr, lr_decay, eps, weight_decay)
    if (
        not differentiable
        and _are_numbers(*numbers)
        and _fused_adagrad_(params, grads, state_sums, state_steps, *numbers, maximize)
    ):
        return
    for param, grad, state_sum, step_t in zip(params, grads, state_sums, state_steps):
        step_t += 1
        step = _get_value(step_t)
        grad = -grad if maximize else grad
        if weight_decay != 0:
            if grad.is_sparse:
                raise RuntimeError("weight_decay option is not compatible with sparse gradients")
            grad = grad.add(param, alpha=weight_decay)
        rate = lr / (1 + (step - 1) * lr_decay)
        if grad.is_sparse:
            _sparse_change(param, grad, state_sum, rate, eps)
            continue
        param, grad, state_sum = _real(param), _real(grad), _real(state_sum)
        state_sum.addcmul_(grad, grad, value=1)
        root = state_sum.sqrt()
        std = root + eps if differentiable else root.add_(eps)
        param.addcdiv_(grad, std, value=-rate)


def _sparse_change(param: Tensor, grad: Tensor, state_sum: Tensor, rate: float, eps: float) -> None:
    """Change only the entries that the sparse gradient names."""
    grad = grad.coalesce()
    indices, values, size = grad._indices(), grad._values(), grad.size()

    state_sum.add_(rushlight.sparse_coo_tensor(indices, values.pow(2), size))
    std = state_sum.sparse_mask(grad)._values().sqrt_().add_(eps)
    param.add_(rushlight.sparse_coo_tensor(indices, values / std, size), alpha=-rate)
