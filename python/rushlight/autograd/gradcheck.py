"""`gradcheck` and `gradgradcheck`: derivatives against central differences.

A complex tensor counts as twice as many real numbers, so one rule covers real and complex functions: perturb each real
number, and compare with what backward says about each real number of the output (and forward mode about the input).
"""

from __future__ import annotations

import warnings

from .. import _C
from .._grad_mode import no_grad
from .function import Function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .. import Tensor

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

_ops = _C._VariableFunctions


class GradcheckError(RuntimeError):
    """A derivative is wrong."""


class _Settings:
    """The options of one check."""

    def __init__(self, **options: Any) -> None:
        self.__dict__.update(options)

    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    fast_mode: bool
    masked: bool


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _differentiable(values: Sequence[Any]) -> list[Tensor]:
    return [v for v in values if isinstance(v, _C.Tensor) and v.requires_grad]


def _real(tensor: Tensor) -> Tensor:
    """The real numbers of a tensor in a row: of a complex one, real and imaginary parts alternate."""
    tensor = tensor.detach()
    if tensor.layout is not _C.strided:
        tensor = tensor.to_dense()
    if tensor.is_complex():
        tensor = _ops.view_as_real(tensor.resolve_conj().contiguous())
    return tensor.reshape(-1)


def _from_real(numbers: Tensor, like: Tensor) -> Tensor:
    """A tensor like another from its real numbers."""
    if like.is_complex():
        return _ops.view_as_complex(numbers.reshape(*like.shape, 2).contiguous()).to(like.dtype)
    return numbers.reshape(like.shape).to(like.dtype)


def _count(tensor: Tensor) -> int:
    return tensor.numel() * (2 if tensor.is_complex() else 1)


def _outputs(func: Callable[..., Any], inputs: Sequence[Any]) -> list[Tensor]:
    return [
        out
        for out in _as_tuple(func(*inputs))
        if isinstance(out, _C.Tensor) and (out.is_floating_point() or out.is_complex())
    ]


def _shifted(func: Callable[..., Any], inputs: Sequence[Any], at: Tensor, step: Tensor) -> list[Tensor]:
    """The outputs with the real numbers of the input `at` moved by `step`; other inputs as they are."""
    moved = []
    with no_grad():
        for value in inputs:
            if value is at:
                fresh = (
                    value.detach().clone(memory_format=_C.preserve_format)
                    if value.layout is _C.strided
                    else value.detach()
                )
                new = _from_real(_real(value) + step.to(_real(value).dtype), value)
                if value.layout is _C.strided:
                    fresh.copy_(new)
                    moved.append(fresh)
                else:
                    moved.append(new.to_sparse())
            elif isinstance(value, _C.Tensor):
                moved.append(value.detach())
            else:
                moved.append(value)
        return [_real(out).clone() for out in _outputs(func, moved)]


def _difference(
    func: Callable[..., Any], inputs: Sequence[Any], at: Tensor, direction: Tensor, eps: float
) -> list[Tensor]:
    """The directional derivative of each output, by central difference."""
    above = _shifted(func, inputs, at, direction * eps)
    below = _shifted(func, inputs, at, direction * -eps)
    return [(a - b) / (2 * eps) for a, b in zip(above, below)]


def _numerical(func: Callable[..., Any], inputs: Sequence[Any], at: Tensor, eps: float) -> list[Tensor]:
    """For each output its Jacobian in `at`, (real numbers of the input, real numbers of the output)."""
    basis = _ops.eye(_count(at), dtype=_C.float64)
    columns = [_difference(func, inputs, at, direction, eps) for direction in basis]
    if not columns:
        return [_ops.zeros(0, _count(out)) for out in _outputs(func, inputs)]
    return [_ops.stack([column[i] for column in columns]) for i in range(len(columns[0]))]


def _analytical(output: Tensor, wanted: Sequence[Tensor], weight: Tensor) -> list[Tensor]:
    """For each input the real numbers of its gradient, the output being weighted by real numbers."""
    from . import grad

    gradients = grad([output], list(wanted), [_from_real(weight, output)], retain_graph=True, allow_unused=True)
    rows = []
    for gradient, x in zip(gradients, wanted):
        if gradient is None:
            rows.append(_ops.zeros(_count(x), dtype=_C.float64))
            continue
        if gradient.shape != x.shape:
            raise GradcheckError(
                f"Analytical gradient has incorrect size: got {tuple(gradient.shape)}, expected {tuple(x.shape)}"
            )
        if gradient.is_complex() and not x.is_complex():
            gradient = gradient.real
        elif x.is_complex() and not gradient.is_complex():
            gradient = gradient.to(x.dtype)
        rows.append(_real(gradient).to(_C.float64))
    return rows


def _jacobians(output: Tensor, wanted: Sequence[Tensor]) -> list[Tensor]:
    """By backward: for each input (real numbers of the input, real numbers of the output)."""
    basis = _ops.eye(_count(output), dtype=_C.float64)
    rows = [_analytical(output, wanted, weight) for weight in basis]
    return [
        _ops.stack([row[k] for row in rows], 1) if rows else _ops.zeros(_count(x), 0, dtype=_C.float64)
        for k, x in enumerate(wanted)
    ]


def _forward(func: Callable[..., Any], inputs: Sequence[Any], at: Tensor, direction: Tensor) -> list[Tensor | None]:
    """By forward mode: for each output the directional derivative in `at`, None where it carries no tangent."""
    from . import forward_ad

    with forward_ad.dual_level():
        duals = [
            forward_ad.make_dual(value.detach(), _from_real(direction, value))
            if value is at
            else value.detach()
            if isinstance(value, _C.Tensor)
            else value
            for value in inputs
        ]
        tangents = [forward_ad.unpack_dual(out).tangent for out in _outputs(func, duals)]
        return [None if t is None else _real(t).clone() for t in tangents]


def _close(a: Tensor, b: Tensor, s: _Settings, scale: float = 1.0) -> bool:
    return bool(_ops.allclose(a.to(_C.float64), b.to(_C.float64), rtol=s.rtol, atol=s.atol * scale, equal_nan=False))


def _mismatch(o: int, i: int, numerical: Tensor, analytical: Tensor, mode: str) -> GradcheckError:
    what = "in forward mode " if mode == "forward" else ""
    return GradcheckError(
        f"Jacobian {what}mismatch for output {o} with respect to input {i},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def _check_inputs(inputs: Sequence[Any], s: _Settings) -> None:
    any_grad = False
    for i, x in enumerate(inputs):
        if not (isinstance(x, _C.Tensor) and x.requires_grad):
            continue
        any_grad = True
        if x.dtype not in (_C.float64, _C.complex128):
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will "
                "likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=4,
            )
        if x.layout is _C.strided and any(stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape)):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping "
                "to be able to compute the numerical gradients correctly. You should call .contiguous on the input "
                "before passing it to gradcheck."
            )
    if not any_grad:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )


def _check_no_recorded_output(func: Callable[..., Any], inputs: Sequence[Any], s: _Settings) -> None:
    """Outputs that claim no derivative must not change with the inputs."""
    for x in _differentiable(inputs):
        for jacobian in _numerical(func, inputs, x, s.eps):
            if bool((jacobian.abs() > s.eps).any()):
                raise GradcheckError("Numerical gradient for function expected to be zero")


def _check_slow(
    func: Callable[..., Any], inputs: Sequence[Any], outputs: list[Tensor], s: _Settings, backward: bool, forward: bool
) -> None:
    wanted = _differentiable(inputs)
    numerical = [_numerical(func, inputs, x, s.eps) for x in wanted]
    if backward:
        for o, output in enumerate(outputs):
            if not output.requires_grad:
                continue
            for i, analytical in enumerate(_jacobians(output, wanted)):
                if not _close(analytical, numerical[i][o], s):
                    raise _mismatch(o, i, numerical[i][o], analytical, "backward")
    if forward:
        for i, x in enumerate(wanted):
            for j, direction in enumerate(_ops.eye(_count(x), dtype=_C.float64)):
                for o, tangent in enumerate(_forward(func, inputs, x, direction)):
                    found = _ops.zeros_like(numerical[i][o][j]) if tangent is None else tangent
                    if not _close(found, numerical[i][o][j], s):
                        raise _mismatch(o, i, numerical[i][o][j], found, "forward")


def _unit(count: int, generator: Any) -> Tensor:
    """A random direction of positive numbers, of length 1."""
    direction = _ops.rand(count, dtype=_C.float64, generator=generator) + 0.1
    return direction / direction.square().sum().sqrt() if count else direction


def _check_fast(
    func: Callable[..., Any], inputs: Sequence[Any], outputs: list[Tensor], s: _Settings, backward: bool, forward: bool
) -> None:
    """Compare v·J·u for random u and v instead of all of J."""
    wanted = _differentiable(inputs)
    generator = _C.Generator().manual_seed(0)
    weights = [_unit(_count(output), generator) for output in outputs]
    rows = [
        _analytical(output, wanted, v) if backward and output.requires_grad else None
        for output, v in zip(outputs, weights)
    ]
    for i, x in enumerate(wanted):
        u = _unit(_count(x), generator)
        numerical = _difference(func, inputs, x, u, s.eps)
        tangents = _forward(func, inputs, x, u) if forward else []
        for o, v in enumerate(weights):
            expected = (numerical[o].to(_C.float64) * v).sum()
            scale = float(u.sum() * v.sum()) or 1.0
            row = rows[o]
            if row is not None and not _close((row[i] * u).sum(), expected, s, scale):
                raise _mismatch(o, i, expected, (row[i] * u).sum(), "backward")
            if forward:
                tangent = tangents[o]
                found = _ops.zeros_like(expected) if tangent is None else (tangent.to(_C.float64) * v).sum()
                if not _close(found, expected, s, scale):
                    raise _mismatch(o, i, expected, found, "forward")


def _check_repeatable(outputs: list[Tensor], inputs: Sequence[Any], s: _Settings) -> None:
    wanted = _differentiable(inputs)
    for output in outputs:
        if not output.requires_grad or not output.numel():
            continue
        weight = _unit(_count(output), _C.Generator().manual_seed(1))
        for a, b in zip(_analytical(output, wanted, weight), _analytical(output, wanted, weight)):
            if a.numel() and not float((a - b).abs().max()) <= s.nondet_tol:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                    "gives different values, although analytical gradient matches numerical gradient."
                    f"The tolerance for nondeterminism was {s.nondet_tol}."
                )


class _NoGradient(Function):
    """Lets values pass and sends no gradient back."""

    @staticmethod
    def forward(ctx: Any, *tensors: Any) -> Any:
        return tuple(t.detach().clone() for t in tensors)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return (None,) * len(gradients)


def _check_undefined(func: Callable[..., Any], inputs: Sequence[Any]) -> None:
    """Backward must cope with outputs that get no gradient, and say None or zero for them."""
    from . import grad

    outputs = [out for out in _outputs(func, inputs) if out.requires_grad]
    wanted = _differentiable(inputs)
    if not outputs:
        return
    cut = [_NoGradient.apply(out)[0] for out in outputs]
    try:
        found = grad(cut, wanted, [_ops.zeros_like(out) for out in cut], allow_unused=True)
    except RuntimeError as error:
        raise GradcheckError(
            "Expected backward function to handle undefined output grads. Please look at 'Notes about undefined output "
            "gradients' in 'tools/autograd/derivatives.yaml'"
        ) from error
    for gradient in found:
        if gradient is not None and bool((gradient != 0).any()):
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero."
            )


def _check_dtypes(outputs: list[Tensor], inputs: Sequence[Any]) -> None:
    from . import grad

    wanted = _differentiable(inputs)
    for output in outputs:
        if not output.requires_grad:
            continue
        for gradient, x in zip(
            grad([output], wanted, [_ops.zeros_like(output)], retain_graph=True, allow_unused=True), wanted
        ):
            if gradient is not None and gradient.dtype != x.dtype:
                raise GradcheckError(
                    f"Gradient has dtype mismatch: got {gradient.dtype}, expected {x.dtype}; with check_grad_dtypes they "
                    "must agree"
                )


def _check_batched(outputs: list[Tensor], inputs: Sequence[Any], s: _Settings) -> None:
    from . import grad

    wanted = _differentiable(inputs)
    for o, output in enumerate(outputs):
        if not output.requires_grad:
            continue
        weights = _ops.stack([_ops.randn_like(output) for _ in range(2)])
        together = grad([output], wanted, [weights], retain_graph=True, allow_unused=True, is_grads_batched=True)
        singly = [grad([output], wanted, [w], retain_graph=True, allow_unused=True) for w in weights]
        for i, batch in enumerate(together):
            if batch is not None and not _close(_real(batch), _real(_ops.stack([row[i] for row in singly])), s):
                raise GradcheckError(f"For output {o} and input {i}: batched gradients differ from single ones")


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the derivatives of `func` in its float64 or complex128 inputs agree with central differences of step `eps`.

    True, or GradcheckError (False with `raise_exception=False`). `fast_mode` compares one random projection of each
    Jacobian. `nondet_tol`: how much two backward passes may differ. ValueError when no input requires a gradient.
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    s = _Settings(eps=eps, atol=atol, rtol=rtol, nondet_tol=nondet_tol, fast_mode=fast_mode, masked=bool(masked))
    inputs = _as_tuple(inputs)
    try:
        _check_inputs(inputs, s)
        outputs = _outputs(func, inputs)
        if check_backward_ad and not any(output.requires_grad for output in outputs):
            _check_no_recorded_output(func, inputs, s)
            return True
        check = _check_fast if fast_mode else _check_slow
        check(func, inputs, outputs, s, check_backward_ad, check_forward_ad)
        if check_backward_ad:
            _check_repeatable(outputs, inputs, s)
            if check_batched_grad:
                _check_batched(outputs, inputs, s)
            if check_undefined_grad:
                _check_undefined(func, inputs)
            if check_grad_dtypes:
                _check_dtypes(outputs, inputs)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """`gradcheck` of the derivatives of `func` themselves; `grad_outputs`, random by default, weight its outputs."""
    from . import grad

    inputs = _as_tuple(inputs)
    outputs = [out for out in _outputs(func, inputs) if out.requires_grad]
    if grad_outputs is None:
        weights = []
        for out in outputs:
            weight = _ops.randn_like(out, memory_format=_C.contiguous_format)
            if gen_non_contig_grad_outputs and out.dim():
                weight = _ops.stack([weight, weight], -1)[..., 0]
            weights.append(weight.detach().requires_grad_())
    else:
        weights = list(_as_tuple(grad_outputs))
    count = len(weights)

    def derivative(*args: Any) -> tuple[Tensor, ...]:
        xs, vs = args[: len(args) - count], args[len(args) - count :]
        live = tuple(
            x.requires_grad_() if isinstance(x, _C.Tensor) and given.requires_grad and x.is_leaf else x
            for x, given in ((x, g if isinstance(g, _C.Tensor) else _ops.zeros(())) for x, g in zip(xs, inputs))
        )
        recording = _C.is_grad_enabled()
        _C._set_grad_enabled(True)
        try:
            outs = [out for out in _outputs(func, live) if out.requires_grad]
            found = grad(outs, _differentiable(live), list(vs), create_graph=True, allow_unused=True)
        finally:
            _C._set_grad_enabled(recording)
        return tuple(g for g in found if g is not None)

    return gradcheck(
        derivative,
        inputs + tuple(weights),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )
