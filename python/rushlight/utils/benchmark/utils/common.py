"""Measurements and what was measured."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import rushlight

__all__ = [
    "Measurement",
    "TaskSpec",
    "ordered_unique",
    "select_unit",
    "set_torch_threads",
    "trim_sigfig",
    "unit_to_english",
]

# More digits than this are not worth printing, and a wider spread is worth a warning.
_MAX_SIGNIFICANT_FIGURES = 4
_MIN_CONFIDENCE_INTERVAL = 25e-9
_IQR_WARN_THRESHOLD = 0.1
_IQR_GROSS_WARN_THRESHOLD = 0.25


@dataclass(init=True, repr=False, eq=True, frozen=True)
class TaskSpec:
    """What is timed, how it is called and with how many threads."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        if self.label is not None:
            return self.label + (f": {self.sub_label}" if self.sub_label else "")
        if "\n" not in self.stmt:
            return self.stmt + (f": {self.sub_label}" if self.sub_label else "")
        head = f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n"
        return head + textwrap.indent(self.stmt, "  ")

    def setup_str(self) -> str:
        """The setup as it is shown."""
        if self.setup == "pass" or not self.setup:
            return ""
        if "\n" in self.setup:
            return "setup:\n" + textwrap.indent(self.setup, "  ")
        return f"setup: {self.setup}"

    def summarize(self) -> str:
        """Title, description and setup in lines."""
        parts = [self.title, self.description or "", self.setup_str()]
        if self.global_setup:
            parts.append("global_setup:\n" + textwrap.indent(self.global_setup, "  "))
        return "\n".join(part for part in parts if part)


@dataclass(init=True, repr=False)
class Measurement:
    """Times of repeated runs: `raw_times` in seconds, each of `number_per_run` runs."""

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = None

    def __post_init__(self) -> None:
        self._sorted_times: tuple[float, ...] = tuple(sorted(self.times))

    def __getattr__(self, name: str) -> Any:
        # The properties of the task are those of its measurement.
        if not name.startswith("_") and hasattr(TaskSpec, name):
            return getattr(self.task_spec, name)
        if name in TaskSpec.__dataclass_fields__:
            return getattr(self.task_spec, name)
        raise AttributeError(name)

    @property
    def times(self) -> list[float]:
        """Seconds per run."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self) -> float:
        return statistics.median(self._sorted_times)

    @property
    def mean(self) -> float:
        return statistics.fmean(self._sorted_times)

    @property
    def iqr(self) -> float:
        """The distance of the quartiles."""
        return self._quantile(0.75) - self._quantile(0.25)

    def _quantile(self, q: float) -> float:
        position = q * (len(self._sorted_times) - 1)
        low = math.floor(position)
        high = min(low + 1, len(self._sorted_times) - 1)
        a, b = self._sorted_times[low], self._sorted_times[high]
        return a + (b - a) * (position - low)

    @property
    def significant_figures(self) -> int:
        """How many digits of the median the spread leaves."""
        n_total = len(self._sorted_times)
        lower = int(n_total // 4)
        upper = math.ceil(3 * n_total / 4)
        points = self._sorted_times[lower:upper]
        deviation = math.sqrt(sum((x - self.median) ** 2 for x in points) / max(len(points), 1))
        # The middle half of a normal sample is narrower than the whole by this factor.
        interval = max(2.58 * deviation / 0.6745, _MIN_CONFIDENCE_INTERVAL)
        relative = math.log10(self.median / interval) if self.median else 0.0
        figures = math.floor(relative)
        return min(max(figures, 1), _MAX_SIGNIFICANT_FIGURES)

    @property
    def has_warnings(self) -> bool:
        """Whether the spread is suspicious."""
        return self.iqr / self.median > _IQR_WARN_THRESHOLD if self.median else False

    def meets_confidence(self, threshold: float = _IQR_WARN_THRESHOLD) -> bool:
        """Whether the quartiles are near enough to each other."""
        return self.iqr / self.median < threshold

    @property
    def env(self) -> str:
        return "Unspecified env" if self.task_spec.env is None else self.task_spec.env

    @property
    def as_row_name(self) -> str:
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    def __repr__(self) -> str:
        n = len(self.raw_times)
        unit, scale = select_unit(self.median)
        head = f"{object.__repr__(self)}\n{self.task_spec.summarize()}\n"
        if n == 1:
            body = f"  {self.median / scale:.2f} {unit}\n"
        else:
            q1, q3 = self._quantile(0.25), self._quantile(0.75)
            body = f"  {'Median: ' if n > 2 else 'Mean:   '}{self.median / scale:.2f} {unit}\n"
            if n > 2:
                body += (
                    f"  IQR:    {self.iqr / scale:.2f} {unit} "
                    f"({q1 / scale:.2f} to {q3 / scale:.2f})\n"
                )
        measurements = f"{n} measurement{'s' if n > 1 else ''}"
        runs = f"{self.number_per_run} runs {'per measurement' if n > 1 else ''}"
        threads = self.task_spec.num_threads
        tail = f"  {measurements}, {runs}, {threads} thread{'s' if threads > 1 else ''}"
        if self.has_warnings and n > 2:
            tail += (
                f"\n  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% of the "
                "median measurement.\n           This could indicate system fluctuation."
            )
        return head + body + tail

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """One measurement for each task, with all its times."""
        grouped: dict[TaskSpec, list[Measurement]] = defaultdict(list)
        for m in measurements:
            grouped[m.task_spec].append(m)
        result = []
        for spec, group in grouped.items():
            times = [t for m in group for t in m.times]
            result.append(Measurement(1, times, spec, None))
        return result


def select_unit(t: float) -> tuple[str, float]:
    """The unit that gives a time in seconds few digits, and how long it is.

    >>> select_unit(2e-6)
    ('us', 1e-06)
    """
    units = {-3: "ns", -2: "us", -1: "ms"}
    exponent = int(math.log10(t) // 3) if t > 0 else -3
    exponent = max(exponent, -3)
    unit = units.get(exponent, "s")
    return unit, {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[unit]


def unit_to_english(u: str) -> str:
    """A unit in words."""
    return {
        "ns": "nanosecond",
        "us": "microsecond",
        "ms": "millisecond",
        "s": "second",
    }[u]


def trim_sigfig(x: float, n: int) -> float:
    """Round to `n` significant digits.

    >>> trim_sigfig(123.4, 2)
    120.0
    """
    if x == 0:
        return 0.0
    scale = 10 ** (int(math.ceil(math.log10(abs(x)))) - n)
    return float(round(x / scale) * scale)


def ordered_unique(elements: Iterable[Any]) -> list[Any]:
    """The elements without repetitions, in order."""
    return list(dict.fromkeys(elements))


@contextmanager
def set_torch_threads(n: int) -> Iterator[None]:
    """Use `n` threads inside of the context."""
    before = rushlight.get_num_threads()
    try:
        rushlight.set_num_threads(n)
        yield
    finally:
        rushlight.set_num_threads(before)
