"""Tensors of dtypes that no storage class is named after: pickled, copied and saved in every format."""

from __future__ import annotations

import copy
import io
import pickle
from typing import Any

import pytest
import rushlight as torch

DTYPES = ["uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "complex32", "bits8", "uint4"]


class Holder:
    """An object that needs Python's pickler."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor


def through_file(obj: Any, archive: bool) -> Any:
    file = io.BytesIO()
    torch.save(obj, file, _use_new_zipfile_serialization=archive)
    file.seek(0)
    return torch.load(file, weights_only=False)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_survive_pickling_copying_and_saving(dtype: str) -> None:
    x = torch.arange(1, 17, dtype=torch.uint8).view(getattr(torch, dtype))[1:]
    copies = [pickle.loads(pickle.dumps(x)), copy.deepcopy(x)]
    for archive in (True, False):
        copies.append(through_file(Holder(x), archive).tensor)
    for result in copies:
        assert result.dtype == x.dtype
        assert result.view(torch.uint8).tolist() == x.view(torch.uint8).tolist()


@pytest.mark.parametrize("archive", [True, False])
def test_views_of_several_dtypes_share_one_storage(archive: bool) -> None:
    x = torch.tensor([1, 2, 65535], dtype=torch.uint16)
    first, second = through_file([Holder(x), x.view(torch.float8_e5m2)[2:]], archive)
    assert first.tensor.tolist() == x.tolist()
    first.tensor[1] = 0
    assert second.view(torch.uint8).tolist() == [0, 0, 255, 255]
