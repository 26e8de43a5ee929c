"""What runs inside a worker of the loader, be it a process or a thread."""

from __future__ import annotations

import random
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rushlight

__all__ = ["WorkerInfo", "get_worker_info"]

_local = threading.local()


@dataclass
class _RNG:
    """The generators of one worker thread, which shares the global ones with all others."""

    random_generator: random.Random
    torch_generator: Any
    numpy_generator: Any = None


class WorkerInfo:
    """What a worker knows about itself: `id`, `num_workers`, `seed`, `dataset` (its own copy)."""

    def __init__(
        self,
        id: int,
        num_workers: int,
        seed: int,
        dataset: Any,
        rng: _RNG | None = None,
        worker_method: str | None = "multiprocessing",
    ) -> None:
        self.id = id
        self.num_workers = num_workers
        self.seed = seed
        self.dataset = dataset
        self.rng = rng
        self.worker_method = worker_method

    def __repr__(self) -> str:
        return f"WorkerInfo({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


def get_worker_info() -> WorkerInfo | None:
    """The worker that calls, or None outside of workers."""
    return getattr(_local, "info", None)


class _KeyErrorMessage(str):
    """A KeyError shows its argument by `repr`, which would put a traceback on one line."""

    def __repr__(self) -> str:
        return str(self)


class ExceptionWrapper:
    """An exception of a worker as text, to be raised again where the batch was asked for."""

    def __init__(self, where: str) -> None:
        kind, value, trace = sys.exc_info()
        assert kind is not None
        self.exc_type = kind
        self.exc_msg = "".join(traceback.format_exception(kind, value, trace))
        self.where = where

    def reraise(self) -> None:
        """Raise the same class with the worker's traceback as its message."""
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if issubclass(self.exc_type, KeyError):
            raise self.exc_type(_KeyErrorMessage(message))
        try:
            error = self.exc_type(message)
        except Exception:
            # The class wants other arguments.
            raise RuntimeError(message) from None
        raise error


@dataclass
class _IterableDatasetStopIteration:
    """A worker's stream has ended."""

    worker_id: int


@dataclass
class _ResumeIteration:
    """A new epoch of persistent workers begins."""

    seed: int | None = None


@dataclass
class _Task:
    """Everything a worker is started with."""

    kind: int
    dataset: Any
    auto_collation: bool
    collate_fn: Callable[[Any], Any]
    drop_last: bool
    base_seed: int
    init_fn: Callable[[int], None] | None
    worker_id: int
    num_workers: int
    persistent: bool


def _generate_state(base_seed: int, worker_id: int) -> list[int]:
    """The words that NumPy's global generator of a worker is seeded with."""
    import numpy

    entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    return numpy.random.SeedSequence(entropy).generate_state(4).tolist()


def _seed_process(base_seed: int, worker_id: int) -> None:
    """Seed the global generators of a worker process."""
    seed = base_seed + worker_id
    random.seed(seed)
    rushlight.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(_generate_state(base_seed, worker_id))


def _thread_rng(seed: int) -> _RNG:
    generator = rushlight.Generator()
    generator.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    return _RNG(
        random.Random(seed),
        generator,
        numpy.random.default_rng(seed) if numpy is not None else None,
    )


def _serve(
    task: _Task,
    where: str,
    rng: _RNG | None,
    receive: Callable[[], Any],
    send: Callable[[Any, Any], None],
) -> None:
    """Answer requests until `receive` returns None.

    A request is `(idx, indices)` or a `_ResumeIteration`; `send(idx, data)` answers it. Exceptions
    become answers; after one of the set-up every request is answered with it.
    """
    from ..dataloader import _DatasetKind

    failure: ExceptionWrapper | None = None
    fetcher: Any = None
    ended = False

    def new_fetcher() -> Any:
        return _DatasetKind.create_fetcher(
            task.kind, task.dataset, task.auto_collation, task.collate_fn, task.drop_last
        )

    try:
        _local.info = WorkerInfo(
            id=task.worker_id,
            num_workers=task.num_workers,
            seed=task.base_seed + task.worker_id,
            dataset=task.dataset,
            rng=rng,
            worker_method="multiprocessing" if rng is None else "thread",
        )
        if task.init_fn is not None:
            task.init_fn(task.worker_id)
        fetcher = new_fetcher()
    except Exception:
        failure = ExceptionWrapper(where)
    while True:
        request = receive()
        if request is None:
            return
        if isinstance(request, _ResumeIteration):
            ended = False
            try:
                fetcher = new_fetcher() if failure is None else None
            except Exception:
                failure = ExceptionWrapper(where)
            send(request, None)
            continue
        idx, indices = request
        if ended:
            # Requests that were under way when the stream ended.
            continue
        if failure is not None:
            send(idx, failure)
            failure = None if fetcher is not None else failure
            continue
        try:
            data = fetcher.fetch(indices)
        except StopIteration:
            if task.kind != _DatasetKind.Iterable:
                data = ExceptionWrapper(where)
            else:
                data = _IterableDatasetStopIteration(task.worker_id)
                ended = True
        except Exception:
            data = ExceptionWrapper(where)
        send(idx, data)
        del data


def _process_main(task: _Task, requests: Any, results: Any, done: Any) -> None:
    """The body of a worker process."""
    from multiprocessing import connection, parent_process
    from multiprocessing.reduction import ForkingPickler

    import rushlight.multiprocessing  # how tensors travel between processes

    rushlight.set_num_threads(1)
    _seed_process(task.base_seed, task.worker_id)
    where = f"in DataLoader worker process {task.worker_id}"
    parent = parent_process()
    watched = [requests] if parent is None else [requests, parent.sentinel]

    def receive() -> Any:
        while not done.is_set():
            ready = connection.wait(watched)
            if requests not in ready:
                return None
            try:
                return requests.recv()
            except EOFError:
                return None
        return None

    def send(idx: Any, data: Any) -> None:
        # Pickled here and not in the queue's thread, so that a failure reaches the caller.
        try:
            payload = bytes(ForkingPickler.dumps(data))
        except Exception:
            payload = bytes(ForkingPickler.dumps(ExceptionWrapper(where)))
        results.put((task.worker_id, idx, payload))

    try:
        _serve(task, where, None, receive, send)
    except KeyboardInterrupt:
        pass
    if done.is_set():
        results.cancel_join_thread()
    results.close()


def _thread_main(task: _Task, requests: Any, results: Any) -> None:
    """The body of a worker thread."""

    def send(idx: Any, data: Any) -> None:
        results.put((task.worker_id, idx, data))

    rng = _thread_rng(task.base_seed + task.worker_id)
    where = f"in DataLoader worker thread {task.worker_id}"
    _serve(task, where, rng, requests.get, send)
