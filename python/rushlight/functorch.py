"""The package `functorch`, from before it was `torch.func`: transforms, and modules as functions of their parameters."""

from __future__ import annotations

import copy

import rushlight

from .func import functional_call, functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap
from .nn import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from . import Tensor


def _detached_copy(model: Module, requires_grad: bool) -> Module:
    copied = copy.deepcopy(model)
    for parameter in copied.parameters():
        parameter.requires_grad_(requires_grad and parameter.requires_grad)
    return copied


class FunctionalModuleWithBuffers(Module):
    """Called with parameters, buffers and the arguments of the model; made by `make_functional_with_buffers`."""

    def __init__(self, stateless_model: Module) -> None:
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = [name for name, _ in stateless_model.named_parameters()]
        self.buffer_names = [name for name, _ in stateless_model.named_buffers()]

    def forward(self, params: Sequence[Tensor], buffers: Sequence[Tensor], *args: Any, **kwargs: Any) -> Any:
        """The model's output, computed with the parameters and buffers given."""
        state = dict(zip((*self.param_names, *self.buffer_names), (*params, *buffers)))
        return functional_call(self.stateless_model, state, args, kwargs)


class FunctionalModule(FunctionalModuleWithBuffers):
    """Called with parameters and the arguments of the model; made by `make_functional`."""

    def forward(self, params: Sequence[Tensor], *args: Any, **kwargs: Any) -> Any:
        """The model's output, computed with the parameters given."""
        return super().forward(params, (), *args, **kwargs)


def make_functional_with_buffers(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModuleWithBuffers, tuple[Tensor, ...], tuple[Tensor, ...]]:
    """A copy of the model as a function of parameters and buffers, and the two as tuples.

    Args:
        model: any module; it stays as it is.
        disable_autograd_tracking: the parameters returned require no gradient.
    """
    copied = _detached_copy(model, not disable_autograd_tracking)
    return FunctionalModuleWithBuffers(copied), tuple(copied.parameters()), tuple(copied.buffers())


def make_functional(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModule, tuple[Tensor, ...]]:
    """A copy of a model without buffers as a function of its parameters, and these as a tuple.

    Raises:
        RuntimeError: when the model has buffers.

    >>> layer = rushlight.nn.Linear(2, 1)
    >>> function, weights = make_functional(layer)
    >>> rushlight.equal(function(weights, rushlight.ones(3, 2)), layer(rushlight.ones(3, 2)))
    True
    """
    if any(True for _ in model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    copied = _detached_copy(model, not disable_autograd_tracking)
    return FunctionalModule(copied), tuple(copied.parameters())


def combine_state_for_ensemble(
    models: Sequence[Module],
) -> tuple[FunctionalModuleWithBuffers, tuple[Tensor, ...], tuple[Tensor, ...]]:
    """Models of one kind as one function, with their parameters and buffers stacked, to be run by `vmap`."""
    if not models:
        raise RuntimeError("combine_state_for_ensemble: Expected at least one model, got 0.")
    if any(model.training != models[0].training for model in models):
        raise RuntimeError("combine_state_for_ensemble: Expected all models to have the same training/eval mode.")
    if any(type(model) is not type(models[0]) for model in models):
        raise RuntimeError("combine_state_for_ensemble: Expected all models to be of the same class.")
    functions, params, buffers = zip(*map(make_functional_with_buffers, models))
    stacked = [tuple(rushlight.stack(parts).detach() for parts in zip(*state)) for state in (params, buffers)]
    return functions[0], stacked[0], stacked[1]


__all__ = [
    "FunctionalModule",
    "FunctionalModuleWithBuffers",
    "combine_state_for_ensemble",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "make_functional",
    "make_functional_with_buffers",
    "vjp",
    "vmap",
]
