"""Module hooks: order, arguments, replacement, removal; forward, backward and global."""

from __future__ import annotations

import pytest
import rushlight
from rushlight import nn
from rushlight.nn.modules import module as module_file


def test_forward_hooks_run_in_order():
    seen = []
    layer = nn.Identity()
    layer.register_forward_pre_hook(lambda m, a: seen.append("pre"))
    layer.register_forward_pre_hook(lambda m, a: seen.append("pre first"), prepend=True)
    layer.register_forward_hook(lambda m, a, o: seen.append("post"))
    handle = layer.register_forward_hook(lambda m, a, o: seen.append("gone"))
    layer.register_forward_hook(
        lambda m, a, k, o: seen.append(("kwargs", k)), with_kwargs=True, prepend=True
    )
    handle.remove()
    handle.remove()
    layer(rushlight.ones(1))
    assert seen == ["pre first", "pre", ("kwargs", {}), "post"]


def test_forward_hooks_replace():
    layer = nn.Identity()
    layer.register_forward_pre_hook(lambda m, a: a[0] + 1)
    layer.register_forward_pre_hook(
        lambda m, a, k: ((k["input"] * 2,), {}) if k else None, with_kwargs=True
    )
    layer.register_forward_hook(lambda m, a, o: o * 10)
    assert float(layer(rushlight.ones(()))) == 20.0


def test_pre_hook_with_kwargs_must_return_a_pair():
    layer = nn.Identity()
    layer.register_forward_pre_hook(lambda m, a, k: 3, with_kwargs=True)
    with pytest.raises(RuntimeError, match="must return None or a tuple of"):
        layer(1)


def test_handle_as_context_manager():
    layer = nn.Identity()
    with layer.register_forward_hook(lambda m, a, o: 5):
        assert layer(1) == 5
    assert layer(1) == 1


def test_hooks_put_into_the_dictionary_run():
    layer = nn.Identity()
    layer._forward_hooks[99] = lambda m, a, o: 7
    assert layer(1) == 7
    layer._forward_hooks.clear()
    assert layer(1) == 1


def test_always_called_hook_sees_failure():
    seen = []

    class Fails(nn.Module):
        def forward(self, x):
            raise ValueError("inside")

    layer = Fails()
    layer.register_forward_hook(lambda m, a, o: seen.append("normal"))
    layer.register_forward_hook(lambda m, a, o: seen.append(("always", o)), always_call=True)
    with pytest.raises(ValueError, match="inside"):
        layer(1)
    assert seen == [("always", None)]


def test_full_backward_hook_sees_all_gradients():
    seen = []
    layer = nn.Linear(2, 3)
    x = rushlight.ones(4, 2, requires_grad=True)
    layer.register_full_backward_hook(lambda m, gi, go: seen.append((len(gi), go[0].shape)))
    layer.register_full_backward_pre_hook(lambda m, go: (go[0] * 2,))
    layer(x).sum().backward()
    assert seen == [(1, (4, 3))]
    expected = 2 * layer.weight.detach().sum(0).expand(4, 2)
    assert rushlight.allclose(x.grad, expected)


def test_full_backward_hook_replaces_input_gradient():
    layer = nn.Linear(2, 2)
    x = rushlight.ones(1, 2, requires_grad=True)
    layer.register_full_backward_hook(lambda m, gi, go: (rushlight.full((1, 2), 7.0),))
    layer(x).sum().backward()
    assert x.grad.tolist() == [[7.0, 7.0]]


def test_full_backward_hook_checks_count():
    layer = nn.Linear(2, 2)
    x = rushlight.ones(1, 2, requires_grad=True)
    layer.register_full_backward_hook(lambda m, gi, go: (1, 2, 3))
    with pytest.raises(RuntimeError, match="invalid number of grad_input, got 3, but expected 1"):
        layer(x).sum().backward()


def test_full_backward_hook_without_input_gradient():
    seen = []
    layer = nn.Linear(2, 2)
    layer.register_full_backward_hook(lambda m, gi, go: seen.append(gi))
    with pytest.warns(UserWarning, match="no inputs require gradients"):
        layer(rushlight.ones(1, 2)).sum().backward()
    assert seen == [(None,)]


def test_outputs_that_are_no_tensors_only_warn():
    class Named(nn.Module):
        def forward(self, x):
            return {"y": x * 2}

    layer = Named()
    layer.register_full_backward_hook(lambda m, gi, go: None)
    x = rushlight.ones(1, requires_grad=True)
    with pytest.warns(UserWarning, match="module output should be a Tensor or a tuple"):
        layer(x)["y"].backward()
    assert x.grad.tolist() == [2.0]


def test_backward_hook_kinds_do_not_mix():
    layer = nn.Linear(1, 1)
    layer.register_full_backward_hook(lambda *a: None)
    with pytest.raises(RuntimeError, match="Cannot use both regular backward hooks and full"):
        layer.register_backward_hook(lambda *a: None)


def test_old_backward_hook_runs_on_last_node():
    seen = []
    layer = nn.ReLU()
    layer.register_backward_hook(lambda m, gi, go: seen.append(len(go)))
    x = rushlight.ones(2, requires_grad=True)
    layer(x * 1).sum().backward()
    assert seen == [1]


def test_global_hooks_run_before_own():
    seen = []
    handles = [
        module_file.register_module_forward_pre_hook(lambda m, a: seen.append("global pre")),
        module_file.register_module_forward_hook(lambda m, a, o: seen.append("global")),
    ]
    layer = nn.Identity()
    layer.register_forward_hook(lambda m, a, o: seen.append("own"))
    try:
        layer(1)
    finally:
        for handle in handles:
            handle.remove()
    layer(1)
    assert seen == ["global pre", "global", "own", "own"]


def test_registration_hooks_see_names():
    seen = []
    handles = [
        module_file.register_module_parameter_registration_hook(lambda m, n, p: seen.append(n)),
        module_file.register_module_module_registration_hook(lambda m, n, s: seen.append(n)),
        module_file.register_module_buffer_registration_hook(lambda m, n, b: seen.append(n)),
    ]
    try:
        holder = nn.Module()
        holder.p = nn.Parameter(rushlight.ones(1))
        holder.s = nn.ReLU()
        holder.register_buffer("b", None)
    finally:
        for handle in handles:
            handle.remove()
    assert seen == ["p", "s", "b"]
