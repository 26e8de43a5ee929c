"""DataLoader: order, workers of all kinds, errors that reach the caller."""

import json
import os
import random
from pathlib import Path

import pytest
import rushlight as torch
from rushlight.utils.data import (
    DataLoader,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    get_worker_info,
)

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())["loader"]
WORKERS = ["thread", "fork"]


class Numbers(Dataset):
    def __len__(self):
        return 23

    def __getitem__(self, i):
        return torch.full((3,), i), {"a": float(i)}


class Failing(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        if i == 2:
            raise KeyError(f"sample {i}")
        return i


class Dying(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        os._exit(3)


class Slow(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, i):
        # Waits for ever for a lock that nobody lets go.
        import threading

        lock = threading.Lock()
        lock.acquire()
        lock.acquire()


class Shards(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        start, step = (0, 1) if info is None else (info.id, info.num_workers)
        return iter(range(start, 10, step))


class Seeds(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, i):
        info = get_worker_info()
        return info.seed, torch.initial_seed(), random.random()


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value]


@pytest.mark.parametrize("case", RECORDED)
@pytest.mark.parametrize("workers", [None, *WORKERS])
def test_order_recorded(case, workers):
    torch.manual_seed(7)
    options = dict(case["options"])
    if case["seed"] is not None:
        options["generator"] = torch.Generator().manual_seed(case["seed"])
    if workers:
        options.update(num_workers=2, multiprocessing_context=workers)
    loader = DataLoader(range(11), **options)
    seen = [batch.tolist() for _ in range(2) for batch in loader]
    assert [*seen, torch.rand(1).item()] == case["batches"]


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("persistent", [False, True])
def test_workers_give_what_the_caller_would_make(workers, persistent):
    expected = [plain(b) for b in DataLoader(Numbers(), batch_size=4)]
    loader = DataLoader(
        Numbers(),
        batch_size=4,
        num_workers=2,
        multiprocessing_context=workers,
        persistent_workers=persistent,
    )
    for _ in range(2):
        assert [plain(b) for b in loader] == expected


@pytest.mark.parametrize("workers", WORKERS)
def test_leaving_a_pass_early_and_starting_again(workers):
    loader = DataLoader(
        Numbers(), num_workers=2, multiprocessing_context=workers, persistent_workers=True
    )
    for _ in loader:
        break
    assert len(list(loader)) == 23


@pytest.mark.parametrize("workers", WORKERS)
def test_streams_are_shared_out(workers):
    loader = DataLoader(Shards(), batch_size=2, num_workers=2, multiprocessing_context=workers)
    for _ in range(2):
        assert sorted(int(v) for batch in loader for v in batch) == list(range(10))


@pytest.mark.parametrize("workers", WORKERS)
def test_out_of_order_gives_everything(workers):
    loader = DataLoader(
        range(50), 3, num_workers=3, multiprocessing_context=workers, in_order=False
    )
    assert sorted(int(v) for batch in loader for v in batch) == list(range(50))


@pytest.mark.parametrize("workers", WORKERS)
def test_exceptions_arrive_with_the_worker_traceback(workers):
    kind = "thread" if workers == "thread" else "process"
    loader = DataLoader(Failing(), num_workers=1, multiprocessing_context=workers)
    with pytest.raises(KeyError) as raised:
        list(loader)
    text = str(raised.value)
    assert f"Caught KeyError in DataLoader worker {kind} 0" in text
    assert "in __getitem__" in text and "sample 2" in text


def test_a_failing_init_function_arrives():
    def init(worker):
        raise ValueError("no such file")

    loader = DataLoader(
        range(3), num_workers=1, worker_init_fn=init, multiprocessing_context="fork"
    )
    with pytest.raises(ValueError, match="no such file"):
        list(loader)


def test_a_dead_worker_is_an_error():
    loader = DataLoader(Dying(), num_workers=1, multiprocessing_context="fork")
    with pytest.raises(RuntimeError, match="exited unexpectedly, with exit code"):
        list(loader)


def test_timeout():
    loader = DataLoader(Slow(), num_workers=1, timeout=0.2, multiprocessing_context="fork")
    with pytest.raises(RuntimeError, match="timed out after 0.2 seconds"):
        next(iter(loader))


def test_worker_seeds_follow_the_base_seed():
    torch.manual_seed(0)
    loader = DataLoader(Seeds(), batch_size=None, num_workers=2, multiprocessing_context="fork")
    (seed0, initial0, draw0), (seed1, initial1, _) = loader
    assert seed1 == seed0 + 1 and initial0 == seed0 and initial1 == seed1
    assert draw0 == random.Random(seed0).random()
    assert seed0 == 900450186894289455
    assert get_worker_info() is None


def test_tensor_datasets_are_read_by_whole_rows():
    x = torch.arange(24.0).view(12, 2)
    data = Subset(TensorDataset(x, torch.arange(12)), list(range(12))[::-1])
    a, b = next(iter(DataLoader(data, batch_size=3)))
    assert a.tolist() == [[22, 23], [20, 21], [18, 19]] and b.tolist() == [11, 10, 9]
    assert a.is_contiguous()


def test_large_tensors_cross_processes():
    x = torch.arange(200000.0).view(4, 50000)
    loader = DataLoader(TensorDataset(x), num_workers=2, multiprocessing_context="fork")
    for i, (row,) in enumerate(loader):
        assert torch.equal(row[0], x[i])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"num_workers": -1}, ValueError, "num_workers"),
        ({"timeout": -1}, ValueError, "timeout"),
        ({"prefetch_factor": 2}, ValueError, "prefetch_factor"),
        ({"persistent_workers": True}, ValueError, "persistent_workers"),
        ({"sampler": [1], "shuffle": True}, ValueError, "mutually exclusive"),
        ({"batch_sampler": [[1]], "batch_size": 2}, ValueError, "mutually exclusive"),
        ({"batch_size": None, "drop_last": True}, ValueError, "mutually exclusive"),
        ({"batch_size": 0}, ValueError, "positive integer"),
        ({"num_workers": 1, "multiprocessing_context": "x"}, ValueError, "start method"),
        ({"multiprocessing_context": "fork"}, ValueError, "num_workers > 0"),
    ],
)
def test_wrong_options_raise(options, error, words):
    with pytest.raises(error, match=words):
        DataLoader(range(10), **options)


def test_options_are_fixed():
    loader = DataLoader(range(10))
    with pytest.raises(ValueError, match="batch_size attribute should not be set"):
        loader.batch_size = 3


def test_lengths():
    assert len(DataLoader(range(7), 2)) == 4
    assert len(DataLoader(range(7), 2, drop_last=True)) == 3
    with pytest.raises(TypeError):
        len(DataLoader(Shards()))
