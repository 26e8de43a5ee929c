"""Memory that does not exist is an error that names its size; Ctrl-C during a long kernel comes after it, without loss."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import rushlight as torch

ONE = torch.ones(1)

# What each asks for, in bytes: results of every family that allocates by itself.
HUGE = {
    "empty": (lambda: torch.empty(10**15), 4 * 10**15),
    "pointwise": (lambda: ONE.expand(10**15) + 1, 4 * 10**15),
    "copy": (lambda: ONE.expand(10**15).clone(), 4 * 10**15),
    "arange": (lambda: torch.arange(10**15), 8 * 10**15),
    "eye": (lambda: torch.eye(10**8), 4 * 10**16),
    "broadcast": (lambda: ONE.expand(10**8, 1) * ONE.expand(10**8), 4 * 10**16),
    "repeat": (lambda: ONE.repeat(10**15), 4 * 10**15),
    "random": (lambda: torch.randperm(10**14), 8 * 10**14),
    "resize": (lambda: torch.ones(4).resize_(10**15), 4 * 10**15),
    "product": (lambda: ONE.expand(10**8, 1) @ ONE.expand(1, 10**8), 4 * 10**16),
    "convolution": (lambda: torch.conv1d(ONE.expand(1, 1, 10**14), torch.ones(1, 1, 1)), 4 * 10**14),
    "fft": (lambda: torch.fft.fft(torch.ones(3), n=10**15), 8 * 10**15),
    "upsample": (lambda: torch.nn.functional.interpolate(torch.ones(1, 1, 2, 2), size=(10**8, 10**8)), 4 * 10**16),
    "combinations": (lambda: torch.combinations(torch.arange(10**5), 3), 8 * 3 * (10**5 * 99999 * 99998 // 6)),
    "parameter": (lambda: torch.nn.Linear(10**8, 10**8), 4 * 10**16),
}


@pytest.mark.parametrize("name", HUGE)
def test_absurd_sizes_are_errors_that_name_them(name):
    make, size = HUGE[name]
    message = rf"DefaultCPUAllocator: can't allocate memory: you tried to allocate {size} bytes"
    with pytest.raises(RuntimeError, match=message) as caught:
        make()
    assert isinstance(caught.value, torch.OutOfMemoryError)
    assert (torch.ones(3) + 1).tolist() == [2, 2, 2]


def test_sizes_that_overflow_are_errors():
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed with sizes=.4611686018427387904, 4."):
        torch.empty(2**62, 4)
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed for 30 of 1000 elements"):
        torch.combinations(torch.arange(1000), 30)


def test_tensors_stay_as_they_were_when_memory_ends():
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    with pytest.raises(torch.OutOfMemoryError):
        y.expand(10**14, 4).contiguous()
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 2, 2]


@pytest.fixture
def interruptible():
    """Ctrl-C as in a terminal: whoever starts the tests in the background may have it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_after(seconds: float) -> None:
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_interrupt_comes_after_the_kernel_and_loses_nothing(interruptible):
    x = torch.zeros(2_000_000)
    steps = 0
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            x += 1  # in place: each element is changed as often as any other
            steps += 1
    assert x.min() == x.max() and x[0] in (steps, steps + 1)


def test_interrupt_during_backward_leaves_a_usable_graph(interruptible):
    leaf = torch.ones(1000, requires_grad=True)
    y = leaf
    for _ in range(300):
        y = y * 1.0
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            y.sum().backward(retain_graph=True)
    leaf.grad = None
    y.sum().backward()
    assert leaf.grad.equal(torch.ones(1000))


def test_interrupt_of_a_program_is_a_keyboard_interrupt(interruptible):
    program = (
        "import rushlight as torch\nx = torch.randn(1500, 1500)\n"
        "try:\n    print('ready', flush=True)\n    while True: x @ x\n"
        "except KeyboardInterrupt: print('interrupted', x.shape[0], flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=120)[0] == "interrupted 1500\n" and child.returncode == 0
