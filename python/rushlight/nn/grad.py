"""Gradients of convolutions with respect to input and weight, as functions."""

from __future__ import annotations

import rushlight
from rushlight import Tensor

from .modules.utils import _ntuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _input_gradient(
    dims: int,
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    as_tuple = _ntuple(dims)
    stride, padding, dilation = as_tuple(stride), as_tuple(padding), as_tuple(dilation)
    # The transposed convolution gives the smallest input; the rest of it had no effect.
    extra = [
        input_size[-dims + d]
        - (
            (grad_output.size(-dims + d) - 1) * stride[d]
            - 2 * padding[d]
            + dilation[d] * (weight.size(-dims + d) - 1)
            + 1
        )
        for d in range(dims)
    ]
    convolve = getattr(rushlight, f"conv_transpose{dims}d")
    return convolve(grad_output, weight, None, stride, padding, extra, groups, dilation)


def _weight_gradient(
    dims: int,
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    # The output is linear in the weight: any weight gives the gradient.
    with rushlight.enable_grad():
        weight = rushlight.zeros(weight_size, dtype=input.dtype, device=input.device)
        weight.requires_grad_()
        convolve = getattr(rushlight, f"conv{dims}d")
        output = convolve(input, weight, None, stride, padding, dilation, groups)
    differentiable = rushlight.is_grad_enabled() and (
        input.requires_grad or grad_output.requires_grad
    )
    return rushlight.autograd.grad(output, weight, grad_output, create_graph=differentiable)[0]


def conv1d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv1d` with respect to its input of size `input_size`."""
    return _input_gradient(1, input_size, weight, grad_output, stride, padding, dilation, groups)


def conv1d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv1d` with respect to its weight of size `weight_size`."""
    return _weight_gradient(1, input, weight_size, grad_output, stride, padding, dilation, groups)


def conv2d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv2d` with respect to its input of size `input_size`."""
    return _input_gradient(2, input_size, weight, grad_output, stride, padding, dilation, groups)


def conv2d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv2d` with respect to its weight of size `weight_size`."""
    return _weight_gradient(2, input, weight_size, grad_output, stride, padding, dilation, groups)


def conv3d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv3d` with respect to its input of size `input_size`."""
    return _input_gradient(3, input_size, weight, grad_output, stride, padding, dilation, groups)


def conv3d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv3d` with respect to its weight of size `weight_size`."""
    return _weight_gradient(3, input, weight_size, grad_output, stride, padding, dilation, groups)
