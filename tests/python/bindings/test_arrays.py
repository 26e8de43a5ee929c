"""Exchange with NumPy, the buffer protocol and DLPack: shared memory, refusals."""

import gc

import numpy as np
import pytest
import rushlight as torch

DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


@pytest.mark.parametrize("name", DTYPES)
def test_memory_is_shared_both_ways(name):
    array = np.zeros((2, 3), dtype=name)
    tensor = torch.from_numpy(array)
    assert tensor.dtype is getattr(torch, name) and tensor.shape == (2, 3)
    tensor[1, 2] = 1
    assert array[1, 2] == 1
    again = tensor.numpy()
    assert again.dtype == array.dtype
    again[0, 0] = 1
    assert array[0, 0] == 1 and tensor[0, 0] == 1


def test_to_dlpack_shares_memory():
    x = torch.zeros(3)
    from rushlight.utils.dlpack import from_dlpack, to_dlpack

    assert torch.to_dlpack is to_dlpack
    from_dlpack(to_dlpack(x)).add_(1)
    assert x.tolist() == [1.0, 1.0, 1.0]


def test_strides_are_kept():
    array = np.arange(12).reshape(3, 4)[:, ::2]
    assert torch.from_numpy(array).tolist() == array.tolist()
    assert np.array_equal(torch.arange(12).reshape(3, 4).t().numpy(), np.arange(12).reshape(3, 4).T)
    assert torch.ones(2, 1).expand(2, 5).numpy().strides == (4, 0)


def test_zero_dims_and_empties():
    assert torch.from_numpy(np.array(3.0)).item() == 3 and torch.tensor(3.0).numpy().shape == ()
    assert torch.from_numpy(np.zeros((0, 3))).shape == (0, 3) and torch.zeros(0, 3).numpy().shape == (0, 3)


def test_memory_outlives_the_other_owner():
    array = torch.arange(1000.0).numpy()
    tensor = torch.from_numpy(np.arange(1000.0))
    gc.collect()
    assert array.sum() == tensor.sum().item() == 499500


def test_refused_arrays():
    with pytest.raises(ValueError, match="At least one stride in the given numpy array is negative"):
        torch.from_numpy(np.ones(3)[::-1])
    with pytest.raises(TypeError, match="can't convert np.ndarray of type numpy.str_"):
        torch.from_numpy(np.array(["a"]))
    with pytest.raises(TypeError, match="can't convert np.ndarray of type numpy.object_"):
        torch.from_numpy(np.array([object()]))
    with pytest.raises(ValueError, match="byte order"):
        torch.from_numpy(np.array([1], dtype=">i4"))
    with pytest.raises(TypeError, match="expected np.ndarray \\(got list\\)"):
        torch.from_numpy([1])


def test_refused_tensors():
    with pytest.raises(RuntimeError, match="Can't call numpy\\(\\) on Tensor that requires grad"):
        torch.ones(2, requires_grad=True).numpy()
    assert torch.ones(2, requires_grad=True).numpy(force=True).tolist() == [1, 1]
    with pytest.raises(TypeError, match="unsupported ScalarType BFloat16"):
        torch.ones(2, dtype=torch.bfloat16).numpy()
    with pytest.raises(TypeError, match="can't convert meta device type tensor to numpy"):
        torch.ones(2, device="meta").numpy()


def test_numpy_functions_take_tensors():
    x = torch.tensor([1.0, 4.0])
    assert np.asarray(x).tolist() == [1, 4] and np.sum(x) == 5 and np.array(x, dtype="int32").dtype == np.int32
    assert x.__array__(dtype="i4").dtype == np.int32 and isinstance(x + np.array(2.0), torch.Tensor)


def test_buffer_protocol():
    x = torch.arange(4, dtype=torch.int32)
    view = memoryview(x)
    assert view.shape == (4,) and view.format == "i" and view.tolist() == [0, 1, 2, 3]
    view[0] = 9
    assert x[0] == 9 and bytes(torch.tensor([97, 98], dtype=torch.uint8)) == b"ab"
    with pytest.raises(BufferError):
        memoryview(torch.ones(1, requires_grad=True))


def test_dlpack():
    x = torch.arange(6.0).reshape(2, 3)
    array = np.from_dlpack(x)
    array[0, 0] = 7
    assert x[0, 0] == 7 and x.__dlpack_device__() == (1, 0)
    back = torch.from_dlpack(np.arange(3))
    assert back.tolist() == [0, 1, 2] and torch.from_dlpack(x).data_ptr() == x.data_ptr()
    assert torch.from_dlpack(x.t()).tolist() == x.t().tolist()
    capsule = x.__dlpack__(max_version=(1, 0))
    assert torch._C._from_dlpack(capsule).tolist() == x.tolist()
    with pytest.raises(RuntimeError, match="consumed only once"):
        torch._C._from_dlpack(capsule)
    with pytest.raises(BufferError, match="require gradient"):
        torch.ones(1, requires_grad=True).__dlpack__()
    copied = torch._C._from_dlpack(x.__dlpack__(copy=True))
    assert copied.data_ptr() != x.data_ptr() and copied.tolist() == x.tolist()
    for dtype in (torch.bfloat16, torch.bool, torch.complex64):
        assert torch.from_dlpack(torch.ones(2, dtype=dtype)).dtype is dtype


def test_read_only_array_warns_once():
    import subprocess
    import sys

    code = (
        "import warnings, numpy as np, rushlight as torch\n"
        "a = np.ones(2); a.flags.writeable = False\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    torch.from_numpy(a); torch.from_numpy(a)\n"
        "assert len(seen) == 1 and 'not writable' in str(seen[0].message), seen\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numpy_is_not_imported_by_itself():
    import subprocess
    import sys

    code = "import sys, rushlight as t; (t.ones(3) + 1).tolist(); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
