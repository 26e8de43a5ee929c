"""What all distributions share: checks, shapes, gradients, mixtures, registries."""

import pytest
import rushlight as torch
from rushlight import distributions as D
from rushlight.distributions import constraints


def test_wrong_parameters_raise():
    with pytest.raises(ValueError, match=r"Expected parameter scale .* GreaterThan"):
        D.Normal(0.0, -1.0)
    with pytest.raises(ValueError, match="but not both"):
        D.Bernoulli()
    with pytest.raises(ValueError, match="at least one-dimensional"):
        D.Categorical(torch.tensor(1.0))
    with pytest.raises(ValueError, match="must all be instances of Number"):
        D.Normal("a", 1.0)
    D.Normal(0.0, -1.0, validate_args=False)


def test_wrong_values_raise():
    with pytest.raises(ValueError, match="within the support"):
        D.Exponential(1.0).log_prob(torch.tensor(-1.0))
    with pytest.raises(ValueError, match="not broadcastable"):
        D.Normal(torch.zeros(3), torch.ones(3)).log_prob(torch.zeros(2))
    with pytest.raises(ValueError, match="must be a Tensor"):
        D.Normal(0.0, 1.0).log_prob(0.0)


def test_default_validation_can_be_switched():
    before = D.Distribution._validate_args
    try:
        D.Distribution.set_default_validate_args(False)
        D.Normal(0.0, -1.0)
    finally:
        D.Distribution.set_default_validate_args(before)
    with pytest.raises(ValueError):
        D.Distribution.set_default_validate_args("yes")


def test_repr():
    assert repr(D.Normal(0.0, 1.0)) == "Normal(loc: 0.0, scale: 1.0)"
    text = repr(D.Normal(torch.zeros(3), torch.ones(3)))
    assert text == "Normal(loc: torch.Size([3]), scale: torch.Size([3]))"


def test_rsample_has_gradients_and_sample_has_none():
    loc = torch.zeros(2, requires_grad=True)
    D.Normal(loc, torch.ones(2)).rsample((5,)).sum().backward()
    assert loc.grad.tolist() == [5.0, 5.0]
    assert not D.Normal(loc, torch.ones(2)).sample().requires_grad


def test_gamma_and_dirichlet_gradients_are_pathwise():
    concentration = torch.tensor([0.5, 2.0], requires_grad=True)
    D.Gamma(concentration, torch.ones(2)).rsample().sum().backward()
    assert bool((concentration.grad > 0).all())
    concentration = torch.tensor([0.5, 2.0], requires_grad=True)
    D.Dirichlet(concentration).rsample()[0].backward()
    assert concentration.grad[0] > 0 > concentration.grad[1]


def test_cdf_and_icdf_are_inverse():
    u = torch.tensor([0.1, 0.5, 0.9])
    for d in (
        D.Normal(1.0, 2.0),
        D.Cauchy(1.0, 2.0),
        D.Laplace(1.0, 2.0),
        D.Uniform(1.0, 2.0),
        D.Exponential(2.0),
        D.HalfNormal(2.0),
        D.Gumbel(1.0, 2.0),
        D.Weibull(torch.tensor(1.0), torch.tensor(2.0)),
        D.Pareto(1.0, 2.0),
        D.LogNormal(0.0, 1.0),
        D.Kumaraswamy(2.0, 3.0),
        D.GeneralizedPareto(0.0, 1.0, 0.3),
    ):
        assert d.cdf(d.icdf(u)).tolist() == pytest.approx(u.tolist(), abs=1e-5), d


def test_enumeration_sums_to_one():
    for d in (
        D.Bernoulli(torch.tensor([0.2, 0.7])),
        D.Categorical(torch.tensor([0.2, 0.3, 0.5])),
        D.Binomial(4, torch.tensor([0.2, 0.7])),
        D.OneHotCategorical(torch.tensor([0.2, 0.3, 0.5])),
    ):
        total = d.log_prob(d.enumerate_support()).exp().sum(0)
        assert total.flatten().tolist() == pytest.approx([1.0] * total.numel(), abs=1e-5)


def test_independent_sums_log_probs():
    base = D.Normal(torch.zeros(2, 3), torch.ones(2, 3))
    d = D.Independent(base, 1)
    x = torch.ones(2, 3)
    assert d.event_shape == (3,) and d.batch_shape == (2,)
    assert torch.allclose(d.log_prob(x), base.log_prob(x).sum(-1))


def test_mixture_log_prob():
    parts = D.Normal(torch.tensor([-1.0, 1.0]), torch.ones(2))
    mixture = D.MixtureSameFamily(D.Categorical(torch.tensor([0.25, 0.75])), parts)
    x = torch.tensor(0.3)
    expected = (torch.tensor([0.25, 0.75]) * parts.log_prob(x).exp()).sum().log()
    assert mixture.log_prob(x).item() == pytest.approx(expected.item(), rel=1e-5)
    assert mixture.mean.item() == pytest.approx(0.5)


def test_kl_dispatch():
    class Special(D.Normal):
        pass

    p = Special(0.0, 1.0)
    assert D.kl_divergence(p, D.Normal(0.0, 1.0)).item() == 0.0

    @D.register_kl(Special, D.Normal)
    def special(p, q):
        return p.loc + 7

    assert D.kl_divergence(p, D.Normal(0.0, 1.0)).item() == 7.0
    with pytest.raises(NotImplementedError, match="No KL"):
        D.kl_divergence(D.Cauchy(0.0, 1.0), D.Poisson(1.0))


def test_constraints():
    check = torch.tensor([-1.0, 0.0, 0.5, 1.0])
    assert constraints.positive.check(check).tolist() == [False, False, True, True]
    assert constraints.unit_interval.check(check).tolist() == [False, True, True, True]
    assert constraints.boolean.check(check).tolist() == [False, True, False, True]
    assert repr(constraints.interval(0, 1)) == "Interval(lower_bound=0, upper_bound=1)"
    assert bool(constraints.simplex.check(torch.tensor([0.2, 0.8])))
    assert not bool(constraints.positive_definite.check(torch.tensor([[1.0, 2.0], [2.0, 1.0]])))
    assert constraints.is_dependent(constraints.dependent)


@pytest.mark.parametrize(
    "constraint",
    [
        constraints.real,
        constraints.positive,
        constraints.greater_than(2.0),
        constraints.less_than(2.0),
        constraints.interval(-1.0, 3.0),
        constraints.unit_interval,
        constraints.simplex,
        constraints.lower_cholesky,
        constraints.corr_cholesky,
        constraints.positive_definite,
    ],
    ids=repr,
)
def test_transform_to_lands_in_the_constraint(constraint):
    torch.manual_seed(0)
    x = torch.randn(4, 3, 3) if constraint.event_dim == 2 else torch.randn(4, 3)
    if constraint is constraints.corr_cholesky:
        x = torch.randn(4, 3)
    assert bool(constraint.check(D.transform_to(constraint)(x)).all())
