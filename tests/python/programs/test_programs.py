"""What public programs do that once went wrong; each test is the smallest part of such a program."""

import pickle
import warnings

import pytest
import rushlight
from rushlight import nn
from rushlight.masked import masked_tensor


def test_batch_norm_two_passes_share_one_backward():
    layer = nn.BatchNorm1d(3)
    before = layer.running_mean._version
    loss = layer(rushlight.randn(4, 3)).sum() + layer(rushlight.randn(4, 3)).sum()
    loss.backward()
    assert layer.running_mean._version == before
    assert layer.weight.grad is not None


def test_load_weights_only_reads_sets_of_protocol_2(tmp_path):
    path = tmp_path / "model.pt"
    rushlight.save({"names": {"a", "b"}, "weight": rushlight.ones(2)}, path)
    assert rushlight.load(path, weights_only=True)["names"] == {"a", "b"}


def test_load_weights_only_refuses_other_builtins(tmp_path):
    path = tmp_path / "model.pt"
    rushlight.save({"function": eval}, path)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        rushlight.load(path, weights_only=True)


def test_vmap_of_grad_in_one_graph():
    x = rushlight.randn(5, requires_grad=True)
    y = x**2
    jacobian = rushlight.vmap(lambda v: rushlight.autograd.grad(y, x, v)[0])(rushlight.eye(5))
    assert rushlight.allclose(jacobian, rushlight.diag(2 * x.detach()))
    with pytest.raises(RuntimeError, match="second time"):  # the last sample let the graph go
        y.sum().backward()


@pytest.fixture
def masked():
    data = rushlight.arange(12.0).reshape(3, 4)
    return masked_tensor(data, data % 3 > 0)


def test_masked_tensor_prints_rows(masked):
    assert str(masked).split("\n")[2] == "    [      --,   1.0000,   2.0000,       --],"
    assert str(masked.sum()) == "MaskedTensor( 48.0000, True)"
    assert str(masked_tensor(rushlight.arange(3), rushlight.arange(3) != 1)) == "MaskedTensor(\n  [0,       --, 2]\n)"


@pytest.mark.parametrize("name", ["sum", "mean", "prod", "amin", "amax"])
def test_masked_tensor_reductions_are_functions_too(masked, name):
    found = getattr(rushlight, name)(masked, 1)
    assert rushlight.equal(found.get_data(), getattr(masked, name)(1).get_data())
    assert found.get_mask().all()


def test_masked_tensor_operands_need_equal_masks(masked):
    other = masked_tensor(masked.get_data(), ~masked.get_mask())
    assert isinstance(masked, rushlight.Tensor)
    assert rushlight.equal((masked * 2).to_tensor(0), masked.to_tensor(0) * 2)
    with pytest.raises(ValueError, match="Input masks must match"):
        masked + other


def test_masked_tensor_gradient():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = masked_tensor(rushlight.ones(3), rushlight.tensor([True, False, True]), requires_grad=True)
        (x * 2).sum().backward()
        assert x.requires_grad
        assert rushlight.equal(x.grad.to_tensor(0), rushlight.tensor([2.0, 0.0, 2.0]))


def _below(tensor):
    return [None if node is None else node.name() for node, _ in tensor.grad_fn.next_functions]


def test_grad_fn_of_losses_is_one_node():
    x, y = rushlight.rand(4, requires_grad=True), rushlight.rand(4)
    found = {
        "MseLossBackward0": nn.functional.mse_loss(x, y),
        "SmoothL1LossBackward0": nn.functional.smooth_l1_loss(x, y),
        "HuberLossBackward0": nn.functional.huber_loss(x, y),
        "BinaryCrossEntropyBackward0": nn.functional.binary_cross_entropy(x, y),
        "BinaryCrossEntropyWithLogitsBackward0": nn.functional.binary_cross_entropy_with_logits(x, y),
    }
    assert [loss.grad_fn.name() for loss in found.values()] == list(found)
    assert all(_below(loss)[0] == "torch::autograd::AccumulateGrad" for loss in found.values())


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_binary_cross_entropy_gradients_of_every_input(reduction):
    rushlight.manual_seed(0)
    inputs = [rushlight.rand(3, 2, dtype=rushlight.float64, requires_grad=True) for _ in range(4)]

    def with_logits(x, target, weight, pos_weight):
        return nn.functional.binary_cross_entropy_with_logits(
            x, target, weight=weight, pos_weight=pos_weight, reduction=reduction
        )

    def of_probabilities(x, target, weight, _):
        return nn.functional.binary_cross_entropy(x, target, weight=weight, reduction=reduction)

    for loss in (with_logits, of_probabilities):
        used = lambda *given, loss=loss: loss(*given) + given[3].sum() * 0  # noqa: E731
        assert rushlight.autograd.gradcheck(used, inputs)
        assert rushlight.autograd.gradgradcheck(used, inputs)


def test_mse_loss_gradient_of_broadcast_operands():
    x, y = rushlight.rand(4, 3, requires_grad=True), rushlight.rand(3, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nn.functional.mse_loss(x, y).backward()
    expected = 2 * (x - y).detach() / 12
    assert rushlight.allclose(x.grad, expected)
    assert rushlight.allclose(y.grad, -expected.sum(0))


def test_grad_fn_shows_an_edge_for_a_number():
    x = rushlight.rand(3, requires_grad=True)
    leaf = "torch::autograd::AccumulateGrad"
    for result in (x + 1, 2 * x, x - 1, x / 2, rushlight.div(x, 2, rounding_mode="floor")):
        assert _below(result) == [leaf, None]
    assert (1 - x).grad_fn.name() == "RsubBackward1"
    assert _below(1 - x) == _below(x % 2) == [leaf]


def test_grad_fn_capitals_after_digits():
    x = rushlight.rand(1, 4, 4, requires_grad=True)
    assert x.log1p().grad_fn.name() == "Log1PBackward0"
    assert nn.functional.avg_pool2d(x, 2).grad_fn.name() == "AvgPool2DBackward0"
    assert nn.functional.max_pool2d(x, 2).grad_fn.name() == "MaxPool2DWithIndicesBackward0"


def test_grad_fn_of_sort_tells_whether_it_was_asked_to_be_stable():
    x = rushlight.rand(4, requires_grad=True)
    assert x.sort().values.grad_fn.name() == x.msort().grad_fn.name() == "SortBackward0"
    assert x.sort(stable=True).values.grad_fn.name() == "SortBackward1"


def test_equal_compares_values_of_different_dtypes():
    assert rushlight.equal(rushlight.tensor([1, 2]), rushlight.tensor([1.0, 2.0]))
    assert not rushlight.equal(rushlight.tensor([1]), rushlight.tensor([1.5]))


def test_inner_with_a_number_multiplies():
    assert rushlight.inner(rushlight.ones(2), rushlight.tensor(2)).tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="same dtype"):
        rushlight.inner(rushlight.ones(2), rushlight.ones(2, dtype=rushlight.float64))


def test_asarray_keeps_the_history_unless_told_otherwise():
    x = rushlight.ones(2, requires_grad=True) + 2
    assert rushlight.asarray(x).grad_fn.name() == "AddBackward0"
    assert rushlight.asarray(x, dtype=rushlight.float64).requires_grad
    assert not rushlight.asarray(x, requires_grad=False).requires_grad


def test_inference_tensors_have_no_version():
    with rushlight.inference_mode():
        x = rushlight.ones(2)
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        x._version  # noqa: B018


def test_dim_order_refuses_what_has_several():
    x = rushlight.empty(1, 2, 3, 4)
    assert x.dim_order() == (0, 1, 2, 3)
    with pytest.raises(RuntimeError, match="does not have unique dim order"):
        x.dim_order(ambiguity_check=True)
    assert x.dim_order(ambiguity_check=[rushlight.contiguous_format, rushlight.channels_last]) == (0, 1, 2, 3)
    with pytest.raises(TypeError, match="must be a bool or a list of memory formats"):
        x.dim_order(ambiguity_check="no")


def test_recurrent_layers_run_on_weights_put_in_their_place():
    layer, x = nn.GRU(3, 4), rushlight.randn(5, 2, 3)
    before, _ = layer(x)
    layer._flat_weights = [weight * 2 for weight in layer.parameters()]
    after, _ = layer(x)
    assert not rushlight.equal(before, after) and after.grad_fn is not None
    layer._flat_weights = list(layer.parameters())
    assert rushlight.equal(layer(x)[0], before)


def test_collectives_with_gradients_can_be_imported():
    from rushlight.distributed import nn as collectives
    from rushlight.distributed.nn.functional import all_gather

    with pytest.raises(RuntimeError, match="one process"):
        all_gather(rushlight.ones(1))
    assert collectives.all_gather is all_gather


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: x + "a", TypeError, r"unsupported operand type\(s\) for \+: 'Tensor' and 'str'"),
        (lambda x: x(), TypeError, "'Tensor' object is not callable"),
        (lambda x: x.nothing, AttributeError, "'Tensor' object has no attribute 'nothing'"),
        (lambda x: nn.Linear(3, 4)(x), RuntimeError, r"cannot be multiplied \(2x5 and 3x4\)"),
        (lambda x: nn.Linear(3, 4, bias=False)(x), RuntimeError, r"cannot be multiplied \(2x5 and 3x4\)"),
        (lambda x: nn.Linear(5, 4)(x.double()), RuntimeError, "mat1 and mat2 must have the same dtype"),
        (lambda x: nn.LayerNorm((3, 4))(x), RuntimeError, r"expected input with shape \[\*, 3, 4\]"),
        (lambda x: x.bool() - x.bool(), RuntimeError, "with two bool tensors is not supported"),
        (lambda x: x.bool() - x, RuntimeError, "with a bool tensor is not supported"),
        (lambda x: rushlight.is_nonzero(x), RuntimeError, "ambiguous"),
    ],
)
def test_messages_that_users_search_for(call, error, message):
    with pytest.raises(error, match=message):
        call(rushlight.ones(2, 5))


def test_tensor_types_say_where_they_are_from():
    class Own(rushlight.Tensor):
        pass

    assert repr(rushlight.Tensor) == "<class 'torch.Tensor'>" and rushlight.Tensor.__module__ == "torch"
    assert Own.__module__ == __name__ and __name__ in repr(Own)
    Own.__module__ = "elsewhere"
    assert Own.__module__ == "elsewhere"
    assert rushlight.linalg.LinAlgError.__name__ == "_LinAlgError"


def test_is_nonzero():
    assert rushlight.is_nonzero(rushlight.tensor([1.5])) and not rushlight.tensor(0).is_nonzero()


def test_make_dual_takes_tangents_of_other_precision():
    from rushlight.autograd import forward_ad

    with forward_ad.dual_level():
        dual = forward_ad.make_dual(rushlight.ones(2, dtype=rushlight.float64), rushlight.ones(2))
        assert forward_ad.unpack_dual(dual * 3).tangent.tolist() == [3.0, 3.0]
        with pytest.raises(RuntimeError, match="must be real"):
            forward_ad.make_dual(rushlight.ones(1), rushlight.ones(1, dtype=rushlight.complex64))


def test_functorch_makes_functions_of_modules():
    from rushlight.functorch import combine_state_for_ensemble, make_functional, vmap

    layers, x = [nn.Linear(2, 3) for _ in range(4)], rushlight.randn(5, 2)
    function, weights = make_functional(layers[0])
    assert rushlight.equal(function(weights, x), layers[0](x))
    function, weights, buffers = combine_state_for_ensemble(layers)
    found = vmap(function, in_dims=(0, 0, None))(weights, buffers, x)
    assert rushlight.allclose(found, rushlight.stack([layer(x) for layer in layers]), atol=1e-6)
    with pytest.raises(RuntimeError, match="has buffers"):
        make_functional(nn.BatchNorm1d(2))


def test_multi_grad_hooks_wait_only_for_tensors_that_the_pass_reaches():
    a, b = rushlight.ones(2, requires_grad=True), rushlight.ones(2, requires_grad=True)
    c, d = a + b, a * b
    seen = []
    rushlight.autograd.graph.register_multi_grad_hook(
        (a, b, c, d), lambda gradients: seen.append([gradient is not None for gradient in gradients])
    )
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    assert seen == [[True, True, True, False], [True, False, True, False]]


def test_new_of_a_sparse_tensor_takes_indices_and_values():
    x = rushlight.sparse_coo_tensor(rushlight.tensor([[0, 2]]), rushlight.tensor([1.0, 2.0]), (4,))
    again = x.new(x._indices(), x._values() ** 2, x.size())
    assert again.to_dense().tolist() == [1.0, 0.0, 4.0, 0.0]
    assert x.new().shape == (0,) and x.new().is_sparse and x.new(2, 3).shape == (2, 3)
