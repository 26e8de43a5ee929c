"""Load the models that digits.py saved, in a new process, and show that they give the same logits.

    python examples/python/digits_reload.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import rushlight as torch
from digits import cnn, mlp


def main(folder: Path) -> None:
    sample = torch.load(folder / "sample.pt")
    for name, model in (("mlp", mlp()), ("cnn", cnn())):
        model.load_state_dict(torch.load(folder / f"{name}.pt"))
        model.eval()
        with torch.no_grad():
            logits = model(sample["pictures"])
        if not torch.equal(logits, sample[name]):
            sys.exit(f"{name}: the reloaded model gives other logits")
        print(f"{name}: reloaded, same logits; first row {[round(x, 3) for x in logits[0].tolist()]}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "digits"))
