"""segment_reduce against recorded values of PyTorch 2.13, and its derivatives of both orders."""

from __future__ import annotations

import math

import pytest
import rushlight as torch

METHODS = ["sum", "mean", "prod", "max", "min"]
INF, NAN = math.inf, math.nan
DATA = [2.0, 2.0, 3.0, 3.0, 0.0, 4.0]  # in segments of 2, 1, 0 and 3
EMPTY = {"sum": 0.0, "mean": NAN, "prod": 1.0, "max": -INF, "min": INF}


def same(x: torch.Tensor, values: list[float]) -> bool:
    return torch.allclose(x.detach().double(), torch.tensor(values, dtype=torch.float64), equal_nan=True)


@pytest.mark.parametrize(
    ("reduce", "initial", "values", "gradient"),
    [
        ("sum", None, [4, 3, 0, 7], [1, 1, 2, 4, 4, 4]),
        ("sum", 3, [7, 6, 3, 10], [1, 1, 2, 4, 4, 4]),
        ("mean", None, [2, 3, NAN, 7 / 3], [0.5, 0.5, 2, 4 / 3, 4 / 3, 4 / 3]),
        ("mean", 3, [3.5, 6, 3, 10 / 3], [0.5, 0.5, 2, 4 / 3, 4 / 3, 4 / 3]),
        ("prod", None, [4, 3, 1, 0], [2, 2, 2, 0, 48, 0]),
        ("prod", 3, [12, 9, 3, 0], [6, 6, 6, 0, 144, 0]),
        ("max", None, [2, 3, -INF, 4], [0.5, 0.5, 2, 0, 0, 4]),  # equal elements share
        ("max", 3, [3, 3, 3, 4], [0, 0, 2, 0, 0, 4]),
        ("min", None, [2, 3, INF, 0], [0.5, 0.5, 2, 0, 4, 0]),
        ("min", 3, [2, 3, 3, 0], [0.5, 0.5, 2, 0, 4, 0]),
    ],
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_values_and_gradients(reduce: str, initial: float | None, values: list, gradient: list, dtype: object) -> None:
    close = {torch.float16: 1e-3, torch.bfloat16: 1e-2}.get(dtype, 1e-6)
    given = {"lengths": torch.tensor([2, 1, 0, 3])}, {"offsets": torch.tensor([0, 2, 3, 3, 6], dtype=torch.int32)}
    for segments in given:
        x = torch.tensor(DATA, dtype=dtype, requires_grad=True)
        result = torch.segment_reduce(x, reduce, **segments, initial=initial)
        assert result.dtype is dtype and result.grad_fn.name() == "SegmentReduceBackward0"
        torch.testing.assert_close(result, torch.tensor(values, dtype=dtype), rtol=close, atol=0, equal_nan=True)
        result.backward(torch.tensor([1.0, 2, 3, 4], dtype=dtype))
        torch.testing.assert_close(x.grad, torch.tensor(gradient, dtype=dtype), rtol=close, atol=0)


def test_nan_wins_and_takes_the_gradient() -> None:
    for reduce, gradient in ("max", [0, 0, 1, 1, 0]), ("min", [0, 0, 1, 0, 1]):
        x = torch.tensor([2.0, 2.0, NAN, 3.0, 0.0], requires_grad=True)
        result = torch.segment_reduce(x, reduce, lengths=torch.tensor([3, 2]))
        assert same(result, [NAN, 3.0 if reduce == "max" else 0.0])
        result.sum().backward()
        assert x.grad.tolist() == gradient


@pytest.mark.parametrize("reduce", METHODS)
def test_axis_with_lengths_of_its_own_in_each_row(reduce: str) -> None:
    x = torch.randn(2, 7, 3, dtype=torch.float64)
    lengths = torch.tensor([[3, 0, 4], [1, 5, 1]])
    results = [torch.segment_reduce(x, reduce, lengths=lengths, axis=axis) for axis in (1, -2)]
    for row in range(2):
        start = 0
        for segment, length in enumerate(lengths[row].tolist()):
            part = x[row, start : start + length]
            start += length
            wanted = getattr(torch, {"max": "amax", "min": "amin"}.get(reduce, reduce))(part, 0) if length else None
            for result in results:
                if wanted is None:
                    assert same(result[row, segment], [EMPTY[reduce]] * 3)
                else:
                    torch.testing.assert_close(result[row, segment], wanted)


@pytest.mark.parametrize("reduce", METHODS)
@pytest.mark.parametrize("initial", [None, 2.0])
def test_derivatives_of_both_orders(reduce: str, initial: float | None) -> None:
    offsets = torch.tensor([[1, 3, 3, 6], [0, 2, 5, 6]])  # the first element of row 0 is in no segment

    def of(x: torch.Tensor) -> torch.Tensor:
        return torch.segment_reduce(x, reduce, offsets=offsets, axis=1, unsafe=True, initial=initial)

    x = torch.linspace(-2, 3, 24, dtype=torch.float64)[torch.randperm(24, generator=torch.Generator().manual_seed(3))]
    x = x.reshape(2, 6, 2).requires_grad_()
    if reduce == "prod":
        x = x.detach().clone()
        x[0, 4], x[1, 2, 0], x[1, 3, 0] = 0, 0, 0  # one zero in a segment, and two
        x.requires_grad_()
    finite = (lambda x: of(x).nan_to_num(0, 0, 0)) if initial is None else of
    assert torch.autograd.gradcheck(finite, (x,)) and torch.autograd.gradgradcheck(finite, (x,))


@pytest.mark.parametrize("reduce", METHODS)
def test_views_empty_and_meta(reduce: str) -> None:
    x = torch.randn(4, 6).t()
    lengths = torch.tensor([2, 4])
    assert torch.equal(
        torch.segment_reduce(x, reduce, lengths=lengths), torch.segment_reduce(x.contiguous(), reduce, lengths=lengths)
    )
    nothing = torch.segment_reduce(x[:0], reduce, lengths=torch.tensor([0, 0]))
    assert same(nothing, [[EMPTY[reduce]] * 4] * 2)
    assert torch.segment_reduce(x[:, :0], reduce, lengths=lengths).shape == (2, 0)
    assert torch.segment_reduce(x, reduce, offsets=torch.tensor([0])).shape == (0, 4)
    shape = torch.segment_reduce(x.to("meta"), reduce, lengths=lengths.to("meta"))
    assert shape.is_meta and shape.shape == (2, 4)


def test_long_segments_do_not_depend_on_threads() -> None:
    x = torch.randn(100_000, 3)
    lengths = torch.tensor([1, 49_999, 0, 50_000])
    threads = torch.get_num_threads()
    try:
        results = []
        for count in (1, 2, 3):
            torch.set_num_threads(count)
            results.append([torch.segment_reduce(x, reduce, lengths=lengths) for reduce in METHODS])
    finally:
        torch.set_num_threads(threads)
    for a, b, c in zip(*results):
        assert torch.equal(a.nan_to_num(), b.nan_to_num()) and torch.equal(a.nan_to_num(), c.nan_to_num())
    torch.testing.assert_close(results[0][0][3], x[50_000:].double().sum(0).float(), rtol=1e-6, atol=1e-6)


def test_name_with_an_underscore() -> None:
    assert torch._segment_reduce is torch.segment_reduce


X = torch.zeros(3, 2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: torch.segment_reduce(X, "sum"), RuntimeError, "Either lengths or offsets must be defined"),
        (
            lambda: torch.segment_reduce(X, "median", lengths=torch.tensor([3])),
            RuntimeError,
            "must be either sum, prod",
        ),
        (lambda: torch.segment_reduce(X, "sum", lengths=torch.tensor([1, 1])), RuntimeError, "to sum to data.size"),
        (lambda: torch.segment_reduce(X, "sum", lengths=torch.tensor([-1, 4])), RuntimeError, "negative value"),
        (
            lambda: torch.segment_reduce(X, "sum", lengths=torch.tensor([1, 2]), axis=1),
            RuntimeError,
            "last dimension of",
        ),
        (lambda: torch.segment_reduce(X, "sum", lengths=torch.tensor([[2]]), axis=1), RuntimeError, "must be the same"),
        (lambda: torch.segment_reduce(X, "sum", lengths=torch.tensor([3]), axis=2), IndexError, "out of range"),
        (lambda: torch.segment_reduce(X, "sum", lengths=torch.tensor([3.0])), NotImplementedError, "'Float'"),
        (lambda: torch.segment_reduce(X.long(), "sum", lengths=torch.tensor([3])), NotImplementedError, "'Long'"),
        (lambda: torch.segment_reduce(X, "sum", offsets=torch.tensor([0, 2, 1])), RuntimeError, "segment_length >= 0"),
        # Read out of bounds by PyTorch.
        (
            lambda: torch.segment_reduce(X, "sum", offsets=torch.tensor([0, 5]), unsafe=True),
            RuntimeError,
            "within the 3",
        ),
        (lambda: torch.segment_reduce(X, "sum", offsets=torch.tensor([-1, 3])), RuntimeError, "within the 3"),
        (
            lambda: torch.segment_reduce(X, "sum", lengths=torch.tensor([3]), indices=torch.tensor([3])),
            RuntimeError,
            "indices based reduction is not supported",
        ),
    ],
)
def test_errors(call, error, message) -> None:
    with pytest.raises(error, match=message):
        call()
