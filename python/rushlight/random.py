"""The default random generator: `manual_seed`, its state, and `fork_rng`."""

from __future__ import annotations

from contextlib import contextmanager

from ._C import default_generator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from . import Tensor
    from ._C import Generator


def manual_seed(seed: Any) -> Generator:
    """Start the default generator from `seed`, an integer that fits 64 bits; negative ones wrap around."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the default generator from a number that differs each time, and return it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The number that the default generator was started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator as a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Put the default generator into a state that `get_rng_state` returned."""
    default_generator.set_state(new_state)


def thread_safe_generator() -> Generator | None:
    """The generator of the data loader's worker thread; there is none here."""
    return None


@contextmanager
def fork_rng(
    devices: Any = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str = "cuda",
) -> Iterator[None]:
    """Give the default generator back, after the `with` block, the state it had before."""
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
