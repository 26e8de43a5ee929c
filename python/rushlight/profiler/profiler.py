"""profile: the recording itself, in one piece or step by step by a schedule."""

from __future__ import annotations

import functools
import gzip
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from rushlight import _C

from . import _observers
from ._events import EventList, FunctionEvent, FunctionEventAvg

__all__ = [
    "ExecutionTraceObserver",
    "ProfilerAction",
    "ProfilerActivity",
    "emit_itt",
    "emit_nvtx",
    "kineto_available",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]

_annotations: list[FunctionEvent] = []
_recording = False


class ProfilerActivity(Enum):
    """Kinds of work; only the CPU does any here."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class ProfilerAction(Enum):
    """What a schedule says about one step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities() -> set[ProfilerActivity]:
    """The kinds of work that can be recorded."""
    return {ProfilerActivity.CPU}


def kineto_available() -> bool:
    """False: the recorder is this library's own."""
    return False


def schedule(
    *,
    wait: int,
    warmup: int,
    active: int,
    repeat: int = 0,
    skip_first: int = 0,
    skip_first_wait: int = 0,
) -> Callable[[int], ProfilerAction]:
    """Wait, warm up, record; after `skip_first` steps, `repeat` times (0: without end).

    >>> plan = schedule(wait=1, warmup=0, active=1, repeat=1)
    >>> [plan(i).name for i in range(3)]
    ['NONE', 'RECORD_AND_SAVE', 'NONE']
    """
    if wait < 0 or warmup < 0 or active <= 0 or repeat < 0 or skip_first < 0:
        raise AssertionError(
            "Invalid profiler schedule arguments. active has to be positive, the others must not "
            "be negative."
        )

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        cycle = wait + warmup + active
        if repeat > 0 and step / cycle >= repeat:
            return ProfilerAction.NONE
        position = step % cycle
        if position < wait:
            return ProfilerAction.NONE
        if position < wait + warmup:
            return ProfilerAction.WARMUP
        last = position == cycle - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    return action


def _default_schedule_fn(_: int) -> ProfilerAction:
    return ProfilerAction.RECORD


def tensorboard_trace_handler(
    dir_name: str,
    worker_name: str | None = None,
    use_gzip: bool = False,
    use_python_export: bool = False,
) -> Callable[[Any], None]:
    """An `on_trace_ready` that writes each trace into a folder, where TensorBoard looks for it."""

    def handler(prof: Any) -> None:
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        name = f"{worker}.{time.time_ns()}.pt.trace.json" + (".gz" if use_gzip else "")
        prof.export_chrome_trace(os.path.join(dir_name, name))

    return handler


class record_function:  # noqa: N801
    """A block (or, as a decorator, function) that shows up in profiles under `name`.

    >>> with record_function("load"):
    ...     data = list(range(3))
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name
        self.args = args
        self._starts: list[int] = []

    def __enter__(self) -> record_function:
        self._starts.append(time.perf_counter_ns())
        return self

    def __exit__(self, *exc: object) -> None:
        start = self._starts.pop()
        if _recording:
            _annotations.append(
                FunctionEvent(
                    self.name,
                    start / 1e3,
                    time.perf_counter_ns() / 1e3,
                    threading.get_native_id(),
                    is_user_annotation=True,
                )
            )

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with record_function(self.name, self.args):
                return func(*args, **kwargs)

        return wrapper


class _Recorder:
    """Called before and after each operator; keeps names, times and shapes, thread by thread."""

    def __init__(self) -> None:
        self._open: dict[int, list[tuple[str, int, Any]]] = {}
        self._done: list[tuple[str, int, int, int, Any]] = []

    def __call__(self, name: str, start: bool, shapes: Any, parameters: Any) -> None:
        now = time.perf_counter_ns()
        thread = threading.get_native_id()
        stack = self._open.setdefault(thread, [])
        if start:
            stack.append((name, now, shapes))
        elif stack:
            opened, begin, inputs = stack.pop()
            self._done.append((opened, begin, now, thread, inputs))

    def events(self) -> list[FunctionEvent]:
        """What has been recorded, by PyTorch's names of operators."""
        return [
            FunctionEvent(
                name if "::" in name else f"aten::{name}", begin / 1e3, end / 1e3, thread, shapes
            )
            for name, begin, end, thread, shapes in self._done
        ]


def _join_profile(*_: Any) -> None:
    """Runs once at the start of a thread: its operators are recorded, too."""
    sys.setprofile(None)
    if _recording:
        _C._profile_thread(True)


class _ExperimentalConfig:
    """Settings of a profile; `profile_all_threads` is the one that has an effect here."""

    def __init__(self, *, profile_all_threads: bool = False, **others: Any) -> None:
        self.profile_all_threads = profile_all_threads
        self.__dict__.update(others)


class profile:  # noqa: N801
    """Records what runs inside of the context.

    `activities` is accepted: only CPU work exists. `record_shapes` keeps the shapes of tensors. The
    operators of the calling thread are recorded, with `profile_all_threads` in
    `experimental_config` those of threads that start meanwhile, too. With a `schedule`, call
    `step()` after each iteration; `on_trace_ready(profile)` is called whenever a recording is
    complete.

    >>> import rushlight
    >>> with profile() as prof:
    ...     x = rushlight.ones(2, 2) @ rushlight.ones(2, 2)
    >>> len(prof.key_averages()) > 0
    True
    """

    def __init__(
        self,
        *args: Any,
        activities: Iterable[Any] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: Any = None,
        execution_trace_observer: Any = None,
        acc_events: bool = False,
        use_cuda: bool | None = None,
        enabled: bool = True,
        **kwargs: Any,
    ) -> None:
        self.activities = set(activities) if activities else supported_activities()
        self.enabled = bool(args[0]) if args else enabled
        self.schedule = schedule or _default_schedule_fn
        self._scheduled = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.record_shapes = record_shapes
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        config = experimental_config
        self._all_threads = bool(getattr(config, "profile_all_threads", False))
        self.step_num = 0
        self.current_action = self.schedule(0)
        self._events = EventList()
        self._running = False
        self._metadata: dict[str, str] = {}
        self._step_block: record_function | None = None

    def __enter__(self) -> profile:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin as the schedule says."""
        if self.enabled and self.current_action in _RECORDING:
            self._begin()
        self._enter_step()

    def stop(self) -> None:
        """End, and hand over what has been recorded."""
        self._leave_step()
        if self._running:
            self._finish()
            if self.on_trace_ready is not None:
                self.on_trace_ready(self)

    def step(self) -> None:
        """The next iteration begins."""
        self._leave_step()
        before = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        if before is ProfilerAction.RECORD_AND_SAVE and self._running:
            self._finish()
            if self.on_trace_ready is not None:
                self.on_trace_ready(self)
        if self.enabled and self.current_action in _RECORDING:
            if not self._running:
                self._begin()
        elif self._running:
            self._finish()
        self._enter_step()

    def _enter_step(self) -> None:
        if self._scheduled and self._running:
            self._step_block = record_function(f"ProfilerStep#{self.step_num}")
            self._step_block.__enter__()

    def _leave_step(self) -> None:
        block, self._step_block = self._step_block, None
        if block is not None:
            block.__exit__()

    def _begin(self) -> None:
        global _recording
        if _recording:
            raise RuntimeError("profile: a profiler is running already; stop it first")
        _annotations.clear()
        self._recorder = _Recorder()
        _observers.add(self._recorder, self.record_shapes)
        _recording = self._running = True
        if self._all_threads:
            self._profile_before = threading.getprofile()
            threading.setprofile(_join_profile)

    def _finish(self) -> None:
        global _recording
        _observers.remove(self._recorder)
        _recording = self._running = False
        if self._all_threads:
            threading.setprofile(self._profile_before)
        self._events = EventList([*self._recorder.events(), *_annotations])
        self._events.nest()

    def events(self) -> EventList:
        """All events in the order of their start."""
        return self._events

    @property
    def function_events(self) -> EventList:
        return self._events

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0, **kwargs: Any
    ) -> EventList:
        """Averages by name, or by name and shapes."""
        return self._events.key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self) -> FunctionEventAvg:
        """All events as one."""
        return self._events.total_average()

    def table(self, *args: Any, **kwargs: Any) -> str:
        """The events as text."""
        return self._events.table(*args, **kwargs)

    @property
    def self_cpu_time_total(self) -> float:
        """The recorded time in microseconds."""
        return self._events.self_cpu_time_total

    def export_chrome_trace(self, path: str) -> None:
        """Write a trace for chrome://tracing and Perfetto; compressed if the name ends in .gz."""
        if not path.endswith(".gz"):
            self._events.export_chrome_trace(path)
            return
        plain = path[: -len(".gz")]
        self._events.export_chrome_trace(plain)
        with open(plain, "rb") as source, gzip.open(path, "wb") as target:
            target.write(source.read())
        os.unlink(plain)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Stacks are not recorded."""
        raise RuntimeError("export_stacks: Python stacks are not recorded; use export_chrome_trace")

    def add_metadata(self, key: str, value: str) -> None:
        """Keep a note with the profile."""
        self._metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Keep a note in JSON with the profile."""
        self._metadata[key] = value

    def __str__(self) -> str:
        return str(self._events)


_RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class ExecutionTraceObserver:
    """Execution traces are not recorded; `profile` is what to use."""

    def __init__(self) -> None:
        raise NotImplementedError(
            "ExecutionTraceObserver: execution traces are not recorded; use profile and "
            "export_chrome_trace"
        )


class emit_nvtx:  # noqa: N801
    """Marks for NVIDIA's profilers, which see no GPU here: does nothing."""

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled = enabled

    def __enter__(self) -> emit_nvtx:
        return self

    def __exit__(self, *exc: object) -> None:
        return None


class emit_itt(emit_nvtx):  # noqa: N801
    """Marks for Intel's profilers: does nothing."""
