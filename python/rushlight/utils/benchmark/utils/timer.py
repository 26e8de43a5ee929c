"""Timer: `timeit` for tensors, with one thread unless told otherwise."""

from __future__ import annotations

import enum
import textwrap
import timeit
from collections.abc import Callable
from typing import Any

import rushlight

from . import common

__all__ = ["Language", "Timer", "timer"]

timer = timeit.default_timer


class Language(enum.Enum):
    """What a statement is written in."""

    PYTHON = 0
    CPP = 1


class Timer:
    """Times `stmt` after `setup`, both of which see the names in `globals`.

    `label`, `sub_label`, `description` and `env` say where a measurement goes in `Compare`.

    >>> measurement = Timer("1 + 1").timeit(10)
    >>> measurement.number_per_run
    10
    """

    def __init__(
        self,
        stmt: str = "pass",
        setup: str = "pass",
        global_setup: str = "",
        timer: Callable[[], float] = timer,
        globals: dict[str, Any] | None = None,
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
        language: Language | str = Language.PYTHON,
    ) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language not in (Language.PYTHON, "py", "python"):
            raise ValueError("Timer: statements in C++ would need a compiler; only Python is timed")
        if global_setup:
            raise ValueError(
                f"global_setup is C++ only, got `{global_setup}`. Most likely this code can "
                "simply be moved to `setup`."
            )
        self._globals = dict(globals or {})
        self._globals.setdefault("rushlight", rushlight)
        self._globals.setdefault("torch", rushlight)
        stmt = textwrap.dedent(stmt).strip("\n").rstrip()
        setup = textwrap.dedent(setup).strip("\n").rstrip()
        self._timer = timeit.Timer(stmt=stmt, setup=setup, timer=timer, globals=self._globals)
        self._task_spec = common.TaskSpec(
            stmt=stmt,
            setup=setup,
            global_setup="",
            label=label,
            sub_label=sub_label,
            description=description,
            env=env,
            num_threads=num_threads,
        )

    def _run(self, number: int) -> float:
        # A run may take less than the timer can tell.
        return max(self._timer.timeit(number), 1e-9)

    def timeit(self, number: int = 1000000) -> common.Measurement:
        """One measurement of `number` runs, after a short warm-up."""
        with common.set_torch_threads(self._task_spec.num_threads):
            self._run(max(number // 100, 2))
            return common.Measurement(
                number_per_run=number,
                raw_times=[self._run(number)],
                task_spec=self._task_spec,
            )

    def repeat(self, repeat: int = -1, number: int = -1) -> None:
        """Replaced by the `autorange` functions."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback: Callable[[int, float], None] | None = None) -> None:
        """Replaced by the other `autorange` functions."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _block_size(self, min_run_time: float) -> int:
        """How many runs make the cost of reading the clock negligible."""
        with common.set_torch_threads(self._task_spec.num_threads):
            overhead = min(timeit.Timer("pass").timeit(0) for _ in range(5))
            number = 1
            while True:
                taken = self._run(number)
                # At most one part in 10,000 for the clock, and a measurable time in all.
                if overhead / taken <= 1e-4 and taken >= min_run_time / 1000:
                    return number
                if taken > min_run_time:
                    return number
                number *= 10

    def blocked_autorange(
        self,
        callback: Callable[[int, float], None] | None = None,
        min_run_time: float = 0.2,
    ) -> common.Measurement:
        """Measure blocks of runs until `min_run_time` seconds have passed."""
        number = self._block_size(min_run_time)
        times: list[float] = []
        total = 0.0
        with common.set_torch_threads(self._task_spec.num_threads):
            while total < min_run_time or len(times) < 2:
                taken = self._run(number)
                if callback is not None:
                    callback(number, taken)
                times.append(taken)
                total += taken
        return common.Measurement(number_per_run=number, raw_times=times, task_spec=self._task_spec)

    def adaptive_autorange(
        self,
        threshold: float = 0.1,
        *,
        min_run_time: float = 0.01,
        max_run_time: float = 10.0,
        callback: Callable[[int, float], None] | None = None,
    ) -> common.Measurement:
        """Measure until the quartiles are within `threshold` of the median of each other."""
        number = self._block_size(min_run_time)
        times: list[float] = []
        total = 0.0
        while True:
            with common.set_torch_threads(self._task_spec.num_threads):
                taken = self._run(number)
            if callback is not None:
                callback(number, taken)
            times.append(taken)
            total += taken
            if total < min_run_time or len(times) < 4:
                continue
            measurement = common.Measurement(
                number_per_run=number, raw_times=times, task_spec=self._task_spec
            )
            if total > max_run_time or measurement.meets_confidence(threshold):
                return measurement

    def collect_callgrind(self, *args: Any, **kwargs: Any) -> Any:
        """Instruction counts need Valgrind, which is not used here."""
        raise NotImplementedError(
            "collect_callgrind: instruction counts are not collected; use blocked_autorange"
        )
