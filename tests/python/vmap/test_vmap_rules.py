"""Every operator of the property tables under `vmap`: by its rule and sample by sample, inputs batched in all ways."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import rushlight as torch

sys.path.append(str(Path(__file__).parents[1] / "properties"))

import index_table  # noqa: E402
import reduce_table  # noqa: E402
import scan_table  # noqa: E402
import shape_table  # noqa: E402
import sort_table  # noqa: E402
import test_pointwise_properties  # noqa: E402
from agreement import batch_of, compare, compare_pulls, placements  # noqa: E402
from calls import SETTINGS, Case, function_of, operators  # noqa: E402
from hypothesis import given, strategies as st  # noqa: E402
from operands import Draw, Operand  # noqa: E402

TABLES = (shape_table, reduce_table, scan_table, index_table, sort_table, test_pointwise_properties)
# Without values, or with offsets that count from another place: an offset given to `as_strided` is one in the sample.
# `searchsorted` needs sorted sequences, which moved elements are not.
ELSEWHERE = {"searchsorted.Tensor", "bucketize.Tensor", "empty_like", "new_empty", "new_empty_strided", "as_strided", "as_strided_copy", "as_strided_scatter"}
TABLE: dict[str, Case] = {name: case for table in TABLES for name, case in table.TABLE.items() if name not in ELSEWHERE}


def function_and_operands(name: str, case: Case, draw: Draw) -> tuple[Any, list[Any]]:
    """The drawn call as a function of its tensors."""
    call, operator = case(draw), operators()[name]
    slots: list[Any] = [*call.args, *call.kwargs.values()]
    tensors: list[Any] = []

    def numbered(value: Any) -> Any:
        if isinstance(value, Operand):
            tensors.append(value.tensor)
            return _Slot(len(tensors) - 1)
        if isinstance(value, (list, tuple)) and any(isinstance(item, Operand) for item in value):
            return type(value)(numbered(item) for item in value)
        return value

    slots = [numbered(slot) for slot in slots]
    function: Any = call.via or function_of(operator)
    changes = (operator.inplace_only and not call.via) or function is None

    def run(*given_tensors: Any) -> Any:
        filled = [_filled(slot, given_tensors) for slot in slots]
        args, kwargs = filled[: len(call.args)], dict(zip(call.kwargs, filled[len(call.args) :]))
        if changes:
            target = args[0].clone()
            getattr(target, operator.name.rstrip("_") + "_")(*args[1:], **kwargs)
            return target
        return function(*args, **kwargs)

    return run, tensors


class _Slot:
    """The place of a tensor among the arguments."""

    def __init__(self, number: int) -> None:
        self.number = number


def _filled(value: Any, tensors: Any) -> Any:
    if isinstance(value, _Slot):
        return tensors[value.number]
    if isinstance(value, (list, tuple)) and any(isinstance(item, _Slot) for item in value):
        return type(value)(_filled(item, tensors) for item in value)
    return value


@pytest.mark.parametrize("name", TABLE)
@SETTINGS
@given(data=st.data())
def test_rule_agrees_with_samples(name: str, data: st.DataObject) -> None:
    function, tensors = function_and_operands(name, TABLE[name], Draw(data))
    if not tensors or any(t.numel() > 400 for t in tensors):
        return
    for dims in placements(len(tensors)):
        batches = [t if d is None else batch_of(t, d) for t, d in zip(tensors, dims)]
        compare(function, batches, dims)
    differentiable = operators()[name].recorded or operators()[name].kind == "composite"
    if differentiable:
        compare_pulls(function, tensors)


MODULES: list[tuple[Any, tuple[int, ...]]] = [
    (lambda: torch.nn.Linear(4, 3), (4,)),
    (lambda: torch.nn.Linear(4, 3), (2, 4)),
    (lambda: torch.nn.Bilinear(4, 4, 2), (2, 4)),
    (lambda: torch.nn.Conv1d(2, 4, 3, padding=1), (2, 2, 7)),
    (lambda: torch.nn.Conv2d(2, 4, 3, stride=2, groups=2), (2, 7, 8)),
    (lambda: torch.nn.Conv2d(2, 4, 3, padding="same", dilation=2), (3, 2, 7, 8)),
    (lambda: torch.nn.ConvTranspose2d(2, 4, 3, stride=2), (3, 2, 4, 5)),
    (lambda: torch.nn.Conv3d(1, 2, 2), (2, 1, 3, 4, 5)),
    (lambda: torch.nn.LayerNorm(5), (3, 5)),
    (lambda: torch.nn.RMSNorm(5), (3, 5)),
    (lambda: torch.nn.GroupNorm(2, 4), (3, 4, 5)),
    (lambda: torch.nn.BatchNorm1d(4, track_running_stats=False), (6, 4)),
    (lambda: torch.nn.BatchNorm2d(3).eval(), (2, 3, 4, 4)),
    (lambda: torch.nn.MultiheadAttention(4, 2, batch_first=True), (2, 3, 4)),
    (lambda: torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True), (2, 3, 4)),
    (lambda: torch.nn.GRU(3, 4), (5, 2, 3)),
    (lambda: torch.nn.PReLU(3), (2, 3, 4)),
    (lambda: torch.nn.MaxPool2d(2), (2, 5, 6)),
    (lambda: torch.nn.AvgPool3d(2), (1, 2, 4, 5, 6)),
    (lambda: torch.nn.AdaptiveAvgPool2d(2), (2, 5, 6)),
    (lambda: torch.nn.Upsample(scale_factor=2, mode="bilinear"), (1, 2, 3, 4)),
    (lambda: torch.nn.ReflectionPad2d(1), (2, 3, 4)),
]


def called(module: Any, parameters: dict[str, Any], x: Any) -> Any:
    from rushlight.func import functional_call

    if isinstance(module, torch.nn.MultiheadAttention):
        return functional_call(module, parameters, (x, x, x))[0]
    if isinstance(module, torch.nn.Bilinear):
        return functional_call(module, parameters, (x, x))
    found = functional_call(module, parameters, (x,))
    return found[0] if isinstance(module, torch.nn.GRU) else found


@pytest.mark.parametrize("which", range(len(MODULES)))
def test_module_agrees_with_samples(which: int) -> None:
    make, shape = MODULES[which]
    torch.manual_seed(which)
    module = make()
    names = [name for name, _ in module.named_parameters()]
    parameters = [p.detach() for p in module.parameters()]
    x = torch.randn(shape)

    def function(sample: Any, *values: Any) -> Any:
        return called(module, dict(zip(names, values)), sample)

    for dims in ([0] + [None] * len(names), [None] + [0] * len(names), [0] * (len(names) + 1), [-1] * (len(names) + 1)):
        if all(d is None for d in dims):
            continue
        batches = [t if d is None else batch_of(t, d) for t, d in zip([x, *parameters], dims)]
        compare(function, batches, dims)
    compare_pulls(function, [x, *parameters])


LOSSES = [
    (torch.nn.functional.mse_loss, "float"),
    (torch.nn.functional.l1_loss, "float"),
    (torch.nn.functional.smooth_l1_loss, "float"),
    (torch.nn.functional.huber_loss, "float"),
    (torch.nn.functional.binary_cross_entropy_with_logits, "float"),
    (torch.nn.functional.kl_div, "float"),
    (torch.nn.functional.cross_entropy, "class"),
    (torch.nn.functional.nll_loss, "class"),
    (torch.nn.functional.multi_margin_loss, "class"),
]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("loss, kind", LOSSES, ids=lambda value: getattr(value, "__name__", value))
def test_loss_agrees_with_samples(loss: Any, kind: str, reduction: str) -> None:
    torch.manual_seed(0)
    for shape in ((4,), (5, 4), (2, 4, 3, 3)):
        target_shape = shape[:1] + shape[2:] if len(shape) > 1 else ()
        x = torch.randn(shape)
        target = torch.rand(shape) if kind == "float" else torch.randint(0, 4, target_shape)
        for dims in placements(2):
            batches = [t if d is None else batch_of(t, d) if t.dim() or d == 0 else batch_of(t, 0) for t, d in zip((x, target), dims)]
            compare(lambda a, b: loss(a, b, reduction=reduction), batches, dims)
