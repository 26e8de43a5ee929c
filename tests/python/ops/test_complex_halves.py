"""complex and view_as_complex of float16."""

from __future__ import annotations

import pytest
import rushlight as torch


def test_complex_of_halves() -> None:
    a, b = torch.tensor([1.0, -0.0, 65504.0]).half(), torch.tensor([[2.0], [3.5]]).half()
    z = torch.complex(a, b)
    assert z.dtype is torch.complex32 and z.shape == (2, 3)
    assert z.to(torch.complex64).tolist() == [[1 + 2j, 2j, 65504 + 2j], [1 + 3.5j, 3.5j, 65504 + 3.5j]]
    out = torch.empty(0, dtype=torch.complex32)
    assert torch.complex(a, b, out=out) is out and torch.equal(torch.view_as_real(out), torch.view_as_real(z))
    pairs = torch.stack([a, a], -1)
    assert torch.equal(torch.view_as_real(torch.view_as_complex(pairs)), pairs)
    with pytest.raises(RuntimeError, match="Expected object of scalar type Half but got scalar type Float"):
        torch.complex(a, a.float())
    with pytest.raises(RuntimeError, match="Half, Float or Double"):
        torch.complex(a.bfloat16(), a.bfloat16())
