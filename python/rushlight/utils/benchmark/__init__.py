"""Timing of statements: `Timer` measures, `Compare` makes tables of measurements."""

from .utils.common import (
    Measurement as Measurement,
    TaskSpec as TaskSpec,
    select_unit as select_unit,
    trim_sigfig as trim_sigfig,
    unit_to_english as unit_to_english,
)
from .utils.compare import Colorize as Colorize, Compare as Compare
from .utils.timer import Language as Language, Timer as Timer, timer as timer

__all__ = [
    "Colorize",
    "Compare",
    "Language",
    "Measurement",
    "TaskSpec",
    "Timer",
    "select_unit",
    "timer",
    "trim_sigfig",
    "unit_to_english",
]
