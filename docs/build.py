"""Writes the reference pages, one per family of the catalogue, to build/docs: `python docs/build.py [--out FOLDER]`."""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "codegen"))

from emit_cpp import declaration, forms  # noqa: E402
from emit_python import signature_text  # noqa: E402
from model import Operator, load  # noqa: E402


def entry(op: Operator) -> str:
    """One operator: signatures in both languages, forms, sentence."""
    prefix = {"torch": "torch.", "Tensor": "Tensor.", "nn": "torch.nn.functional.", "linalg": "torch.linalg.", "fft": "torch.fft.", "special": "torch.special."}
    homes = ", ".join(f"`{prefix[home]}`" for home in op.names) or "C++ only"
    lines = [f"### {op.name}{signature_text(op, '')}", "", op.doc, "", f"- Python: {homes}", "- C++:"]
    lines += [f"  - `{declaration(op, form, defaults=True)}`" for form in forms(op)]
    if op.recorded:
        lines.append(f"- derivative: `{op.node_title}`")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "docs")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    operators = [op for op in load(ROOT / "catalogue") if not op.number]
    index = ["# Operators", ""]
    for family, group in groupby(operators, key=lambda op: op.family):
        members = list(group)
        (out / f"{family}.md").write_text(f"# {family}\n\n" + "\n".join(map(entry, members)))
        index.append(f"- [{family}]({family}.md): {len(members)} signatures")
    (out / "index.md").write_text("\n".join(index) + "\n")
    print(f"{len(operators)} signatures in {out}")


if __name__ == "__main__":
    main()
