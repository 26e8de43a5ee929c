"""Recorded events: averages by name, the table, the Chrome trace."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg"]

_SORT_KEYS = (
    "cpu_time",
    "cpu_time_total",
    "self_cpu_time_total",
    "count",
    "cpu_memory_usage",
    "self_cpu_memory_usage",
    "cuda_time",
    "cuda_time_total",
    "device_time",
    "device_time_total",
    "self_cuda_time_total",
    "self_device_time_total",
)


def _format_time(time_us: float) -> str:
    if time_us >= 1e6:
        return f"{time_us / 1e6:.3f}s"
    if time_us >= 1e3:
        return f"{time_us / 1e3:.3f}ms"
    return f"{time_us:.3f}us"


def _share(part: float, total: float) -> str:
    return f"{part * 100.0 / total:.2f}%" if total else "NaN"


class _Times:
    """Times in microseconds and as text; device times are 0, since there is only the CPU."""

    count: int
    cpu_time_total: float
    self_cpu_time_total: float
    device_time = device_time_total = self_device_time_total = 0.0
    cuda_time = cuda_time_total = self_cuda_time_total = 0.0
    cpu_memory_usage = self_cpu_memory_usage = 0
    device_memory_usage = self_device_memory_usage = 0

    @property
    def cpu_time(self) -> float:
        """The average of one call."""
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def cpu_time_str(self) -> str:
        return _format_time(self.cpu_time)

    @property
    def cpu_time_total_str(self) -> str:
        return _format_time(self.cpu_time_total)

    @property
    def self_cpu_time_total_str(self) -> str:
        return _format_time(self.self_cpu_time_total)


class FunctionEvent(_Times):
    """One run of an operator or block; times in microseconds."""

    count = 1

    def __init__(
        self,
        name: str,
        start_us: float,
        end_us: float,
        thread: int = 0,
        input_shapes: Any = None,
        is_user_annotation: bool = False,
    ) -> None:
        self.name = name
        self.key = name
        self.start_us = start_us
        self.end_us = end_us
        self.thread = thread
        self.input_shapes = input_shapes or []
        self.is_user_annotation = is_user_annotation
        self.cpu_children: list[FunctionEvent] = []
        self.cpu_parent: FunctionEvent | None = None

    @property
    def cpu_time_total(self) -> float:  # type: ignore[override]
        return self.end_us - self.start_us

    @property
    def self_cpu_time_total(self) -> float:  # type: ignore[override]
        return self.cpu_time_total - sum(c.cpu_time_total for c in self.cpu_children)

    def __repr__(self) -> str:
        return (
            f"<FunctionEvent name={self.name} cpu_time={self.cpu_time_str} "
            f"self_cpu_time={self.self_cpu_time_total_str} thread={self.thread} "
            f"input_shapes={self.input_shapes}>"
        )


class FunctionEventAvg(_Times):
    """All events of one name."""

    def __init__(self) -> None:
        self.key = ""
        self.count = 0
        self.input_shapes: Any = ""
        self.is_user_annotation = False
        self._total = 0.0
        self._self_total = 0.0

    @property
    def cpu_time_total(self) -> float:  # type: ignore[override]
        return self._total

    @property
    def self_cpu_time_total(self) -> float:  # type: ignore[override]
        return self._self_total

    def add(self, event: FunctionEvent) -> None:
        """Take an event in."""
        if not self.count:
            self.key = event.key
            self.is_user_annotation = event.is_user_annotation
        self.count += 1
        self._total += event.cpu_time_total
        self._self_total += event.self_cpu_time_total

    def __repr__(self) -> str:
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str} count={self.count} input_shapes={self.input_shapes}>"
        )


class EventList(list):  # type: ignore[type-arg]
    """Events or averages of them."""

    def __init__(self, events: Iterable[Any] = ()) -> None:
        super().__init__(events)

    def nest(self) -> None:
        """Find out which event ran inside which, thread by thread."""
        open_events: dict[int, list[FunctionEvent]] = {}
        self.sort(key=lambda e: (e.start_us, -e.end_us))
        for event in self:
            stack = open_events.setdefault(event.thread, [])
            while stack and stack[-1].end_us < event.end_us:
                stack.pop()
            if stack and stack[-1].start_us <= event.start_us:
                event.cpu_parent = stack[-1]
                stack[-1].cpu_children.append(event)
            stack.append(event)

    @property
    def self_cpu_time_total(self) -> float:
        """The time of all events, without what they have in common."""
        return float(sum(event.self_cpu_time_total for event in self))

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0, **kwargs: Any
    ) -> EventList:
        """Averages by name, or by name and shapes."""
        averages: dict[Any, FunctionEventAvg] = {}
        for event in self:
            key = (event.key, str(event.input_shapes) if group_by_input_shape else "")
            average = averages.setdefault(key, FunctionEventAvg())
            average.add(event)
            if group_by_input_shape:
                average.input_shapes = str(event.input_shapes)
        return EventList(averages.values())

    def total_average(self) -> FunctionEventAvg:
        """All events as one."""
        total = FunctionEventAvg()
        for event in self:
            total.add(event)
        total.key = "Total"
        return total

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
        time_unit: str | None = None,
    ) -> str:
        """The events as text, sorted by one of their times or by `count`, longest first."""
        events = list(self)
        if sort_by is not None:
            if sort_by not in _SORT_KEYS:
                raise AttributeError(
                    f"table: cannot sort by {sort_by!r}; use one of {', '.join(_SORT_KEYS)}"
                )
            events.sort(key=lambda e: getattr(e, sort_by), reverse=True)
        if top_level_events_only:
            events = [e for e in events if getattr(e, "cpu_parent", None) is None]
        total = self.self_cpu_time_total
        shapes = any(e.input_shapes for e in events)
        titles = [
            "Name",
            "Self CPU %",
            "Self CPU",
            "CPU total %",
            "CPU total",
            "CPU time avg",
            "# of Calls",
        ]
        rows = []
        for event in events[: row_limit if row_limit >= 0 else None]:
            row = [
                _shorten(event.key, max_name_column_width),
                _share(event.self_cpu_time_total, total),
                event.self_cpu_time_total_str,
                _share(event.cpu_time_total, total),
                event.cpu_time_total_str,
                event.cpu_time_str,
                str(event.count),
            ]
            if shapes:
                row.append(_shorten(str(event.input_shapes), max_shapes_column_width))
            rows.append(row)
        if shapes:
            titles.append("Input Shapes")
        widths = [
            max(len(title), *(len(row[i]) for row in rows)) if rows else len(title)
            for i, title in enumerate(titles)
        ]
        widths = [width if i in (0, 7) else max(width, 12) for i, width in enumerate(widths)]
        rule = "  ".join("-" * width for width in widths) + "  "
        lines = [] if header is None else ["=" * len(rule), header]
        lines += [rule, _line(titles, widths), rule]
        lines += [_line(row, widths) for row in rows]
        lines += [rule, f"Self CPU time total: {_format_time(total)}", ""]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()

    def export_chrome_trace(self, path: str) -> None:
        """Write a trace that chrome://tracing and Perfetto open."""
        pid = os.getpid()
        trace = []
        for event in self:
            entry = {
                "ph": "X",
                "cat": "user_annotation" if event.is_user_annotation else "cpu_op",
                "name": event.name,
                "pid": pid,
                "tid": event.thread,
                "ts": event.start_us,
                "dur": event.cpu_time_total,
            }
            if event.input_shapes:
                entry["args"] = {"Input Dims": event.input_shapes}
            trace.append(entry)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"displayTimeUnit": "ms", "traceEvents": trace}, file)


def _shorten(text: str, width: int | None) -> str:
    if width is None or len(text) <= width:
        return text
    return text[: width - 3] + "..."


def _line(cells: list[str], widths: list[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths)) + "  "
