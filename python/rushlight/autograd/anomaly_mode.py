"""Anomaly mode: backward says which forward call led to an error or to NaN."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False


class _AnomalyMode:
    def _enter(self, mode: bool, check_nan: bool) -> None:
        self.prev = _C.is_anomaly_enabled()
        self.prev_check_nan = _C.is_anomaly_check_nan_enabled()
        _C.set_anomaly_enabled(mode, check_nan)

    def __exit__(self, *exc: object) -> None:
        _C.set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly(_AnomalyMode):  # noqa: N801
    """Inside the `with` block, errors in backward name the forward call, and NaN in a gradient is an error."""

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        import warnings

        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._enter(True, self.check_nan)


class set_detect_anomaly(_AnomalyMode):  # noqa: N801
    """Turns anomaly mode on or off at once; as a context manager only for its extent."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._enter(mode, check_nan)

    def __enter__(self) -> None: ...
