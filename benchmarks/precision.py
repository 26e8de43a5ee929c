"""Measures the precision of functions and reductions, and writes docs/precision.md and the bounds that the tests enforce.

    python benchmarks/precision.py measure --module rushlight --json ours.json [--step 16411] [--only exp,log]
    python benchmarks/precision.py measure --module torch --json theirs.json
    python benchmarks/precision.py report ours.json theirs.json

`--step 1` takes every float32. float64 needs mpmath. Functions are measured in as many processes as `--jobs` says.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "python" / "precision"
sys.path.insert(0, str(TESTS))
from precision_functions import FUNCTIONS  # noqa: E402
from precision_measure import REDUCTIONS, call, double, exact, half, reduction, samples, single  # noqa: E402

POINTS = 24  # float64 points of a function that the tests keep


def load(name: str) -> Any:
    module = importlib.import_module(name)
    module.set_num_threads(1)
    importlib.import_module(name + ".special")
    importlib.import_module(name + ".nn")
    return module


def measure_function(job: tuple[str, str, int, int]) -> tuple[str, dict[str, Any]]:
    """All dtypes of one function."""
    library, name, step, count = job
    module, f = load(library), FUNCTIONS[name]
    found: dict[str, Any] = {"float32": single(module, name, step)}
    for dtype in ("float16", "bfloat16") if f.half else ():
        found[dtype] = half(module, name, dtype)
    x = samples(f, count)
    want = exact(f, x)
    found["float64"] = double(module, name, x, want)
    found["points"] = hardest(module, name, x, want)
    return name, found


def hardest(module: Any, name: str, x: Any, want: list[Any]) -> list[list[str]]:
    """The points of the largest errors: argument, result, and what the result lacks, in hexadecimal."""
    got = call(module, name, module.from_numpy(x)).tolist()
    rows = []
    for point, value, right in zip(x.tolist(), got, want):
        right = right.real if hasattr(right, "real") else right
        near = float(right)
        if 1e-290 < abs(near) < 1e300:
            rows.append((abs(float((right - value) / near)), point, near, float(right - near)))
    return [[p.hex(), n.hex(), rest.hex()] for _, p, n, rest in sorted(rows, reverse=True)[:POINTS]]


def measure(options: argparse.Namespace) -> None:
    module = load(options.module)
    names = options.only.split(",") if options.only else list(FUNCTIONS)
    jobs = [(options.module, name, options.step, options.points) for name in names]
    with ProcessPoolExecutor(options.jobs) as pool:
        functions = dict(pool.map(measure_function, jobs))
    reductions = {name: {dtype: reduction(module, name, dtype) for dtype in ("float32", "float64", "float16", "bfloat16")} for name in REDUCTIONS}
    Path(options.json).write_text(json.dumps({"step": options.step, "points": options.points, "functions": functions, "reductions": reductions}))


def shown(value: float) -> str:
    return "inf" if value == float("inf") else f"{value:.2f}" if value < 100 else f"{value:.3g}"


def cell(ours: float, theirs: float | None) -> str:
    mark = "**" if theirs is not None and ours > theirs * 1.01 + 0.005 else ""
    return f"{mark}{shown(ours)}{mark}" + ("" if theirs is None else f" ({shown(theirs)})")


def report(options: argparse.Namespace) -> None:
    ours = json.loads(Path(options.ours).read_text())
    theirs = json.loads(Path(options.theirs).read_text()) if options.theirs else {"functions": {}, "reductions": {}}
    every = "every float32" if ours["step"] == 1 else f"every {ours['step']}th float32"
    lines = [
        "# Precision",
        "",
        "Made by `python benchmarks/precision.py`; its first lines say how. In parentheses: PyTorch 2.13 on the same inputs.",
        "**Bold** where this library is worse.",
        "",
        "## Functions",
        "",
        f"Largest error in units in the last place over {every}, about {ours['points']} float64 points (half even, half by exponent) against",
        "40 digits, and all 65,536 numbers of both half types (0.5 is correct rounding). A domain leaves out zeros that no floating-point",
        "number hits, and results that are subnormal.",
        "",
        "| function | domain | float32 | worst at | float64 | float16 | bfloat16 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, f in FUNCTIONS.items():
        mine, other = ours["functions"].get(name), theirs["functions"].get(name, {})
        if mine is None:
            continue
        cells = {d: cell(mine[d][0], other[d][0] if d in other else None) if d in mine else "" for d in ("float32", "float64", "float16", "bfloat16")}
        domain = "all" if f.low == -f.high == -float("inf") else f"{f.low:g} to {f.high:g}"
        lines.append(f"| `{name}` | {domain} | {cells['float32']} | {mine['float32'][1]:.6g} | {cells['float64']} | {cells['float16']} | {cells['bfloat16']} |")
    lines += ["", "## Reductions", "", "Largest relative error in epsilons of the dtype over 4,096 and 100,003 positive elements, against exact sums.", "",
              "| reduction | float32 | float64 | float16 | bfloat16 |", "| --- | --- | --- | --- | --- |"]
    for name, mine in ours["reductions"].items():
        other = theirs["reductions"].get(name, {})
        lines.append(f"| `{name}` | " + " | ".join(cell(mine[d], other.get(d)) for d in ("float32", "float64", "float16", "bfloat16")) + " |")
    (ROOT / "docs" / "precision.md").write_text("\n".join(lines) + "\n")
    # Other instruction sets and a finer step find a little more, and several times as much where digits cancel.
    bound = {n: {d: round(v[0] * (3 if v[0] > 1000 else 1.05) + 0.3, 3) for d, v in f.items() if d != "points"} for n, f in ours["functions"].items()}
    sums = {n: {d: round(1.2 * v + 0.1, 3) for d, v in r.items()} for n, r in ours["reductions"].items()}
    rows = [f"  {json.dumps(n)}: {json.dumps(v)}" for n, v in bound.items()]
    more = [f"  {json.dumps(n)}: {json.dumps(v)}" for n, v in sums.items()]
    (TESTS / "bounds.json").write_text('{"functions": {\n' + ",\n".join(rows) + '\n}, "reductions": {\n' + ",\n".join(more) + "\n}}\n")
    points = [f"{json.dumps(n)}: {json.dumps(f['points'])}" for n, f in ours["functions"].items()]
    (TESTS / "points.json").write_text("{\n" + ",\n".join(points) + "\n}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("measure")
    one.add_argument("--module", default="rushlight")
    one.add_argument("--json", required=True)
    one.add_argument("--step", type=int, default=16411)
    one.add_argument("--points", type=int, default=400)
    one.add_argument("--jobs", type=int, default=1)
    one.add_argument("--only", default="")
    one.set_defaults(run=measure)
    two = commands.add_parser("report")
    two.add_argument("ours")
    two.add_argument("theirs", nargs="?")
    two.set_defaults(run=report)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
