"""Functions of functions: gradients, Jacobians, `vmap`, modules as pure functions (`torch.func`)."""

from __future__ import annotations

from .._vmap import debug_unwrap, vmap
from .batch_norm_replacement import replace_all_batch_norm_modules_
from .functional_call import functional_call, stack_module_state
from .rearrange import rearrange
from .transforms import (
    functionalize,
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    vjp,
)

__all__ = [
    "debug_unwrap",
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "rearrange",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]
