"""The pass over a loader whose batches are made ahead by worker processes or threads."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import queue
import threading
import time
from typing import Any

# Also registers how tensors travel between processes.
from rushlight.multiprocessing.reductions import remove_files_of

from ._utils.worker import (
    ExceptionWrapper,
    _IterableDatasetStopIteration,
    _process_main,
    _ResumeIteration,
    _Task,
    _thread_main,
)
from .dataloader import DataLoader, _BaseDataLoaderIter

# How long a worker may take to end by itself before it is terminated, in seconds.
_JOIN_TIMEOUT = 5.0


class _ThreadPool:
    """Worker threads with one request queue each and one result queue."""

    def __init__(self, tasks: list[_Task]) -> None:
        self._results: Any = queue.SimpleQueue()
        self._requests: list[Any] = [queue.SimpleQueue() for _ in tasks]
        self._threads = [
            threading.Thread(target=_thread_main, args=(task, requests, self._results), daemon=True)
            for task, requests in zip(tasks, self._requests)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, worker: int, request: Any) -> None:
        self._requests[worker].put(request)

    def answer(self, timeout: float | None) -> tuple[int, Any, Any]:
        """The next `(worker, idx, data)`; raises queue.Empty after `timeout` seconds."""
        result: tuple[int, Any, Any] = self._results.get(timeout=timeout)
        return result

    def stop(self) -> None:
        for requests in self._requests:
            requests.put(None)
        for thread in self._threads:
            thread.join(_JOIN_TIMEOUT)


class _ProcessPool:
    """Worker processes with one request pipe each and one result queue."""

    def __init__(self, tasks: list[_Task], context: Any) -> None:
        context = context if context is not None else multiprocessing.get_context()
        self._owner = os.getpid()
        self._done = context.Event()
        self._results = context.Queue()
        self._requests: list[Any] = []
        self._processes: list[Any] = []
        for task in tasks:
            reader, writer = context.Pipe(duplex=False)
            process = context.Process(
                target=_process_main,
                args=(task, reader, self._results, self._done),
                daemon=True,
            )
            process.start()
            reader.close()
            self._requests.append(writer)
            self._processes.append(process)

    def ask(self, worker: int, request: Any) -> None:
        try:
            self._requests[worker].send(request)
        except (BrokenPipeError, ConnectionResetError):
            self._raise_if_dead()
            raise

    def answer(self, timeout: float | None) -> tuple[int, Any, Any]:
        """The next `(worker, idx, data)`; raises queue.Empty after `timeout` seconds."""
        from multiprocessing import connection
        from multiprocessing.reduction import ForkingPickler

        reader = self._results._reader
        sentinels = [process.sentinel for process in self._processes]
        ready = connection.wait([reader, *sentinels], timeout)
        if not ready:
            raise queue.Empty
        if reader not in ready and not reader.poll(0.1):
            self._raise_if_dead()
        worker, idx, payload = self._results.get()
        return worker, idx, ForkingPickler.loads(payload)

    def _raise_if_dead(self) -> None:
        dead = [p for p in self._processes if not p.is_alive()]
        if not dead:
            return
        pids = ", ".join(str(p.pid) for p in dead)
        codes = ", ".join(str(p.exitcode) for p in dead)
        raise RuntimeError(
            f"DataLoader worker (pid(s) {pids}) exited unexpectedly, with exit code(s) {codes}; "
            "a negative code is the signal that ended it (-9: often too little memory)"
        )

    def stop(self) -> None:
        if os.getpid() != self._owner:
            # A forked child has a copy of this object, but the workers are not its children.
            return
        self._done.set()
        for writer in self._requests:
            try:
                writer.send(None)
            except OSError:
                pass
            writer.close()
        # What a worker still has to hand over is dropped with the queue.
        end = time.monotonic() + _JOIN_TIMEOUT
        for process in self._processes:
            process.join(max(0.0, end - time.monotonic()))
            if process.is_alive():
                process.terminate()
                process.join()
        self._results.cancel_join_thread()
        self._results.close()
        for process in self._processes:
            remove_files_of(process.pid)


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Keeps `prefetch_factor` requests per worker under way and returns answers in order."""

    _pool: Any = None

    def __init__(self, loader: DataLoader[Any]) -> None:
        super().__init__(loader)
        self._in_order = loader.in_order
        self._prefetch_factor = loader.prefetch_factor or 0
        if self._prefetch_factor == 0:
            raise ValueError("prefetch_factor option should be positive with workers")
        tasks = [
            _Task(
                kind=self._dataset_kind,
                dataset=self._dataset,
                auto_collation=self._auto_collation,
                collate_fn=self._collate_fn,
                drop_last=self._drop_last,
                base_seed=self._base_seed,
                init_fn=loader.worker_init_fn,
                worker_id=i,
                num_workers=self._num_workers,
                persistent=self._persistent_workers,
            )
            for i in range(self._num_workers)
        ]
        context = loader.multiprocessing_context
        self._pool = _ThreadPool(tasks) if context == "thread" else _ProcessPool(tasks, context)
        self._workers_status = [True] * self._num_workers
        self._outstanding = 0
        self._reset(loader, first_iter=True)

    def _reset(self, loader: DataLoader[Any], first_iter: bool = False) -> None:
        if not first_iter:
            self._resume_workers()
        super()._reset(loader, first_iter)
        self._send_idx = 0
        self._rcvd_idx = 0
        # By request: the worker that has it, or the worker and the answer that came early.
        self._task_info: dict[int, tuple[Any, ...]] = {}
        self._outstanding = 0
        self._worker_cycle = itertools.cycle(range(self._num_workers))
        self._workers_status = [True] * self._num_workers
        self._load = [0] * self._num_workers
        for _ in range(self._prefetch_factor * self._num_workers):
            self._try_put_index()

    def _resume_workers(self) -> None:
        """Begin a new epoch with the same workers, dropping answers of an unfinished one."""
        for worker in range(self._num_workers):
            self._pool.ask(worker, _ResumeIteration())
        waiting = self._num_workers
        while waiting > 0:
            _, idx, _ = self._get_data()
            if isinstance(idx, _ResumeIteration):
                waiting -= 1

    def _try_put_index(self) -> None:
        """Give the next request to the next worker that still takes any."""
        if self._outstanding >= self._prefetch_factor * self._num_workers:
            return
        if not any(self._workers_status):
            return
        try:
            indices = self._next_index()
        except StopIteration:
            return
        limit = self._prefetch_factor
        for _ in range(self._num_workers):
            worker = next(self._worker_cycle)
            if self._workers_status[worker] and (self._in_order or self._load[worker] < limit):
                break
        else:
            worker = min(
                (w for w in range(self._num_workers) if self._workers_status[w]),
                key=lambda w: self._load[w],
            )
        self._pool.ask(worker, (self._send_idx, indices))
        self._task_info[self._send_idx] = (worker,)
        self._load[worker] += 1
        self._outstanding += 1
        self._send_idx += 1

    def _get_data(self) -> tuple[int, Any, Any]:
        timeout = self._timeout if self._timeout > 0 else None
        try:
            answer: tuple[int, Any, Any] = self._pool.answer(timeout)
        except queue.Empty:
            raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds") from None
        return answer

    def _next_data(self) -> Any:
        while True:
            while self._rcvd_idx < self._send_idx:
                info = self._task_info.get(self._rcvd_idx)
                if info is not None:
                    if len(info) == 2 or self._workers_status[info[0]]:
                        break
                    # The worker's stream had ended before it came to this request.
                    del self._task_info[self._rcvd_idx]
                    self._outstanding -= 1
                self._rcvd_idx += 1
            else:
                if not self._persistent_workers:
                    self._shutdown_workers()
                raise StopIteration
            if len(info) == 2:
                del self._task_info[self._rcvd_idx]
                self._rcvd_idx += 1
                return self._process_data(info[1])
            worker, idx, data = self._get_data()
            if isinstance(data, _IterableDatasetStopIteration):
                self._workers_status[worker] = False
                self._outstanding -= 1
                self._load[worker] -= 1
                del self._task_info[idx]
                self._try_put_index()
                continue
            self._outstanding -= 1
            self._load[worker] -= 1
            if idx == self._rcvd_idx:
                del self._task_info[idx]
                self._rcvd_idx += 1
                return self._process_data(data)
            if not self._in_order:
                del self._task_info[idx]
                return self._process_data(data)
            self._task_info[idx] = (worker, data)

    def _process_data(self, data: Any) -> Any:
        self._try_put_index()
        if isinstance(data, ExceptionWrapper):
            data.reraise()
        return data

    def _shutdown_workers(self) -> None:
        """End all workers; further calls do nothing."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()

    def __del__(self) -> None:
        try:
            self._shutdown_workers()
        except Exception:
            # At the end of the interpreter parts of it may be gone already.
            pass
