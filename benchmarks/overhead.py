"""Times key operations of the installed package: `python benchmarks/overhead.py [--seconds S]`.

Prints nanoseconds per call, the fastest of several rounds; with PyTorch in the same environment use the same statements there.
"""

from __future__ import annotations

import argparse
import time

import rushlight as torch

SETUP = {
    "x": torch.ones(4, 4),
    "y": torch.ones(4, 4),
    "w": torch.ones(4, 4, requires_grad=True),
    "big": torch.ones(1024, 1024),
    "layer": torch.nn.Linear(64, 64),
    "row": torch.ones(1, 64),
    "torch": torch,
}
STATEMENTS = [
    "x + y", "x + 1.0", "x.add_(y)", "x @ y", "x.sum()", "x[0]", "x.view(2, 8)", "torch.softmax(x, -1)", "w * x", "(w * x).sum().backward()",
    "layer(row)", "torch.rand(4, 4)", "big + big", "big.exp()", "big.sum()", "big @ big",
]  # fmt: skip


def nanoseconds(statement: str, seconds: float) -> float:
    """Time of one execution: loops doubled until one takes a hundredth of the time given, then the fastest round."""
    code = compile(f"for _ in range(count):\n    {statement}", statement, "exec")
    names = dict(SETUP, count=1)

    def run(count: int) -> float:
        names["count"] = count
        begin = time.perf_counter()
        exec(code, names)
        return time.perf_counter() - begin

    count = 1
    while run(count) < seconds / 100:
        count *= 2
    end = time.perf_counter() + seconds
    best = run(count)
    while time.perf_counter() < end:
        best = min(best, run(count))
    return best / count * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.3, help="time for each statement")
    seconds = parser.parse_args().seconds
    torch.set_num_threads(1)
    for statement in STATEMENTS:
        print(f"{statement:32s} {nanoseconds(statement, seconds):12.1f} ns")


if __name__ == "__main__":
    main()
