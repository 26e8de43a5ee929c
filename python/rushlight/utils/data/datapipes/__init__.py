"""Pipelines of data: `IterDataPipe` streams and `MapDataPipe` maps with steps as methods."""

from . import iter as iter, map as map
