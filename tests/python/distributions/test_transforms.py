"""Transforms: inverses, Jacobians against autograd, shapes, caches."""

import pytest
import rushlight as torch
from rushlight import distributions as D

T = torch.tensor
ELEMENTWISE = [
    D.ExpTransform(),
    D.SigmoidTransform(),
    D.SoftplusTransform(),
    D.TanhTransform(),
    D.AffineTransform(1.0, -2.0),
    D.PowerTransform(T(3.0)),
    D.ComposeTransform([D.AffineTransform(0.0, 0.5), D.ExpTransform()]),
    D.CumulativeDistributionTransform(D.Normal(0.0, 1.0)),
]
VECTORS = [D.StickBreakingTransform(), D.CorrCholeskyTransform()]


def points(transform):
    torch.manual_seed(1)
    x = torch.randn(5, 3, dtype=torch.float64)
    return x.abs() + 0.1 if isinstance(transform, D.PowerTransform) else x


@pytest.mark.parametrize("transform", ELEMENTWISE + VECTORS, ids=lambda t: type(t).__name__)
def test_inverse_undoes(transform):
    x = points(transform)
    assert torch.allclose(transform.inv(transform(x)), x, atol=1e-6)
    assert transform.inv.inv is transform


@pytest.mark.parametrize("transform", ELEMENTWISE, ids=lambda t: type(t).__name__)
def test_elementwise_jacobian(transform):
    x = points(transform).requires_grad_()
    y = transform(x)
    (grad,) = torch.autograd.grad(y.sum(), x)
    assert torch.allclose(transform.log_abs_det_jacobian(x, y), grad.abs().log(), atol=1e-6)
    inverse = transform.inv.log_abs_det_jacobian(y, x)
    assert torch.allclose(inverse, -grad.abs().log(), atol=1e-6)


def test_stick_breaking_jacobian():
    transform = D.StickBreakingTransform()
    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    y = transform(x)
    rows = [torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(3)]
    expected = torch.linalg.slogdet(torch.stack(rows)).logabsdet
    assert transform.log_abs_det_jacobian(x, y).item() == pytest.approx(expected.item(), abs=1e-6)


def test_shapes():
    assert D.StickBreakingTransform().forward_shape(torch.Size([2, 3])) == (2, 4)
    assert D.CorrCholeskyTransform().forward_shape(torch.Size([2, 3])) == (2, 3, 3)
    assert D.ReshapeTransform((6,), (2, 3)).forward_shape(torch.Size([4, 6])) == (4, 2, 3)
    with pytest.raises(ValueError, match="Too few dimensions"):
        D.StickBreakingTransform().forward_shape(torch.Size([]))


def test_cache_returns_the_very_argument():
    transform = D.TanhTransform(cache_size=1)
    x = torch.tensor([30.0])
    assert transform.inv(transform(x)) is x
    with pytest.raises(ValueError, match="0 or 1"):
        D.ExpTransform(cache_size=2)


def test_parts_of_a_dimension():
    x = torch.tensor([1.0, 2.0, 3.0])
    cat = D.CatTransform([D.ExpTransform(), D.identity_transform], dim=0, lengths=[1, 2])
    assert cat(x).tolist() == pytest.approx([2.7182817, 2.0, 3.0])
    stack = D.StackTransform([D.ExpTransform()] * 2 + [D.AffineTransform(0.0, 2.0)], dim=0)
    assert stack(x)[2].item() == 6.0


def test_decreasing_transforms_turn_the_cdf():
    d = D.TransformedDistribution(D.Exponential(1.0), [D.AffineTransform(0.0, -1.0)])
    assert d.cdf(torch.tensor(0.0)).item() == pytest.approx(1.0)
