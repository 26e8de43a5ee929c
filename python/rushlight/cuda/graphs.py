"""Graphs of GPU work (`torch.cuda.graphs`): always refused."""

from __future__ import annotations

from . import CUDAGraph, graph, graph_pool_handle, make_graphed_callables

__all__ = ["CUDAGraph", "graph", "graph_pool_handle", "make_graphed_callables"]
