"""CUDA (`torch.backends.cuda`): absent; settings are kept and have no effect on the CPU."""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_sdp = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}
_preferred: dict[str, Any] = {}


class _Matmul:
    """Settings of matrix products on GPUs."""

    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    allow_fp16_accumulation = False
    fp32_precision = "none"


class _PlanCache:
    """The cache of FFT plans on GPUs: empty."""

    size = 0
    max_size = 0

    def clear(self) -> None:
        """Nothing to do."""

    def __getitem__(self, device: Any) -> _PlanCache:
        return self


matmul = _Matmul()
cufft_plan_cache = _PlanCache()


class SDPAParams:
    """The arguments of one attention call, as `can_use_flash_attention` takes them."""

    def __init__(self, *args: Any) -> None:
        self.args = args


def is_built() -> bool:
    """False."""
    return False


def _switch(name: str) -> Any:
    def enable(enabled: bool) -> None:
        _sdp[name] = bool(enabled)

    def is_enabled() -> bool:
        return _sdp[name]

    enable.__name__, is_enabled.__name__ = f"enable_{name}_sdp", f"{name}_sdp_enabled"
    enable.__doc__ = "Keeps the setting; it has no effect on the CPU."
    is_enabled.__doc__ = "The setting."
    return enable, is_enabled


enable_flash_sdp, flash_sdp_enabled = _switch("flash")
enable_mem_efficient_sdp, mem_efficient_sdp_enabled = _switch("mem_efficient")
enable_math_sdp, math_sdp_enabled = _switch("math")
enable_cudnn_sdp, cudnn_sdp_enabled = _switch("cudnn")


def allow_fp16_bf16_reduction_math_sdp(enabled: bool) -> None:
    """Keeps the setting; it has no effect on the CPU."""
    _preferred["reduction"] = enabled


def fp16_bf16_reduction_math_sdp_allowed() -> bool:
    """The setting."""
    return bool(_preferred.get("reduction", False))


def is_flash_attention_available() -> bool:
    """False."""
    return False


def can_use_flash_attention(params: Any, debug: bool = False) -> bool:
    """False."""
    return False


def can_use_efficient_attention(params: Any, debug: bool = False) -> bool:
    """False."""
    return False


def can_use_cudnn_attention(params: Any, debug: bool = False) -> bool:
    """False."""
    return False


def preferred_linalg_library(backend: Any = None) -> Any:
    """Keeps the choice; it has no effect on the CPU."""
    return _preferred.setdefault("linalg", "default") if backend is None else _preferred.update(linalg=backend)


def preferred_blas_library(backend: Any = None) -> Any:
    """Keeps the choice; it has no effect on the CPU."""
    return _preferred.setdefault("blas", "default") if backend is None else _preferred.update(blas=backend)


@contextmanager
def sdp_kernel(
    enable_flash: bool = True, enable_math: bool = True, enable_mem_efficient: bool = True, enable_cudnn: bool = True
) -> Iterator[None]:
    """The choice of attention kernels for the extent of a `with` block; it has no effect on the CPU."""
    before = dict(_sdp)
    _sdp.update(flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)
    try:
        yield
    finally:
        _sdp.update(before)
