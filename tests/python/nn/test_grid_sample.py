"""grid_sample against plain loops: every interpolation, padding and dtype, and its derivatives."""

import itertools
import math

import pytest
import rushlight as rl
import rushlight.nn.functional as F

MODES = [("bilinear", 2), ("nearest", 2), ("bicubic", 2), ("bilinear", 3), ("nearest", 3)]
PADDINGS = ["zeros", "border", "reflection"]


def reflected(x: float, low: float, high: float) -> float:
    if low == high:
        return 0.0
    span, distance = high - low, abs(x - low)
    turns, rest = divmod(distance, span)
    return low + (rest if turns % 2 == 0 else span - rest)


def padded(x: float, size: int, padding: str, align: bool) -> float:
    if padding == "reflection":
        x = reflected(x, 0, size - 1) if align else reflected(x, -0.5, size - 0.5)
    return x if padding == "zeros" else min(max(x, 0.0), size - 1.0)


def cubic(t: float) -> float:
    t, a = abs(t), -0.75
    if t <= 1:
        return ((a + 2) * t - (a + 3)) * t * t + 1
    return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a if t < 2 else 0.0


def taps(g: float, size: int, mode: str, padding: str, align: bool) -> list[tuple[int, float]]:
    """Elements along one dim and their weights."""
    x = (g + 1) / 2 * (size - 1) if align else ((g + 1) * size - 1) / 2
    if mode == "bicubic":
        low = math.floor(x)
        return [(round(padded(low + k, size, padding, align)), cubic(x - low - k)) for k in (-1, 0, 1, 2)]
    x = padded(x, size, padding, align)
    if mode == "nearest":
        return [(round(x), 1.0)]
    low = math.floor(x)
    return [(low, low + 1 - x), (low + 1, x - low)]


def reference(image: list, grid: list, sizes: list[int], mode: str, padding: str, align: bool) -> list[float]:
    """Samples of one plane, given flat; `grid` lists points, x first."""
    result = []
    for point in grid:
        axes = [taps(g, n, mode, padding, align) for g, n in zip(reversed(point), sizes, strict=True)]
        total = 0.0
        for corner in itertools.product(*axes):
            if all(0 <= i < n for (i, _), n in zip(corner, sizes, strict=True)):
                at = 0
                for (i, _), n in zip(corner, sizes, strict=True):
                    at = at * n + i
                total += image[at] * math.prod(w for _, w in corner)
        result.append(total)
    return result


@pytest.mark.parametrize("channels", [1, 3, 8, 21])
@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize(("mode", "dims"), MODES)
def test_grid_sample_matches_plain_loops(mode, dims, padding, align, channels):
    rl.manual_seed(channels)
    sizes = [5, 7, 4][:dims]
    image = rl.randn(2, channels, *sizes, dtype=rl.float64)
    grid = (rl.rand(2, *[6, 9, 3][:dims], dims, dtype=rl.float64) * 2 - 1) * 2.7
    got = F.grid_sample(image, grid, mode, padding, align)
    single = F.grid_sample(image.float(), grid.float(), mode, padding, align)
    for n, c in itertools.product(range(2), range(channels)):
        wanted = reference(
            image[n, c].flatten().tolist(), grid[n].reshape(-1, dims).tolist(), sizes, mode, padding, align
        )
        assert got[n, c].flatten().tolist() == pytest.approx(wanted, abs=1e-11)
        if mode != "nearest":  # a rounded position may round to the other element
            assert single[n, c].flatten().tolist() == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize(("mode", "dims"), MODES)
def test_grid_sample_of_few_points_matches_many(mode, dims, padding):
    rl.manual_seed(0)
    image = rl.randn(1, 3, *[9] * dims)
    grid = rl.rand(1, *[9] * dims, dims) * 3 - 1.5
    many = F.grid_sample(image, grid, mode, padding, False)
    few = grid.reshape(1, -1, dims)[:, :5].reshape(1, 5, *[1] * (dims - 1), dims)
    first = F.grid_sample(image, few, mode, padding, False)
    assert rl.allclose(first.reshape(3, 5), many.reshape(3, -1)[:, :5], atol=1e-5)


@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize(("mode", "dims"), MODES)
def test_grid_sample_derivatives(mode, dims, padding, align):
    rl.manual_seed(1)
    image = rl.randn(2, 5, *[3, 4, 2][:dims], dtype=rl.float64, requires_grad=True)
    grid = ((rl.rand(2, *[2, 3, 1][:dims], dims, dtype=rl.float64) * 2 - 1) * 1.4).requires_grad_()
    call = lambda a, b: F.grid_sample(a, b, mode, padding, align)  # noqa: E731
    wrt = (image, grid)
    assert rl.autograd.gradcheck(call, wrt)
    assert rl.autograd.gradgradcheck(call, wrt, atol=1e-4)


def test_grid_sample_gradients_of_both_paths_agree():
    rl.manual_seed(2)
    image, grid = rl.randn(1, 70, 6, 5).requires_grad_(), (rl.rand(1, 8, 9, 2) * 3 - 1.5).requires_grad_()
    for mode in ("bilinear", "bicubic"):
        for padding in PADDINGS:
            out = F.grid_sample(image, grid, mode, padding, False)
            weight = rl.linspace(-1, 1, out.numel()).view(out.shape)
            kernel = rl.autograd.grad((out * weight).sum(), (image, grid), retain_graph=True)
            composed = rl.autograd.grad((out * weight).sum(), (image, grid), create_graph=True)
            for a, b in zip(kernel, composed, strict=True):
                assert rl.allclose(a, b, rtol=1e-3, atol=1e-3)


def test_grid_sample_of_a_grid_made_from_the_image():
    x = rl.rand(1, 2, 3, 3, dtype=rl.float64, requires_grad=True)
    call = lambda t: F.grid_sample(t * t, t.permute(0, 2, 3, 1) * 1.3 - 0.4, align_corners=False)  # noqa: E731
    assert rl.autograd.gradcheck(call, (x,))
    assert rl.autograd.gradgradcheck(call, (x,))


def test_grid_sample_of_nothing():
    assert F.grid_sample(rl.ones(0, 2, 3, 3), rl.ones(0, 4, 4, 2), align_corners=False).shape == (0, 2, 4, 4)
    image = rl.ones(1, 2, 3, 3, requires_grad=True)
    out = F.grid_sample(image, rl.ones(1, 0, 4, 2), align_corners=False)
    assert out.shape == (1, 2, 0, 4)
    out.sum().backward()
    assert image.grad.count_nonzero() == 0


def test_grid_sample_keeps_infinity_and_nan_out_of_other_points():
    image = rl.tensor([[[[float("inf"), 1.0], [2.0, 3.0]]]])
    grid = rl.tensor([[[[1.0, 1.0], [5.0, 5.0], [float("nan"), 0.0]]]])
    assert F.grid_sample(image, grid, align_corners=True).flatten().tolist()[:2] == [3.0, 0.0]
    nearest = F.grid_sample(image, grid, mode="nearest", align_corners=True).flatten().tolist()
    assert nearest == [3.0, 0.0, 0.0]


def test_grid_sample_names_its_node():
    image = rl.ones(1, 1, 2, 2, requires_grad=True)
    assert F.grid_sample(image, rl.zeros(1, 1, 1, 2), align_corners=False).grad_fn.name() == "GridSampler2DBackward0"
