"""Shapes and dtypes of the values in a graph, found by running it (`torch.fx.passes.shape_prop`)."""

from __future__ import annotations

from typing import Any, NamedTuple

import rushlight

from ..interpreter import Interpreter
from ..node import Node, map_aggregate


class TensorMetadata(NamedTuple):
    """What is known of a tensor without its elements."""

    shape: Any
    dtype: Any
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: Any
    is_quantized: bool
    qparams: dict[str, Any]


def _metadata_of(tensor: rushlight.Tensor) -> TensorMetadata:
    formats = (rushlight.contiguous_format, rushlight.channels_last, rushlight.channels_last_3d)
    fits = [item for item, dim in zip(formats, (None, 4, 5)) if dim in (None, tensor.dim())]
    memory_format = next((item for item in fits if tensor.is_contiguous(memory_format=item)), None)
    return TensorMetadata(
        tensor.shape, tensor.dtype, tensor.requires_grad, tensor.stride(), memory_format, False, {}
    )


class ShapeProp(Interpreter):
    """Runs a graph and notes in `node.meta["tensor_meta"]` what each value was like, in `meta["type"]` its type."""

    def run_node(self, n: Node) -> Any:
        result = super().run_node(n)
        found = False

        def describe(value: Any) -> Any:
            nonlocal found
            if isinstance(value, rushlight.Tensor):
                found = True
                return _metadata_of(value)
            return value

        metadata = map_aggregate(result, describe)
        if found:
            n.meta["tensor_meta"] = metadata
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        """Run the graph on arguments."""
        return self.run(*args)
