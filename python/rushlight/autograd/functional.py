"""Jacobians, Hessians and their products with vectors, of Python functions of tensors (`torch.autograd.functional`)."""

from __future__ import annotations

from .. import _C
from .._grad_mode import enable_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .. import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

_ops = _C._VariableFunctions


def _tensors(value: Any, what: str, function: str) -> tuple[tuple[Tensor, ...], bool]:
    """The tensors in `value`, and whether they came as a tuple."""
    if isinstance(value, _C.Tensor):
        return (value,), False
    if isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            if not isinstance(item, _C.Tensor):
                raise TypeError(
                    f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the value at "
                    f"index {i} has type {type(item)}."
                )
        return tuple(value), True
    raise TypeError(
        f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the given {what} has type "
        f"{type(value)}."
    )


def _prepared(inputs: Sequence[Tensor], create_graph: bool) -> tuple[Tensor, ...]:
    """Inputs to differentiate in; with `create_graph` they stay connected to the caller's graph."""
    if create_graph:
        return tuple(x.view_as(x) if x.requires_grad else x.detach().requires_grad_() for x in inputs)
    return tuple(x.detach().requires_grad_() for x in inputs)


def _finished(value: Any, create_graph: bool) -> Any:
    """The results, cut from the graph unless the caller wants it."""
    if create_graph:
        return value
    if isinstance(value, tuple):
        return tuple(_finished(item, create_graph) for item in value)
    return value.detach()


def _packed(values: tuple[Any, ...], as_tuple: bool) -> Any:
    return values if as_tuple else values[0]


def _derivatives(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    weights: Sequence[Tensor] | None,
    *,
    create_graph: bool,
    strict: bool = False,
    what: str = "output",
) -> tuple[Tensor, ...]:
    """The derivatives in each input, zeros where there is no path; with `strict` that is an error."""
    from . import grad

    if strict and not any(output.requires_grad for output in outputs):
        raise RuntimeError(
            f"The {what} of the user-provided function is independent of its inputs. This is not allowed in strict mode."
        )
    chosen = [i for i, output in enumerate(outputs) if output.requires_grad]
    found: tuple[Tensor | None, ...] = (None,) * len(inputs)
    if chosen:
        found = grad(
            [outputs[i] for i in chosen],
            inputs,
            None if weights is None else [weights[i] for i in chosen],
            create_graph=create_graph,
            retain_graph=True,
            allow_unused=True,
        )
    if strict:
        for i, gradient in enumerate(found):
            if gradient is None:
                raise RuntimeError(
                    f"The {what} of the user-provided function is independent of input {i}. This is not allowed in "
                    "strict mode."
                )
    return tuple(_ops.zeros_like(x) if g is None else g for g, x in zip(found, inputs))


def _vector(v: Any, like: Sequence[Tensor], like_tuple: bool, function: str, side: str) -> tuple[Tensor, ...]:
    """The vector a product is taken with; it may be left out when there is a single number on that side."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(
                f"The vector v can only be None if the user-provided function {side} a single Tensor with a single element."
            )
        return (_ops.ones_like(like[0]),)
    vectors, _ = _tensors(v, "v", function)
    if len(vectors) != len(like):
        raise RuntimeError(f"{function}: v has {len(vectors)} tensors, expected {len(like)}")
    for i, (vector, x) in enumerate(zip(vectors, like)):
        if vector.shape != x.shape:
            raise RuntimeError(
                f"v has invalid size: should be {tuple(x.shape)} but got {tuple(vector.shape)} (tensor {i})"
            )
    return vectors


def vjp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)`, and the product of `v`, shaped as the outputs, with the Jacobian."""
    with enable_grad():
        tensors, as_tuple = _tensors(inputs, "inputs", "vjp")
        xs = _prepared(tensors, create_graph)
        outputs, outputs_tuple = _tensors(func(*xs), "outputs of the user-provided function", "vjp")
        vectors = _vector(v, outputs, outputs_tuple, "vjp", "returns")
        result = _derivatives(outputs, xs, vectors, create_graph=create_graph, strict=strict)
    done = _finished(outputs, create_graph), _finished(result, create_graph)
    return _packed(done[0], outputs_tuple), _packed(done[1], as_tuple)


def jvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)`, and the product of the Jacobian with `v`, shaped as the inputs; by two reverse passes."""
    with enable_grad():
        tensors, as_tuple = _tensors(inputs, "inputs", "jvp")
        vectors = _vector(v, tensors, as_tuple, "jvp", "takes")
        xs = _prepared(tensors, create_graph)
        outputs, outputs_tuple = _tensors(func(*xs), "outputs of the user-provided function", "jvp")
        dummies = tuple(_ops.zeros_like(output, requires_grad=True) for output in outputs)
        backward = _derivatives(outputs, xs, dummies, create_graph=True, strict=strict)
        result = _derivatives(backward, dummies, vectors, create_graph=create_graph, strict=strict)
    done = _finished(outputs, create_graph), _finished(result, create_graph)
    return _packed(done[0], outputs_tuple), _packed(done[1], outputs_tuple)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian: a tensor of shape `output.shape + input.shape` for each output and input.

    `vectorize`: one pass for all rows instead of one each. `strategy`: "reverse-mode", or "forward-mode" for fewer inputs than outputs.
    """
    if strategy not in ("reverse-mode", "forward-mode"):
        raise RuntimeError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode" and create_graph:
        raise NotImplementedError(
            "jacobian: create_graph=True goes with strategy='reverse-mode' only; use torch.func.jacfwd"
        )
    with enable_grad():
        tensors, as_tuple = _tensors(inputs, "inputs", "jacobian")
        xs = _prepared(tensors, create_graph)
        outputs, outputs_tuple = _tensors(func(*xs), "outputs of the user-provided function", "jacobian")
        blocks = []
        for i, output in enumerate(outputs):
            if vectorize and not strict and output.numel():
                blocks.append(_rows_at_once(output, xs, create_graph))
                continue
            rows = [
                _derivatives(
                    (element,),
                    xs,
                    (_ops.ones_like(element),),
                    create_graph=create_graph,
                    strict=strict,
                    what=f"output {i}",
                )
                for element in output.reshape(-1).unbind()
            ]
            blocks.append(
                tuple(
                    _ops.stack([row[k] for row in rows]).view(tuple(output.shape) + tuple(x.shape))
                    if rows
                    else _ops.zeros(tuple(output.shape) + tuple(x.shape), dtype=x.dtype)
                    for k, x in enumerate(xs)
                )
            )
    result = _finished(tuple(blocks), create_graph)
    rows_done = tuple(_packed(row, as_tuple) for row in result)
    return _packed(rows_done, outputs_tuple)


def _rows_at_once(output: Tensor, xs: Sequence[Tensor], create_graph: bool) -> tuple[Tensor, ...]:
    """The derivatives of every element of an output, from one batched pass."""
    from .._vmap import vmap

    def row(weights: Tensor) -> tuple[Tensor, ...]:
        return tuple(_derivatives((output,), xs, (weights,), create_graph=create_graph, strict=False))

    units = _ops.eye(output.numel(), dtype=output.dtype, device=output.device).reshape((output.numel(), *output.shape))
    found = vmap(row)(units)
    return tuple(one.reshape(tuple(output.shape) + tuple(x.shape)) for one, x in zip(found, xs))


def _scalar(func: Callable[..., Any], function: str) -> Callable[..., Tensor]:
    """`func`, checked to return one number."""

    def checked(*args: Tensor) -> Tensor:
        out = func(*args)
        outputs, as_tuple = _tensors(out, "outputs of the user-provided function", function)
        if as_tuple:
            raise RuntimeError(f"The function given to {function} should return a single Tensor")
        if outputs[0].numel() != 1:
            raise RuntimeError(
                f"The Tensor returned by the function given to {function} should contain a single element"
            )
        return outputs[0].reshape(())

    return checked


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function that returns one number: `input_i.shape + input_j.shape` for each pair."""
    tensors, as_tuple = _tensors(inputs, "inputs", "hessian")
    checked = _scalar(func, "hessian")

    def gradient(*xs: Tensor) -> tuple[Tensor, ...]:
        # each input has to carry a graph of its own, also where the caller's does not
        live = tuple(x if x.requires_grad else x.detach().requires_grad_() for x in xs)
        return _derivatives((checked(*live),), live, None, create_graph=True, strict=strict)

    blocks = jacobian(gradient, tensors, create_graph=create_graph, strict=strict, vectorize=vectorize)
    return blocks if as_tuple else blocks[0][0]


def vhp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)`, and the product of `v`, shaped as the inputs, with the Hessian."""
    with enable_grad():
        tensors, as_tuple = _tensors(inputs, "inputs", "vhp")
        vectors = _vector(v, tensors, as_tuple, "vhp", "takes")
        xs = _prepared(tensors, create_graph)
        output = _scalar(func, "vhp")(*xs)
        gradient = _derivatives((output,), xs, None, create_graph=True, strict=strict)
        result = _derivatives(gradient, xs, vectors, create_graph=create_graph, strict=strict)
    return _finished(output, create_graph), _packed(_finished(result, create_graph), as_tuple)


def hvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)`, and the product of the Hessian with `v`, which is that of `v` with the Hessian: it is symmetric."""
    return vhp(func, inputs, v, create_graph, strict)
