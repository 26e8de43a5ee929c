"""The stub generator: overloads, names that would shadow types, lazy packages read without importing them."""

from pathlib import Path

import emit_stubs
import pytest
from emit_stubs import Argument, Definition, covers, definitions, union
from model import expand


def made(text: str, kind: str = "kernel", method: bool = False) -> list[str]:
    operators = expand({"op": text, "kind": kind, "grad": {}, "doc": "x"}, "family")
    return [str(one) for one in definitions(operators[0].name, operators, "", method=method)]


def test_tensor_and_number_are_one_signature():
    assert made("mul.Tensor(Tensor self, Tensor other) -> Tensor", "pointwise") == ["def mul(input: Tensor, other: Tensor | Number) -> Tensor: ..."]


def test_types_in_the_class_do_not_clash_with_methods():
    text = made("f(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", method=True)
    assert text == ["def f(self, dim: _int, keepdim: _bool = False, *, dtype: _dtype | None = None) -> Tensor: ..."]


def test_last_list_may_be_single_numbers():
    assert made("view(Tensor(a) self, int[] size) -> Tensor(a)", "view", method=True) == [
        "def view(self, size: _int | Sequence[_int]) -> Tensor: ...",
        "def view(self, *size: _int) -> Tensor: ...",
    ]


def test_named_outputs_have_a_class():
    assert made("sort(Tensor self, int dim=-1) -> (Tensor values, Tensor indices)") == ["def sort(input: Tensor, dim: int = -1) -> _return_types.sort: ..."]


def test_out_may_be_left_out():
    operators = expand({"op": "f(Tensor self) -> (Tensor a, Tensor b)", "kind": "kernel", "grad": {}, "doc": "x", "out": True}, "family")
    assert "out: Sequence[Tensor] | None = None" in str(definitions("f", operators, "", method=False)[0])


def test_signatures_that_fit_no_more_calls_are_dropped():
    wide = Definition("f", (Argument("a", "int | str"), Argument("b", "int", "1")), "int")
    narrow = Definition("f", (Argument("a", "int"),), "int")
    other = Definition("f", (Argument("a", "float"), Argument("b", "str", "1")), "int")
    assert covers(wide, narrow) and not covers(narrow, wide)
    assert union(wide, narrow) == wide and union(wide, other) is None
    assert union(narrow, Definition("f", (Argument("a", "str"),), "int")) == Definition("f", (Argument("a", "int | str"),), "int")


def test_lazy_names_are_read_from_the_package():
    names, submodules = emit_stubs.lazy_names()
    assert names["save"] == "serialization" and "nn" in submodules
    layers = emit_stubs.lazy_package(emit_stubs.PACKAGE / "nn" / "modules" / "__init__.py")
    assert "from .conv import Conv2d as Conv2d" in layers and "from .linear import Linear as Linear" in layers


def test_missing_table_is_named(tmp_path):
    path = Path(tmp_path / "p.py")
    path.write_text("x = 1\n")
    with pytest.raises(ValueError, match="no _LAZY"):
        emit_stubs.assigned(path, "_LAZY")
