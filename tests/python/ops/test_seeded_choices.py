"""multinomial draws without replacement the categories that PyTorch 2.13 draws from the same seed, ties among them."""

from __future__ import annotations

import pytest
import rushlight as torch


def chances(kind: str, rows: int, categories: int) -> torch.Tensor:
    p = torch.rand(rows, categories)
    if kind == "sparse":  # most scores are equal: zero
        p = p * (torch.rand(rows, categories) > 0.97)
        p[:, :40] += 0.1
    return p


CHOSEN = {
    ("dense", 255, 3): [[26, 133, 102], [142, 88, 23]],
    ("dense", 256, 3): [[126, 212, 17], [19, 100, 87]],
    ("dense", 1000, 16): [[244, 907, 899, 515, 636, 750, 739, 725, 401, 597, 820, 740, 324, 222, 338, 719]],
    ("dense", 1000, 17): [[89, 651, 776, 161, 291, 583, 961, 660, 55, 729, 432, 582, 304, 229, 580, 73, 405]],
    ("sparse", 255, 3): [[201, 16, 151], [35, 187, 30]],
    ("sparse", 256, 3): [[19, 10, 24], [20, 38, 53]],
    ("sparse", 1000, 16): [[15, 664, 97, 508, 617, 347, 504, 965, 292, 641, 77, 362, 179, 17, 698, 30]],
    ("sparse", 1000, 17): [[734, 131, 76, 75, 421, 491, 44, 815, 6, 702, 869, 191, 377, 591, 106, 310, 2]],
}


@pytest.mark.parametrize("kind, categories, samples", CHOSEN)
def test_multinomial_is_pytorchs(kind: str, categories: int, samples: int) -> None:
    expected = CHOSEN[kind, categories, samples]
    torch.manual_seed(categories + samples)
    assert torch.multinomial(chances(kind, len(expected), categories), samples).tolist() == expected


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000])
def test_permutations_of_every_integer_type_are_the_same(n: int) -> None:
    torch.manual_seed(n)
    narrow = torch.randperm(n, dtype=torch.int32)
    torch.manual_seed(n)
    assert (torch.randperm(n) == narrow).all() and narrow.sort()[0].tolist() == list(range(n))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("n", [1, 15, 16, 33, 1000])
def test_uniform_halves_are_rounded_floats(n: int, dtype: torch.dtype) -> None:
    for low, high in ((0, 1), (-1, 0), (0.5, 3)):
        torch.manual_seed(n)
        wide = torch.empty(n).uniform_(low, high).to(dtype)
        torch.manual_seed(n)
        narrow = torch.empty(n, dtype=dtype).uniform_(low, high)
        assert (narrow == torch.where(wide == high, torch.tensor(low, dtype=dtype), wide)).all()
