"""GradScaler: scales the loss so that small gradients survive in half precision."""

from __future__ import annotations

import inspect
import warnings
from collections import defaultdict
from enum import Enum
from typing import Any

import rushlight
from rushlight import Tensor

__all__ = ["GradScaler", "OptState"]


class OptState(Enum):
    """What has happened to an optimizer since the last `update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _refresh_per_optimizer_state() -> dict[str, Any]:
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Multiplies losses by a scale and divides gradients by it before the optimizer steps.

    A step with infinite or NaN gradients is left out and the scale multiplied by `backoff_factor`;
    after `growth_interval` good steps in a row it is multiplied by `growth_factor`.

    >>> import rushlight
    >>> w = rushlight.ones(1, requires_grad=True)
    >>> optimizer = rushlight.optim.SGD([w], lr=0.5)
    >>> scaler = GradScaler("cpu", init_scale=4.0)
    >>> scaler.scale(w.sum()).backward()
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> w.item()
    0.5
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if enabled and device != "cpu":
            warnings.warn(
                f"GradScaler is enabled, but {device.upper()} is not available. Disabling.",
                stacklevel=2,
            )
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._scale: Tensor | None = None
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        self._growth_tracker: Tensor | None = None
        self._per_optimizer_states: dict[int, dict[str, Any]] = defaultdict(
            _refresh_per_optimizer_state
        )

    def _check_scale_growth_tracker(self, funcname: str) -> tuple[Tensor, Tensor]:
        if self._scale is None or self._growth_tracker is None:
            raise AssertionError(
                f"Attempted {funcname} but _scale is None.  This may indicate your script did "
                "not use scaler.scale(loss or outputs) earlier in the iteration."
            )
        return self._scale, self._growth_tracker

    def _lazy_init_scale_growth_tracker(self) -> None:
        self._scale = rushlight.full((), self._init_scale, dtype=rushlight.float32)
        self._growth_tracker = rushlight.full((), self._init_growth_tracker, dtype=rushlight.int32)

    def scale(self, outputs: Any) -> Any:
        """The tensor, or all tensors of nested sequences, times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._lazy_init_scale_growth_tracker()
            assert self._scale is not None
            return outputs * self._scale
        if isinstance(outputs, (list, tuple)):
            scaled = [self.scale(value) for value in outputs]
            return type(outputs)(scaled)
        if hasattr(outputs, "__iter__") and not isinstance(outputs, (str, bytes)):
            return map(self.scale, outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _unscale_grads_(
        self, optimizer: Any, inv_scale: Tensor, found_inf: Tensor, allow_fp16: bool
    ) -> dict[Any, Tensor]:
        grads = []
        for group in optimizer.param_groups:
            for grad in (param.grad for param in group["params"] if param.grad is not None):
                if not allow_fp16 and grad.dtype == rushlight.float16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                grads.append(grad._values() if grad.is_sparse else grad)
        rushlight._amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inv_scale)
        return {rushlight.device("cpu"): found_inf} if grads else {}

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer by the scale now, e.g. to clip them."""
        if not self._enabled:
            return
        scale, _ = self._check_scale_growth_tracker("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inv_scale = scale.double().reciprocal().float()
        found_inf = rushlight.full((), 0.0, dtype=rushlight.float32)
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, inv_scale, found_inf, False)
        state["stage"] = OptState.UNSCALED

    def _maybe_opt_step(
        self, optimizer: Any, state: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        if not sum(v.item() for v in state["found_inf_per_device"].values()):
            return optimizer.step(*args, **kwargs)
        return None

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Unscale, if that has not been done, and step unless a gradient is infinite or NaN."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        scale, _ = self._check_scale_growth_tracker("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            result = self._scaled_step(optimizer, state, scale, *args, **kwargs)
            state["stage"] = OptState.STEPPED
            return result
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = self._maybe_opt_step(optimizer, state, *args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def _scaled_step(
        self, optimizer: Any, state: dict[str, Any], scale: Tensor, *args: Any, **kwargs: Any
    ) -> Any:
        """Let an optimizer that can do so unscale the gradients itself."""
        if state["stage"] is OptState.READY:
            self._check_inf_per_device(optimizer)
        found_inf = rushlight.full((), 0.0, dtype=rushlight.float32)
        for value in state["found_inf_per_device"].values():
            found_inf += value
        grad_scale = None if state["stage"] is OptState.UNSCALED else scale
        if "grad_scaler" in inspect.signature(optimizer.step).parameters:
            return optimizer.step(*args, **kwargs, grad_scaler=self)
        optimizer.grad_scale = grad_scale
        optimizer.found_inf = found_inf
        result = optimizer.step(*args, **kwargs)
        del optimizer.grad_scale
        del optimizer.found_inf
        return result

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Adjust the scale by what the steps since the last call have found, or set it."""
        if not self._enabled:
            return
        scale, tracker = self._check_scale_growth_tracker("update")
        if new_scale is not None:
            self._set_scale(new_scale)
        else:
            found = [
                value
                for state in self._per_optimizer_states.values()
                for value in state["found_inf_per_device"].values()
            ]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            rushlight._amp_update_scale_(
                scale, tracker, sum(found), self._growth_factor, self._backoff_factor, self._growth_interval
            )
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _set_scale(self, new_scale: float | Tensor) -> None:
        if isinstance(new_scale, float):
            self._scale.fill_(new_scale)  # type: ignore[union-attr]
            return
        if not isinstance(new_scale, Tensor) or new_scale.numel() != 1 or new_scale.requires_grad:
            raise AssertionError(
                "new_scale should be a float or a 1-element float tensor with requires_grad=False."
            )
        self._scale.copy_(new_scale)  # type: ignore[union-attr]

    def get_scale(self) -> float:
        """The scale; 1.0 when disabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def get_growth_factor(self) -> float:
        """The factor after enough good steps."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set the factor after enough good steps."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """The factor after a bad step."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set the factor after a bad step."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """How many good steps it takes to grow."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set how many good steps it takes to grow."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        if self._growth_tracker is None:
            return self._init_growth_tracker
        return int(self._growth_tracker.item())

    def is_enabled(self) -> bool:
        """Whether this scaler does anything."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """Scale, factors and counter; empty when disabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict()` returned; does nothing when disabled."""
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._growth_tracker is not None:
            self._growth_tracker.fill_(state_dict["_growth_tracker"])

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, "
                    "or at the end after scaler.update()."
                )
            state["_init_scale"] = self.get_scale()
            state["_init_growth_tracker"] = self._get_growth_tracker()
            state["_scale"] = None
            state["_growth_tracker"] = None
        return state

    def _check_inf_per_device(self, optimizer: Any) -> Any:
        self._check_scale_growth_tracker("_check_inf_per_device")
        one = rushlight.full((), 1.0, dtype=rushlight.float32)
        found_inf = rushlight.full((), 0.0, dtype=rushlight.float32)
        state = self._per_optimizer_states[id(optimizer)]
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, one, found_inf, True)
        return state["found_inf_per_device"]

    def _found_inf_per_device(self, optimizer: Any) -> Any:
        return self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]
