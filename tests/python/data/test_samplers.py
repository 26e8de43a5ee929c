"""Samplers: the order PyTorch draws from the same seed (recorded.json), errors."""

import json
from pathlib import Path

import pytest
import rushlight as torch
from rushlight.utils.data import (
    BatchSampler,
    DistributedSampler,
    RandomSampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())["samplers"]


def test_orders_recorded():
    torch.manual_seed(5)
    seen = {
        "random": list(RandomSampler(range(9))),
        "replacement": list(RandomSampler(range(9), replacement=True, num_samples=40)),
        "more": list(RandomSampler(range(5), num_samples=12)),
        "subset": list(SubsetRandomSampler([4, 5, 6, 9])),
        "weighted": list(WeightedRandomSampler([0.1, 0.5, 0.2, 0.9], 7)),
        "weighted_once": list(WeightedRandomSampler([0.1, 0.5, 0.2, 0.9], 3, replacement=False)),
        "distributed": list(DistributedSampler(range(10), 3, 1, seed=4)),
    }
    assert seen == RECORDED


def test_distributed_parts_cover_everything():
    parts = [list(DistributedSampler(range(10), 4, r, shuffle=True)) for r in range(4)]
    assert {len(p) for p in parts} == {3} and set(sum(parts, [])) == set(range(10))
    sampler = DistributedSampler(range(10), 4, 0)
    first = list(sampler)
    sampler.set_epoch(1)
    assert list(sampler) != first
    with pytest.raises(ValueError, match="Invalid rank"):
        DistributedSampler(range(10), 2, 3)


def test_batches():
    assert list(BatchSampler(SequentialSampler(range(5)), 2, True)) == [[0, 1], [2, 3]]
    assert len(BatchSampler(range(5), 2, False)) == 3


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: RandomSampler(range(3), replacement=1), TypeError, "boolean"),
        (lambda: RandomSampler(range(3), num_samples=0), ValueError, "positive integer"),
        (lambda: RandomSampler([]), ValueError, "num_samples=0"),
        (lambda: WeightedRandomSampler([[1.0]], 2), ValueError, "1d sequence"),
        (lambda: BatchSampler(range(3), True, False), ValueError, "batch_size=True"),
        (lambda: BatchSampler(range(3), 2, 1), ValueError, "drop_last=1"),
    ],
)
def test_wrong_arguments_raise(make, error, words):
    with pytest.raises(error, match=words):
        make()
