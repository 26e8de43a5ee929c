"""Settings of autocast by older names, and for devices that are not there."""

from __future__ import annotations

import pytest
import rushlight as torch

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_lower_dtypes_of_devices() -> None:
    wanted = {"cuda": torch.float16, "xpu": torch.float16, "hpu": torch.bfloat16, "xla": torch.bfloat16}
    assert {device: torch.get_autocast_dtype(device) for device in wanted} == wanted
    assert torch.get_autocast_ipu_dtype() is torch.float16 and torch.get_autocast_xla_dtype() is torch.bfloat16
    torch.set_autocast_gpu_dtype(torch.bfloat16)
    try:
        assert torch.get_autocast_gpu_dtype() is torch.get_autocast_dtype("cuda") is torch.bfloat16
        assert torch.get_autocast_dtype("xpu") is torch.float16
    finally:
        torch.set_autocast_gpu_dtype(torch.float16)
    with pytest.raises(TypeError, match=r"dtype must be a torch.dtype \(got int\)"):
        torch.set_autocast_gpu_dtype(3)


def test_cpu_by_its_older_names() -> None:
    x = torch.ones(2, 2)
    torch.set_autocast_cpu_enabled(True)
    torch.set_autocast_cpu_dtype(torch.float16)
    try:
        assert (x @ x).dtype is torch.float16
    finally:
        torch.set_autocast_cpu_dtype(torch.bfloat16)
        torch.set_autocast_cpu_enabled(False)
    assert (x @ x).dtype is torch.float32
    with pytest.raises(TypeError, match=r"enabled must be a bool \(got int\)"):
        torch.set_autocast_cpu_enabled(3)


def test_devices_are_on_one_by_one() -> None:
    torch.set_autocast_xla_enabled(True)
    try:
        assert torch.is_autocast_xla_enabled() and not torch.is_autocast_ipu_enabled()
        assert not torch.is_autocast_enabled("cpu") and not torch.is_autocast_enabled()
    finally:
        torch.set_autocast_xla_enabled(False)
