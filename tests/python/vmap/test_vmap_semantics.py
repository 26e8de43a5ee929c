"""What `vmap` promises besides values: shapes inside, nesting, transforms, randomness, writing, fallbacks, errors."""

from __future__ import annotations

from typing import Any

import pytest
import rushlight as torch
from rushlight.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, stack_module_state, vjp, vmap


def counting(function: Any) -> tuple[Any, list[int]]:
    calls = [0]

    def counted(*args: Any) -> Any:
        calls[0] += 1
        return function(*args)

    return counted, calls


def test_function_runs_once_on_samples() -> None:
    seen = []

    def function(x: Any) -> Any:
        seen.append((tuple(x.shape), x.dim(), x.numel(), x.dtype, len(x), x.is_contiguous()))
        return x.sin()

    x = torch.randn(5, 2, 3)
    assert torch.equal(vmap(function)(x), x.sin())
    assert seen == [((2, 3), 2, 6, torch.float32, 2, False)] or seen[0][:5] == ((2, 3), 2, 6, torch.float32, 2)
    assert len(seen) == 1


def test_samples_print_as_batched() -> None:
    texts = []
    vmap(lambda x: texts.append(repr(x)) or x)(torch.arange(2.0))
    assert texts == ["BatchedTensor(lvl=1, bdim=0, value=\n    tensor([0., 1.])\n)"]


def test_numbers_promote_like_numbers() -> None:
    """A sample without dimensions stays one for promotion, though the batch has a dimension."""
    numbers, rows = torch.arange(3, dtype=torch.float64), torch.ones(2)
    assert vmap(lambda n: n * rows)(numbers).dtype == torch.float32
    assert vmap(lambda n: n + torch.tensor(1.0))(torch.arange(3)).dtype == torch.float32
    assert vmap(lambda n: n * torch.tensor(1.0, dtype=torch.float64))(torch.arange(3.0)).dtype == torch.float64
    assert vmap(lambda n: torch.where(n > 0, n, rows))(numbers).dtype == torch.float32


def test_reductions_leave_the_batch_alone() -> None:
    x = torch.randn(4, 2, 3)
    assert torch.equal(vmap(torch.sum)(x), x.sum((1, 2)))
    assert torch.equal(vmap(lambda s: s.sum(-1))(x), x.sum(-1))
    assert vmap(lambda s: s.sum(keepdim=True, dim=(0, 1)))(x).shape == (4, 1, 1)
    assert torch.equal(vmap(lambda s: s.argmax())(x), x.reshape(4, -1).argmax(1))
    assert torch.equal(vmap(lambda s: s.squeeze())(torch.ones(1, 1, 2)), torch.ones(1, 2))
    for bad in (2, -3):
        with pytest.raises(IndexError):
            vmap(lambda s, d=bad: s.sum(d))(x)


def test_nested_levels() -> None:
    a, b = torch.randn(3, 4), torch.randn(5, 4)
    outer = vmap(vmap(torch.dot, (None, 0)), (0, None))(a, b)
    assert torch.allclose(outer, a @ b.T, atol=1e-6)
    x = torch.randn(2, 3, 4)
    assert torch.equal(vmap(vmap(lambda s: s.cumsum(0)))(x), x.cumsum(2))
    assert torch.equal(vmap(lambda row: vmap(lambda y: y + row.sum())(row))(a), a + a.sum(1, keepdim=True))


def test_gradient_per_sample_of_shared_parameters() -> None:
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.Tanh(), torch.nn.Linear(4, 3))
    parameters = {name: p.detach() for name, p in model.named_parameters()}
    x, y = torch.randn(6, 5), torch.randint(0, 3, (6,))

    def loss(p: Any, sample: Any, target: Any) -> Any:
        return torch.nn.functional.cross_entropy(functional_call(model, p, (sample.unsqueeze(0),)), target.unsqueeze(0))

    calls = counting(grad(loss))
    found = vmap(calls[0], (None, 0, 0))(parameters, x, y)
    assert calls[1] == [1]
    for i in range(6):
        for name, value in grad(loss)(parameters, x[i], y[i]).items():
            assert torch.allclose(found[name][i], value, atol=1e-6)


def test_gradients_through_vmap_and_of_gradients() -> None:
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    each = vmap(grad(lambda s: (s**3).sum()))(x)
    assert torch.allclose(each, 3 * x**2)
    (second,) = torch.autograd.grad(each.sum(), x)
    assert torch.allclose(second, 6 * x)
    assert torch.allclose(grad(lambda b: vmap(lambda s: s.sin().sum())(b).sum())(x.detach()), x.detach().cos())


def test_jacobians_and_hessian() -> None:
    torch.manual_seed(2)
    w = torch.randn(3, 4, dtype=torch.float64)
    x = torch.randn(4, dtype=torch.float64)

    def function(v: Any) -> Any:
        return torch.tanh(w @ v)

    slope = 1 - torch.tanh(w @ x) ** 2
    assert torch.allclose(jacrev(function)(x), slope.unsqueeze(1) * w)
    assert torch.allclose(jacfwd(function)(x), slope.unsqueeze(1) * w)
    assert torch.allclose(jacrev(function, chunk_size=2)(x), slope.unsqueeze(1) * w)
    assert torch.allclose(hessian(lambda v: (v**3).sum())(x), torch.diag(6 * x))
    assert torch.allclose(jacfwd(jacrev(lambda v: (v**4).sum()))(x), torch.diag(12 * x**2))
    batch = torch.randn(5, 4, dtype=torch.float64)
    assert torch.allclose(vmap(jacrev(function))(batch), torch.stack([jacrev(function)(b) for b in batch]))
    assert torch.allclose(vmap(hessian(lambda v: (v**3).sum()))(batch), torch.diag_embed(6 * batch))
    _, pull = vjp(function, x)
    (rows,) = vmap(pull)(torch.eye(3, dtype=torch.float64))
    assert torch.allclose(rows, slope.unsqueeze(1) * w)
    pushed = vmap(lambda t: jvp(function, (x,), (t,))[1], out_dims=1)(torch.eye(4, dtype=torch.float64))
    assert torch.allclose(pushed, slope.unsqueeze(1) * w)


def test_backward_inside_adds_to_shared_leaves() -> None:
    w = torch.ones(3, requires_grad=True)
    x = torch.randn(4, 3)

    def function(s: Any) -> Any:
        loss = (w * s).sum()
        loss.backward()
        return loss.detach()

    vmap(function)(x)
    assert torch.allclose(w.grad, x.sum(0))


def test_gradient_of_a_shared_tensor_is_one_per_sample() -> None:
    w = torch.ones(3, requires_grad=True)
    x = torch.randn(4, 3)
    found = vmap(lambda s: torch.autograd.grad((w * s).sum(), w)[0])(x)
    assert torch.equal(found, x)


def test_recorded_properties_look_through() -> None:
    x = torch.randn(4, 3, requires_grad=True)

    def function(s: Any) -> Any:
        assert s.requires_grad and not s.is_leaf and s.grad_fn is not None
        cut = s.detach()
        assert not cut.requires_grad and cut.is_leaf and cut.grad_fn is None
        cut.requires_grad_()
        assert cut.requires_grad
        y = s * 2
        y.retain_grad()
        assert y.requires_grad and not cut.data.requires_grad
        return y

    (g,) = torch.autograd.grad(vmap(function)(x * 1.0).sum(), x)
    assert torch.equal(g, torch.full((4, 3), 2.0))


def test_ensemble_of_models() -> None:
    torch.manual_seed(3)
    models = [torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3), torch.nn.ReLU()) for _ in range(3)]
    parameters, buffers = stack_module_state(models)
    x = torch.randn(5, 4)

    def run(p: Any, b: Any, batch: Any) -> Any:
        return functional_call(models[0], (p, b), (batch,))

    calls = counting(run)
    found = vmap(calls[0], (0, 0, None))(parameters, buffers, x)
    assert calls[1] == [1]
    assert torch.allclose(found, torch.stack([model(x) for model in models]), atol=1e-6)
    for name, buffer in buffers.items():  # the running statistics of every model
        assert torch.allclose(buffer.to(torch.float32), torch.stack([dict(m.named_buffers())[name] for m in models]).to(torch.float32), atol=1e-6)


# --- writing ---------------------------------------------------------------------------------------------------


def test_writing_in_place_reaches_inputs_and_views() -> None:
    x = torch.zeros(3, 4)

    def function(s: Any) -> Any:
        s[1] = 5
        s[2:].add_(s.new_ones(2))
        view = s.view(2, 2)
        view[0, 0] += 7
        return s.sum()

    assert torch.equal(vmap(function)(x), torch.full((3,), 14.0))
    assert torch.equal(x, torch.tensor([7.0, 5.0, 1.0, 1.0]).expand(3, 4))


def test_shapes_change_in_place() -> None:
    x = torch.arange(12.0).reshape(2, 3, 2)

    def function(s: Any) -> Any:
        y = s.clone().t_()
        assert y.shape == (2, 3)
        y.unsqueeze_(0)
        assert y.shape == (1, 2, 3)
        return y.squeeze_()

    assert torch.equal(vmap(function)(x), x.mT)


def test_writing_a_sample_into_what_all_share() -> None:
    """PyTorch refuses; here the function is run once per sample."""
    total = torch.zeros(3)
    x = torch.arange(6.0).reshape(2, 3)
    vmap(lambda s: total.add_(s))(x)
    assert torch.equal(total, x.sum(0))

    def filled(s: Any) -> Any:
        out = torch.zeros(2, 3)
        out[0] = s
        return out

    assert torch.equal(vmap(filled)(x)[:, 0], x)


def test_differentiated_writing() -> None:
    x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)

    def function(s: Any) -> Any:
        y = s * 2
        y[1:3] *= s[0]
        y[0] = 0
        return y.sum()

    (found,) = torch.autograd.grad(vmap(function)(x).sum(), x)
    (want,) = torch.autograd.grad(torch.stack([function(s) for s in x]).sum(), x)
    assert torch.allclose(found, want)


# --- where single samples are needed -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda s: s * s.sum().item(),
        lambda s: s if s.sum() > 0 else -s,
        lambda s: s[s > s.median()].sum(),
        lambda s: s.nonzero().sum() + s,
        lambda s: s * float(s[0]),
        lambda s: torch.tensor(s.tolist()) + s,
        lambda s: torch.from_numpy(s.numpy()) + s,
        lambda s: s * len(torch.unique(s.round())),
        lambda s: torch.add(s, 1, out=torch.empty(4)),
    ],
)
def test_functions_that_read_elements_run_per_sample(function: Any) -> None:
    torch.manual_seed(4)
    x = torch.randn(5, 4)
    assert torch.allclose(vmap(function)(x), torch.stack([function(s) for s in x]))
    nested = torch.randn(2, 3, 4)
    assert torch.allclose(vmap(vmap(function))(nested), torch.stack([torch.stack([function(s) for s in part]) for part in nested]))


def test_no_second_start_after_an_input_was_written() -> None:
    x = torch.ones(3, 2)

    def function(s: Any) -> Any:
        s.add_(1)
        return s * s.sum().item()

    with pytest.raises(RuntimeError, match="changed in place"):
        vmap(function)(x)


def test_samples_do_not_outlive_their_vmap() -> None:
    kept = []
    vmap(lambda s: kept.append(s) or s)(torch.ones(2, 3))
    with pytest.raises(RuntimeError, match="after its vmap had ended"):
        kept[0] + 1


# --- randomness ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [lambda s: torch.rand(3), lambda s: torch.randn_like(s), lambda s: torch.nn.functional.dropout(s), lambda s: s.clone().normal_(), lambda s: torch.bernoulli(s.abs().clamp(0, 1)), lambda s: torch.randperm(5)])
def test_randomness_modes(draw: Any) -> None:
    x = torch.ones(4, 16) * 0.5
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(draw)(x)
    torch.manual_seed(0)
    same = vmap(draw, randomness="same")(x)
    assert all(torch.equal(same[0], row) for row in same)
    torch.manual_seed(0)
    different = vmap(draw, randomness="different")(x)
    assert not all(torch.equal(different[0], row) for row in different)
    torch.manual_seed(0)
    assert torch.equal(vmap(draw, randomness="different")(x), different)


def test_random_numbers_are_drawn_for_the_whole_batch() -> None:
    torch.manual_seed(0)
    found = vmap(lambda s: torch.randn(20), randomness="different")(torch.ones(3))
    torch.manual_seed(0)
    assert torch.equal(found, torch.randn(3, 20))


# --- results, chunks, custom functions --------------------------------------------------------------------------------


def test_results_that_do_not_differ() -> None:
    x, shared = torch.randn(3, 2), torch.randn(2)
    assert torch.equal(vmap(lambda s: shared)(x), shared.expand(3, 2))
    found = vmap(lambda s: (s, shared, None, 7), out_dims=(0, None, None, None))(x)
    assert found[1] is shared and found[2:] == (None, 7)
    with pytest.raises(ValueError, match="can not return a BatchedTensor when out_dim is None"):
        vmap(lambda s: s, out_dims=None)(x)
    with pytest.raises(ValueError, match="must only return Tensors"):
        vmap(lambda s: 3)(x)


def test_chunks_hold_as_many_samples() -> None:
    sizes = []

    def function(s: Any) -> Any:
        sizes.append(1)
        return s.sum()

    x = torch.randn(7, 2)
    assert torch.equal(vmap(function, chunk_size=3)(x), x.sum(1))
    assert len(sizes) == 3


def test_custom_functions() -> None:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.detach() ** 3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 3 * x**2

    class Ruled(Cube):
        calls = 0

        @staticmethod
        def vmap(info: Any, in_dims: Any, x: Any) -> Any:
            assert info.batch_size == 4 and info.randomness == "error" and in_dims == (0,)
            Ruled.calls += 1
            return Cube.apply(x), 0

    x = torch.randn(4, 2, requires_grad=True)
    for function in (Cube, Ruled):
        y = vmap(function.apply)(x)
        assert torch.allclose(y, x**3)
        (g,) = torch.autograd.grad(y.sum(), x)
        assert torch.allclose(g, 3 * x**2)
    assert Ruled.calls == 1
    assert torch.allclose(jacrev(Cube.apply)(x[0].detach()), torch.diag(3 * x[0].detach() ** 2))


def test_autocast_and_no_grad_inside() -> None:
    x = torch.randn(3, 4, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert vmap(lambda s: s @ torch.ones(4, 2))(x).dtype == torch.bfloat16
    with torch.no_grad():
        assert not vmap(lambda s: s * 2)(x).requires_grad


def test_error_inside_leaves_no_level_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        vmap(lambda s: 1 / 0)(torch.ones(2))
    assert repr(torch.ones(1)) == "tensor([1.])"
    assert torch.rand(2).shape == (2,)


def test_custom_operators() -> None:
    from rushlight.library import custom_op

    @custom_op("vmap_test::twice", mutates_args=())
    def twice(x: Any) -> Any:
        return x * 2

    x = torch.randn(3, 2)
    assert torch.equal(vmap(twice)(x), x * 2)
    seen = []

    @twice.register_vmap
    def rule(info: Any, in_dims: Any, batch: Any) -> Any:
        seen.append((info.batch_size, in_dims, tuple(batch.shape)))
        return batch * 2, 0

    assert torch.equal(vmap(twice, in_dims=1)(x), x.T * 2)
    assert seen == [(2, (0,), (2, 3))]


def test_numbers_as_indices() -> None:
    x = torch.arange(12.0).reshape(3, 4)
    places = torch.tensor([0, 3, 1])
    calls = counting(lambda row, i: row[i] * 2)
    assert torch.equal(vmap(calls[0])(x, places), x[torch.arange(3), places] * 2)
    assert calls[1] == [1]
    assert torch.equal(vmap(lambda i: x[i], 0)(places.remainder(3)), x[places.remainder(3)])
    assert torch.equal(vmap(lambda row, i: row[..., i], (1, 0), 0)(x, torch.tensor([2, 0, 1, 0])), x[torch.tensor([2, 0, 1, 0]), torch.arange(4)])


def test_sorted_sequences_per_sample() -> None:
    sequences = torch.tensor([[0.0, 1.0, 2.0], [1.0, 5.0, 9.0]])
    values = torch.tensor([[0.5, 3.0], [5.0, 0.0]])
    assert torch.equal(vmap(torch.searchsorted)(sequences, values), torch.searchsorted(sequences, values))
    assert torch.equal(vmap(torch.searchsorted, (None, 0))(sequences[0], values), torch.searchsorted(sequences[0], values))


def test_number_per_sample_fills() -> None:
    x, mask, numbers = torch.zeros(5), torch.eye(5, dtype=torch.bool), torch.tensor([1.0, 2.0])
    found = vmap(lambda n: x.masked_fill(mask, n))(numbers)
    assert torch.equal(found, numbers.reshape(2, 1, 1) * mask)
    assert torch.equal(vmap(lambda s, n: s.clone().fill_(n))(torch.zeros(2, 3), numbers), numbers.unsqueeze(1).expand(2, 3))


def test_table_with_bounded_rows() -> None:
    weight, places = torch.randn(4, 3) * 5, torch.tensor([[0, 1], [2, 3]])
    want = torch.nn.functional.embedding(places, weight.clone(), max_norm=1.0)
    assert torch.allclose(vmap(lambda i: torch.nn.functional.embedding(i, weight, max_norm=1.0))(places), want)
