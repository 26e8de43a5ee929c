"""The stubs: a strict program passes mypy and runs, wrong calls do not pass, and stubs and extension name the same things."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import rushlight

PACKAGE = Path(rushlight.__file__).parent
PROGRAM = Path(__file__).parent / "program.py"


def mypy(program: Path, cache: Path) -> str:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--follow-imports=silent", "--cache-dir", str(cache)]
    environment = {"MYPYPATH": str(PACKAGE.parent)}
    return subprocess.run([*command, str(program)], capture_output=True, text=True, env=environment, cwd=program.parent).stdout


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def test_strict_program_passes(cache):
    assert mypy(PROGRAM, cache) == ""


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="not under a sanitizer: its own process, or its time")
def test_strict_program_runs():
    done = subprocess.run([sys.executable, str(PROGRAM)], capture_output=True, text=True, env={"PYTHONPATH": str(PACKAGE.parent)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("True\n")


WRONG = {
    "x.sizes()": "attr-defined",
    "torch.zeros('3')": "arg-type",
    "x.sum(axis_of='1')": "call-overload",
    "x.item().upper()": "union-attr",
    "y: int = x.sum()": "assignment",
    "torch.no_such_function(x)": "attr-defined",
    "torch.nn.functional.rellu(x)": "attr-defined",
    "x.softmax()": "call-arg",
}


def test_wrong_calls_are_found(tmp_path, cache):
    program = tmp_path / "wrong.py"
    program.write_text("\n".join(["import rushlight as torch", "x = torch.ones(2)", *WRONG]) + "\n")
    found = {int(line.split(":")[1]): line for line in mypy(program, cache).splitlines() if "error:" in line}
    for number, (line, code) in enumerate(WRONG.items(), start=3):
        assert f"[{code}]" in found[number], line


def names_in_stub(path: Path, inside: str = "") -> set[str]:
    body = ast.parse(path.read_text()).body
    if inside:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == inside)
    found = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name for alias in node.names)
    return found


# Of the interpreter, or of `object` with its own signature.
_COMMON = {"__doc__", "__loader__", "__name__", "__package__", "__spec__", "__file__", "__dict__", "__weakref__"}
_OF_OBJECT = set(dir(object)) | {"__getattr__"}


@pytest.mark.parametrize(
    ("stub", "inside", "owner"),
    [
        ("__init__.pyi", "Tensor", lambda: rushlight._C.Tensor),
        ("__init__.pyi", "", lambda: rushlight._C),
        ("_VariableFunctions.pyi", "", lambda: rushlight._C._VariableFunctions),
        ("_nn.pyi", "", lambda: rushlight._C._nn),
        ("_linalg.pyi", "", lambda: rushlight._C._linalg),
        ("_fft.pyi", "", lambda: rushlight._C._fft),
        ("_special.pyi", "", lambda: rushlight._C._special),
        ("_io.pyi", "", lambda: rushlight._C._io),
        ("_autograd.pyi", "", lambda: rushlight._C._autograd),
    ],
)
def test_stub_names_what_exists(stub, inside, owner):
    exists = set(vars(owner())) - _COMMON - _OF_OBJECT
    missing = exists - names_in_stub(PACKAGE / "_C" / stub, inside)
    assert not missing, f"new in the extension; add a line to codegen/stubs/{stub} and run codegen/generate.py --public"


def test_stub_promises_only_what_exists():
    tensor = {name for name in names_in_stub(PACKAGE / "_C" / "__init__.pyi", "Tensor") if not hasattr(rushlight.Tensor, name)}
    assert tensor == set()
    functions = names_in_stub(PACKAGE / "_C" / "_VariableFunctions.pyi")
    known = vars(rushlight._C._VariableFunctions)
    assert {name for name in functions if name not in known} <= {
        "Callable", "Sequence", "Any", "overload", "Generator", "Number", "Tensor", "_return_types", "device", "dtype", "layout", "memory_format"
    }


def test_package_stub_names_what_exists():
    names = names_in_stub(PACKAGE / "__init__.pyi")
    missing = {name for name in dir(rushlight) if not name.startswith("__")} - names
    assert missing <= {"_sys", "_take_names", "_install", "_internal", "_ATTRIBUTES", "_SUBMODULES", "annotations", "_alias"} | {
        name for name in missing if name in sys.modules or f"rushlight.{name}" in sys.modules
    }
    assert {name for name in names if not hasattr(rushlight, name)} <= {"ModuleType", "Number", "_T", "_TensorT", "_bool", "_int", "_float", "_complex", "_dtype", "_device", "_layout", "_memory_format"}
