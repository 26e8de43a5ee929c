"""Where time goes: `profile` records operators and `record_function` blocks, with tables and traces."""

from ._events import EventList as EventList, FunctionEvent as FunctionEvent, FunctionEventAvg as FunctionEventAvg
from .profiler import (
    ExecutionTraceObserver as ExecutionTraceObserver,
    ProfilerAction as ProfilerAction,
    ProfilerActivity as ProfilerActivity,
    _ExperimentalConfig as _ExperimentalConfig,
    emit_itt as emit_itt,
    emit_nvtx as emit_nvtx,
    kineto_available as kineto_available,
    profile as profile,
    record_function as record_function,
    schedule as schedule,
    supported_activities as supported_activities,
    tensorboard_trace_handler as tensorboard_trace_handler,
)

__all__ = [
    "EventList",
    "ExecutionTraceObserver",
    "FunctionEvent",
    "FunctionEventAvg",
    "ProfilerAction",
    "ProfilerActivity",
    "kineto_available",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]
