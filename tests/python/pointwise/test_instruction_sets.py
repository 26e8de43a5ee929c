"""Half types under every instruction set that this machine has, against NumPy's rounding."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
import rushlight as torch

rng = np.random.default_rng(0)
bits = rng.integers(0, 2**32, 300_001, dtype=np.uint32)
near = rng.integers(0x32000000, 0x48000000, 300_001, dtype=np.uint32)  # 2^-27 to 2^17: where float16 ends
ties = (near & 0xFFFFE000) + rng.integers(0, 3, near.size).astype(np.uint32) * 0x1000
x = np.concatenate([bits, near, ties, ties | 0x80000000]).view(np.float32)
with np.errstate(all="ignore"):
    want = x.astype(np.float16)


def same(got, want, what):
    got = got.view(torch.int16).numpy().view(np.float16)
    assert np.array_equal(got[~np.isnan(want)].view(np.int16), want[~np.isnan(want)].view(np.int16)), what
    assert np.isnan(got[np.isnan(want)]).all(), what


t = torch.from_numpy(x)
same(t.half(), want, "conversion")
same(t.half() * 1, want, "kernel")
same(torch.stack([t.half()] * 2).amax(0), want, "reduction")
every = torch.arange(65536, dtype=torch.int32).to(torch.int16).view(torch.float16)
wide = every.view(torch.int16).numpy().view(np.float16).astype(np.float32)
assert np.array_equal(every.float().numpy(), wide, equal_nan=True)
assert np.array_equal((every + 0).numpy().astype(np.float32), wide, equal_nan=True)
torch.manual_seed(0)
print(torch.rand(1000, dtype=torch.float16).double().sum().item(), torch.randn(1000, dtype=torch.float16).double().sum().item())
"""


def run(level: str) -> str:
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | {"RUSHLIGHT_SIMD": level}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("level", ["baseline", "avx2"])
def test_float16_rounds_to_nearest(level: str) -> None:
    assert run(level) == run("avx512")
