"""Records how PyTorch prints tensors: run with PyTorch 2.13, writes `printing.json` beside this file.

A case is an expression, the options of `set_printoptions`, and the text.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import torch

FIXED = """
torch.tensor([])
torch.tensor([], dtype=torch.int64)
torch.zeros(0, 3)
torch.zeros(2, 0, dtype=torch.float64)
torch.tensor(1.5)
torch.tensor(3)
torch.tensor(True)
torch.tensor(1 + 2j)
torch.tensor(float("nan"))
torch.tensor(float("-inf"), dtype=torch.float64)
torch.zeros(2, 3)
-torch.zeros(2, 3)
torch.ones(2, 2, dtype=torch.bfloat16)
torch.arange(1001)
torch.arange(2000.0).reshape(20, 100)
torch.arange(3000).reshape(3, 10, 100)
torch.arange(24.0).reshape(2, 3, 2, 2)
torch.arange(40)
torch.arange(100) % 2 == 0
torch.tensor([1.0, float("inf"), float("nan")])
torch.tensor([float("inf"), float("nan")])
torch.tensor([1e10, 1.0])
torch.tensor([1e-5, 1.0])
torch.tensor([1e9])
torch.tensor([123456789.0, 0.5])
torch.tensor([[1, -100], [30, 4]], dtype=torch.int8)
torch.tensor([1 + 2j, -3.5 - 0.25j])
torch.tensor([1 + 0j, 2 + 1e9j], dtype=torch.complex128)
torch.tensor([[True, False], [False, True]])
torch.zeros(3, requires_grad=True)
torch.zeros(3, requires_grad=True) * 2
torch.ones(1, requires_grad=True).exp()
torch.ones(2, 12, requires_grad=True, dtype=torch.float64)
torch.zeros(2, 3, device="meta")
torch.zeros(2, dtype=torch.int32, device="meta")
torch.tensor(5, dtype=torch.uint8)
torch.full((3, 3), 0.1, dtype=torch.float16)
torch.tensor([2**62, -1])
""".strip().splitlines()

OPTIONS = [
    {},
    {},
    {},
    {"precision": 2},
    {"precision": 8, "linewidth": 40},
    {"threshold": 5, "edgeitems": 1},
    {"profile": "short"},
    {"profile": "full"},
    {"sci_mode": True},
    {"sci_mode": False},
    {"threshold": 4, "edgeitems": 0},
]


def random_case(rng: random.Random) -> str:
    """An expression with random numbers."""
    kind = rng.choice(["float", "float", "wide", "int", "complex", "special"])
    count = rng.choice([1, 2, 3, 5, 8, 12])
    if kind == "int":
        return (
            f"torch.tensor({[rng.randint(-(10 ** rng.randint(0, 6)), 10 ** rng.randint(0, 6)) for _ in range(count)]})"
        )
    scale = 10.0 ** rng.randint(-6, 8)
    values = [
        round(rng.gauss(0, 1), 4) * (10.0 ** rng.randint(-5, 5) if kind == "wide" else scale) for _ in range(count)
    ]
    text = [repr(v) for v in values]
    if kind == "complex":
        text = [f"complex({a}, {rng.gauss(0, 1):.3f})" for a in text]
    if kind == "special":
        text[rng.randrange(count)] = rng.choice(['float("nan")', 'float("inf")', "0.0", "-0.0"])
    dtypes = ["complex64", "complex128"] if kind == "complex" else ["float32", "float64", "bfloat16", "float16"]
    rows = f".reshape({rng.choice(['-1', '1, -1', '-1, 1'])})"
    return f"torch.tensor([{', '.join(text)}], dtype=torch.{rng.choice(dtypes)}){rows}"


def main() -> None:
    rng = random.Random(0)
    expressions = FIXED + [random_case(rng) for _ in range(160)]
    cases = []
    for i, expression in enumerate(expressions):
        options = {} if i < len(FIXED) else rng.choice(OPTIONS)
        for chosen in [options] if i >= len(FIXED) else OPTIONS[2:]:
            torch.set_printoptions(profile="default")
            torch.set_printoptions(**chosen)
            cases.append([expression, chosen, repr(eval(expression))])
    lines = ",\n".join(json.dumps(case) for case in cases)
    Path(__file__).with_name("printing.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
