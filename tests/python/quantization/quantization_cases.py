"""Programs of fake quantization, run by the tests and, with PyTorch, by `record.py`; results are lists of numbers."""

from __future__ import annotations

import warnings
from typing import Any

Torch = Any


def _input(torch: Torch, dtype: str = "float32") -> Any:
    return torch.linspace(-3, 3, 24).reshape(4, 3, 2).to(getattr(torch, dtype))


def _with_gradient(x: Any, call: Any, *others: Any) -> list[Any]:
    x = x.clone().requires_grad_()
    out = call(x)
    out.backward(out.new_ones(out.shape) + out.detach())
    return [t.float().flatten().tolist() for t in (out.detach(), x.grad, *(o.grad for o in others))]


def per_tensor(torch: Torch) -> list[Any]:
    fake = torch.fake_quantize_per_tensor_affine
    results = []
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        for scale, zero, low, high in ((0.1, 0, -128, 127), (0.3, 3, 0, 7), (0.07, -5, -8, 7)):
            x = _input(torch, dtype)
            results.append(_with_gradient(x, lambda x: fake(x, scale, zero, low, high)))
            tensors = torch.tensor(scale), torch.tensor(zero, dtype=torch.int32)
            results.append(_with_gradient(x, lambda x: fake(x, *tensors, low, high)))
    return results


def per_channel(torch: Torch) -> list[Any]:
    results = []
    for axis, count in ((0, 4), (1, 3), (2, 2)):
        scale = torch.linspace(0.1, 0.4, count)
        for dtype in ("int32", "float32", "float16"):
            zero = torch.arange(count).to(getattr(torch, dtype))
            for x in (_input(torch), _input(torch, "float16"), _input(torch, "float64")):
                results.append(
                    _with_gradient(x, lambda x: torch.fake_quantize_per_channel_affine(x, scale, zero, axis, 0, 15))
                )
    return results


def learnable(torch: Torch) -> list[Any]:
    results = []
    for zero in (1.0, 2.6, 30.0, -3.0):
        scale = torch.tensor([0.31], requires_grad=True)
        zero_point = torch.tensor([zero], requires_grad=True)
        results.append(
            _with_gradient(
                _input(torch),
                lambda x: torch._fake_quantize_learnable_per_tensor_affine(x, scale, zero_point, 0, 10, 0.5),
                scale,
                zero_point,
            )
        )
        scales = torch.tensor([0.31, 0.22, 0.17], requires_grad=True)
        zeros = torch.tensor([zero, zero + 1, zero + 2], requires_grad=True)
        results.append(
            _with_gradient(
                _input(torch),
                lambda x: torch._fake_quantize_learnable_per_channel_affine(x, scales, zeros, 1, 0, 10, 0.5),
                scales,
                zeros,
            )
        )
    return results


def fused(torch: Torch) -> list[Any]:
    """Two steps of observing and rounding, for grids of many kinds and inputs of many ranges."""
    x = torch.linspace(-1, 2, 12).reshape(3, 4)
    inputs = (x, -x, x * 0, x * 1e-6, (x + 5) * 1e-6, x * 1e-41, x + 10, -x - 10)
    results = []
    for low, high in ((0, 255), (-128, 127), (0, 127), (-8, 7), (-127, 127)):
        for symmetric in (False, True):
            for per_row in (False, True):
                for observing, rounding in ((1, 1), (1, 0)):
                    for given in inputs if rounding else inputs[:1]:
                        count = 3 if per_row else 1
                        bound = [] if per_row else [float("inf")]
                        least, most = torch.tensor(bound), -torch.tensor(bound)
                        scale, zero = torch.ones(count), torch.zeros(count, dtype=torch.int32)
                        on = torch.tensor([observing]), torch.tensor([rounding])
                        state = least, most, scale, zero
                        for step in (0.0, 0.25):
                            out = torch.fused_moving_avg_obs_fake_quant(
                                given + step * given.abs(), *on, *state, 0.1, low, high, 0, per_row, symmetric
                            )
                        results.append([t.flatten().tolist() for t in (out, *state)])
    return results


def observers(torch: Torch) -> list[Any]:
    q = torch.ao.quantization
    whole = [
        {},
        {"dtype": torch.qint8, "qscheme": torch.per_tensor_symmetric},
        {"qscheme": torch.per_tensor_symmetric},
        {"qscheme": torch.per_tensor_symmetric, "quant_min": 0, "quant_max": 99},
        {"quant_min": 0, "quant_max": 127},
        {"dtype": torch.qint8, "reduce_range": True},
        {"dtype": torch.qint32},
        {"dtype": torch.uint16, "qscheme": torch.per_tensor_symmetric},
        {"dtype": torch.int8, "eps": 0.5},
    ]
    channels = [
        {"ch_axis": 1},
        {"dtype": torch.qint8, "qscheme": torch.per_channel_symmetric},
        {"qscheme": torch.per_channel_affine_float_qparams, "ch_axis": -1},
        {"dtype": torch.quint4x2, "quant_min": 0, "quant_max": 15},
    ]
    made = [cls(**k) for k in whole for cls in (q.MinMaxObserver, q.MovingAverageMinMaxObserver)]
    made += [
        cls(**k) for k in channels for cls in (q.PerChannelMinMaxObserver, q.MovingAveragePerChannelMinMaxObserver)
    ]
    made += [q.default_observer(), q.default_weight_observer(), q.default_per_channel_weight_observer()]
    made += [q.default_fixed_qparams_range_0to1_observer(), q.default_float_qparams_observer()]
    results = []
    for observer in made:
        for step in range(3):
            observer(_input(torch) * (step + 1) + step)
        scale, zero = observer.calculate_qparams()
        results.append([scale.tolist(), zero.tolist(), str(zero.dtype), observer.quant_min, observer.quant_max])
    return results


def modules(torch: Torch) -> list[Any]:
    names = """
        default_fake_quant default_weight_fake_quant default_dynamic_fake_quant default_per_channel_weight_fake_quant
        default_embedding_fake_quant default_fused_act_fake_quant default_fused_wt_fake_quant
        default_fused_per_channel_wt_fake_quant fused_wt_fake_quant_range_neg_127_to_127
        fused_per_channel_wt_fake_quant_range_neg_127_to_127 default_fixed_qparams_range_neg1to1_fake_quant
        default_fixed_qparams_range_0to1_fake_quant
    """.split()
    results = []
    for name in names:
        module = getattr(torch.ao.quantization, name)()
        for step in range(3):
            if step == 2:
                module.disable_observer()
            results.append(_with_gradient(_input(torch) * (step + 1), module))
        results.append([sorted(module.state_dict()), module.scale.tolist(), module.zero_point.tolist(), repr(module)])
    return results


CASES = {case.__name__: case for case in (per_tensor, per_channel, learnable, fused, observers, modules)}


def run(torch: Torch, name: str) -> Any:
    """The results of a case."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CASES[name](torch)
