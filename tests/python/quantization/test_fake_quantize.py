"""Edges and errors of fake quantization, and what stays refused."""

import copy
import pickle

import pytest
import rushlight as torch
from rushlight.ao import quantization as q
from rushlight.ao.quantization.qconfig import QConfig, default_qat_qconfig, qconfig_equals

TENSOR, CHANNEL = torch.fake_quantize_per_tensor_affine, torch.fake_quantize_per_channel_affine
INF, NAN = float("inf"), float("nan")


def test_numbers_beyond_the_range():
    x = torch.tensor([-1e30, -INF, INF, NAN, 1e30, -0.0, 0.05, 0.15, 0.25, -3.0, 100.0])
    low, high = -0.3, 25.2
    expected = [low, low, high, low, high, 0.0, 0.0, 0.2, 0.2, low, high]
    assert TENSOR(x, 0.1, 3, 0, 255).tolist() == pytest.approx(expected)
    output, mask = torch.ops.aten.fake_quantize_per_tensor_affine_cachemask(x, 0.1, 3, 0, 255)
    assert output.tolist() == pytest.approx(expected)
    assert mask.tolist() == [False] * 5 + [True] * 4 + [False] * 2
    # PyTorch's form for channels gives the lowest number for what no int64 holds; here it is the highest.
    zero = torch.tensor([3], dtype=torch.int32)
    assert CHANNEL(x[None], torch.tensor([0.1]), zero, 0, 0, 255)[0].tolist() == pytest.approx(expected)


def test_ties_are_rounded_before_an_integer_zero_point_is_added():
    x = torch.tensor([[2.5, 3.5, -2.5, 0.5, 1.5]])
    integer, floating = torch.tensor([3], dtype=torch.int32), torch.tensor([3.0])
    assert TENSOR(x, 1.0, 3, -8, 8).tolist() == [[2, 4, -2, 0, 2]]
    assert CHANNEL(x, torch.ones(1), integer, 0, -8, 8).tolist() == [[2, 4, -2, 0, 2]]
    assert CHANNEL(x, torch.ones(1), floating, 0, -8, 8).tolist() == [[3, 3, -3, 1, 1]]


def test_layouts_and_empty():
    x = torch.randn(3, 4, 5)
    assert torch.equal(TENSOR(x.permute(2, 0, 1), 0.1, 0, -8, 7), TENSOR(x, 0.1, 0, -8, 7).permute(2, 0, 1))
    assert TENSOR(x.mT, 0.1, 0, -8, 7).stride() == x.mT.stride()
    assert torch.equal(TENSOR(x[:, ::2], 0.1, 0, -8, 7), TENSOR(x, 0.1, 0, -8, 7)[:, ::2])
    assert TENSOR(torch.empty(0, 3), 0.1, 0, 0, 5).shape == (0, 3)
    assert TENSOR(torch.tensor(0.234), 0.1, 0, 0, 5).item() == pytest.approx(0.2)
    assert TENSOR(torch.empty(2, 3, device="meta"), 0.1, 0, 0, 5).shape == (2, 3)
    empty = torch.empty(0), torch.empty(0, dtype=torch.int32)
    assert CHANNEL(torch.empty(0, 3), *empty, 0, 0, 5).shape == (0, 3)
    large = torch.randn(70001, dtype=torch.float64)
    step = float(torch.tensor(0.1))
    assert torch.equal(TENSOR(large, 0.1, 0, -8, 7), (large * (1 / torch.tensor(0.1))).round().clamp(-8, 7) * step)


def test_names_of_nodes_and_second_derivatives():
    x = torch.randn(3, 4, requires_grad=True)
    assert TENSOR(x, 0.1, 0, -8, 7).grad_fn.name() == "FakeQuantizePerTensorAffineCachemaskBackward0"
    scale, zero = torch.ones(3), torch.zeros(3, dtype=torch.int32)
    assert CHANNEL(x, scale, zero, 0, -8, 7).grad_fn.name() == "FakeQuantizePerChannelAffineCachemaskBackward0"
    grad = torch.ones(3, 4, requires_grad=True)
    (first,) = torch.autograd.grad(TENSOR(x, 0.1, 0, -8, 7), x, grad, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), grad)
    position = (x.detach() * (1 / torch.tensor(0.1))).round()
    assert torch.equal(second, ((position >= -8) & (position <= 7)).float())


def test_errors():
    x, scale, zero = torch.randn(3, 4), torch.ones(3), torch.zeros(3, dtype=torch.int32)
    integers = torch.ones(3, 4, dtype=torch.int32)
    cases = [
        (RuntimeError, "`quant_min` should be less than or", lambda: TENSOR(x, 0.1, 0, 5, 2)),
        (RuntimeError, "`zero_point` must be between", lambda: TENSOR(x, 0.1, 300, -128, 127)),
        (NotImplementedError, "not implemented for 'Int'", lambda: TENSOR(integers, 0.1, 0, 0, 5)),
        (NotImplementedError, "not implemented for 'Int'", lambda: CHANNEL(integers, scale, zero, 0, 0, 5)),
        (NotImplementedError, "Float8_e4m3fn", lambda: TENSOR(x.to(torch.float8_e4m3fn), 0.1, 0, 0, 5)),
        (IndexError, "Dimension out of range", lambda: CHANNEL(x, scale, zero, 2, 0, 5)),
        (RuntimeError, "`axis` must be between 0", lambda: CHANNEL(x, scale, zero, -2, 0, 5)),
        (RuntimeError, "not consistent with input tensor", lambda: CHANNEL(x, scale, zero, 1, 0, 5)),
        (RuntimeError, "need to have the same dimensions", lambda: CHANNEL(x, scale, zero[:2], 0, 0, 5)),
        (RuntimeError, "scale should be a 1-D tensor", lambda: CHANNEL(x, scale[None], zero, 0, 0, 5)),
        (RuntimeError, "zero point should be a 1-D", lambda: CHANNEL(x, scale, zero[None], 0, 0, 5)),
        (RuntimeError, "Scale must be Float or BFloat16, found Double", lambda: CHANNEL(x, scale.double(), zero, 0, 0, 5)),
        (RuntimeError, "Zero-point must be Int32, Float or Half", lambda: CHANNEL(x, scale, zero.long(), 0, 0, 5)),
        (RuntimeError, "`zero_point` must be between", lambda: CHANNEL(x, scale, zero + 9, 0, 0, 5)),
        (RuntimeError, "cannot be converted to Scalar", lambda: TENSOR(x, scale, zero, 0, 5)),
        (RuntimeError, "not differentiable with respect to argument 'scale'", lambda: CHANNEL(x, scale.requires_grad_(), zero, 0, 0, 5)),
        (NotImplementedError, "no quantized tensors", lambda: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)),
        (RuntimeError, "no quantised kernels", lambda: q.convert(torch.nn.Linear(1, 1))),
    ]  # fmt: skip
    for error, text, call in cases:
        with pytest.raises(error, match=text):
            call()


def test_fused_operator_refuses():
    def fused(x, **options):
        state = torch.tensor(INF), torch.tensor(-INF), torch.ones(1), torch.zeros(1, dtype=torch.int32)
        return torch.fused_moving_avg_obs_fake_quant(x, torch.ones(1), torch.ones(1), *state, 0.1, 0, 255, **options)

    with pytest.raises(RuntimeError, match="expected scalar type Float but found Half"):
        fused(torch.ones(2).half(), ch_axis=0)
    with pytest.raises(RuntimeError, match="only supported on axis == 0"):
        fused(torch.ones(2, 3), ch_axis=1, per_row_fake_quant=True)


def test_schemes_are_single_objects():
    for name in """per_tensor_affine per_channel_affine per_tensor_symmetric per_channel_symmetric
                   per_channel_affine_float_qparams""".split():
        scheme = getattr(torch, name)
        assert repr(scheme) == f"torch.{name}" and isinstance(scheme, torch.qscheme)
        assert copy.deepcopy(scheme) is scheme and pickle.loads(pickle.dumps(scheme)) is scheme
    with pytest.raises(TypeError, match=r"cannot create 'torch.qscheme' instances"):
        torch.qscheme()


def test_switches_and_state_of_modules():
    module = q.default_per_channel_weight_fake_quant()
    x = torch.randn(3, 4)
    module.apply(q.disable_fake_quant)
    assert torch.equal(module(x), x) and module.scale.shape == (3,)
    module.apply(q.enable_fake_quant)
    module.apply(q.disable_observer)
    before = module.scale.clone()
    assert not torch.equal(module(10 * x), 10 * x) and torch.equal(module.scale, before)
    other = q.default_per_channel_weight_fake_quant()
    other.load_state_dict(module.state_dict())
    assert torch.equal(other(x), module(x)) and torch.equal(copy.deepcopy(module)(x), module(x))


def test_training_lowers_the_loss_of_a_quantized_layer():
    torch.manual_seed(0)
    layer = torch.nn.Linear(4, 2)
    quantize = q.default_weight_fake_quant.with_args(averaging_constant=1)()
    x = torch.randn(64, 4)
    wanted = x @ torch.randn(4, 2)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    losses = []
    for _ in range(40):
        loss = (torch.nn.functional.linear(x, quantize(layer.weight), layer.bias) - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.05 * losses[0]


def test_observers_check_their_formats():
    with pytest.raises(AssertionError, match="must include 0"):
        q.MinMaxObserver(quant_min=1, quant_max=5)
    with pytest.raises(AssertionError, match="maximum bit range"):
        q.MinMaxObserver(dtype=torch.qint8, quant_min=-300, quant_max=300)
    with pytest.raises(AssertionError, match="only works for"):
        q.MinMaxObserver(dtype=torch.float32)
    with pytest.raises(NotImplementedError, match="qscheme only support"):
        q.MinMaxObserver(qscheme=torch.per_channel_affine)
    with pytest.raises(NotImplementedError, match="qscheme only support"):
        q.PerChannelMinMaxObserver(qscheme=torch.per_tensor_affine)
    with pytest.raises(AssertionError, match="quant_max out of bound"):
        q.FakeQuantize(quant_min=0, quant_max=300)
    observer = q.MinMaxObserver()
    with pytest.warns(UserWarning, match="must run observer before"):
        assert observer.calculate_qparams()[0].tolist() == [1.0]
    observer(torch.tensor([1.0, 2.0]))
    observer.reset_min_max_vals()
    assert observer.min_val.item() == INF


def test_configurations():
    narrow = q.MinMaxObserver.with_args(quant_min=0, quant_max=15)
    config = QConfig(activation=narrow, weight=q.default_weight_observer)
    assert config.activation().quant_max == 15 and narrow.with_args(quant_max=7)().quant_max == 7
    assert qconfig_equals(
        config, QConfig(q.MinMaxObserver.with_args(quant_min=0, quant_max=15), q.default_weight_observer)
    )
    assert not qconfig_equals(config, default_qat_qconfig) and qconfig_equals(None, None)
    with pytest.raises(ValueError, match="pass observer class instead"):
        QConfig(activation=narrow(), weight=narrow)
