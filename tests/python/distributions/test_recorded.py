"""Samples, log-probabilities, moments and divergences against PyTorch's (recorded*.json)."""

import json
import math
from pathlib import Path

import pytest
import rushlight as torch
from rushlight import distributions

HERE = Path(__file__).parent
CASES = json.loads((HERE / "recorded.json").read_text())
KL = json.loads((HERE / "recorded_kl.json").read_text())


def make(case):
    options = {
        k: torch.tensor(v) if isinstance(v, (list, float)) else v
        for k, v in case["options"].items()
    }
    return getattr(distributions, case["name"])(**options)


def flat(tensor):
    return tensor.detach().double().flatten().tolist()


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_samples_come_from_the_same_stream(case):
    torch.manual_seed(17)
    samples = make(case).sample((3,))
    following = torch.rand(1).item()
    assert flat(samples) == pytest.approx(case["samples"], rel=1e-5, abs=1e-6)
    assert following == case["next"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_log_prob(case):
    distribution = make(case)
    value = torch.tensor(case["samples"]).view(
        3, *distribution.batch_shape, *distribution.event_shape
    )
    # Rounding puts recorded matrices and simplices a little beside their support.
    distribution._validate_args = False
    assert flat(distribution.log_prob(value)) == pytest.approx(case["log_prob"], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
@pytest.mark.parametrize("what", ["mean", "variance", "entropy"])
def test_moments(case, what):
    if case.get(what) is None:
        pytest.skip(f"{case['name']} has no finite {what}")
    distribution = make(case)
    value = distribution.entropy() if what == "entropy" else getattr(distribution, what)
    assert flat(value) == pytest.approx(case[what], rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(("p", "q", "expected"), KL, ids=lambda v: v if isinstance(v, str) else "")
def test_divergences(p, q, expected):
    cases = {case["name"]: case for case in CASES}
    value = flat(distributions.kl_divergence(make(cases[p]), make(cases[q])))
    wanted = [float(v) for v in expected]
    assert value == pytest.approx(wanted, rel=1e-4, abs=1e-5, nan_ok=True)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_expand_repeats_the_batch(case):
    distribution = make(case)
    wide = distribution.expand((2, *distribution.batch_shape))
    assert wide.batch_shape == (2, *distribution.batch_shape)
    assert wide.sample().shape == (2, *distribution.batch_shape, *distribution.event_shape)
    assert type(wide) is type(distribution)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_samples_lie_in_the_support(case):
    distribution = make(case)
    torch.manual_seed(3)
    assert bool(distribution.support.check(distribution.sample((50,))).all())


def test_monte_carlo_agrees_with_the_divergence():
    torch.manual_seed(0)
    p = distributions.Normal(0.0, 1.0)
    q = distributions.Laplace(0.5, 2.0)
    x = p.sample((200000,))
    estimate = (p.log_prob(x) - q.log_prob(x)).mean().item()
    assert math.isclose(distributions.kl_divergence(p, q).item(), estimate, abs_tol=0.01)
