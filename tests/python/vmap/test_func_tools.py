"""`rearrange`, `debug_unwrap` and `replace_all_batch_norm_modules_` of `torch.func`."""

from __future__ import annotations

import pytest
import rushlight as torch
from rushlight.func import debug_unwrap, rearrange, replace_all_batch_norm_modules_, vmap

X = torch.arange(24).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("pattern", "lengths", "shape", "first"),
    [
        ("a b c -> c a b", {}, (4, 2, 3), [0, 4, 8, 12]),
        ("a b c->(a b) c", {}, (6, 4), [0, 1, 2, 3]),
        ("a (b1 b2) c -> a b1 (b2 c)", {"b1": 3}, (2, 3, 4), [0, 1, 2, 3]),
        ("a b (c1 c2) -> c1 a (b c2)", {"c2": 2}, (2, 2, 6), [0, 1, 4, 5]),
        ("... c -> c ...", {}, (4, 2, 3), [0, 4, 8, 12]),
        ("a ... -> (...) a", {}, (12, 2), [0, 12, 1, 13]),
        ("a b c ... -> (a ...) b c", {}, (2, 3, 4), [0, 1, 2, 3]),
        ("a b c -> a 1 b () c", {}, (2, 1, 3, 1, 4), [0, 1, 2, 3]),
        ("a (b 1) c -> (c) b a", {"a": 2}, (4, 3, 2), [0, 12, 4, 16]),
    ],
)
def test_rearrange(pattern: str, lengths: dict, shape: tuple, first: list) -> None:
    result = rearrange(X, pattern, **lengths)
    assert result.shape == shape and result.flatten()[:4].tolist() == first


def test_rearrange_stacks_and_views() -> None:
    assert rearrange([X, X], "n a b c -> (n a) b c").shape == (4, 3, 4)
    assert rearrange(X, "a b c -> c a b").data_ptr() == X.data_ptr()
    assert rearrange(torch.zeros(2, 0), "a b -> (b a)").shape == (0,)
    assert rearrange(X[:, :1], "a 1 c -> c a").shape == (4, 2)
    assert torch.equal(vmap(lambda x: rearrange(x, "b c -> c b"))(X), X.transpose(1, 2))


@pytest.mark.parametrize(
    ("pattern", "lengths", "message"),
    [
        ("a b c", {}, "single '->' separator"),
        ("a b -> b a", {}, r"pattern \(2\) must be equal to the number of dimensions in the tensor \(3\)"),
        ("a b c d ... -> a b c d ...", {}, r"pattern \(4\) must be less than or equal"),
        ("a b c -> a b", {}, "only on one side"),
        ("a a c -> a c", {}, "duplicate dimension 'a'"),
        ("a b c -> a 2 b c", {}, "unnamed axes of size 1"),
        ("a b c -> a b c", {"d": 2}, "Identifiers not found"),
        ("(...) a -> a ...", {}, "parenthesis in the left side"),
        ("a b c -> ... a b c", {}, "Ellipsis found in right side"),
        ("a .. b -> a b", {}, "dots only inside ellipsis"),
        ("a ((b) c) -> a b c", {}, "one-level"),
        ("a b) c -> a b c", {}, "not balanced"),
        ("a (b c -> a b c", {}, "Imbalanced parentheses"),
        ("_a b c -> _a b c", {}, "Invalid axis identifier"),
        ("a- b c -> a b c", {}, "Unknown character '-'"),
    ],
)
def test_rearrange_patterns_that_are_wrong(pattern: str, lengths: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rearrange(X, pattern, **lengths)


@pytest.mark.parametrize("lengths", [{}, {"b1": 2}, {"b1": 2, "b2": 2}])
def test_rearrange_lengths_that_do_not_fit(lengths: dict) -> None:
    with pytest.raises(RuntimeError, match="cannot infer|does not evenly fit|do not match"):
        rearrange(X, "a (b1 b2) c -> a b1 b2 c", **lengths)


def test_debug_unwrap() -> None:
    seen = []

    def look(x: torch.Tensor) -> torch.Tensor:
        seen.append((debug_unwrap(x).shape, debug_unwrap(x, recurse=False).shape))
        return x

    vmap(vmap(look))(X)
    assert seen == [((2, 3, 4), (3, 4))] and debug_unwrap(X) is X


def test_replace_all_batch_norm_modules() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.BatchNorm1d(2)))
    assert replace_all_batch_norm_modules_(net) is net
    norm = net[1][0]
    assert norm.running_mean is norm.running_var is norm.num_batches_tracked is None and not norm.track_running_stats
    assert sorted(net.state_dict()) == ["0.bias", "0.weight", "1.0.bias", "1.0.weight"]
    assert torch.allclose(net.eval()(torch.randn(8, 2)).mean(0), torch.zeros(2), atol=1e-5)
