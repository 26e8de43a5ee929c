"""What nodes show of the values that they saved."""

from __future__ import annotations

import pytest
import rushlight as torch


def test_saved_tensors_of_operators() -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x**2
    assert y.grad_fn._saved_self is x and y.grad_fn._saved_exponent == 2
    z = torch.exp(y)
    assert torch.equal(z.grad_fn._saved_result, z) and z.grad_fn._saved_result.grad_fn is z.grad_fn
    product = x * torch.ones(3)
    assert product.grad_fn._saved_other.tolist() == [1.0] * 3
    assert product.grad_fn._saved_self is None  # no gradient asks for it


def test_other_saved_values() -> None:
    x = torch.ones(2, 3, 4, requires_grad=True)
    assert x.softmax(1).grad_fn._saved_dim == 1
    summed = x.sum((0, 2), keepdim=True).grad_fn
    assert summed._saved_dim == (0, 2) and summed._saved_keepdim is True
    assert x.clamp(min=0.5).grad_fn._saved_min == 0.5
    values, indices = x.sort(2)
    assert torch.equal(values.grad_fn._saved_indices, indices)


def test_saved_values_are_listed() -> None:
    node = torch.ones(2, requires_grad=True).softmax(0).grad_fn
    assert {"_saved_result", "_raw_saved_result", "_saved_dim"} <= set(dir(node))
    assert "_raw_saved_dim" not in dir(node) and {"name", "next_functions"} <= set(dir(node))
    with pytest.raises(AttributeError, match="_saved_other"):
        _ = node._saved_other


def test_freed_values_raise() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    node = y.grad_fn
    y.sum().backward()
    with pytest.raises(RuntimeError, match="directly access saved tensors after they have already been freed"):
        _ = node._saved_result
    with pytest.raises(RuntimeError, match="freed"):
        node._raw_saved_result.register_hooks(lambda t: t, lambda t: t)


def test_changed_values_raise() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        _ = y.grad_fn.next_functions[0][0]._saved_result


def test_hooks_of_one_saved_tensor() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    packed = []

    def pack(tensor: torch.Tensor) -> int:
        packed.append(tensor.detach() * 10)
        return 0

    y = x * x
    y.grad_fn._raw_saved_self.register_hooks(pack, lambda i: packed[i])
    assert [t.tolist() for t in packed] == [[10.0, 20.0]]
    y.sum().backward()
    assert x.grad.tolist() == [11.0, 22.0]  # one of the two factors was replaced


def test_saved_tensors_of_custom_functions() -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x, nothing) = ctx.saved_tensors
            assert nothing is None
            return 2 * x * grad

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = Square.apply(x)
    y.grad_fn._raw_saved_tensors[0].register_hooks(lambda t: t.tolist(), lambda v: torch.tensor(v) + 1)
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 6.0]
