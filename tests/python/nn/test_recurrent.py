"""Recurrent layers: values, every order of derivative, names, threads; against cells written out on small operators."""

import itertools
from typing import Any

import pytest
import rushlight as torch
from rushlight import nn
from rushlight.autograd import forward_ad

KINDS = ("LSTM", "GRU", "RNN_TANH", "RNN_RELU")


def layer(kind: str, *sizes: int, **options: Any) -> nn.Module:
    if kind.startswith("RNN"):
        return nn.RNN(*sizes, nonlinearity=kind[4:].lower(), **options)
    return getattr(nn, kind)(*sizes, **options)


def step(kind: str, x: Any, h: Any, c: Any, weights: list[Any]) -> tuple[Any, Any]:
    w_ih, w_hh, b_ih, b_hh, w_hr = weights
    given, hidden = x @ w_ih.T, h @ w_hh.T
    if b_ih is not None:
        given, hidden = given + b_ih, hidden + b_hh
    if kind == "LSTM":
        i, f, g, o = (given + hidden).chunk(4, -1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        return (h if w_hr is None else h @ w_hr.T), c
    if kind == "GRU":
        (ir, iz, i_n), (hr, hz, hn) = given.chunk(3, -1), hidden.chunk(3, -1)
        z = (iz + hz).sigmoid()
        n = (i_n + (ir + hr).sigmoid() * hn).tanh()
        return (1 - z) * n + z * h, None
    return (given + hidden).tanh() if kind == "RNN_TANH" else (given + hidden).relu(), None


def written_out(kind: str, module: Any, x: Any, h0: Any, c0: Any, lengths: list[int]) -> tuple[Any, ...]:
    """(steps, batch, features); sequence i has `lengths[i]` steps, the rest of the output is zero."""
    finals_h, finals_c = [], []
    for level in range(module.num_layers):
        sides = []
        for direction in range(2 if module.bidirectional else 1):
            end = f"_l{level}" + "_reverse" * direction
            names = [f"{n}{end}" for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")]
            weights = [getattr(module, name, None) for name in names]
            which = level * (2 if module.bidirectional else 1) + direction
            columns, last_h, last_c = [], [], []
            for i, length in enumerate(lengths):
                h, c = h0[which, i], None if c0 is None else c0[which, i]
                outputs: list[Any] = [None] * length
                for t in reversed(range(length)) if direction else range(length):
                    h, c = step(kind, x[t, i], h, c, weights)
                    outputs[t] = h
                outputs += [torch.zeros_like(h)] * (x.size(0) - length)
                columns.append(torch.stack(outputs))
                last_h.append(h)
                last_c.append(c)
            sides.append(torch.stack(columns, 1))
            finals_h.append(torch.stack(last_h))
            if c0 is not None:
                finals_c.append(torch.stack(last_c))
        x = torch.cat(sides, -1)
    return (x, torch.stack(finals_h), *([torch.stack(finals_c)] if finals_c else []))


def states(module: Any, kind: str, batch: int) -> tuple[Any, Any]:
    count = module.num_layers * (2 if module.bidirectional else 1)
    width = module.proj_size or module.hidden_size
    h = torch.randn(count, batch, width, dtype=torch.float64, requires_grad=True)
    c = torch.randn(count, batch, module.hidden_size, dtype=torch.float64, requires_grad=True)
    return h, c if kind == "LSTM" else None


def run(module: Any, kind: str, x: Any, h: Any, c: Any, lengths: list[int] | None) -> tuple[Any, ...]:
    state = (h, c) if kind == "LSTM" else h
    if lengths is None:
        output, last = module(x, state)
    else:
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths)
        output, last = module(packed, state)
        output = nn.utils.rnn.pad_packed_sequence(output, total_length=x.size(0))[0]
    return (output, *last) if kind == "LSTM" else (output, last)


CASES = [
    (kind, layers, both, bias, projected, packed)
    for kind, layers, both, bias, projected, packed in itertools.product(
        KINDS, (1, 2), (False, True), (True, False), (0, 2), (False, True)
    )
    if (kind == "LSTM" or not projected) and (bias or layers == 1)
]


@pytest.mark.parametrize(("kind", "layers", "both", "bias", "projected", "packed"), CASES)
def test_values_and_gradients_are_those_of_the_cells(
    kind: str, layers: int, both: bool, bias: bool, projected: int, packed: bool
) -> None:
    torch.manual_seed(3)
    more = {"proj_size": projected} if projected else {}
    module = layer(kind, 3, 5, layers, bidirectional=both, bias=bias, dtype=torch.float64, **more)
    x = torch.randn(4, 3, 3, dtype=torch.float64, requires_grad=True)
    h, c = states(module, kind, 3)
    lengths = [4, 2, 1] if packed else None
    results = run(module, kind, x, h, c, lengths)
    wanted = written_out(kind, module, x, h, c, lengths or [4, 4, 4])
    inputs = [x, h, *([] if c is None else [c]), *module.parameters()]
    weights = [torch.randn_like(r) for r in wanted]
    for result, value in zip(results, wanted, strict=True):
        torch.testing.assert_close(result, value, rtol=1e-10, atol=1e-12)
    gradients = torch.autograd.grad(results, inputs, weights)
    for gradient, value in zip(gradients, torch.autograd.grad(wanted, inputs, weights), strict=True):
        torch.testing.assert_close(gradient, value, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("packed", [False, True])
def test_second_derivatives(kind: str, packed: bool) -> None:
    torch.manual_seed(5)
    more = {"proj_size": 2} if kind == "LSTM" and packed else {}
    module = layer(kind, 2, 3, bidirectional=packed, dtype=torch.float64, **more)
    x = torch.randn(3, 2, 2, dtype=torch.float64, requires_grad=True)
    h, c = states(module, kind, 2)
    names = [name for name, _ in module.named_parameters()]

    def function(x: Any, h: Any, *rest: Any) -> Any:
        c, parameters = (rest[0], rest[1:]) if kind == "LSTM" else (None, rest)
        state = (h, c) if kind == "LSTM" else h
        given = nn.utils.rnn.pack_padded_sequence(x, [3, 2]) if packed else x
        output, last = torch.func.functional_call(module, dict(zip(names, parameters, strict=True)), (given, state))
        last = last if kind == "LSTM" else (last,)
        return (output.data if packed else output, *last)

    inputs = [x, h, *([] if c is None else [c]), *(p.detach().requires_grad_() for p in module.parameters())]
    assert torch.autograd.gradcheck(function, inputs)
    assert torch.autograd.gradgradcheck(function, inputs)


def test_second_derivative_where_arguments_depend_on_each_other() -> None:
    torch.manual_seed(6)
    module = nn.GRU(2, 2, dtype=torch.float64)

    def function(x: Any, weight: Any) -> Any:
        parameters = {**dict(module.named_parameters()), "weight_hh_l0": weight}
        state = (weight.sum(0) * x[0]).unsqueeze(0)  # the first state depends on the weight and on the input
        return torch.func.functional_call(module, parameters, (x, state))[0]

    x = torch.randn(3, 2, 2, dtype=torch.float64, requires_grad=True)
    weight = module.weight_hh_l0.detach().clone().requires_grad_()
    assert torch.autograd.gradcheck(function, (x, weight))
    assert torch.autograd.gradgradcheck(function, (x, weight))


@pytest.mark.parametrize("kind", KINDS)
def test_forward_mode(kind: str) -> None:
    torch.manual_seed(7)
    module = layer(kind, 3, 4, dtype=torch.float64)
    x, tangent = torch.randn(4, 2, 3, dtype=torch.float64), torch.randn(4, 2, 3, dtype=torch.float64)
    with forward_ad.dual_level():
        pushed = forward_ad.unpack_dual(module(forward_ad.make_dual(x, tangent))[0]).tangent
    h = 1e-6
    wanted = (module(x + h * tangent)[0] - module(x - h * tangent)[0]) / (2 * h)
    torch.testing.assert_close(pushed, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", [1, 16, 37])
def test_any_number_of_threads_gives_the_same_bits(kind: str, batch: int) -> None:
    torch.manual_seed(8)
    module, x = layer(kind, 48, 200, 2), torch.randn(6, batch, 48, requires_grad=True)
    before, results = torch.get_num_threads(), []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        output = module(x)[0]
        results.append((output, *torch.autograd.grad(output.square().sum(), [x, *module.parameters()])))
    torch.set_num_threads(before)
    assert all(torch.equal(a, b) for a, b in zip(*results, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_one_step_is_a_cell(kind: str) -> None:
    torch.manual_seed(9)
    module = layer(kind, 3, 4)
    cell = nn.RNNCell(3, 4, nonlinearity=kind[4:].lower()) if kind.startswith("RNN") else getattr(nn, f"{kind}Cell")(3, 4)
    cell.load_state_dict({name.removesuffix("_l0"): value for name, value in module.state_dict().items()})
    x = torch.randn(2, 3, requires_grad=True)
    result, wanted = cell(x), module(x.unsqueeze(0))[0][0]
    first = result[0] if kind == "LSTM" else result
    torch.testing.assert_close(first, wanted)
    torch.testing.assert_close(torch.autograd.grad(first.sum(), x), torch.autograd.grad(wanted.sum(), x))


def name(tensor: Any) -> str:
    return type(tensor.grad_fn).__name__


def test_names_of_nodes() -> None:
    x = torch.randn(3, 2, 4)
    packed = nn.utils.rnn.pack_padded_sequence(x, [3, 2])
    assert name(nn.LSTM(4, 5)(x)[0]) == "MkldnnRnnLayerBackward0"
    assert name(nn.LSTM(4, 5)(x)[1][1]) == "StackBackward0"
    assert name(nn.LSTM(4, 5, batch_first=True)(x)[0]) == "TransposeBackward0"
    assert name(nn.LSTM(4, 5, proj_size=2)(x)[0]) == "StackBackward0"
    assert name(nn.LSTM(4, 5, dtype=torch.float64)(x.double())[0]) == "StackBackward0"
    assert name(nn.LSTM(4, 5)(packed)[0].data) == "CatBackward0"
    for kind in ("GRU", "RNN"):
        module = getattr(nn, kind)
        assert name(module(4, 5)(x)[0]) == "StackBackward0"
        assert name(module(4, 5, batch_first=True)(x)[0]) == "TransposeBackward1"
        assert name(module(4, 5, bidirectional=True)(x)[0]) == "CatBackward0"
        assert name(module(4, 5)(packed)[0].data) == "CatBackward0"
    assert [name(t) for t in nn.LSTMCell(4, 5)(x[0])] == ["MulBackward0", "AddBackward0"]
    assert name(nn.GRUCell(4, 5)(x[0])) == "AddBackward0"
    assert name(nn.RNNCell(4, 5)(x[0])) == "TanhBackward0"


@pytest.mark.parametrize("kind", KINDS)
def test_empty_batches(kind: str) -> None:
    module, x = layer(kind, 4, 5, 2, bidirectional=True), torch.randn(3, 0, 4, requires_grad=True)
    output, last = module(x)
    assert output.shape == (3, 0, 10)
    assert (last[0] if kind == "LSTM" else last).shape == (4, 0, 5)
    output.sum().backward()
    assert x.grad.shape == x.shape
    assert all(p.grad.count_nonzero() == 0 for p in module.parameters())


@pytest.mark.parametrize("kind", ("GRU", "RNN_TANH"))
def test_output_may_be_changed_in_place(kind: str) -> None:
    torch.manual_seed(11)
    module, x = layer(kind, 4, 5), torch.randn(3, 2, 4)
    wanted = torch.autograd.grad((module(x)[0] * 2).sum(), list(module.parameters()))
    for gradient, value in zip(torch.autograd.grad(module(x)[0].mul_(2).sum(), list(module.parameters())), wanted, strict=True):
        torch.testing.assert_close(gradient, value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16))
def test_half_types_compute_in_float32(kind: str, dtype: Any) -> None:
    torch.manual_seed(12)
    half, x = layer(kind, 4, 5, 2).to(dtype), torch.randn(3, 2, 4).to(dtype)
    full = layer(kind, 4, 5, 2)
    full.load_state_dict(half.state_dict())
    output, wanted = half(x)[0], full(x.float())[0]
    assert output.dtype is dtype
    torch.testing.assert_close(output.float(), wanted, rtol=2e-2, atol=1e-2)
    (first, *_), (value, *_) = (torch.autograd.grad(o.sum(), list(m.parameters())) for o, m in ((output, half), (wanted, full)))
    assert first.dtype is dtype
    torch.testing.assert_close(first.float(), value, rtol=5e-2, atol=5e-2)


def test_dropout_between_layers_draws_once_a_layer() -> None:
    module, x = nn.GRU(4, 5, 3, dropout=0.5), torch.randn(3, 2, 4)
    torch.manual_seed(13)
    first, then = module(x)[0], torch.rand(1)
    torch.manual_seed(13)
    for _ in range(2):
        torch.nn.functional.dropout(torch.ones(3, 2, 5), 0.5)
    assert torch.equal(then, torch.rand(1))
    torch.manual_seed(13)
    assert torch.equal(first, module(x)[0])


def test_autocast_runs_lstm_in_the_lower_precision() -> None:
    x = torch.randn(3, 2, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert nn.LSTM(4, 5)(x)[0].dtype is torch.bfloat16
        assert nn.GRU(4, 5)(x)[0].dtype is torch.float32
        assert nn.LSTMCell(4, 5)(x[0])[0].dtype is torch.float32


def test_errors_name_the_argument() -> None:
    module = nn.GRU(4, 5)
    weights = list(module.parameters())
    with pytest.raises(RuntimeError, match=r"gru: w_ih of shape \[15, 3\] expected"):
        torch.gru(torch.randn(2, 1, 3), torch.zeros(1, 1, 5), weights, True, 1, 0.0, False, False, False)
    with pytest.raises(RuntimeError, match="gru: expected w_ih to have the dtype of the input"):
        torch.gru(torch.randn(2, 1, 4).double(), torch.zeros(1, 1, 5).double(), weights, True, 1, 0.0, False, False, False)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN_TANH"])
def test_results_do_not_depend_on_the_place_of_a_unit(kind: str) -> None:
    size = 37
    module = layer(kind, 3, size)
    gates = module.bias_ih_l0.numel() // size
    with torch.no_grad():
        module.weight_ih_l0.zero_()
        module.weight_hh_l0.zero_()
        for _ in range(20):
            for bias in (module.bias_ih_l0, module.bias_hh_l0):
                bias.copy_(torch.randn(gates, 1).expand(gates, size).reshape(-1))
            output, _ = module(torch.ones(2, 1, 3))
            assert torch.equal(output, output[..., :1].expand_as(output))
