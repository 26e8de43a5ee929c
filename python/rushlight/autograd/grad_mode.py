"""The gradient modes under the module name `torch.autograd.grad_mode`."""

from __future__ import annotations

from .._grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled", "set_multithreading_enabled"]
