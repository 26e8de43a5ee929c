"""No operator ends the process when an operand is sparse: it gives a result or raises."""

import subprocess
import sys
from pathlib import Path


def test_every_operator_with_sparse_operands_gives_a_result_or_raises():
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("every_operator.py"))], capture_output=True, text=True, timeout=600
    )
    last = run.stdout.strip().splitlines()[-1] if run.stdout else ""
    assert run.returncode == 0, f"ended by {run.returncode} at: {last}\n{run.stderr[-2000:]}"
    results, refused = int(last.split()[1]), int(last.split()[3])
    assert results > 500 and refused > 5000
