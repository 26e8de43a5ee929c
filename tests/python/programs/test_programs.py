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
