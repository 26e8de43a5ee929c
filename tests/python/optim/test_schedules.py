"""Learning rate schedules against recorded rates (recorded_schedules.json) and by their rules."""

import json
import warnings
from pathlib import Path

import pytest
import rushlight as torch
from rushlight.optim import lr_scheduler

CASES = json.loads((Path(__file__).parent / "recorded_schedules.json").read_text())


def optimizer(lr=0.1, **options):
    return torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=lr, **options)


def rates(scheduler, steps):
    out = [scheduler.get_last_lr()[0]]
    for _ in range(steps):
        scheduler.optimizer.step()
        scheduler.step()
        out.append(scheduler.get_last_lr()[0])
    return out


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['name']}-{c['options']}")
def test_rates_recorded(case):
    o = optimizer(momentum=0.9)
    scheduler = getattr(lr_scheduler, case["name"])(o, **case["options"])
    lrs, momenta = [scheduler.get_last_lr()[0]], [o.param_groups[0]["momentum"]]
    for _ in range(14):
        o.step()
        scheduler.step()
        lrs.append(scheduler.get_last_lr()[0])
        momenta.append(o.param_groups[0]["momentum"])
    assert lrs == case["lrs"] and momenta == case["momenta"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['name']}-{c['options']}")
def test_state_dict_resumes(case):
    cls = getattr(lr_scheduler, case["name"])
    o = optimizer(momentum=0.9)
    scheduler = cls(o, **case["options"])
    rates(scheduler, 5)
    saved = scheduler.state_dict()
    lr = o.param_groups[0]["lr"]
    scheduler = cls(o, **case["options"])
    scheduler.load_state_dict(saved)
    o.param_groups[0]["lr"] = lr
    assert rates(scheduler, 9)[1:] == case["lrs"][6:]


def test_functions_of_the_epoch():
    scheduler = lr_scheduler.LambdaLR(optimizer(1.0), lambda e: 1 / (e + 1))
    assert rates(scheduler, 3) == [1.0, 1 / 2, 1 / 3, 1 / 4]
    scheduler = lr_scheduler.MultiplicativeLR(optimizer(1.0), lambda e: 0.5)
    assert rates(scheduler, 3) == [1.0, 0.5, 0.25, 0.125]


@pytest.mark.parametrize("cls", [lr_scheduler.LambdaLR, lr_scheduler.MultiplicativeLR])
def test_what_is_no_function_is_refused(cls):
    for wrong in (3, [3]):
        with pytest.raises(TypeError, match="lr_lambda should be a function, but got int"):
            cls(optimizer(), wrong)
    with pytest.raises(ValueError, match="Expected 1 lr_lambdas, but got 2"):
        cls(optimizer(), [lambda e: 1.0] * 2)


def test_plateau_waits_then_lowers():
    o = optimizer()
    scheduler = lr_scheduler.ReduceLROnPlateau(o, patience=1, factor=0.5, cooldown=1)
    seen = []
    for metric in (1.0, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9):
        scheduler.step(metric)
        seen.append(o.param_groups[0]["lr"])
    assert seen == [0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.025]


def test_sequence_changes_at_milestones():
    o = optimizer(1.0)
    parts = [lr_scheduler.ConstantLR(o, 0.5, 10), lr_scheduler.ExponentialLR(o, 0.5)]
    scheduler = lr_scheduler.SequentialLR(o, parts, [2])
    assert rates(scheduler, 4) == [0.5, 0.5, 1.0, 0.5, 0.25]


def test_sequence_may_hold_chains_and_sequences():
    o = optimizer(1.0)
    chain = lr_scheduler.ChainedScheduler(
        [lr_scheduler.ConstantLR(o, 0.5, 10), lr_scheduler.ExponentialLR(o, 0.5)], o
    )
    inner = lr_scheduler.SequentialLR(
        o, [lr_scheduler.ConstantLR(o, 0.25, 10), lr_scheduler.ExponentialLR(o, 0.5)], [1]
    )
    scheduler = lr_scheduler.SequentialLR(o, [chain, inner], [2])
    assert rates(scheduler, 4)[2:] == [0.25, 1.0, 0.5]


def test_chain_multiplies():
    o = optimizer(1.0)
    scheduler = lr_scheduler.ChainedScheduler(
        [lr_scheduler.ConstantLR(o, 0.1, 2), lr_scheduler.ExponentialLR(o, 0.5)], o
    )
    assert rates(scheduler, 3) == pytest.approx([0.1, 0.05, 0.25, 0.125])


def test_wrong_order_warns():
    scheduler = lr_scheduler.StepLR(optimizer(), 2)
    with pytest.warns(UserWarning, match="before `optimizer.step"):
        scheduler.step()


def test_epoch_argument_uses_the_closed_form():
    o = optimizer(1.0)
    scheduler = lr_scheduler.ExponentialLR(o, 0.5)
    o.step()
    with pytest.warns(UserWarning, match="epoch parameter"):
        scheduler.step(3)
    assert scheduler.get_last_lr() == [0.125]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: lr_scheduler.StepLR(3, 1), TypeError, "is not an Optimizer"),
        (lambda: lr_scheduler.StepLR(optimizer(), 1, last_epoch=3), KeyError, "initial_lr"),
        (lambda: lr_scheduler.OneCycleLR(optimizer(), 0.1), ValueError, "total_steps"),
        (lambda: lr_scheduler.ConstantLR(optimizer(), 2.0), ValueError, "between 0 and 1"),
        (lambda: lr_scheduler.SequentialLR(optimizer(), [], []), ValueError, "at least one"),
        (lambda: lr_scheduler.ReduceLROnPlateau(optimizer(), factor=1.0), ValueError, "< 1.0"),
    ],
)
def test_wrong_arguments_raise(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_tensor_rates_are_changed_in_place():
    lr = torch.tensor(1.0)
    o = optimizer(lr)
    scheduler = lr_scheduler.ExponentialLR(o, 0.5)
    o.step()
    scheduler.step()
    assert o.param_groups[0]["lr"] is lr and lr.item() == 0.5


def test_no_warning_in_the_right_order():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rates(lr_scheduler.CosineAnnealingLR(optimizer(), 5), 4)
