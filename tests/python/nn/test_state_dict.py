"""state_dict and load_state_dict: keys, metadata, strictness, hooks and error texts."""

from __future__ import annotations

import pytest
import rushlight
from rushlight import nn


def test_keys_and_metadata():
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    state = model.state_dict()
    assert list(state) == [
        "0.weight",
        "0.bias",
        "1.weight",
        "1.bias",
        "1.running_mean",
        "1.running_var",
        "1.num_batches_tracked",
    ]
    assert dict(state._metadata) == {
        "": {"version": 1},
        "0": {"version": 1},
        "1": {"version": 2},
    }


def test_values_share_memory_and_are_detached():
    layer = nn.Linear(2, 2)
    state = layer.state_dict()
    assert not state["weight"].requires_grad
    assert state["weight"].data_ptr() == layer.weight.data_ptr()
    assert layer.state_dict(keep_vars=True)["weight"] is layer.weight
    assert list(layer.state_dict(prefix="p.")) == ["p.weight", "p.bias"]


def test_round_trip():
    source, target = nn.Linear(2, 2), nn.Linear(2, 2)
    result = target.load_state_dict(source.state_dict())
    assert repr(result) == "<All keys matched successfully>"
    assert result.missing_keys == []
    assert rushlight.equal(source.weight, target.weight)


def test_error_lists_everything():
    layer = nn.Linear(2, 3)
    with pytest.raises(RuntimeError) as error:
        layer.load_state_dict({"weight": rushlight.ones(1), "x": 1})
    assert str(error.value).replace("rushlight.", "torch.") == (
        "Error(s) in loading state_dict for Linear:\n"
        '\tMissing key(s) in state_dict: "bias". \n'
        '\tUnexpected key(s) in state_dict: "x". \n'
        "\tsize mismatch for weight: copying a param with shape torch.Size([1]) from "
        "checkpoint, the shape in current model is torch.Size([3, 2])."
    )


def test_not_strict_reports_keys():
    result = nn.Linear(2, 3).load_state_dict({"x": 1}, strict=False)
    assert repr(result) == (
        "_IncompatibleKeys(missing_keys=['weight', 'bias'], unexpected_keys=['x'])"
    )
    missing, unexpected = result
    assert unexpected == ["x"]


def test_values_must_be_tensors():
    with pytest.raises(RuntimeError, match="expected torch.Tensor or Tensor-like object"):
        nn.Linear(1, 1).load_state_dict({"weight": 3, "bias": rushlight.ones(1)})
    with pytest.raises(TypeError, match="Expected state_dict to be dict-like"):
        nn.Linear(1, 1).load_state_dict(3)


def test_assign_takes_tensors_over():
    layer = nn.Linear(2, 3)
    weight = rushlight.ones(3, 2, dtype=rushlight.float64)
    layer.load_state_dict({"weight": weight, "bias": rushlight.ones(3)}, assign=True)
    assert layer.weight.dtype == rushlight.float64
    assert isinstance(layer.weight, nn.Parameter)
    assert layer.weight.requires_grad


def test_scalars_load_from_one_element():
    holder = nn.Module()
    holder.p = nn.Parameter(rushlight.zeros(()))
    holder.load_state_dict({"p": rushlight.ones(1)})
    assert float(holder.p.detach()) == 1.0


def test_extra_state():
    class Extra(nn.Module):
        kept = None

        def get_extra_state(self):
            return {"a": 1}

        def set_extra_state(self, state):
            self.kept = state

    extra = Extra()
    state = extra.state_dict()
    assert state == {"_extra_state": {"a": 1}}
    extra.load_state_dict(state)
    assert extra.kept == {"a": 1}
    with pytest.raises(RuntimeError, match="Missing key"):
        extra.load_state_dict({})


def test_hooks_see_their_arguments():
    seen = []
    layer = nn.Linear(1, 1)
    layer.register_state_dict_pre_hook(lambda m, prefix, keep: seen.append((prefix, keep)))
    layer.register_state_dict_post_hook(lambda m, sd, prefix, meta: seen.append(list(sd)))
    layer.register_load_state_dict_pre_hook(lambda *args: seen.append(len(args)))
    layer.register_load_state_dict_post_hook(lambda m, keys: seen.append(str(keys)))
    layer.load_state_dict(layer.state_dict())
    assert seen == [
        ("", False),
        ["weight", "bias"],
        8,
        "<All keys matched successfully>",
    ]


def test_post_hooks_must_return_nothing():
    layer = nn.Linear(1, 1)
    layer.register_state_dict_post_hook(lambda *args: 3)
    with pytest.raises(RuntimeError, match="state_dict post-hook must return None"):
        layer.state_dict()


def test_batch_norm_without_version_counts_from_zero():
    norm = nn.BatchNorm1d(2)
    state = dict(norm.state_dict())
    del state["num_batches_tracked"]
    norm.load_state_dict(state)
    assert int(norm.num_batches_tracked) == 0


def test_instance_norm_refuses_old_statistics():
    state = dict(nn.InstanceNorm1d(3, track_running_stats=True).state_dict())
    with pytest.raises(RuntimeError, match="Unexpected running stats buffer"):
        nn.InstanceNorm1d(3).load_state_dict(state)


def test_consume_prefix():
    from rushlight.nn.modules.utils import consume_prefix_in_state_dict_if_present

    state = nn.DataParallel(nn.Linear(1, 1)).state_dict()
    consume_prefix_in_state_dict_if_present(state, "module.")
    nn.Linear(1, 1).load_state_dict(state)
