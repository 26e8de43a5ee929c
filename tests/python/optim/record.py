"""Writes recorded_optimizers.json and recorded_schedules.json: run it with PyTorch 2.13 installed.

To add a case, append its name and options below and run the file again.
"""

import json
from pathlib import Path

import torch

HERE = Path(__file__).parent
OPTIMIZERS = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True}),
    ("Adam", {"lr": 0.05}),
    ("Adam", {"amsgrad": True, "weight_decay": 0.1, "lr": 0.05}),
    ("Adam", {"maximize": True, "betas": [0.8, 0.9]}),
    ("AdamW", {"lr": 0.05}),
    ("AdamW", {"amsgrad": True, "lr": 0.05}),
    ("Adamax", {"weight_decay": 0.1, "lr": 0.05}),
    ("NAdam", {"weight_decay": 0.1, "lr": 0.05}),
    ("NAdam", {"decoupled_weight_decay": True, "weight_decay": 0.1, "maximize": True}),
    ("RAdam", {"weight_decay": 0.1, "lr": 0.05, "betas": [0.5, 0.7]}),
    ("Adadelta", {"weight_decay": 0.1, "lr": 0.5}),
    (
        "Adagrad",
        {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.3},
    ),
    ("RMSprop", {"lr": 0.05}),
    ("RMSprop", {"lr": 0.05, "momentum": 0.9, "centered": True, "weight_decay": 0.1}),
    ("Rprop", {"lr": 0.05}),
    ("ASGD", {"lr": 0.05, "t0": 3, "weight_decay": 0.1, "lambd": 0.01}),
    ("LBFGS", {"lr": 0.1, "history_size": 3, "max_iter": 6}),
    (
        "LBFGS",
        {"lr": 0.5, "history_size": 4, "max_iter": 7, "line_search_fn": "strong_wolfe"},
    ),
    ("Adafactor", {"lr": 0.05, "weight_decay": 0.1}),
]
SCHEDULES = [
    ("StepLR", {"step_size": 3}),
    ("MultiStepLR", {"milestones": [2, 4, 4, 7], "gamma": 0.5}),
    ("ConstantLR", {}),
    ("LinearLR", {"start_factor": 0.2, "end_factor": 0.8, "total_iters": 7}),
    ("ExponentialLR", {"gamma": 0.9}),
    ("PolynomialLR", {"total_iters": 9, "power": 2.0}),
    ("CosineAnnealingLR", {"T_max": 5, "eta_min": 0.01}),
    ("CosineAnnealingWarmRestarts", {"T_0": 2, "T_mult": 2, "eta_min": 0.001}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 3}),
    (
        "CyclicLR",
        {
            "base_lr": 0.01,
            "max_lr": 0.1,
            "step_size_up": 3,
            "step_size_down": 2,
            "mode": "triangular2",
        },
    ),
    ("OneCycleLR", {"max_lr": 0.1, "total_steps": 16}),
    (
        "OneCycleLR",
        {
            "max_lr": 0.2,
            "epochs": 2,
            "steps_per_epoch": 8,
            "anneal_strategy": "linear",
            "three_phase": True,
        },
    ),
]


def train(name, options):
    w = torch.nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))
    b = torch.nn.Parameter(torch.tensor([0.5, -0.25]))
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
    optimizer = getattr(torch.optim, name)([w, b], **options)

    def closure():
        optimizer.zero_grad()
        loss = ((w - 0.3) ** 2 * 1.5).sum() + (b**2).sum() * 0.5 + (w**2).sum().square() * 0.01
        loss.backward()
        return loss

    for _ in range(6):
        optimizer.step(closure)
    return w.detach().double().flatten().tolist(), b.detach().double().tolist()


def rates(name, options):
    weight = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
    scheduler = getattr(torch.optim.lr_scheduler, name)(optimizer, **options)
    lrs, momenta = [scheduler.get_last_lr()[0]], [optimizer.param_groups[0]["momentum"]]
    for _ in range(14):
        optimizer.step()
        scheduler.step()
        lrs.append(scheduler.get_last_lr()[0])
        momenta.append(optimizer.param_groups[0]["momentum"])
    return lrs, momenta


def main():
    steps = []
    for name, options in OPTIMIZERS:
        w, b = train(name, options)
        steps.append({"name": name, "options": options, "w": w, "b": b})
    (HERE / "recorded_optimizers.json").write_text(json.dumps(steps, indent=0))
    schedules = []
    for name, options in SCHEDULES:
        lrs, momenta = rates(name, options)
        schedules.append({"name": name, "options": options, "lrs": lrs, "momenta": momenta})
    (HERE / "recorded_schedules.json").write_text(json.dumps(schedules, indent=0))


if __name__ == "__main__":
    main()
