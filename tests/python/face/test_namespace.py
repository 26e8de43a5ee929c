"""Functions with Python in front, legacy types, settings, absent devices."""

from __future__ import annotations

import warnings

import pytest
import rushlight as torch


def test_legacy_types():
    x = torch.FloatTensor([1, 2])
    assert x.dtype is torch.float32 and isinstance(x, torch.FloatTensor) and not isinstance(x, torch.LongTensor)
    assert torch.LongTensor(2, 3).shape == (2, 3) and torch.ByteTensor([1]).type() == "torch.ByteTensor"
    assert x.type(torch.LongTensor).dtype is torch.int64 and x.type("torch.DoubleTensor").dtype is torch.float64
    assert torch.typename(x) == "torch.FloatTensor" and torch.is_tensor(x) and not torch.is_tensor([1])


def test_default_dtype():
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.tensor(1.0).dtype is torch.float64
        torch.set_default_tensor_type("torch.FloatTensor")
        assert torch.get_default_dtype() is torch.float32
        with pytest.raises(TypeError, match="only floating-point types"):
            torch.set_default_dtype(torch.int64)
    finally:
        torch.set_default_dtype(torch.float32)


def test_einsum_forms():
    a, b = torch.arange(6.0).reshape(2, 3), torch.arange(12.0).reshape(3, 4)
    assert torch.equal(torch.einsum("ij,jk->ik", a, b), a @ b)
    assert torch.equal(torch.einsum("ij,jk", [a, b]), a @ b)
    assert torch.equal(torch.einsum(a, [0, 1], b, [1, 2], [0, 2]), a @ b)
    with pytest.raises(ValueError, match="at least one operand"):
        torch.einsum("ij")


def test_shapes_and_grids():
    assert torch.broadcast_shapes((2, 1), (3,), 3) == (2, 3)
    with pytest.raises(RuntimeError, match="Attempting to broadcast a dimension of length 3"):
        torch.broadcast_shapes((2,), (3,))
    a, b = torch.broadcast_tensors(torch.zeros(2, 1), torch.zeros(3))
    assert a.shape == b.shape == (2, 3)
    rows, columns = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
    assert rows.shape == (2, 3) and columns[0].tolist() == [0, 1, 2]
    assert torch.atleast_2d(torch.tensor(1.0)).shape == (1, 1)
    assert [t.shape for t in torch.atleast_1d(torch.tensor(1), torch.tensor([1]))] == [(1,), (1,)]
    assert [t.shape[0] for t in torch.split(torch.arange(5), 2)] == [2, 2, 1]
    assert [t.shape[0] for t in torch.split(torch.arange(5), [1, 4])] == [1, 4]
    assert [t.tolist() for t in torch.unravel_index(torch.tensor([5]), (2, 3))] == [[1], [2]]


def test_unique():
    x = torch.tensor([3, 1, 3, 2])
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    assert values.tolist() == [1, 2, 3] and inverse.tolist() == [2, 0, 2, 1] and counts.tolist() == [1, 1, 2]
    assert x.unique().tolist() == [1, 2, 3]
    assert torch.unique_consecutive(torch.tensor([1, 1, 2, 1])).tolist() == [1, 2, 1]


def test_norm_and_tensordot():
    x = torch.tensor([[3.0, 4.0], [0.0, 0.0]])
    assert torch.norm(x).item() == 5 and x.norm(dim=1).tolist() == [5, 0] and x.norm(1).item() == 7
    a, b = torch.ones(2, 3, 4), torch.ones(3, 4, 5)
    assert torch.tensordot(a, b).shape == (2, 5) and torch.tensordot(a, b, dims=([1], [0])).shape == (2, 4, 4, 5)


def test_deterministic_settings():
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.are_deterministic_algorithms_enabled() and torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(False)
    assert torch.get_deterministic_debug_mode() == 0
    torch.set_float32_matmul_precision("high")
    assert torch.get_float32_matmul_precision() == "high"
    torch.set_float32_matmul_precision("highest")


def test_absent_devices_answer_and_refuse():
    assert not torch.cuda.is_available() and torch.cuda.device_count() == 0 and torch.cuda.memory_allocated() == 0
    assert not torch.backends.mps.is_available() and not torch.xpu.is_available()
    assert not torch.distributed.is_available() and torch.accelerator.current_accelerator() is None
    torch.cuda.manual_seed_all(0)
    torch.cuda.empty_cache()
    for refused in (torch.cuda.synchronize, lambda: torch.ones(1).cuda()):
        with pytest.raises(AssertionError, match="CUDA"):
            refused()
    for named in (torch.cuda.FloatTensor, "torch.cuda.FloatTensor"):
        for asks in (torch.set_default_tensor_type, torch.ones(1).type):
            with pytest.raises(TypeError, match="type torch.cuda.FloatTensor not available. Torch not compiled with CUDA"):
                asks(named)
    with pytest.raises(TypeError, match="not available"):
        torch.cuda.FloatTensor(2)


def test_compile_is_the_identity_and_says_so_once():
    import rushlight.compiler as compiler

    compiler._told = False
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")

        @torch.compile
        def f(x):
            return x + 1

        g = torch.compile(f, mode="reduce-overhead")
    assert g is f and len(seen) == 1


def test_custom_operator_has_derivative_and_name():
    @torch.library.custom_op("face::double", mutates_args=())
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    double.register_autograd(lambda ctx, g: g * 2)
    x = torch.ones(2, requires_grad=True)
    torch.ops.face.double(x).sum().backward()
    assert x.grad.tolist() == [2, 2] and str(torch.ops.aten.add.Tensor) == "aten.add.Tensor"


def test_fork_rng_restores_the_stream():
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    with torch.random.fork_rng():
        torch.rand(5)
    assert torch.equal(torch.rand(2), expected)
