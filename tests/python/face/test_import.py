"""The cost of `import rushlight`, lazy names, and what stands for PyTorch."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ALLOWED = {"__future__", "copyreg", "math", "rushlight"}


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, *arguments, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


def test_import_loads_nothing_but_itself_and_math():
    code = "import sys; before = set(sys.modules); import rushlight; print(sorted(set(sys.modules) - before))"
    done = run(code)
    assert done.returncode == 0, done.stderr
    new = {name.split(".")[0] for name in eval(done.stdout)}
    assert new <= ALLOWED, new - ALLOWED


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="not under a sanitizer: its own process, or its time")
def test_import_is_fast():
    code = "import time; t = time.process_time(); import rushlight; print(time.process_time() - t)"
    run(code)  # leaves compiled files behind
    seconds = min(float(run(code).stdout) for _ in range(5))
    assert seconds < 0.02, seconds


def test_missing_attribute_is_named_as_in_torch():
    done = run("import rushlight as torch; torch.nothing_of_the_kind")
    assert "module 'torch' has no attribute 'nothing_of_the_kind'" in done.stderr


def test_dir_lists_lazy_names():
    import rushlight as torch

    assert {"nn", "save", "stft", "FloatTensor", "compile", "zeros"} <= set(dir(torch))


@pytest.mark.parametrize(
    "code",
    [
        "import torch, rushlight; assert torch is rushlight",
        "import torch.autograd.functional as F, rushlight.autograd.functional as G; assert F is G",
        "import torch.backends.cudnn as c; c.benchmark = True; import torch; assert torch.backends.cudnn.benchmark",
        "import torch; assert torch.__version__ >= '2.1' and torch.__version__ >= (1, 9)",
        "import importlib.metadata as m; assert m.version('torch').startswith('2.')",
        "import importlib.util as u; assert u.find_spec('torch') and u.find_spec('torch.nn') and not u.find_spec('torch.no')",
        "import sys; assert sys.argv == ['-c', 'x'], sys.argv",
        "class A: pass\nimport pickle; pickle.loads(pickle.dumps(A()))",
    ],
)
def test_program_sees_torch(code):
    done = subprocess.run([sys.executable, "-m", "rushlight", "-c", code, "x"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_script_runs_as_main(tmp_path):
    (tmp_path / "beside.py").write_text("import torch\nvalue = torch.ones(2)\n")
    script = tmp_path / "program.py"
    script.write_text(
        "import sys, beside, torch\n"
        "assert __name__ == '__main__' and __file__.endswith('program.py')\n"
        "print(sys.argv[1:], beside.value.sum().item())\n"
    )
    done = subprocess.run([sys.executable, "-m", "rushlight", str(script), "--x", "1"], capture_output=True, text=True)
    assert done.stdout == "['--x', '1'] 2.0\n", done.stderr


def test_missing_module_is_named_as_in_torch():
    done = run("import rushlight.compat as c; c.install(); import torch.nonsense")
    assert "No module named 'torch.nonsense'" in done.stderr


def test_children_see_torch_too(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        "import multiprocessing, subprocess, sys, torch\n"
        "def work(q):\n"
        "    import torch\n"
        "    q.put(torch.__name__)\n"
        "if __name__ == '__main__':\n"
        "    context = multiprocessing.get_context('spawn')\n"
        "    q = context.Queue()\n"
        "    p = context.Process(target=work, args=(q,))\n"
        "    p.start()\n"
        "    print(q.get(timeout=60))\n"
        "    p.join()\n"
        "    print(subprocess.check_output([sys.executable, '-c', 'import torch; print(torch.__name__)'], text=True))\n"
    )
    done = subprocess.run([sys.executable, "-m", "rushlight", str(script)], capture_output=True, text=True)
    assert done.stdout.split() == ["rushlight", "rushlight"], done.stderr


def test_types_say_that_they_are_of_torch():
    code = (
        "import torch, inspect, pickle, sys\n"
        "import torch.distributions as late\n"
        "layer = torch.nn.Linear(2, 2)\n"
        "print(type(layer), late.Normal, torch.optim.SGD, torch.sort(torch.ones(2)).__class__)\n"
        "assert torch.typename(layer) == 'torch.nn.modules.linear.Linear'\n"
        "assert inspect.getsource(torch.nn.Linear).startswith('class Linear')\n"
        "assert type(pickle.loads(pickle.dumps(layer))) is torch.nn.Linear\n"
        "assert b'rushlight' not in pickle.dumps(layer)\n"
    )
    done = subprocess.run([sys.executable, "-m", "rushlight", "-c", code], capture_output=True, text=True)
    assert done.stdout.split("> ") == [
        "<class 'torch.nn.modules.linear.Linear'",
        "<class 'torch.distributions.normal.Normal'",
        "<class 'torch.optim.sgd.SGD'",
        "<class 'torch.return_types.sort'>\n",
    ], done.stderr


def test_types_keep_their_own_names_without_the_alias():
    done = run("import rushlight; print(rushlight.nn.Linear.__module__)")
    assert done.stdout == "rushlight.nn.modules.linear\n", done.stderr


def test_functorch_is_there_under_the_alias():
    done = run("import rushlight.compat as c; c.install(); import functorch; print(functorch.make_functional.__module__)")
    assert done.returncode == 0, done.stderr
