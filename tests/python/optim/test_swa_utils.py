"""Averaged models and their learning rate."""

import pytest
import rushlight as torch
from rushlight.optim.swa_utils import (
    SWALR,
    AveragedModel,
    get_ema_avg_fn,
    get_ema_multi_avg_fn,
    update_bn,
)


def values(model):
    return [p.detach().clone() for p in model.parameters()]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 2.0),
        ({"avg_fn": get_ema_avg_fn(0.5)}, 2.25),
        ({"multi_avg_fn": get_ema_multi_avg_fn(0.5)}, 2.25),
    ],
)
def test_average_of_three(options, expected):
    model = torch.nn.Linear(1, 1, bias=False)
    average = AveragedModel(model, **options)
    for value in (1.0, 2.0, 3.0):
        with torch.no_grad():
            model.weight.fill_(value)
        average.update_parameters(model)
    assert average.module.weight.item() == pytest.approx(expected)
    assert int(average.n_averaged) == 3


def test_update_bn_takes_the_mean_over_the_loader():
    model = torch.nn.Sequential(torch.nn.BatchNorm1d(1))
    batches = [torch.tensor([[0.0], [2.0]]), torch.tensor([[4.0], [6.0]])]
    update_bn(batches, model)
    assert model[0].running_mean.item() == pytest.approx(3.0)
    assert model[0].momentum == 0.1


def test_swalr_anneals_to_its_rate():
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
    scheduler = SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
    seen = []
    for _ in range(3):
        optimizer.step()
        scheduler.step()
        seen.append(scheduler.get_last_lr()[0])
    assert seen == pytest.approx([0.75, 0.5, 0.5])
    with pytest.raises(ValueError, match="anneal_strategy"):
        SWALR(optimizer, 0.1, anneal_strategy="x")
