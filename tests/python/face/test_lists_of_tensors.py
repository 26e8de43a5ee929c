"""`torch._foreach_*`: operators over lists of tensors."""

from __future__ import annotations

import pytest
import rushlight as torch
from rushlight import _foreach


def test_every_function_has_its_name_in_the_package() -> None:
    for name in (n for n in vars(_foreach) if n.startswith("_foreach_")):
        assert getattr(torch, name) is getattr(_foreach, name)


def samples() -> list[torch.Tensor]:
    return [torch.tensor([0.25, 0.5]), torch.tensor([[0.75]]), torch.tensor([], dtype=torch.float64)]


@pytest.mark.parametrize("name", _foreach.UNARY)
def test_each_tensor_by_itself(name: str) -> None:
    tensors = samples()
    results = getattr(torch, f"_foreach_{name}")(tensors)
    assert isinstance(results, tuple)
    assert all(torch.equal(result, getattr(t, name)()) for result, t in zip(results, tensors, strict=True))
    addresses = [t.data_ptr() for t in tensors]
    assert getattr(torch, f"_foreach_{name}_")(tensors) is tensors
    assert [t.data_ptr() for t in tensors] == addresses
    assert all(torch.equal(result, t) for result, t in zip(results, tensors, strict=True))


def test_two_operands() -> None:
    tensors = samples()
    assert torch._foreach_add_(tensors, 1) is tensors and tensors[0].tolist() == [1.25, 1.5]
    assert [t.tolist() for t in torch._foreach_sub(tensors[:2], [1.25, 1.75])] == [[0.0, 0.25], [[0.0]]]
    assert torch._foreach_addcmul_(tensors[:1], tensors[:1], tensors[:1], 2)[0].tolist() == [4.375, 6.0]
    assert torch._foreach_copy_(tensors[:1], [torch.zeros(2)])[0].tolist() == [0.0, 0.0]
    with pytest.raises(RuntimeError, match="same number of tensors"):
        torch._foreach_mul(tensors, [1.0])


def test_copies_products_and_sums() -> None:
    tensors = [torch.tensor([[3.0, -4.0], [0.0, 1.0]]), torch.eye(2)]
    copies = torch._foreach_clone(tensors)
    assert all(torch.equal(a, b) and a.data_ptr() != b.data_ptr() for a, b in zip(copies, tensors, strict=True))
    assert torch.equal(torch._foreach_mm(tensors, tensors)[0], tensors[0] @ tensors[0])
    assert [t.item() for t in torch._foreach_powsum(tensors, 2)] == [26.0, 2.0]
    assert [t.item() for t in torch._foreach_norm([torch.tensor([3.0, 4.0])])] == [5.0]
