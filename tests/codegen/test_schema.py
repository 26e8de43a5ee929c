"""The schema grammar: what is read, and what is refused with a message that quotes it."""

import pytest
from schema import parse


def test_parse_reads_names_types_and_defaults():
    schema = parse("sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor")
    assert (schema.name, schema.overload, schema.result) == ("sum", "dim_IntList", "Tensor")
    assert [p.name for p in schema.parameters] == ["self", "dim", "keepdim", "dtype"]
    assert [p.type for p in schema.parameters] == ["Tensor", "int[]?", "bool", "ScalarType?"]
    assert [p.keyword_only for p in schema.parameters] == [False, False, False, True]
    assert schema.parameters[1].size == 1
    assert [p.cpp_default for p in schema.parameters] == [None, None, "false", "{}"]


def test_parse_reads_named_outputs():
    schema = parse("max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)")
    assert schema.outputs == ("values", "indices")
    assert schema.named
    assert schema.result == "std::tuple<Tensor, Tensor>"


@pytest.mark.parametrize(
    ("text", "cpp"),
    [("int[2] stride=1", "IntArray{1}"), ("int[] dim=[0,1]", "IntArray{0,1}"), ("str reduce='mean'", '"mean"'), ("int reduction=Mean", "1")],
)
def test_parse_turns_defaults_into_cpp(text, cpp):
    assert parse(f"f({text}) -> Tensor").parameters[0].cpp_default == cpp


def test_parse_reads_views_and_lists():
    assert parse("split(Tensor(a -> *) self, int size) -> Tensor(a)[]").is_list
    assert parse("t(Tensor(a) self) -> Tensor(a)").parameters[0].type == "Tensor"
    assert parse("index(Tensor self, Tensor?[] indices) -> Tensor").parameters[1].type == "Tensor?[]"


@pytest.mark.parametrize("text", ["f(Tensor)", "f(Tensor self) -> Thing", "f(Thing self) -> Tensor", "f(Tensor self"])
def test_parse_refuses_with_the_text(text):
    with pytest.raises(ValueError, match="f\\("):
        parse(text)
