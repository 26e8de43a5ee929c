"""Functions of functions: gradients, Jacobians, `vmap`, modules as pure functions (`torch.func`)."""

from __future__ import annotations

from .._vmap import vmap
from .functional_call import functional_call, stack_module_state
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
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]
