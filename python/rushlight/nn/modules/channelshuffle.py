"""ChannelShuffle: mixes groups of channels."""

from __future__ import annotations

from rushlight import Tensor

from .. import functional as F
from .module import Module

__all__ = ["ChannelShuffle"]


class ChannelShuffle(Module):
    """Deals the channels of `groups` groups out in turn (Zhang 2018).

    >>> x = rushlight.arange(4).reshape(1, 4, 1, 1)
    >>> ChannelShuffle(2)(x).flatten().tolist()
    [0, 2, 1, 3]
    """

    __constants__ = ["groups"]
    groups: int

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"
