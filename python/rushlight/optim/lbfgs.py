"""LBFGS: a quasi-Newton method with limited memory and a strong Wolfe line search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor

from .optimizer import Optimizer, ParamsT, _check_options

__all__ = ["LBFGS"]


def _cubic_interpolate(
    x1: Any,
    f1: Any,
    g1: Any,
    x2: Any,
    f2: Any,
    g2: Any,
    bounds: tuple[Any, Any] | None = None,
) -> Any:
    """Where the cubic through two points with their slopes has its minimum, kept in `bounds`.

    Nocedal and Wright, Numerical Optimization (2006), equation 3.59.
    """
    low, high = bounds if bounds is not None else ((x1, x2) if x1 <= x2 else (x2, x1))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    d2 = square.sqrt() if isinstance(square, Tensor) else square**0.5
    if x1 <= x2:
        position = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        position = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(position, low), high)


def _strong_wolfe(
    evaluate: Callable[[Any, Any, Tensor], tuple[float, Tensor]],
    x: Any,
    t: Any,
    d: Tensor,
    f: float,
    g: Tensor,
    gtd: Tensor,
    c1: float = 1e-4,
    c2: float = 0.9,
    tolerance_change: float = 1e-9,
    max_ls: int = 25,
) -> tuple[float, Tensor, Any, int]:
    """A step along `d` that meets the strong Wolfe conditions: loss, gradient, step, evaluations.

    First the step grows until it brackets such a point, then the bracket is narrowed (Nocedal and
    Wright, algorithms 3.5 and 3.6).
    """
    d_norm = d.abs().max()
    g = g.clone(memory_format=rushlight.contiguous_format)
    f_new, g_new = evaluate(x, t, d)
    evaluations = 1
    gtd_new = g_new.dot(d)
    t_prev, f_prev, g_prev, gtd_prev = 0, f, g, gtd
    done = False
    iteration = 0
    while iteration < max_ls:
        bracketed = f_new > (f + c1 * t * gtd) or (iteration > 1 and f_new >= f_prev)
        if not bracketed and abs(gtd_new) <= -c2 * gtd:
            bracket = [t]
            bracket_f = [f_new]
            bracket_g = [g_new]
            bracket_gtd: list[Any] = []
            done = True
            break
        if bracketed or gtd_new >= 0:
            bracket = [t_prev, t]
            bracket_f = [f_prev, f_new]
            bracket_g = [
                g_prev,
                g_new.clone(memory_format=rushlight.contiguous_format),
            ]
            bracket_gtd = [gtd_prev, gtd_new]
            break
        smallest = t + 0.01 * (t - t_prev)
        largest = t * 10
        before = t
        t = _cubic_interpolate(
            t_prev,
            f_prev,
            gtd_prev,
            t,
            f_new,
            gtd_new,
            bounds=(smallest, largest),
        )
        t_prev, f_prev, gtd_prev = before, f_new, gtd_new
        g_prev = g_new.clone(memory_format=rushlight.contiguous_format)
        f_new, g_new = evaluate(x, t, d)
        evaluations += 1
        gtd_new = g_new.dot(d)
        iteration += 1
    if iteration == max_ls:
        bracket = [0, t]
        bracket_f = [f, f_new]
        bracket_g = [g, g_new]
        bracket_gtd = []

    stalled = False
    low, high = (0, 1) if bracket_f[0] <= bracket_f[-1] else (1, 0)
    while not done and iteration < max_ls:
        if abs(bracket[1] - bracket[0]) * d_norm < tolerance_change:
            break
        t = _cubic_interpolate(
            bracket[0],
            bracket_f[0],
            bracket_gtd[0],
            bracket[1],
            bracket_f[1],
            bracket_gtd[1],
        )
        # A point within a tenth of an end, twice or outside, is moved to a tenth of the width.
        margin = 0.1 * (max(bracket) - min(bracket))
        if min(max(bracket) - t, t - min(bracket)) < margin:
            if stalled or t >= max(bracket) or t <= min(bracket):
                if abs(t - max(bracket)) < abs(t - min(bracket)):
                    t = max(bracket) - margin
                else:
                    t = min(bracket) + margin
                stalled = False
            else:
                stalled = True
        else:
            stalled = False
        f_new, g_new = evaluate(x, t, d)
        evaluations += 1
        gtd_new = g_new.dot(d)
        iteration += 1
        if f_new > (f + c1 * t * gtd) or f_new >= bracket_f[low]:
            bracket[high] = t
            bracket_f[high] = f_new
            bracket_g[high] = g_new.clone(memory_format=rushlight.contiguous_format)
            bracket_gtd[high] = gtd_new
            low, high = (0, 1) if bracket_f[0] <= bracket_f[1] else (1, 0)
            continue
        if abs(gtd_new) <= -c2 * gtd:
            done = True
        elif gtd_new * (bracket[high] - bracket[low]) >= 0:
            bracket[high] = bracket[low]
            bracket_f[high] = bracket_f[low]
            bracket_g[high] = bracket_g[low]
            bracket_gtd[high] = bracket_gtd[low]
        bracket[low] = t
        bracket_f[low] = f_new
        bracket_g[low] = g_new.clone(memory_format=rushlight.contiguous_format)
        bracket_gtd[low] = gtd_new
    return bracket_f[low], bracket_g[low], bracket[low], evaluations


class LBFGS(Optimizer):
    """Limited-memory BFGS; `step` needs a closure that recomputes loss and gradients.

    Liu and Nocedal, On the limited memory BFGS method (1989). `line_search_fn` is None or
    "strong_wolfe". One parameter group only.

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = (w - 3).square().sum()
    ...     loss.backward()
    ...     return loss
    >>> loss = optimizer.step(closure)
    >>> round(w.item(), 3)
    3.0
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        _check_options(lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]
        self._numel_cache: int | None = None

    def _numel(self) -> int:
        if self._numel_cache is None:
            self._numel_cache = sum(
                2 * p.numel() if p.is_complex() else p.numel() for p in self._params
            )
        return self._numel_cache

    def _gather_flat_grad(self) -> Tensor:
        views = []
        for p in self._params:
            if p.grad is None:
                view = p.new_zeros(p.numel())
            elif p.grad.is_sparse:
                view = p.grad.to_dense().view(-1)
            else:
                view = p.grad.reshape(-1)
            if view.is_complex():
                view = rushlight.view_as_real(view).reshape(-1)
            views.append(view)
        return rushlight.cat(views, 0)

    def _add_grad(self, step_size: Any, direction: Tensor) -> None:
        offset = 0
        for p in self._params:
            if p.is_complex():
                p = rushlight.view_as_real(p)
            numel = p.numel()
            p.add_(direction[offset : offset + numel].view_as(p), alpha=step_size)
            offset += numel

    def _clone_param(self) -> list[Tensor]:
        return [p.clone(memory_format=rushlight.contiguous_format) for p in self._params]

    def _set_param(self, values: list[Tensor]) -> None:
        for p, value in zip(self._params, values):
            p.copy_(value)

    def _directional_evaluate(
        self, closure: Callable[[], Any], x: list[Tensor], t: Any, d: Tensor
    ) -> tuple[float, Tensor]:
        self._add_grad(t, d)
        loss = float(closure())
        flat_grad = self._gather_flat_grad()
        self._set_param(x)
        return loss, flat_grad

    @rushlight.no_grad()
    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Iterate until converged or `max_iter`; returns the first loss."""
        closure = rushlight.enable_grad()(closure)
        group = self.param_groups[0]
        lr = group["lr"]
        lr = lr.squeeze() if isinstance(lr, Tensor) else lr
        tolerance_grad, tolerance_change = (
            group["tolerance_grad"],
            group["tolerance_change"],
        )
        line_search_fn = group["line_search_fn"]
        # The state is kept under the first parameter, as files have it.
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        first_loss = closure()
        loss = float(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        flat_grad = self._gather_flat_grad()
        if flat_grad.abs().max() <= tolerance_grad:
            return first_loss

        d, t = state.get("d"), state.get("t")
        old_dirs, old_stps = state.get("old_dirs"), state.get("old_stps")
        ro, h_diag = state.get("ro"), state.get("H_diag")
        prev_flat_grad, prev_loss = state.get("prev_flat_grad"), state.get("prev_loss")

        n_iter = 0
        while n_iter < group["max_iter"]:
            n_iter += 1
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                d = flat_grad.neg()
                old_dirs, old_stps, ro = [], [], []
                h_diag = 1
            else:
                y = flat_grad.sub(prev_flat_grad)
                s = d.mul(t)
                ys = y.dot(s)
                if ys > 1e-10:
                    if len(old_dirs) == group["history_size"]:
                        old_dirs.pop(0)
                        old_stps.pop(0)
                        ro.pop(0)
                    old_dirs.append(y)
                    old_stps.append(s)
                    ro.append(1.0 / ys)
                    h_diag = ys / y.dot(y)
                d = self._two_loop(state, flat_grad, old_dirs, old_stps, ro, h_diag, group)
            if prev_flat_grad is None:
                prev_flat_grad = flat_grad.clone(memory_format=rushlight.contiguous_format)
            else:
                prev_flat_grad.copy_(flat_grad)
            prev_loss = loss

            if state["n_iter"] == 1:
                inverse: Any = 1.0 / flat_grad.abs().sum()
                t = min(1.0, inverse) * lr
            else:
                t = lr
            gtd = flat_grad.dot(d)
            if gtd > -tolerance_change:
                break

            ls_evaluations = 0
            if line_search_fn is not None:
                if line_search_fn != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                x_init = self._clone_param()

                def evaluate(x: Any, t: Any, d: Tensor) -> tuple[float, Tensor]:
                    return self._directional_evaluate(closure, x, t, d)

                loss, flat_grad, t, ls_evaluations = _strong_wolfe(
                    evaluate, x_init, t, d, loss, flat_grad, gtd
                )
                self._add_grad(t, d)
                converged = flat_grad.abs().max() <= tolerance_grad
            else:
                converged = False
                self._add_grad(t, d)
                if n_iter != group["max_iter"]:
                    loss = float(closure())
                    flat_grad = self._gather_flat_grad()
                    converged = flat_grad.abs().max() <= tolerance_grad
                    ls_evaluations = 1
            evaluations += ls_evaluations
            state["func_evals"] += ls_evaluations

            if n_iter == group["max_iter"] or evaluations >= group["max_eval"]:
                break
            if converged or d.mul(t).abs().max() <= tolerance_change:
                break
            if abs(loss - prev_loss) < tolerance_change:
                break

        state["d"] = d
        state["t"] = t
        state["old_dirs"] = old_dirs
        state["old_stps"] = old_stps
        state["ro"] = ro
        state["H_diag"] = h_diag
        state["prev_flat_grad"] = prev_flat_grad
        state["prev_loss"] = prev_loss
        return first_loss

    @staticmethod
    def _two_loop(
        state: dict[str, Any],
        flat_grad: Tensor,
        old_dirs: list[Tensor],
        old_stps: list[Tensor],
        ro: list[Tensor],
        h_diag: Any,
        group: dict[str, Any],
    ) -> Tensor:
        """The quasi-Newton direction from the kept pairs (Nocedal and Wright, algorithm 7.4)."""
        count = len(old_dirs)
        if "al" not in state:
            state["al"] = [None] * group["history_size"]
        al = state["al"]
        q = flat_grad.neg()
        for i in range(count - 1, -1, -1):
            al[i] = old_stps[i].dot(q) * ro[i]
            q.add_(old_dirs[i], alpha=-al[i])
        direction = rushlight.mul(q, h_diag)
        for i in range(count):
            beta = old_dirs[i].dot(direction) * ro[i]
            direction.add_(old_stps[i], alpha=al[i] - beta)
        return direction
