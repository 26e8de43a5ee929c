"""`autograd.grad` and `backward`, custom functions, `torch.func`, `vmap`, gradcheck."""

from __future__ import annotations

import pytest
import rushlight as torch
from rushlight.autograd import Function, gradcheck, gradgradcheck
from rushlight.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap


def tensor(*values):
    return torch.tensor(values, dtype=torch.float64)


def test_grad_of_unused_input():
    x, y = tensor(1.0).requires_grad_(), tensor(2.0).requires_grad_()
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad(x.sum(), [x, y])
    assert torch.autograd.grad(x.sum(), [x, y], allow_unused=True)[1] is None
    assert torch.autograd.grad(x.sum(), [x, y], materialize_grads=True)[1].item() == 0


def test_implicit_gradient_needs_one_element():
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        torch.ones(2, requires_grad=True).backward()


def test_grads_batched_is_a_jacobian():
    x = tensor(1.0, 2.0, 3.0).requires_grad_()
    (rows,) = torch.autograd.grad(x**2, x, torch.eye(3, dtype=torch.float64), is_grads_batched=True)
    assert torch.equal(rows, torch.diag(2 * x.detach()))


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x**2


class Split(Function):
    @staticmethod
    def forward(x, scale=2.0):
        return x * scale, x.argmax()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.scale = inputs[1]
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, g, _):
        return g * ctx.scale, None


def test_custom_function_both_protocols():
    x = tensor(1.0, 2.0).requires_grad_()
    assert gradcheck(Cube.apply, (x,)) and gradgradcheck(Cube.apply, (x,))
    y, where = Split.apply(x, 3.0)
    assert y.requires_grad and not where.requires_grad
    assert torch.equal(torch.autograd.grad(y.sum(), x)[0], tensor(3.0, 3.0))
    assert "CubeBackward" in type(Cube.apply(x).grad_fn).__name__


def test_once_differentiable_refuses_a_second_time():
    class Once(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g):
            return g * 2

    x = tensor(1.0).requires_grad_()
    (first,) = torch.autograd.grad(Once.apply(x).sum(), x, create_graph=True)
    assert first.item() == 2
    weight = tensor(1.0).requires_grad_()
    (twice,) = torch.autograd.grad(Once.apply(x), x, weight, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        twice.sum().backward()


@pytest.mark.parametrize("fast", [False, True])
def test_gradcheck_finds_a_wrong_derivative(fast):
    class Wrong(Cube):
        @staticmethod
        def backward(ctx, g):
            return g * 2

    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to input 0"):
        gradcheck(Wrong.apply, (tensor(1.0, 2.0).requires_grad_(),), fast_mode=fast)
    assert not gradcheck(Wrong.apply, (tensor(2.0).requires_grad_(),), fast_mode=fast, raise_exception=False)


@pytest.mark.parametrize("fast", [False, True])
def test_gradcheck_complex(fast):
    z = torch.tensor([1 + 2j, -0.5 + 0.25j], dtype=torch.complex128, requires_grad=True)
    assert gradcheck(lambda z: (z * z.conj() * z, z.abs()), (z,), fast_mode=fast)


def test_transforms_agree_with_each_other():
    x, y = tensor(0.1, 0.2, 0.3), tensor(1.0, -2.0, 3.0)

    def f(x, y):
        return (x.sin() * y.exp()).sum()

    def g(x, y):
        return {"a": x * y, "b": (x.exp(), y.sum())}

    gradient, value = grad_and_value(f)(x, y)
    assert torch.allclose(gradient, x.cos() * y.exp()) and value == f(x, y)
    assert torch.allclose(grad(f, argnums=(0, 1))(x, y)[1], x.sin() * y.exp())
    reverse, forward = jacrev(g)(x, y), jacfwd(g)(x, y)
    assert torch.allclose(reverse["a"], torch.diag(y)) and torch.allclose(reverse["b"][0], forward["b"][0])
    out, tangent = jvp(g, (x, y), (y, x))
    assert torch.allclose(tangent["a"], y * y + x * x) and torch.allclose(out["a"], x * y)
    again, push = linearize(g, x, y)
    assert torch.allclose(push(y, x)["a"], tangent["a"])
    out, pull = vjp(lambda x: x * 2, x)
    assert torch.allclose(pull(y)[0], 2 * y)
    assert torch.allclose(hessian(f)(x, y), torch.diag(-x.sin() * y.exp()))
    assert torch.allclose(grad(lambda x: grad(lambda z: (z**3).sum())(x).sum())(x), 6 * x)


def test_results_are_recorded_only_for_whoever_encloses():
    x = tensor(1.0, 2.0)
    f = grad(lambda x: (x**3).sum())
    assert not f(x).requires_grad
    live = x.clone().requires_grad_()
    assert torch.allclose(torch.autograd.grad(f(live).sum(), live)[0], 6 * x)
    weight = tensor(1.0, 2.0).requires_grad_()
    assert grad(lambda x: (x * weight).sum())(x).requires_grad


def test_vmap_places_and_nests():
    a = torch.arange(6.0).reshape(2, 3)
    b = torch.arange(3.0)
    assert torch.equal(vmap(lambda x, y: (x * y).sum(), (0, None))(a, b), a @ b)
    assert torch.equal(vmap(lambda x: x * 2, in_dims=1, out_dims=1)(a), a * 2)
    assert torch.equal(
        vmap(vmap(lambda x, y: x * y, (0, None)), (None, 0))(b, a), a.unsqueeze(2).mT * b.reshape(1, 3, 1)
    )
    assert vmap(lambda x: x.sum())(torch.zeros(0, 3)).shape == (0,)
    tree = vmap(lambda d: {"s": d["x"] + 1})({"x": a})
    assert torch.equal(tree["s"], a + 1)


def test_vmap_errors_and_randomness():
    a = torch.zeros(3, 2)
    with pytest.raises(ValueError, match="in_dim"):
        vmap(lambda x: x, in_dims=5)(a)
    with pytest.raises(ValueError, match="same size in the mapped dimension"):
        vmap(lambda x, y: x)(a, torch.zeros(4))
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(lambda x: x + torch.rand(2))(a)
    same = vmap(lambda x: x + torch.rand(2), randomness="same")(a)
    assert torch.equal(same[0], same[1])
    different = vmap(lambda x: x + torch.rand(2), randomness="different")(a)
    assert not torch.equal(different[0], different[1])


def test_functional_jacobian_and_hessian():
    from rushlight.autograd.functional import hessian, hvp, jacobian, jvp, vjp

    x = tensor(1.0, 2.0)
    assert torch.equal(jacobian(lambda x: x**2, x), torch.diag(2 * x))
    assert torch.equal(hessian(lambda x: (x**3).sum(), x), torch.diag(6 * x))
    assert torch.equal(vjp(lambda x: x**2, x, tensor(1.0, 1.0))[1], 2 * x)
    assert torch.equal(jvp(lambda x: x**2, x, tensor(1.0, 1.0))[1], 2 * x)
    assert torch.equal(hvp(lambda x: (x**3).sum(), x, tensor(1.0, 0.0))[1], tensor(6.0, 0.0))
    with pytest.raises(RuntimeError, match="independent of"):
        jacobian(lambda x: torch.ones(2), x, strict=True)


def test_hook_over_several_gradients_runs_once_per_pass():
    a, b, c = (tensor(1.0).requires_grad_() for _ in range(3))
    seen = []
    handle = torch.autograd.graph.register_multi_grad_hook([a, b, c], seen.append)
    (a * b).sum().backward()
    assert len(seen) == 1 and [g is None for g in seen[0]] == [False, False, True]
    handle.remove()
    firsts = []
    torch.autograd.graph.register_multi_grad_hook([a, b], firsts.append, mode="any")
    (a * b).sum().backward()
    (a * b).sum().backward()
    assert len(firsts) == 2 and len(seen) == 1


def test_gradient_edges_stand_for_tensors():
    w = tensor(2.0).requires_grad_()
    y = (w * 3).sum()
    edge = torch.autograd.graph.get_gradient_edge(w)
    assert torch.autograd.grad(y, [edge])[0].item() == 3


def test_saved_tensor_hooks_pack_and_unpack():
    packed = []
    x = tensor(1.0, 2.0).requires_grad_()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t.shape) or t.clone(), lambda t: t * 1):
        y = (x * x).sum()
    y.backward()
    assert packed and torch.equal(x.grad, 2 * x.detach())
    with torch.autograd.graph.disable_saved_tensors_hooks("not now"), pytest.raises(RuntimeError, match="not now"):
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass


def test_functional_call_and_per_sample_gradients():
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    parameters, x = dict(net.named_parameters()), torch.randn(5, 3)

    def loss(parameters, x):
        return torch.func.functional_call(net, parameters, (x,)).sum()

    whole = grad(loss)(parameters, x)
    each = vmap(grad(loss), (None, 0))(parameters, x)
    assert torch.allclose(each["0.weight"].sum(0), whole["0.weight"], atol=1e-6)
    assert net[0].weight is parameters["0.weight"]
    stacked, _ = torch.func.stack_module_state([torch.nn.Linear(2, 2) for _ in range(3)])
    assert stacked["weight"].shape == (3, 2, 2) and stacked["weight"].requires_grad
