"""Nested tensors (`torch.nested`): absent; pad with `torch.nn.utils.rnn.pad_sequence` and carry a mask."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _refuse(name: str) -> RuntimeError:
    return RuntimeError(
        f"nested.{name}: rushlight has no nested tensors; use torch.nn.utils.rnn.pad_sequence and a mask"
    )


def nested_tensor(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("nested_tensor")


def as_nested_tensor(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("as_nested_tensor")


def nested_tensor_from_jagged(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("nested_tensor_from_jagged")


def to_padded_tensor(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("to_padded_tensor")
