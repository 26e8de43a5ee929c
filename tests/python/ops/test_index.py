"""Indexing operators: empty and negative indices, destinations that share memory, forward mode."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch

OVERLAP = "unsupported operation"


def test_empty_indices_have_any_dtype() -> None:
    nothing = torch.zeros(0, 3, dtype=torch.uint8)
    assert torch.gather(torch.ones(2, 3), 0, nothing).shape == (0, 3)
    assert torch.equal(torch.ones(2, 3).scatter(0, nothing, 5.0), torch.ones(2, 3))
    with pytest.raises(RuntimeError, match="Expected dtype"):
        torch.gather(torch.ones(2, 3), 0, torch.zeros(1, 3, dtype=torch.uint8))


def test_take_along_dim_counts_from_the_end() -> None:
    a = torch.arange(6.0).reshape(2, 3)
    index = torch.tensor([[-1], [-3]])
    np.testing.assert_array_equal(torch.take_along_dim(a, index, 1).numpy(), np.take_along_axis(a.numpy(), index.numpy(), 1))


WRITERS = {
    "gather": lambda a, out: torch.gather(a, 0, torch.tensor([0, 1]), out=out),
    "take": lambda a, out: torch.take(a, torch.tensor([0, 1]), out=out),
    "index_select": lambda a, out: torch.index_select(a, 0, torch.tensor([0, 1]), out=out),
    "masked_select": lambda a, out: torch.masked_select(a, a > 1, out=out),
    "cat": lambda a, out: torch.cat([a, a], out=out),
    "kthvalue": lambda a, out: torch.kthvalue(a, 1, out=(out, torch.empty(0, dtype=torch.int64))),
}


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("name", WRITERS)
def test_destination_shares_no_memory_with_inputs(name: str) -> None:
    a = torch.arange(4.0)
    with pytest.raises(RuntimeError, match=OVERLAP):
        WRITERS[name](a, a)
    if name != "kthvalue":
        with pytest.raises(RuntimeError, match=OVERLAP):
            WRITERS[name](a, torch.empty(1).expand(8 if name == "cat" else 2))


def test_destination_of_another_dtype_is_refused() -> None:
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype"):
        torch.gather(torch.ones(2), 0, torch.tensor([0]), out=torch.empty(1, dtype=torch.float64))


def test_filling_with_a_dual_value() -> None:
    with torch.autograd.forward_ad.dual_level():
        value = torch.autograd.forward_ad.make_dual(torch.tensor(2.0), torch.tensor(3.0))
        filled = torch.zeros(3).index_fill(0, torch.tensor([1]), value)
        assert torch.autograd.forward_ad.unpack_dual(filled).tangent.tolist() == [0, 3, 0]


def test_out_takes_the_dtype_of_the_destination() -> None:
    assert torch.arange(0, 2, 0.5, out=torch.empty(0, dtype=torch.float64)).dtype == torch.float64
    with pytest.raises(ValueError, match="step must be nonzero"):
        torch.arange(0, 64, 0.5, out=torch.empty(0, dtype=torch.int64))


def test_numbers_first_only_where_pytorch_takes_them() -> None:
    x = torch.tensor([2, 3])
    assert torch.remainder(5, x).tolist() == [1, 2]
    assert torch.add(5, x).tolist() == [7, 8]
    for function in (torch.eq, torch.ne, torch.fmod):
        with pytest.raises(TypeError):
            function(2, x)
    with pytest.raises(TypeError):
        torch.remainder(2, 3)


def test_sources_that_do_not_fit() -> None:
    a, index = torch.ones(3, 3), torch.tensor([0, 1])
    for source, text in ((torch.ones(1, 3), "Number of indices"), (torch.ones(2), "dimensionality must match"), (torch.tensor(1.0), "one element")):
        with pytest.raises(IndexError, match=text):
            a.index_copy(0, index, source)


@pytest.mark.parametrize("shape", [(0,), (1,), (70,), (70000,), (3, 0), (1000, 17), (3, 40000), (20, 30, 40), (5, 1, 1, 33)])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "bfloat16", "float32", "float64", "complex128"])
def test_chosen_by_a_mask(shape, dtype):
    rng = np.random.default_rng(len(shape))
    x = torch.tensor(rng.standard_normal(shape) * 50).to(getattr(torch, dtype))
    values = (x.float() if dtype == "bfloat16" else x).numpy()
    for share in (0, 0.1, 0.5, 1):
        mask = rng.random(shape) < share
        for t, m, v in ((x, mask, values), (x.mT, mask.swapaxes(-1, -2), values.swapaxes(-1, -2))) if len(shape) > 1 else ((x, mask, values),):
            chosen = torch.tensor(mask).mT if m is not mask else torch.tensor(mask)
            for result in (t[chosen], t.masked_select(chosen)):
                assert result.dtype == x.dtype
                np.testing.assert_array_equal((result.float() if dtype == "bfloat16" else result).numpy(), v[m])
            np.testing.assert_array_equal(chosen.nonzero().numpy(), np.argwhere(m))
    np.testing.assert_array_equal(x.nonzero().numpy(), np.argwhere(values))


def test_writing_to_nothing_is_no_overlap() -> None:
    nothing, index = torch.ones(1, 0).expand(2, 0), torch.tensor([0])
    assert nothing.index_add_(0, index, torch.ones(1, 0)).shape == (2, 0)
    assert nothing.scatter_(0, torch.zeros(0, 0, dtype=torch.int64), 1.0).shape == (2, 0)
    assert nothing.index_put_((index,), torch.tensor(1.0)).shape == (2, 0)
    assert nothing.put_(index[:0], torch.ones(0)).shape == (2, 0)
    assert nothing.masked_scatter_(torch.zeros(1, 1, dtype=torch.bool), torch.ones(0)).shape == (2, 0)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        torch.ones(1, 3).expand(2, 3).index_add_(0, index, torch.ones(1, 3))


def test_values_of_meta_tensors_are_not_read() -> None:
    points, ends = torch.empty(3, 2, device="meta"), torch.empty(1, dtype=torch.int64, device="meta")
    assert torch.nonzero_static(points, size=4).shape == (4, 2)
    with pytest.raises(RuntimeError, match="meta tensor, which has no values"):
        torch.tensor_split(torch.zeros(5), ends)
    for count in (lambda: torch.histogram(points, 3), lambda: torch.histogramdd(points, [3, 3]), lambda: torch.histc(points)):
        with pytest.raises(NotImplementedError, match="meta tensors"):
            count()


def test_scatter_reduce_knows_short_names() -> None:
    index, source = torch.tensor([0, 1, 0]), torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    for short, name in (("min", "amin"), ("max", "amax")):
        for include_self in (True, False):
            x = torch.zeros(2, requires_grad=True)
            results = [x.scatter_reduce(0, index, source, reduce, include_self=include_self) for reduce in (short, name)]
            assert torch.equal(*results)
            slopes = [torch.autograd.grad(result.sum(), (x, source)) for result in results]
            assert all(torch.equal(a, b) for a, b in zip(*slopes, strict=True))
