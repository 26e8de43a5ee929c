"""`vmap` by batching rules against the same function called sample by sample: values, dtypes, gradients, errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import rushlight as torch
from rushlight import _vmap
from rushlight.utils import _pytree

SIZE = 3


def job(function: Callable[..., Any], tensors: Sequence[Any], dims: Sequence[int | None], randomness: str = "error") -> Any:
    size = next(t.shape[d] for t, d in zip(tensors, dims) if d is not None)
    places = [None if d is None else d % t.dim() for t, d in zip(tensors, dims)]
    return _vmap._Job(function, list(tensors), places, size, lambda leaves: (leaves, {}), randomness)


def batch_of(tensor: Any, dim: int) -> Any:
    """A batch whose samples hold the elements of `tensor`, moved around in each; `dim` is 0 or -1."""
    flat = tensor.reshape(-1)
    samples = [flat.roll(i).reshape(tensor.shape) if flat.numel() > 1 else tensor.clone() for i in range(SIZE)]
    return torch.stack(samples, dim).detach()


def placements(count: int) -> Iterator[list[int | None]]:
    """Which tensors differ between samples, and where their batch lies."""
    yield [0] * count
    yield [-1] * count
    if count > 1:
        for i in range(min(count, 4)):
            yield [None if k == i else 0 for k in range(count)]
            yield [0 if k == i else None for k in range(count)]


class Differs(AssertionError):
    """The two ways to compute disagree."""


def leaves_of(tree: Any) -> list[Any]:
    return _pytree.tree_flatten(tree)[0]


HALF = {torch.float16: 2e-2, torch.bfloat16: 1e-1}


def close(got: Any, want: Any, what: str, tolerance: float) -> None:
    if tuple(got.shape) != tuple(want.shape):
        raise Differs(f"{what}: shape {tuple(got.shape)}, not {tuple(want.shape)}")
    if got.dtype != want.dtype:
        raise Differs(f"{what}: {got.dtype}, not {want.dtype}")
    if want.numel() == 0:
        return
    if want.dtype.is_floating_point or want.dtype.is_complex:
        wide = torch.complex128 if want.dtype.is_complex else torch.float64
        half = HALF.get(want.dtype, 0.0)
        a, b = got.detach().to(wide), want.detach().to(wide)
        finite = b.abs()[torch.isfinite(b.abs())]
        scale = float(finite.max()) if finite.numel() else 1.0
        if not torch.allclose(a, b, rtol=max(tolerance, half), atol=max(tolerance, half) * max(scale, 5e-3), equal_nan=True):
            raise Differs(f"{what}: {(a - b).abs().max()} apart")
    elif not torch.equal(got, want):
        raise Differs(f"{what}: other values")


def compare(function: Callable[..., Any], tensors: Sequence[Any], dims: Sequence[int | None], *, gradients: bool = True, tolerance: float = 2e-4) -> str:
    """Computes both ways; returns "rule", "samples" where the function asked for single samples, or "error".

    Raises Differs where results or gradients are not the same, or only one way raises.
    """
    try:
        want, _ = _vmap._by_sample(job(function, tensors, dims))
    except Exception:
        want = None
    try:
        got, _ = _vmap._at_once(job(function, tensors, dims))
    except torch._C._NeedsSamples:
        return "samples"
    except Exception as error:
        if want is None:
            return "error"
        raise Differs(f"{type(error).__name__}: {error}") from error
    if want is None:
        return "error"  # samples are not checked against each other, or no stack of results exists
    if len(got) != len(want):
        raise Differs(f"{len(got)} results, not {len(want)}")
    for i, (one, other) in enumerate(zip(got, want)):
        if (one.tensor is None) != (other.tensor is None):
            raise Differs(f"result {i}: {one.single!r}, not {other.single!r}")
        if one.tensor is not None:
            close(one.tensor, other.tensor, f"result {i}", tolerance)
    if gradients:
        compare_gradients(function, tensors, dims, tolerance)
    return "rule"


def compare_gradients(function: Callable[..., Any], tensors: Sequence[Any], dims: Sequence[int | None], tolerance: float) -> None:
    """Gradients of a weighted sum of all results in every input; those of half operands pass through their dtype."""
    tolerance = max(tolerance, *(HALF.get(t.dtype, 0.0) for t in tensors))

    def gradients(way: Callable[[Any], Any]) -> list[Any] | None:
        inputs = [t.detach().clone().requires_grad_() if t.dtype in (torch.float32, torch.float64) else t for t in tensors]
        live = [t for t in inputs if t.requires_grad]
        results = [r.tensor for r in way(job(function, inputs, dims))[0] if r.tensor is not None and r.tensor.requires_grad]
        if not live or not results:
            return None
        total = 0
        for result in results:
            weights = torch.linspace(0.5, 1.5, max(result.numel(), 1)).to(result.dtype)[: result.numel()].reshape(result.shape)
            product = (result * weights).sum()
            total = total + (product.real if product.is_complex() else product)
        return list(torch.autograd.grad(total, live, allow_unused=True))

    try:
        want = gradients(_vmap._by_sample)
    except Exception:
        return
    try:
        got = gradients(_vmap._at_once)
    except torch._C._NeedsSamples:
        return
    if (got is None) != (want is None):
        raise Differs(f"gradient: {'none' if got is None else 'one'}")
    for i, (one, other) in enumerate(zip(got or [], want or [])):
        if one is None or other is None:
            some = one if other is None else other
            if some is not None and bool((some != 0).any()):
                raise Differs(f"gradient of input {i}: {'none' if one is None else 'one'}")
            continue
        close(one, other, f"gradient of input {i}", tolerance)


def compare_pulls(function: Callable[..., Any], tensors: Sequence[Any], tolerance: float = 2e-4) -> str:
    """A batch of gradients through one graph, as `jacrev` sends it, against one backward pass for each."""
    inputs = [t.detach().clone().requires_grad_() if t.dtype in (torch.float32, torch.float64) else t for t in tensors]
    live = [t for t in inputs if t.requires_grad]
    found = function(*inputs)
    outputs = [r for r in leaves_of(found) if isinstance(r, torch.Tensor) and r.requires_grad and r.numel()]
    if not live or not outputs:
        return "nothing"
    generator = torch.Generator().manual_seed(1)
    weights = [torch.rand((SIZE, *o.shape), generator=generator).to(o.dtype) for o in outputs]

    def pull(*rows: Any) -> list[Any]:
        got = torch.autograd.grad(outputs, live, rows, retain_graph=True, allow_unused=True)
        return [torch.zeros_like(x) if g is None else g for g, x in zip(got, live)]

    try:
        want, _ = _vmap._by_sample(job(pull, weights, [0] * len(weights)))
    except Exception:
        return "error"
    try:
        got, _ = _vmap._at_once(job(pull, weights, [0] * len(weights)))
    except torch._C._NeedsSamples:
        return "samples"
    except Exception as error:
        raise Differs(f"batched gradients: {type(error).__name__}: {error}") from error
    for i, (one, other) in enumerate(zip(got, want)):
        close(one.tensor, other.tensor, f"batched gradient of input {i}", tolerance)
    return "rule"
