"""Convolutions of channels-last tensors give the values and gradients of the other order of memory."""

import pytest
import rushlight as rl
import rushlight.nn.functional as F

CASES = [
    # channels in, out, groups, kernel, stride, padding, dilation
    (16, 24, 1, 3, 1, 1, 1),
    (16, 24, 1, 3, 2, 1, 1),
    (16, 8, 1, 1, 1, 0, 1),
    (16, 8, 1, 1, 2, 0, 1),
    (9, 17, 1, 3, 1, 2, 2),
    (16, 24, 2, 3, 1, 1, 1),
    (3, 24, 1, 3, 1, 1, 1),
    (12, 12, 12, 3, 1, 1, 1),
    (37, 37, 37, 3, 2, 1, 1),
    (16, 16, 16, 5, 1, 2, 1),
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("dtype", [rl.float32, rl.float64])
@pytest.mark.parametrize("weight_last", [False, True])
def test_convolution_order_of_memory(case, dtype, weight_last):
    channels, outputs, groups, kernel, stride, padding, dilation = case
    rl.manual_seed(3)
    x = rl.randn(2, channels, 9, 10, dtype=dtype)
    w = rl.randn(outputs, channels // groups, kernel, kernel, dtype=dtype)
    b = rl.randn(outputs, dtype=dtype)
    results = []
    for last in (False, True):
        order = rl.channels_last if last else rl.contiguous_format
        leaves = [
            x.clone(memory_format=order).requires_grad_(),
            w.clone(memory_format=order if weight_last else rl.contiguous_format).requires_grad_(),
            b.clone().requires_grad_(),
        ]
        y = F.conv2d(*leaves, stride, padding, dilation, groups)
        assert y.is_contiguous(memory_format=order)
        grads = rl.autograd.grad((y * rl.linspace(-1, 1, y.numel(), dtype=dtype).view(y.shape)).sum(), leaves)
        assert grads[0].is_contiguous(memory_format=order)
        results.append([y, *grads])
    tolerance = 1e-4 if dtype == rl.float32 else 1e-11
    for contiguous, last in zip(*results, strict=True):
        assert contiguous.shape == last.shape
        assert rl.allclose(contiguous, last, rtol=tolerance, atol=tolerance * kernel * kernel * 10)


def test_convolution_channels_last_second_derivatives():
    rl.manual_seed(4)
    x = rl.randn(2, 8, 4, 5, dtype=rl.float64).to(memory_format=rl.channels_last).requires_grad_()
    w = rl.randn(8, 8, 3, 3, dtype=rl.float64, requires_grad=True)
    d = rl.randn(8, 1, 3, 3, dtype=rl.float64, requires_grad=True)
    assert rl.autograd.gradgradcheck(lambda a, b: F.conv2d(a, b, padding=1), (x, w))
    assert rl.autograd.gradgradcheck(lambda a, b: F.conv2d(a, b, padding=1, groups=8), (x, d))


POOLS = {
    "max": lambda x: F.max_pool2d(x, 3, 2, 1),
    "max_indices": lambda x: F.max_pool2d(x, 2, 1, 1, 2, return_indices=True)[1].double(),
    "average": lambda x: F.avg_pool2d(x, 3, 2, 1),
    "average_inside": lambda x: F.avg_pool2d(x, (2, 3), 1, 1, ceil_mode=True, count_include_pad=False),
    "adaptive": lambda x: F.adaptive_avg_pool2d(x, (3, 5)),
    "bilinear": lambda x: F.interpolate(x, size=(13, 5), mode="bilinear"),
    "bicubic": lambda x: F.interpolate(x, scale_factor=1.5, mode="bicubic", align_corners=True),
    "nearest": lambda x: F.interpolate(x, scale_factor=2),
}


@pytest.mark.parametrize("channels", [1, 5, 16, 37])
@pytest.mark.parametrize("dtype", [rl.float32, rl.float64, rl.bfloat16])
@pytest.mark.parametrize("name", POOLS)
def test_pooling_and_resampling_order_of_memory(name, dtype, channels):
    rl.manual_seed(5)
    x = rl.randn(2, channels, 9, 10).to(dtype)
    results = []
    for order in (rl.contiguous_format, rl.channels_last):
        leaf = x.clone(memory_format=order).requires_grad_()
        y = POOLS[name](leaf)
        assert y.is_contiguous(memory_format=order) or channels == 1
        weight = rl.linspace(-1, 1, y.numel()).view(y.shape).to(y.dtype)
        grads = rl.autograd.grad((y * weight).sum(), leaf) if y.requires_grad else ()
        results.append([y.detach(), *grads])
    for contiguous, last in zip(*results, strict=True):
        assert contiguous.shape == last.shape
        assert rl.allclose(contiguous, last, rtol=1e-5, atol=1e-5 if dtype != rl.bfloat16 else 2e-2)


def test_channels_last_max_pool_of_nan():
    x = rl.randn(1, 20, 6, 6)
    x[0, 3, 2, 2] = float("nan")
    last = F.max_pool2d(x.to(memory_format=rl.channels_last), 2)
    assert last.isnan().nonzero().tolist() == [[0, 3, 1, 1]]
