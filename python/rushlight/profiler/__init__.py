"""Where time goes: `profile` records operators and `record_function` blocks, with tables and traces."""

from ._events import EventList as EventList
from ._events import FunctionEvent as FunctionEvent
from ._events import FunctionEventAvg as FunctionEventAvg
from .profiler import ExecutionTraceObserver as ExecutionTraceObserver
from .profiler import ProfilerAction as ProfilerAction
from .profiler import ProfilerActivity as ProfilerActivity
from .profiler import emit_itt as emit_itt
from .profiler import emit_nvtx as emit_nvtx
from .profiler import kineto_available as kineto_available
from .profiler import profile as profile
from .profiler import record_function as record_function
from .profiler import schedule as schedule
from .profiler import supported_activities as supported_activities
from .profiler import tensorboard_trace_handler as tensorboard_trace_handler

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
