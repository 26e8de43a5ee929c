"""Writes recorded.json: the orders that PyTorch 2.13 draws; run it with PyTorch installed."""

import json
from pathlib import Path

import torch
from torch.utils import data

LOADERS = [
    {"batch_size": 4},
    {"batch_size": 4, "shuffle": True},
    {"batch_size": 3, "shuffle": True, "drop_last": True},
]


def batches(options, seed):
    torch.manual_seed(7)
    options = dict(options)
    if seed is not None:
        options["generator"] = torch.Generator().manual_seed(seed)
    loader = data.DataLoader(range(11), **options)
    return [b.tolist() for _ in range(2) for b in loader] + [torch.rand(1).item()]


def samplers():
    torch.manual_seed(5)
    weights = [0.1, 0.5, 0.2, 0.9]
    return {
        "random": list(data.RandomSampler(range(9))),
        "replacement": list(data.RandomSampler(range(9), replacement=True, num_samples=40)),
        "more": list(data.RandomSampler(range(5), num_samples=12)),
        "subset": list(data.SubsetRandomSampler([4, 5, 6, 9])),
        "weighted": list(data.WeightedRandomSampler(weights, 7)),
        "weighted_once": list(data.WeightedRandomSampler(weights, 3, replacement=False)),
        "distributed": list(data.DistributedSampler(range(10), 3, 1, seed=4)),
    }


def main():
    generator = torch.Generator().manual_seed(1)
    parts = data.random_split(range(10), [0.35, 0.35, 0.3], generator=generator)
    recorded = {
        "loader": [
            {"options": options, "seed": seed, "batches": batches(options, seed)}
            for options in LOADERS
            for seed in (None, 3)
        ],
        "samplers": samplers(),
        "split": [list(part.indices) for part in parts],
    }
    (Path(__file__).parent / "recorded.json").write_text(json.dumps(recorded))


if __name__ == "__main__":
    main()
