"""Streams and events of GPUs (`torch.cuda.streams`): always refused."""

from __future__ import annotations

from . import Event, ExternalStream, Stream

__all__ = ["Event", "ExternalStream", "Stream"]
