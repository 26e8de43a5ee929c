"""Half types and unsigned integers under every instruction set that this machine has, against NumPy."""

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

UNSIGNED = """
import numpy as np
import rushlight as torch

rng = np.random.default_rng(0)
UNARY = "neg:negative abs square bitwise_not:invert sign logical_not"
BINARY = (
    "add sub:subtract mul:multiply pow:power floor_divide remainder fmod div:true_divide bitwise_and bitwise_or "
    "bitwise_xor bitwise_left_shift:left_shift bitwise_right_shift:right_shift eq:equal ne:not_equal lt:less "
    "le:less_equal gt:greater ge:greater_equal maximum minimum gcd lcm logical_and"
)
DIVISIONS, OF_TENSORS = ("floor_divide", "remainder", "fmod", "div"), ("maximum", "minimum", "gcd", "lcm", "logical_and")


def pairs(names):
    return [(one.split(":")[0], one.split(":")[-1]) for one in names.split()]


def same(got, want, *what):
    want = want.astype(np.float32) if got.dtype == torch.float32 else want
    got = got.numpy()
    assert got.dtype == want.dtype, what
    np.testing.assert_allclose(got, want, rtol=2e-7 if want.dtype.kind == "f" else 0, err_msg=str(what))


for dtype in (np.uint16, np.uint32, np.uint64):
    top, bits = int(np.iinfo(dtype).max), 8 * dtype().itemsize
    edges = np.array([0, 1, 2, 3, bits - 1, bits, top // 2, top // 2 + 1, top - 1, top], dtype)
    x = np.concatenate([np.repeat(edges, edges.size), rng.integers(0, top, 331, dtype, endpoint=True)])
    y = np.concatenate([np.tile(edges, edges.size), rng.integers(0, top, 331, dtype, endpoint=True)])
    for step in (1, 3):  # vectors and what is left of them, and elements gathered one by one
        a, b, u, v = torch.from_numpy(x)[::step], torch.from_numpy(y)[::step], x[::step], y[::step]
        for ours, theirs in pairs(UNARY):
            same(getattr(torch, ours)(a), getattr(np, theirs)(u), ours, dtype)
        for ours, theirs in pairs(BINARY):
            function, reference = getattr(torch, ours), getattr(np, theirs)
            c, w = (b.clamp(min=1), np.maximum(v, 1)) if ours in DIVISIONS else (b, v)
            same(function(a, c), reference(u, w), ours, dtype)
            same(function(a, c[0]), reference(u, w[0]), ours, dtype, "0-dim")
            for number in (1, bits - 1, top // 2 + 1, top) if ours not in OF_TENSORS else ():
                same(function(a, number), reference(u, dtype(number)), ours, dtype, number)
        same(a.clamp(top // 2, top - 1), u.clip(top // 2, top - 1), "clamp", dtype)
        same(torch.where(a > b, a, b), np.where(u > v, u, v), "where", dtype)
        same(torch.addcmul(a, a, b, value=3), u + u * v * dtype(3), "addcmul", dtype)
        same(torch.add(a, b, alpha=top), u + v * dtype(top), "alpha", dtype)
        for other in (np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int64, np.float32, np.float64):
            same(a.to(getattr(torch, other.__name__)), u.astype(other), dtype, "to", other)
"""


def run(level: str, program: str = PROGRAM) -> str:
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | {"RUSHLIGHT_SIMD": level}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("level", ["baseline", "avx2"])
def test_float16_rounds_to_nearest(level: str) -> None:
    assert run(level) == run("avx512")


@pytest.mark.parametrize("level", ["baseline", "avx2", "avx512"])
def test_unsigned_integers_compute_as_in_numpy(level: str) -> None:
    run(level, UNSIGNED)
