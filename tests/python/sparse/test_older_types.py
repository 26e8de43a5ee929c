"""`torch.sparse.FloatTensor` and its kin."""

from __future__ import annotations

import pytest
import rushlight as torch


def test_older_types_keep_the_dtype_of_their_values() -> None:
    made = torch.sparse.FloatTensor(indices=torch.tensor([[0, 1], [1, 0]]), values=torch.tensor([3, 4]), size=(2, 2))
    assert made.dtype == torch.int64 and made.to_dense().tolist() == [[0, 3], [4, 0]]
    with pytest.raises(TypeError, match="unexpected keyword arguments"):
        torch.sparse.FloatTensor(torch.tensor([[0], [1]]), torch.tensor([3.0]), shape=(2, 2))
