"""Bookkeeping of the tracer (`torch._dynamo.utils`): counters that stay empty, and comparison of results."""

from __future__ import annotations

from collections import Counter, defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

counters: defaultdict[str, Counter[str]] = defaultdict(Counter)


def compile_times(repr: str = "str", aggregate: bool = False) -> str:
    """No times: nothing is compiled."""
    return "TorchDynamo compilation metrics:\n"


def clone_inputs(example_inputs: Any) -> Any:
    """Copies of tensors in a list or dict."""
    from .. import Tensor

    def copy(value: Any) -> Any:
        return value.detach().clone().requires_grad_(value.requires_grad) if isinstance(value, Tensor) else value

    if isinstance(example_inputs, dict):
        return {name: copy(value) for name, value in example_inputs.items()}
    return [copy(value) for value in example_inputs]


def same(ref: Any, res: Any, *args: Any, tol: float = 1e-4, equal_nan: bool = False, **kwargs: Any) -> bool:
    """Whether two results agree within `tol`."""
    from .. import Tensor, allclose

    if isinstance(ref, Tensor):
        return isinstance(res, Tensor) and allclose(ref, res, atol=tol, rtol=tol, equal_nan=equal_nan)
    if isinstance(ref, (list, tuple)):
        return len(ref) == len(res) and all(same(a, b, tol=tol, equal_nan=equal_nan) for a, b in zip(ref, res))
    if isinstance(ref, dict):
        return ref.keys() == res.keys() and all(same(ref[k], res[k], tol=tol, equal_nan=equal_nan) for k in ref)
    return bool(ref == res)
