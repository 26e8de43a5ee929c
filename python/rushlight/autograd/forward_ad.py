"""Forward-mode differentiation: tensors that carry a tangent (`torch.autograd.forward_ad`)."""

from __future__ import annotations

from collections import namedtuple

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]

UnpackedDualTensor = namedtuple("UnpackedDualTensor", "primal tangent")

_current_level = -1


def enter_dual_level() -> int:
    """Start a level at which tensors can carry tangents; only one can be open."""
    global _current_level
    level = _C._enter_dual_level()
    if level != _current_level + 1:
        raise RuntimeError(
            "Entering a new forward AD level but the current level is not valid. Make sure you did not modified it directly."
        )
    _current_level = level
    return level


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level; every tangent made in it is dropped."""
    global _current_level
    if level is None:
        level = _current_level
    if level != _current_level:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    _C._exit_dual_level(level=level)
    _current_level = level - 1


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A look at `tensor` that carries `tangent`, of its shape: results computed from it carry directional derivatives."""
    if level is None:
        level = _current_level
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    if not (tensor.is_floating_point() or tensor.is_complex()):
        raise ValueError(f"Expected primal to be floating point or complex, but got: {tensor.dtype}")
    if not (tangent.is_floating_point() or tangent.is_complex()):
        raise ValueError(f"Expected tangent to be floating point or complex, but got: {tangent.dtype}")
    return _C._make_dual(tensor, tangent, level=level)


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> Any:
    """The tensor without its tangent and the tangent, None where there is none, as `(primal, tangent)`."""
    if level is None:
        level = _current_level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    primal, tangent = _C._unpack_dual(tensor, level=level)
    return UnpackedDualTensor(primal, tangent)


class dual_level:  # noqa: N801
    """A level for the extent of a `with` block."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exc: object) -> None:
        exit_dual_level()


class _set_fwd_grad_enabled:  # noqa: N801
    """Turns forward mode on or off for the extent of a `with` block."""

    def __init__(self, mode: bool) -> None:
        self.prev = _C._is_fwd_grad_enabled()
        _C._set_fwd_grad_enabled(mode)

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None:
        _C._set_fwd_grad_enabled(self.prev)
