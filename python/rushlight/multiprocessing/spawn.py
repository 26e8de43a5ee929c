"""Start several processes that run the same function and watch over them."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any

__all__ = [
    "ENV_VAR_PARALLEL_START",
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "spawn",
    "start_processes",
]

ENV_VAR_PARALLEL_START = "TORCH_MP_PARALLEL_START"


class ProcessException(Exception):
    """A process of `spawn` has failed: `error_index` is its number, `error_pid` its process id."""

    __slots__ = ("error_index", "error_pid", "msg", "pid")

    def __init__(self, msg: str, error_index: int, pid: int) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = pid

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """The function raised; the message has its traceback."""

    def __init__(self, msg: str, error_index: int, error_pid: int) -> None:
        super().__init__(msg, error_index, error_pid)


class ProcessExitedException(ProcessException):
    """The process ended with an exit code or by a signal."""

    __slots__ = ("exit_code", "signal_name")

    def __init__(
        self,
        msg: str,
        error_index: int,
        error_pid: int,
        exit_code: int,
        signal_name: str | None = None,
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self) -> tuple[Any, ...]:
        args = (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)
        return type(self), args


def _run(fn: Callable[..., Any], i: int, args: tuple[Any, ...], error_file: str) -> None:
    """The body of each process: the traceback of a failure goes into `error_file`."""
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        with open(error_file, "wb") as file:
            pickle.dump(traceback.format_exc(), file)
        sys.exit(1)


class ProcessContext:
    """The processes of one `start_processes`; `join` waits for them."""

    def __init__(self, processes: list[Any], error_files: list[str]) -> None:
        self.error_files = error_files
        self.processes = processes
        self.sentinels = {process.sentinel: i for i, process in enumerate(processes)}

    def pids(self) -> list[int]:
        """The process ids."""
        return [int(process.pid) for process in self.processes]

    def _join_procs_with_timeout(self, timeout: float) -> None:
        end = time.monotonic() + timeout
        for process in self.processes:
            process.join(max(0.0, end - time.monotonic()))

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until a process ends; True when all have ended well.

        When one fails, the others are terminated (after `grace_period` seconds, if given) and a
        ProcessException is raised.
        """
        if not self.sentinels:
            return True
        ready = multiprocessing.connection.wait(list(self.sentinels), timeout=timeout)
        failed = None
        for sentinel in ready:
            i = self.sentinels.pop(sentinel)
            process = self.processes[i]
            process.join()
            if process.exitcode != 0 and failed is None:
                failed = i
        if failed is None:
            return not self.sentinels
        if grace_period is not None:
            self._join_procs_with_timeout(grace_period)
        for process in self.processes:
            if process.is_alive():
                warnings.warn(f"Terminating process {process.pid}", stacklevel=2)
                process.terminate()
        self._join_procs_with_timeout(30)
        for process in self.processes:
            if process.is_alive():
                process.kill()
            process.join()
        self._raise(failed)
        return False

    def _raise(self, i: int) -> None:
        process = self.processes[i]
        try:
            with open(self.error_files[i], "rb") as file:
                trace = pickle.load(file)
        except (OSError, EOFError):
            trace = None
        if trace is not None:
            message = f"\n\n-- Process {i} terminated with the following error:\n{trace}"
            raise ProcessRaisedException(message, i, process.pid)
        code = process.exitcode
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = f"<Unknown signal {-code}>"
            raise ProcessExitedException(
                f"process {i} terminated with signal {name}", i, process.pid, code, name
            )
        raise ProcessExitedException(
            f"process {i} terminated with exit code {code}", i, process.pid, code
        )

    def __del__(self) -> None:
        for path in self.error_files:
            try:
                os.unlink(path)
            except OSError:
                pass


class SpawnContext(ProcessContext):
    """The processes of `spawn(join=False)`."""


def start_processes(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Run `fn(i, *args)` in `nprocs` processes; wait for them, or return their context."""
    context = multiprocessing.get_context(start_method)
    processes, error_files = [], []
    for i in range(nprocs):
        handle, path = tempfile.mkstemp(prefix="rushlight_error_", suffix=".pickle")
        os.close(handle)
        os.unlink(path)
        process = context.Process(  # type: ignore[attr-defined]
            target=_run, args=(fn, i, args, path), daemon=daemon
        )
        process.start()
        error_files.append(path)
        processes.append(process)
    started = SpawnContext(processes, error_files)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Run `fn(i, *args)` in `nprocs` fresh processes.

    Raises ProcessRaisedException or ProcessExitedException for the first process that fails.
    """
    if start_method != "spawn":
        warnings.warn(
            "This method only supports start_method=spawn "
            f"(got: {start_method}). To use a different start_method use start_processes.",
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
