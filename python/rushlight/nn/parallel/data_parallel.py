"""DataParallel: splits batches over devices; with none to split over, it calls the module."""

from __future__ import annotations

from ..modules.module import Module
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter_kwargs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["DataParallel", "data_parallel"]


class DataParallel(Module):
    """Runs `module` as it is: there is one device.

    State dictionaries carry the prefix "module.", as everywhere.

    Args:
        module: what to call.
        device_ids: kept for programs that pass it.
        output_device: kept.
        dim: along which batches would be split.

    >>> model = DataParallel(rushlight.nn.Linear(2, 3))
    >>> list(model.state_dict())
    ['module.weight', 'module.bias']
    """

    def __init__(
        self,
        module: Any,
        device_ids: Any = None,
        output_device: Any = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[Any] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)

    def replicate(self, module: Any, device_ids: Any) -> list[Any]:
        """Copies of the module that share its values."""
        return replicate(module, device_ids)

    def scatter(self, inputs: Any, kwargs: Any, device_ids: Any) -> Any:
        """The inputs in one part for each device."""
        return scatter_kwargs(inputs, kwargs, device_ids)

    def parallel_apply(self, replicas: Any, inputs: Any, kwargs: Any) -> list[Any]:
        """The outputs of the replicas."""
        return parallel_apply(replicas, inputs, kwargs)

    def gather(self, outputs: Any, output_device: Any) -> Any:
        """The outputs joined again."""
        return gather(outputs, output_device)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Any = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: Any = None,
) -> Any:
    """`DataParallel(module)(*inputs, **module_kwargs)`."""
    if not isinstance(inputs, tuple):
        inputs = () if inputs is None else (inputs,)
    return module(*inputs, **(module_kwargs or {}))
