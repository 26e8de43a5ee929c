"""replicate: copies of a module whose parameters follow those of the original."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["replicate"]


def replicate(network: Any, devices: Any, detach: bool = False) -> list[Any]:
    """One copy of `network` for each device.

    Args:
        network: a module.
        devices: where the copies go.
        detach: cut the copies' parameters off the graph.
    """
    copies = []
    for device in devices:
        moved: dict[int, Any] = {}

        def on_device(tensor: Any, device: Any = device, moved: dict[int, Any] = moved) -> Any:
            if id(tensor) not in moved:
                source = tensor.detach() if detach else tensor
                moved[id(tensor)] = source.to(device)
            return moved[id(tensor)]

        replicas: dict[Any, Any] = {}
        for module in network.modules():
            replicas[module] = module._replicate_for_data_parallel()
        for module, replica in replicas.items():
            for name, child in module._modules.items():
                replica._modules[name] = None if child is None else replicas[child]
            for name, param in module._parameters.items():
                # A plain attribute: a replica's parameters are no leaves.
                if param is None:
                    replica._parameters[name] = None
                else:
                    replica.__dict__[name] = on_device(param)
            for name, buf in module._buffers.items():
                replica._buffers[name] = None if buf is None else on_device(buf)
        copies.append(replicas[network])
    return copies
