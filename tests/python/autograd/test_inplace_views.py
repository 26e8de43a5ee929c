"""Changes in place through views: derivatives of any order, what is refused, how history is shown."""

from __future__ import annotations

import pytest
import rushlight as torch

VIEWS = {
    "whole": lambda y: y.view(-1),
    "part": lambda y: y[:1],
    "element": lambda y: y[0],
    "nested": lambda y: y.view(2, 1)[0],
    "larger": lambda y: y.unsqueeze(0),
}
CHANGES = {  # operators whose derivative reads their result, and the same out of place
    "exp": (lambda z: z.exp_(), torch.exp),
    "sigmoid": (lambda z: z.sigmoid_(), torch.sigmoid),
    "tanh": (lambda z: z.tanh_(), torch.tanh),
    "sqrt": (lambda z: z.sqrt_(), torch.sqrt),
    "reciprocal": (lambda z: z.reciprocal_(), torch.reciprocal),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("change", CHANGES)
def test_second_derivative_of_a_changed_view(view: str, change: str) -> None:
    in_place, out_of_place = CHANGES[change]

    def loss(x: torch.Tensor, written: bool) -> torch.Tensor:
        y = x * 1.5
        if written:
            z = VIEWS[view](y)
            in_place(z)
            return (y * y).sum() + (z * z * z).sum()
        chosen = torch.zeros(2, dtype=torch.bool)
        VIEWS[view](chosen).fill_(True)
        y = torch.where(chosen, out_of_place(y), y)
        z = VIEWS[view](y)
        return (y * y).sum() + (z * z * z).sum()

    found = []
    for written in (True, False):
        x = torch.tensor([0.3, 0.7], dtype=torch.float64, requires_grad=True)
        (slope,) = torch.autograd.grad(loss(x, written), x, create_graph=True)
        (bend,) = torch.autograd.grad((slope * slope).sum(), x)
        found.append(torch.cat([slope.detach(), bend]).tolist())
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.parametrize("change", ["t_", "squeeze_", "unsqueeze_", "transpose_", "swapaxes_"])
def test_views_in_place_are_refused_where_writes_are(change: str) -> None:
    def apply(x: torch.Tensor) -> None:
        getattr(x, change)(*{"unsqueeze_": (0,), "transpose_": (0, 1), "swapaxes_": (0, 1)}.get(change, ()))

    leaf = torch.ones(1, 2, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        apply(leaf)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        apply(leaf.view(2, 1))
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and is being modified inplace"):
        apply((leaf * 1).unsqueeze(0).unbind(0)[0])
    apply(leaf * 1)


def test_a_view_made_without_grad_is_lost_when_its_base_is_changed() -> None:
    base = torch.ones(2, 2, requires_grad=True) * 1
    with torch.no_grad():
        view = base.view(-1)
    base.mul_(2)
    for use in (lambda: view.grad_fn, lambda: view * 2, lambda: view.is_leaf):
        with pytest.raises(RuntimeError, match="A view was created in no_grad mode and its base"):
            use()
    assert "grad_fn=<Invalid>" in str(view)
    plain = torch.zeros(2, 2)
    with torch.no_grad():
        row = plain[0]
    plain.add_(1)
    assert row.grad_fn is None and row.tolist() == [1, 1]


def test_reshape_shows_how_it_was_made() -> None:
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    names = {
        "ViewBackward0": x.reshape(-1),
        "ReshapeAliasBackward0": x[:, :2].reshape(2, 2, 1),
        "UnsafeViewBackward0": x.t().reshape(-1),
    }
    for name, y in names.items():
        assert y.grad_fn.name() == name
        assert y._is_view() == (name != "UnsafeViewBackward0")
    assert x.t().flatten().grad_fn.name() == "UnsafeViewBackward0"


def test_writes_to_expanded_tensors_warn_or_are_refused() -> None:
    def expanded() -> torch.Tensor:
        return torch.zeros(3).expand(2, 3)

    mask = torch.tensor([[True, False, False], [False, True, False]])
    with pytest.warns(UserWarning, match="masked_fill_ on expanded tensors is deprecated"):
        assert expanded().masked_fill_(mask, 1).tolist() == [[1, 1, 0], [1, 1, 0]]
    with pytest.warns(UserWarning, match="masked_fill_ on expanded"):
        assert expanded().masked_fill_(mask, torch.tensor(2)).tolist() == [[2, 2, 0], [2, 2, 0]]
    with pytest.warns(UserWarning, match="index_fill_ on expanded"):
        assert expanded().index_fill_(0, torch.tensor([0]), 3).tolist() == [[3, 3, 3], [3, 3, 3]]
    with pytest.warns(UserWarning, match="index_put_ on expanded"):
        found = expanded().index_put_((torch.tensor([0, 1]),), torch.tensor(1.0), accumulate=True)
        assert found.tolist() == [[2, 2, 2], [2, 2, 2]]
    for write in (
        lambda x: x.index_add_(0, torch.tensor([0]), torch.ones(1, 3)),
        lambda x: x.scatter_(0, torch.tensor([[0]]), 1.0),
        lambda x: x.masked_scatter_(mask, torch.ones(6)),
        lambda x: x.mul_(2),
    ):
        with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single"):
            write(expanded())
