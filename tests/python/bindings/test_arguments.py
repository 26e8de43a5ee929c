"""Calls: overloads, numbers in the place of tensors, NumPy's spellings, errors that explain."""

import numpy as np
import pytest
import rushlight as torch

X = torch.arange(6.0).reshape(2, 3)


def test_overloads():
    assert (
        torch.max(X).item() == 5 and X.max(0).values.tolist() == [3, 4, 5] and X.max(dim=1).indices.tolist() == [2, 2]
    )
    assert torch.max(X, torch.ones(3) * 2).tolist() == [[2, 2, 2], [3, 4, 5]]
    assert X.sum((0, 1)).item() == X.sum(dim=[0, 1]).item() == 15 and X.sum(0).tolist() == [3, 5, 7]
    assert torch.add(X, 2, alpha=3).tolist() == (X + 6).tolist()
    assert X.view(3, 2).shape == X.view((3, 2)).shape == X.view([3, 2]).shape == (3, 2)
    assert X.permute(1, 0).shape == X.permute((1, 0)).shape == (3, 2) and X.view(torch.int32).dtype is torch.int32
    assert torch.zeros(2, 3).shape == torch.zeros((2, 3)).shape == torch.zeros(torch.Size([2, 3])).shape == (2, 3)


def test_named_results():
    result = X.max(1)
    assert type(result).__name__ == "max" and result[0] is not None and "values=" in repr(result)
    values, indices = result
    assert values.tolist() == [2, 5] and isinstance(result, tuple)


def test_lists_come_back_as_tuples():
    assert isinstance(X.unbind(0), tuple) and isinstance(torch.split(X, 1), tuple)


def test_numbers_in_the_place_of_tensors():
    assert torch.mul(2, X).tolist() == (X * 2).tolist() and torch.add(2, 3).item() == 5
    assert torch.mul(2, X).dtype is torch.float32 and torch.add(1, torch.tensor([1])).dtype is torch.int64


@pytest.mark.parametrize("zero", [0, np.int64(0), np.int32(0), torch.tensor(0)])
def test_integers_may_be_of_any_kind(zero):
    assert X.sum(zero).tolist() == [3, 5, 7] and X.view(zero + 6).shape == (6,)
    assert torch.softmax(X, dim=zero).shape == (2, 3) and X.select(zero, zero).tolist() == [0, 1, 2]


def test_numpy_scalars_as_numbers():
    assert (X * np.float64(2)).dtype is torch.float32 and (np.float32(2) * X).tolist() == (X * 2).tolist()
    assert (torch.tensor([1]) + np.int64(2)).tolist() == [3] and torch.full((1,), np.float32(2)).item() == 2


def test_numpy_spellings():
    assert X.sum(axis=0, keepdims=True).shape == (1, 3) and torch.sum(x=X).item() == 15
    assert torch.add(x1=X, x2=X).tolist() == (X + X).tolist()


def test_reflected_operators():
    x = torch.tensor([1.0, 2.0, 4.0])
    assert (1 - x).tolist() == [0, -1, -3] and (8 / x).tolist() == [8, 4, 2] and (2**x).tolist() == [2, 4, 16]
    assert (7 // x).tolist() == [7, 3, 1] and (7 % x).tolist() == [0, 1, 3] and (1 + x).tolist() == [2, 3, 5]
    i = torch.tensor([1, 2, 3])
    assert (6 & i).tolist() == [0, 2, 2] and (1 << i).tolist() == [2, 4, 8] and (i >> 1).tolist() == [0, 1, 1]
    assert (5 > i).tolist() == [True] * 3 and (2 <= i).tolist() == [False, True, True]


def test_operators_in_place_keep_the_object():
    x = torch.tensor([1.0, 2.0])
    same = x
    x += 1
    x *= torch.tensor([2.0, 3.0])
    x -= 1
    x /= 2
    x **= 2
    assert x is same and x.tolist() == [2.25, 16.0]
    i = j = torch.tensor([7, 8])
    i //= 2
    i %= 3
    i |= 4
    i &= 5
    i ^= 1
    i <<= 1
    assert i is j and i.tolist() == [10, 8]


def test_older_order_of_arguments():
    with pytest.warns(UserWarning, match="deprecated"):
        assert torch.add(X, 2, torch.ones(3)).tolist() == (X + 2).tolist()
    with pytest.warns(UserWarning, match="deprecated"):
        assert torch.ones(2).addcmul_(2, torch.ones(2), torch.ones(2)).tolist() == [3, 3]


def test_nonzero_as_tuple():
    rows, columns = torch.nonzero(X > 3, as_tuple=True)
    assert rows.tolist() == [1, 1] and columns.tolist() == [1, 2]
    assert X.nonzero(as_tuple=False).shape == (5, 2) and torch.tensor(1).nonzero(as_tuple=True)[0].tolist() == [0]


def test_out():
    out = torch.empty(0)
    assert torch.add(X, X, out=out) is out and out.tolist() == (X + X).tolist()
    values, indices = torch.empty(0), torch.empty(0, dtype=torch.int64)
    result = torch.max(X, 0, out=(values, indices))
    assert result.values is values and indices.tolist() == [1, 1, 1]
    with pytest.raises(TypeError, match="expected tuple of 2 elements but got 1"):
        torch.max(X, 0, out=(values,))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: torch.abs(), 'abs\\(\\) missing 1 required positional arguments: "input"'),
        (lambda: torch.abs(X, 3), "abs\\(\\) takes 1 positional argument but 2 were given"),
        (lambda: torch.abs(1), "abs\\(\\): argument 'input' \\(position 1\\) must be Tensor, not int"),
        (lambda: torch.abs(X, foo=1), "abs\\(\\) got an unexpected keyword argument 'foo'"),
        (lambda: torch.abs(X, input=X), "abs\\(\\) got multiple values for argument 'input'"),
        (lambda: torch.matmul(X, 2), "matmul\\(\\): argument 'other' \\(position 2\\) must be Tensor, not int"),
        (lambda: torch.max(X, "a"), "max\\(\\) received an invalid combination of arguments - got \\(Tensor, str\\)"),
        (
            lambda: torch.cat(X, 0),
            "cat\\(\\): argument 'tensors' \\(position 1\\) must be tuple of Tensors, not Tensor",
        ),
        (lambda: torch.cat([X, 1]), "but found element of type int at pos 1"),
        (lambda: torch.zeros(2.0), "must be tuple of ints, not float"),
        (lambda: torch.ones(2, requires_grad=1), "argument 'requires_grad' must be bool, not int"),
        (lambda: torch.topk(X, 2.0), "argument 'k' \\(position 2\\) must be int, not float"),
        (lambda: X + "a", "unsupported operand type"),
        (lambda: X @ 2, "unsupported operand type"),
        (lambda: X.sum(True), "received an invalid combination of arguments"),
    ],
)
def test_wrong_calls_are_explained(call, text):
    with pytest.raises(TypeError, match=text):
        call()


def test_numbers_too_large():
    with pytest.raises(OverflowError, match="int too big to convert"):
        X + 10**30
    with pytest.raises(ValueError, match="Overflow when unpacking long"):
        X.unsqueeze(10**30)


@pytest.mark.parametrize("call", [X.is_contiguous, X.to, X.sum, X.argmax, X.view, X.size, X.dim, X.stride, torch.ones])
def test_keywords_that_are_no_unicode_are_refused(call):
    with pytest.raises(TypeError):
        call(**{"\ud800": 1})
