"""What a block implies, and which blocks are refused."""

import emit_cpp
import emit_python
import pytest
from model import expand

ADD = {
    "op": "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "kind": "pointwise",
    "inplace": True,
    "out": True,
    "doc": "Adds.",
    "grad": {"self": "grad", "other": "scaled(grad, alpha)"},
}
MAX = {
    "op": "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    "kind": "kernel",
    "doc": "Largest.",
    "grad": {"self": "max_backward(grad, self.sizes(), indices, dim, keepdim)"},
}


def test_pointwise_block_gives_a_form_for_numbers():
    tensor, number = expand(ADD, "pointwise")
    assert [p.type for p in number.parameters] == ["Tensor", "Scalar", "Scalar"]
    assert set(number.grad) == {("self",)}
    assert tensor.node_title == number.node_title == "AddBackward0"


def test_number_form_with_a_node_of_its_own_has_no_edge_for_the_number():
    _, shared = expand(ADD, "pointwise")
    _, own = expand(ADD | {"number_node": "AddBackward1"}, "pointwise")
    assert (own.node_title, own.idle_edges, shared.idle_edges) == ("AddBackward1", 0, 1)
    assert "NodeOf<2, 1>" in emit_cpp.node(shared)
    assert "NodeOf<1, 1>" in emit_cpp.node(own)


def test_default_node_capitalises_after_digits():
    (pool,) = expand(MAX | {"op": "_max_pool2d(Tensor self, int dim) -> (Tensor values, Tensor indices)"}, "reduce")
    assert pool.node_title == "MaxPool2DBackward0"


def test_node_saves_only_what_formulas_read():
    tensor, _ = expand(ADD, "pointwise")
    assert [name for _, name, _ in emit_cpp.saved_members(tensor)] == ["self_from", "other_from", "alpha"]
    (largest,) = expand(MAX, "reduce")
    members = {name: kind for kind, name, _ in emit_cpp.saved_members(largest)}
    assert members == {"self_sizes": "Shape", "dim": "std::int64_t", "keepdim": "bool", "indices": "Saved"}


def test_forms_are_in_place_and_out():
    tensor, _ = expand(ADD, "pointwise")
    text = emit_cpp.public_header([tensor])
    for line in ("Tensor add(const Tensor& self", "const Tensor& add_(const Tensor& self", "const Tensor& add_out(const Tensor& out"):
        assert line in text


def test_factories_take_options_in_cpp_and_keywords_in_python():
    block = {
        "op": "zeros(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        "kind": "create",
        "doc": "Zeros.",
    }
    (zeros,) = expand(block, "create")
    assert emit_cpp.declaration(zeros, defaults=True) == "Tensor zeros(IntArray size, const TensorOptions& options = {})"
    assert [p.name for p in emit_python.python_parameters(zeros, "")][-1] == "requires_grad"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"grad": None, "kind": "kernel"}, None),
        ({"kind": "magic"}, "unknown kind"),
        ({"gard": {}}, "unknown key"),
        ({"names": ["nowhere"]}, "no Python home"),
        ({"grad": {"stranger": "grad"}}, "no tensor parameter"),
        ({"doc": ""}, "state `doc:`"),
    ],
)
def test_expand_refuses(change, message):
    block = {**ADD, **change}
    if message is None:
        del block["grad"]
        message = "state `grad:`"
    with pytest.raises(ValueError, match=message):
        expand(block, "pointwise")


def test_sparse_key_names_what_computes_below_the_record():
    plain, _ = expand(ADD, "pointwise")
    assert 'word & kComposed ? refuse_composed<Tensor>(word, "add")' in emit_cpp.entry(plain)
    tensor, number = expand({**ADD, "sparse": "sparse_add"}, "pointwise")
    entry = emit_cpp.entry(tensor)
    assert "word & kComposed ? composed_add_Tensor(self, other, alpha)" in entry
    assert entry.index("composed_add_Tensor") < entry.index("record_add_Tensor")
    assert "return ops::sparse_add(self, other, alpha);" in emit_cpp.composed(tensor)
    assert "Tensor sparse_add(const Tensor& self, const Scalar& other, const Scalar& alpha);" in emit_cpp.sparse_declaration(number)
    values, _ = expand({**ADD, "sparse": "values"}, "pointwise")
    assert "sparse_values(self," in emit_cpp.composed(values)


def test_node_named_by_the_call_reads_its_parameters():
    (named,) = expand(MAX | {"node": "title_of(dim, keepdim)"}, "reduce")
    text = emit_cpp.node(named)
    assert "return title_of(node.dim, node.keepdim);" in text
    assert '{"MaxBackward0", apply, release, destroy_node<MaxDimBackward>, false, MaxDimBackward::title, ' in text
    assert "title" not in emit_cpp.node(expand(MAX, "reduce")[0])


def test_node_shows_parameters_and_outputs_that_it_saved():
    number = next(op for op in expand(ADD | {"grad": {"self": "grad * other", "other": "grad * self"}}, "pointwise") if op.number)
    text = emit_cpp.node(number)
    assert f'{{"other", read_member<Scalar>, offsetof({number.node}, other)}}' in text and "self_from, offsetof" not in text
    assert "const auto& other = saved_number(node, node.other);" in text


def test_mean_is_no_reduction_where_python_calls():
    block = {"op": "some_loss(Tensor self, int reduction=Mean) -> Tensor", "kind": "composite", "names": ["torch"], "doc": "A loss."}
    (loss,) = expand(block, "loss")
    assert "reduction = 1" in emit_cpp.declaration(loss, defaults=True)
    assert "a.integer(1, 0)" in emit_python.call(loss, "", 0)
