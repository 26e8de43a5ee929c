"""`Variable`: an old name of Tensor, of which every tensor is an instance."""

from __future__ import annotations

from .. import _C
from .._backward_pass import queue_callback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor


class _Engine:
    """The engine that runs backward, under its old name `Variable._execution_engine`."""

    def queue_callback(self, callback: Any) -> None:
        """Call `callback()` when the backward pass now running ends."""
        queue_callback(callback)

    def run_backward(self, *args: Any, **kwargs: Any) -> Any:
        """See `torch.autograd.backward`."""
        return _C._run_backward(*args, **kwargs)

    def is_checkpoint_valid(self) -> bool:
        """Whether the backward pass now running computes the gradients of all leaves."""
        return _C._is_checkpoint_valid()


class _VariableMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _C.Tensor)

    def __call__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Tensor:
        if data is None:
            data = _C._VariableFunctions.empty(0)
        made = data.detach()
        return made.requires_grad_() if requires_grad else made


class Variable(metaclass=_VariableMeta):
    """`Variable(tensor, requires_grad=False)` is a tensor over the same memory."""

    _execution_engine = _Engine()
