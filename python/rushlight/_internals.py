"""Names of `torch._C` that programs ask for and that have a plain answer here: switches of compilers that are not there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_has_cuda = _has_xpu = _has_mps = _has_mkldnn = _has_cudnn = False
_GLIBCXX_USE_CXX11_ABI = True


def _get_tracing_state() -> None:
    """None: nothing is being traced."""


def _llvm_enabled() -> bool:
    """False."""
    return False


def _get_accelerator() -> Any:
    """The CPU: there is no accelerator."""
    from ._C import device

    return device("cpu")


def _off(*args: Any) -> bool:
    """False, whatever was asked for."""
    return False


_ANSWERS = {
    name: _off
    for name in """
    _jit_set_profiling_executor _jit_set_profiling_mode _jit_override_can_fuse_on_gpu _jit_override_can_fuse_on_cpu
    _jit_set_texpr_fuser_enabled _jit_set_nvfuser_enabled _jit_set_nvfuser_guard_mode
    _jit_set_nvfuser_horizontal_mode _jit_can_fuse_on_cpu _jit_can_fuse_on_gpu _get_graph_executor_optimize
    """.split()
}


def find(name: str) -> Any:
    """The answer for an attribute that the extension does not have; AttributeError for unknown names."""
    if name in _ANSWERS:
        return _ANSWERS[name]
    if name.startswith("_") and name in globals() and name not in ("_ANSWERS", "_off"):
        return globals()[name]
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")
