"""LinearCrossEntropyOptions: memory and accuracy settings of the fused loss."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class LinearCrossEntropyOptions:
    """Settings of `linear_cross_entropy`; kept and shown, the product is formed at once.

    Args:
        allow_retain_graph: whether backward may run twice.
        batch_chunk_size: rows per chunk.
        chunking_method: how chunks are chosen.
        acc_policy: "accurate", "balanced", "compact" or "auto".
        acc_dtype: dtype of accumulation.
    """

    def __init__(
        self,
        allow_retain_graph: bool = False,
        batch_chunk_size: int | None = None,
        chunking_method: str | None = "auto",
        acc_policy: str = "auto",
        acc_dtype: Any = None,
    ) -> None:
        self.allow_retain_graph = allow_retain_graph
        self.batch_chunk_size = batch_chunk_size
        self.chunking_method = chunking_method
        self.acc_policy = acc_policy
        self.acc_dtype = acc_dtype

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({settings})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    __hash__ = None  # type: ignore[assignment]
