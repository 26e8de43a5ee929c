"""What `grad_fn` shows for operators that are composed of others: PyTorch's name for the whole."""

from typing import Any

import pytest
import rushlight as torch
import rushlight.nn.functional as F


def name(tensor: Any) -> str:
    return type(tensor.grad_fn).__name__


X = torch.linspace(-1, 1, 12).view(3, 4).requires_grad_()
IMAGE = torch.ones(1, 4, 2, 2, requires_grad=True)
SQUARE = torch.eye(3, requires_grad=True)


@pytest.mark.parametrize(
    ("compute", "shown"),
    [
        (lambda: SQUARE.trace(), "TraceBackward0"),
        (lambda: X.dist(X * 2), "DistBackward0"),
        (lambda: torch.cdist(X, X + 1), "CdistBackward0"),
        (lambda: F.glu(X), "GluBackward0"),
        (lambda: F.celu(X), "CeluBackward0"),
        (lambda: F.soft_margin_loss(X, torch.ones(3, 4)), "SoftMarginLossBackward0"),
        (lambda: F.pixel_shuffle(IMAGE, 2), "PixelShuffleBackward0"),
        (lambda: F.pixel_unshuffle(IMAGE, 2), "PixelUnshuffleBackward0"),
        (lambda: F.channel_shuffle(IMAGE, 2), "ChannelShuffleBackward0"),
        (lambda: F.pairwise_distance(X, X + 1), "NormBackward1"),
        (lambda: X.renorm(2, 0, 0.5), "RenormBackward0"),
        (lambda: X.rot90(), "Rot90Backward0"),
        (lambda: SQUARE.diag(), "DiagonalBackward0_copy"),
        (lambda: torch.mvlgamma(X + 3, 2), "MvlgammaBackward0"),
        (lambda: torch.ldexp(X, torch.ones(4)), "LdexpBackward0"),
        (lambda: torch.matrix_exp(SQUARE), "LinalgMatrixExpBackward0"),
        (lambda: torch.linalg.lu(SQUARE)[1], "LinalgLuBackward0"),
        (lambda: torch.linalg.solve(SQUARE, X[0, :3]), "LinalgSolveExBackward0"),
        (lambda: F.embedding_bag(torch.tensor([[0, 1]]), X), "EmbeddingBagBackward0"),
        (lambda: X.quantile(0.5, 0), "SqueezeBackward4"),
        (lambda: torch.einsum("ij,kj->ik", X, X), "ViewBackward0"),
        (lambda: F.rms_norm(X, (4,), torch.ones(4)), "MulBackward0"),
        (lambda: F.rms_norm(X, (4,)), "FusedRmsNormBackward0"),
        (lambda: X[None] @ X.t()[None], "UnsafeViewBackward0"),
        (lambda: X @ X.t().expand(2, 4, 3), "CloneBackward0"),
        (lambda: X[0].kron(X[1]), "UnsafeViewBackward0"),
        (lambda: F.grid_sample(IMAGE, torch.zeros(1, 1, 1, 2), align_corners=False), "GridSampler2DBackward0"),
        (lambda: F.pad(IMAGE, (1, 1, 1, 1), mode="circular"), "CopySlices"),
        (lambda: X // 2, "NotImplemented"),
        (lambda: torch.unsafe_split(X, 2)[0], "UnsafeSplitBackward0"),
        (lambda: X[0] @ X.t(), "SqueezeBackward4"),
        (lambda: torch.trapezoid(X), "MulBackward1"),
        (lambda: F.cross_entropy(X, X.detach().softmax(1)), "DivBackward1"),
        (lambda: X.mul(2).cumsum_(0), "CumsumBackward0"),
        (lambda: X.mul(2).tril_(), "TrilBackward0"),
        (lambda: X.mul(2).transpose_(0, 1), "TransposeBackward1"),
        (lambda: X.mul(2).unsqueeze_(0), "UnsqueezeBackward1"),
        (lambda: X[:1].mul(2).squeeze_(0), "SqueezeBackward4"),
    ],
)
def test_name_of_a_composition(compute: Any, shown: str) -> None:
    result = compute()
    assert name(result) == shown
    result.sum().backward()


def test_other_nodes_keep_their_names() -> None:
    total = X.sum()
    result = SQUARE.trace() + total
    assert (name(total), name(result)) == ("SumBackward0", "AddBackward0")
    y = X * 2
    assert name(torch.renorm(y, 2, 0, 1e9)) == "RenormBackward0"
    assert name(y) == "MulBackward0"
    view = (X * 2)[:, :2]
    view.tril_()
    assert name(view) == "AsStridedBackward0"
