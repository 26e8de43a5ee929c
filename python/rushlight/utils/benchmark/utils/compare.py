"""Compare: measurements side by side in tables."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from . import common

__all__ = ["Colorize", "Compare"]

_BEST = "\033[92m"
_GOOD = "\033[34m"
_BAD = "\033[2m\033[91m"
_VERY_BAD = "\033[31m"
_BOLD = "\033[1m"
_END = "\033[0m"


class Colorize(enum.Enum):
    """What the colours compare."""

    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


class Compare:
    """Tables of measurements: one for each label, rows by sub_label, columns by description.

    >>> from rushlight.utils.benchmark import Measurement, TaskSpec
    >>> task = TaskSpec("a + b", "pass", label="add", sub_label="small", description="now")
    >>> print(str(Compare([Measurement(1, [2e-6], task)])).splitlines()[1])
               |  now
    """

    def __init__(self, results: list[common.Measurement]) -> None:
        self._results: list[common.Measurement] = []
        self.extend_results(results)
        self._trim_significant_figures = False
        self._colorize = Colorize.NONE
        self._highlight_warnings = False

    def __str__(self) -> str:
        return "\n".join(self._render())

    def extend_results(self, results: Iterable[Any]) -> None:
        """Add measurements."""
        for result in results:
            if not isinstance(result, common.Measurement):
                raise ValueError(
                    f"Expected an instance of `Measurement`, got {type(result)} instead."
                )
            self._results.append(result)

    def trim_significant_figures(self) -> None:
        """Show only digits that the spread leaves."""
        self._trim_significant_figures = True

    def colorize(self, rowwise: bool = False) -> None:
        """Colour times by column, or by row."""
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self) -> None:
        """Mark times with a wide spread."""
        self._highlight_warnings = True

    def print(self) -> None:
        """Print the tables."""
        print(str(self))

    def _render(self) -> list[str]:
        groups: dict[Any, list[common.Measurement]] = defaultdict(list)
        for result in common.Measurement.merge(self._results):
            groups[result.task_spec.label or result.task_spec.stmt].append(result)
        return [self._table(label, group) for label, group in groups.items()]

    def _table(self, label: str, results: list[common.Measurement]) -> str:
        unit, scale = common.select_unit(min(r.median for r in results))
        columns = common.ordered_unique(r.task_spec.description for r in results)
        threads = sorted({r.task_spec.num_threads for r in results})
        envs = common.ordered_unique(r.env for r in results)
        keys = common.ordered_unique((r.env, r.as_row_name) for r in results)
        cells = {
            (r.task_spec.num_threads, r.env, r.as_row_name, r.task_spec.description): r
            for r in results
        }

        def name(env: str, row: str) -> str:
            return f"({env})  {row}" if len(envs) > 1 else row

        rows: list[tuple[str, list[common.Measurement | None]]] = []
        for n in threads:
            rows.append((f"{n} threads: ", []))
            for env, row in keys:
                found = [cells.get((n, env, row, c)) for c in columns]
                if any(found):
                    rows.append(("      " + name(env, row), found))
        text: list[list[str]] = [
            [self._number(m, scale) if m else "" for m in found] for _, found in rows
        ]
        aligned = self._align(text)
        titles = [str(c) if c is not None else "" for c in columns]
        widths = [
            max(len(titles[i]), *(len(row[i]) for row in aligned if row))
            for i in range(len(columns))
        ]
        first = max(len(title) for title, found in rows if found)
        lines = ["  |  ".join([" " * first] + [t.center(w) for t, w in zip(titles, widths)])]
        total = len(lines[0])
        for (title, found), row in zip(rows, aligned):
            if not found:
                lines.append(title + "-" * (total - len(title)))
                continue
            parts = [
                self._colored(cell.rjust(width), m, found, results)
                for cell, width, m in zip(row, widths, found)
            ]
            lines.append("  |  ".join([title.ljust(first), *parts]))
        head = f"[{f' {label} '.center(total - 2, '-')}]"
        end = f"Times are in {common.unit_to_english(unit)}s ({unit})."
        return "\n".join([head, *lines, "", end, ""])

    def _number(self, m: common.Measurement, scale: float) -> str:
        value = m.median / scale
        if self._trim_significant_figures:
            value = common.trim_sigfig(value, m.significant_figures)
            digits = max(m.significant_figures - len(str(int(value))), 0)
            text = f"{value:.{digits}f}"
        else:
            text = f"{value:.1f}"
        if self._highlight_warnings and m.has_warnings:
            text += f" (! {m.iqr / m.median * 100:.0f}%)"
        return text

    @staticmethod
    def _align(text: list[list[str]]) -> list[list[str]]:
        """Pad numbers so that their points are below each other."""
        result = [list(row) for row in text]
        for i in range(max((len(row) for row in text), default=0)):
            decimals = [len(r[i].partition(".")[2]) if r and "." in r[i] else -1 for r in text]
            most = max(decimals)
            for row, d in zip(result, decimals):
                if row and row[i]:
                    row[i] += " " * (most - d)
        return result

    def _colored(
        self,
        cell: str,
        m: common.Measurement | None,
        row: list[common.Measurement | None],
        results: list[common.Measurement],
    ) -> str:
        if m is None or self._colorize is Colorize.NONE:
            return cell
        if self._colorize is Colorize.ROWWISE:
            group = [r for r in row if r is not None]
        else:
            group = [
                r
                for r in results
                if r.task_spec.description == m.task_spec.description
                and r.task_spec.num_threads == m.task_spec.num_threads
            ]
        best = min(r.median for r in group)
        ratio = m.median / best
        if ratio <= 1.0:
            return _BEST + _BOLD + cell + _END + _END
        if ratio <= 1.1:
            return _GOOD + cell + _END
        if ratio <= 1.5:
            return cell
        return (_BAD if ratio <= 2.0 else _VERY_BAD) + cell + _END
