"""Parameters as one vector, and back."""

from __future__ import annotations

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def _check_param_device(param: Tensor, old_param_device: object) -> object:
    """The device of `param`, which must be that of the ones before."""
    if old_param_device is not None and param.device != old_param_device:
        raise TypeError(
            "Found two parameters on different devices, this is currently not supported."
        )
    return param.device


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All elements of all parameters in one 1-D tensor.

    >>> parameters_to_vector([rushlight.ones(2), rushlight.zeros(1, 1)])
    tensor([1., 1., 0.])
    """
    device = None
    parts = []
    for param in parameters:
        device = _check_param_device(param, device)
        parts.append(param.view(-1))
    return rushlight.cat(parts)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Makes the parameters views of the parts of a 1-D tensor."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    device = None
    start = 0
    for param in parameters:
        device = _check_param_device(param, device)
        count = param.numel()
        param.data = vec[start : start + count].view_as(param).data
        start += count
