"""Parametrizations, pruning, functional calls, clipping, packing, attention settings, parallel."""

from __future__ import annotations

import copy
import pickle

import pytest
import rushlight
from rushlight import nn
from rushlight.nn.utils import parametrizations, parametrize, prune, stateless


class Exponential(nn.Module):
    def forward(self, x):
        return x.exp()

    def right_inverse(self, y):
        return y.log()


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).T


def test_parametrized_tensor_is_computed_and_assigned():
    layer = parametrize.register_parametrization(nn.Linear(2, 2), "weight", Exponential())
    assert type(layer).__name__ == "ParametrizedLinear"
    assert parametrize.type_before_parametrizations(layer) is nn.Linear
    assert list(layer.state_dict()) == ["bias", "parametrizations.weight.original"]
    layer.weight = rushlight.full((2, 2), 2.0)
    assert rushlight.allclose(layer.weight, rushlight.full((2, 2), 2.0))
    layer(rushlight.ones(1, 2)).sum().backward()
    assert layer.parametrizations.weight.original.grad is not None
    parametrize.remove_parametrizations(layer, "weight")
    assert type(layer) is nn.Linear
    assert set(layer._parameters) == {"weight", "bias"}
    assert rushlight.allclose(layer.weight, rushlight.full((2, 2), 2.0))


def test_parametrizations_stack_and_copy():
    layer = nn.Linear(3, 3)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    parametrize.register_parametrization(layer, "weight", Exponential())
    assert rushlight.equal(layer.weight, layer.weight.T)
    twin = copy.deepcopy(layer)
    assert rushlight.equal(twin.weight, layer.weight)
    with pytest.raises(RuntimeError, match="only supported through state_dict"):
        pickle.dumps(layer)
    with parametrize.cached():
        assert layer.weight is layer.weight
    assert layer.weight is not layer.weight
    other = nn.Linear(3, 3)
    parametrize.transfer_parametrizations_and_params(layer, other)
    assert rushlight.equal(other.weight, layer.weight)


def test_parametrization_must_keep_shape():
    class First(nn.Module):
        def forward(self, x):
            return x[:1]

    with pytest.raises(ValueError, match="may not change the shape of the tensor"):
        parametrize.register_parametrization(nn.Linear(2, 2), "weight", First())
    layer = nn.Linear(2, 2)
    parametrize.register_parametrization(layer, "weight", First(), unsafe=True)
    assert layer.weight.shape == (1, 2)


@pytest.mark.parametrize("name", ["matrix_exp", "cayley", "householder"])
@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("trivialization", [True, False])
def test_orthogonal(name, shape, trivialization):
    rushlight.manual_seed(0)
    layer = parametrizations.orthogonal(
        nn.Linear(*shape), orthogonal_map=name, use_trivialization=trivialization
    )
    weight = layer.weight.detach()
    if weight.shape[0] > weight.shape[1]:
        weight = weight.T
    assert rushlight.allclose(weight @ weight.T, rushlight.eye(weight.shape[0]), atol=1e-5)


def test_weight_norm_versions_exchange_files():
    with pytest.warns(FutureWarning, match="deprecated in favor of"):
        old = nn.utils.weight_norm(nn.Linear(3, 2))
    assert list(old.state_dict()) == ["bias", "weight_g", "weight_v"]
    new = parametrizations.weight_norm(nn.Linear(3, 2))
    new.load_state_dict(old.state_dict())
    assert rushlight.allclose(new.weight, old.weight)
    nn.utils.remove_weight_norm(old)
    assert list(old.state_dict()) == ["bias", "weight"]


def test_spectral_norm_has_unit_singular_value():
    layer = nn.utils.spectral_norm(nn.Linear(4, 3), n_power_iterations=50)
    layer(rushlight.ones(1, 4))
    norm = rushlight.linalg.matrix_norm(layer.weight.detach(), 2)
    assert abs(float(norm) - 1.0) < 1e-4
    assert layer.state_dict()._metadata[""]["spectral_norm"] == {"weight.version": 1}
    nn.utils.remove_spectral_norm(layer)
    assert list(layer.state_dict()) == ["bias", "weight"]


def test_pruning_masks_and_trains():
    layer = nn.Linear(4, 3)
    prune.l1_unstructured(layer, "weight", 5)
    prune.l1_unstructured(layer, "weight", 2)
    assert int((layer.weight == 0).sum()) == 7
    assert prune.is_pruned(layer)
    layer(rushlight.ones(1, 4)).sum().backward()
    assert int((layer.weight_orig.grad == 0).sum()) == 7
    prune.remove(layer, "weight")
    assert int((layer.weight == 0).sum()) == 7
    assert list(layer.state_dict()) == ["bias", "weight"]
    assert not prune.is_pruned(layer)


def test_global_pruning_compares_layers():
    small, large = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)
    nn.init.constant_(small.weight, 0.1)
    nn.init.constant_(large.weight, 1.0)
    pairs = [(small, "weight"), (large, "weight")]
    prune.global_unstructured(pairs, prune.L1Unstructured, amount=4)
    assert int(small.weight_mask.sum()) == 0
    assert int(large.weight_mask.sum()) == 4


def test_functional_call_replaces_and_restores():
    layer = nn.Linear(2, 2)
    weight = layer.weight
    given = {"weight": rushlight.zeros(2, 2), "bias": rushlight.ones(2)}
    result = stateless._functional_call(layer, given, rushlight.ones(1, 2))
    assert result.tolist() == [[1.0, 1.0]]
    assert layer.weight is weight
    with pytest.raises(RuntimeError, match=r"Missing key\(s\): 'bias'"):
        stateless._functional_call(
            layer, {"weight": rushlight.zeros(2, 2)}, rushlight.ones(1, 2), strict=True
        )


def test_functional_call_gives_other_tensors_for_its_time():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = rushlight.ones(1)
            self.name = "x"

        def forward(self, x):
            return x * self.scale + getattr(self, "shift", 0)

    module, x = Scaled(), rushlight.ones(2)
    given = {"scale": rushlight.tensor([3.0]), "shift": rushlight.tensor([1.0])}
    assert rushlight.func.functional_call(module, given, (x,)).tolist() == [4.0, 4.0]
    assert module.scale.tolist() == [1.0] and not hasattr(module, "shift")
    with pytest.raises(TypeError, match="not an instance of torch.Tensor"):
        rushlight.func.functional_call(module, {"scale": x, "name": x}, (x,))
    assert module.scale.tolist() == [1.0] and module.name == "x"


def test_functional_call_ties_shared_weights():
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
    model[1].weight = model[0].weight
    given = {"0.weight": 2 * rushlight.eye(2)}
    result = stateless._functional_call(model, given, rushlight.ones(1, 2))
    assert result.tolist() == [[4.0, 4.0]]


def test_clip_grad():
    weight = nn.Parameter(rushlight.zeros(2))
    weight.grad = rushlight.tensor([3.0, 4.0])
    assert float(nn.utils.clip_grad_norm_([weight], 10.0)) == 5.0
    assert weight.grad.tolist() == [3.0, 4.0]
    nn.utils.clip_grad_value_(weight, 3.5)
    assert weight.grad.tolist() == [3.0, 3.5]
    weight.grad[0] = float("nan")
    with pytest.raises(RuntimeError, match="is non-finite, so it cannot be clipped"):
        nn.utils.clip_grad_norm_(weight, 1.0, error_if_nonfinite=True)
    assert float(nn.utils.clip_grad_norm_([], 1.0)) == 0.0


def test_vector_to_parameters():
    params = [nn.Parameter(rushlight.ones(2)), nn.Parameter(rushlight.ones(1, 3))]
    nn.utils.vector_to_parameters(rushlight.arange(5.0), params)
    assert params[1].tolist() == [[2.0, 3.0, 4.0]]


def test_packed_sequence_round_trip():
    sequences = [rushlight.ones(1, 2), rushlight.zeros(3, 2), rushlight.full((2, 2), 5.0)]
    packed = nn.utils.rnn.pack_sequence(sequences, enforce_sorted=False)
    assert packed.batch_sizes.tolist() == [3, 2, 1]
    assert packed.double().data.dtype == rushlight.float64
    assert packed.to("cpu") is packed
    unpacked = nn.utils.rnn.unpack_sequence(packed)
    assert all(rushlight.equal(a, b) for a, b in zip(unpacked, sequences))


def test_encoder_zeroes_padding_in_evaluation():
    rushlight.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 1).eval()
    x = rushlight.randn(2, 4, 8)
    mask = rushlight.tensor([[False, False, True, True], [False, False, False, True]])
    with rushlight.no_grad():
        output = encoder(x, src_key_padding_mask=mask)
    assert bool((output[mask] == 0).all())
    assert bool((output[~mask] != 0).any())
    assert bool((encoder(x, src_key_padding_mask=mask)[mask] != 0).any())


def test_attention_settings():
    from rushlight.nn.attention import SDPBackend, sdpa_kernel
    from rushlight.nn.attention.bias import causal_lower_right

    assert repr(SDPBackend.MATH) == "<SDPBackend.MATH: 0>"
    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
        pass
    with pytest.raises(AssertionError, match="Backend must be an instance of SDPBackend"):
        with sdpa_kernel(3):
            pass
    q, k = rushlight.randn(1, 2, 4), rushlight.randn(1, 3, 4)
    attention = nn.functional.scaled_dot_product_attention
    mask = causal_lower_right(2, 3)
    plain = rushlight.ones(2, 3, dtype=rushlight.bool).tril(1)
    assert rushlight.allclose(attention(q, k, k, mask), attention(q, k, k, plain))


def test_flex_attention_equals_masked_attention():
    from rushlight.nn.attention.flex_attention import create_block_mask, flex_attention

    def causal(b, h, q_idx, kv_idx):
        return q_idx >= kv_idx

    q = rushlight.randn(1, 2, 5, 4)
    blocks = create_block_mask(causal, None, None, 5, 5, BLOCK_SIZE=2)
    found = flex_attention(q, q, q, block_mask=blocks)
    expected = nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True)
    assert rushlight.allclose(found, expected, atol=1e-6)
    assert blocks.to_dense()[0, 0].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_data_parallel_calls_its_module():
    model = nn.DataParallel(nn.Linear(2, 3), device_ids=[0])
    assert list(model.state_dict()) == ["module.weight", "module.bias"]
    assert model(rushlight.ones(1, 2)).shape == (1, 3)


def test_replicas_follow_the_original():
    layer = nn.Sequential(nn.Linear(2, 2))
    replica = nn.parallel.replicate(layer, ["cpu"])[0]
    x = rushlight.ones(1, 2)
    assert rushlight.equal(replica(x), layer(x))
    assert list(replica.parameters()) == []


def test_sync_batch_norm_conversion():
    model = nn.Sequential(nn.BatchNorm2d(3), nn.Sequential(nn.BatchNorm1d(2).eval()))
    converted = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    assert isinstance(converted[0], nn.SyncBatchNorm)
    assert not converted[1][0].training
    assert converted[0].weight is model[0].weight


def test_set_module_names_another_home():
    layer = nn.Linear(1, 1)
    rushlight.utils.set_module(layer, "home")
    assert layer.__module__ == "home" and nn.Linear.__module__ != "home"
    with pytest.raises(TypeError, match="should be a string"):
        rushlight.utils.set_module(layer, 1)
