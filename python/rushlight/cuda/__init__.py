"""What `torch.cuda` answers where there is no GPU: counts are 0, memory is 0, and whatever needs a device is refused."""

from __future__ import annotations

import sys

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SUBMODULES = ("amp", "gds", "graphs", "memory", "nccl", "nvtx", "profiler", "random", "streams")

has_half = False
has_magma = False
default_generators: tuple[Any, ...] = ()


_REASON = "Torch not compiled with CUDA enabled: rushlight runs on the CPU; use device='cpu'"


def refuse(what: str) -> AssertionError:
    """The error that says that there is no GPU here."""
    return AssertionError(f"{what}: {_REASON}")


def refuse_type(name: str) -> TypeError:
    """The same where a type of GPU tensors is named."""
    return TypeError(f"type {name} not available. {_REASON}")


def is_available() -> bool:
    """False: rushlight runs on the CPU."""
    return False


def device_count() -> int:
    """0."""
    return 0


def is_initialized() -> bool:
    """False."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False."""
    return False


def is_tf32_supported() -> bool:
    """False."""
    return False


def is_current_stream_capturing() -> bool:
    """False."""
    return False


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Always refused."""
    raise refuse("cuda.can_device_access_peer")


def get_arch_list() -> list[str]:
    """Empty."""
    return []


def get_gencode_flags() -> str:
    """Empty."""
    return ""


def _is_in_bad_fork() -> bool:
    return False


def _is_compiled() -> bool:
    return False


def manual_seed(seed: int) -> None:
    """Accepted: there is no GPU generator to start."""


def manual_seed_all(seed: int) -> None:
    """Accepted: there is no GPU generator to start."""


def seed() -> None:
    """Accepted: there is no GPU generator to start."""


def seed_all() -> None:
    """Accepted: there is no GPU generator to start."""


def initial_seed() -> int:
    """Always refused."""
    raise refuse("cuda.initial_seed")


def get_rng_state_all() -> list[Any]:
    """Empty: one state per GPU."""
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Accepts the states of no GPU."""
    if list(new_states):
        raise refuse("cuda.set_rng_state_all")


def empty_cache() -> None:
    """Nothing to do."""


def ipc_collect() -> None:
    """Nothing to do."""


def reset_peak_memory_stats(device: Any = None) -> None:
    """Nothing to do."""


reset_max_memory_allocated = reset_max_memory_cached = reset_accumulated_memory_stats = reset_peak_memory_stats


def memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated
memory_cached = max_memory_cached = host_memory_allocated = memory_allocated


def memory_stats(device: Any = None) -> dict[str, Any]:
    """Empty."""
    return {}


def memory_snapshot(mempool_id: Any = None) -> list[Any]:
    """Empty."""
    return []


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """One line that says that there is no GPU."""
    return "no CUDA device: rushlight runs on the CPU"


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Accepted: there is nothing to synchronise."""


def get_sync_debug_mode() -> int:
    """0."""
    return 0


def _refusing(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise refuse(f"cuda.{name}")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Always refused: there is no GPU."
    return function


for _name in """
    _compile_kernel _get_pynvml_handler _lazy_init _sleep caching_allocator_alloc caching_allocator_delete clock_rate
    cudart current_blas_handle current_device current_stream default_stream get_allocator_backend get_device_capability
    get_device_name get_device_properties get_rng_state get_stream_from_external graph_pool_handle init list_gpu_processes
    make_graphed_callables mem_get_info memory_usage power_draw set_device set_per_process_memory_fraction
    set_rng_state synchronize temperature utilization
""".split():
    globals()[_name] = _refusing(_name)


def set_stream(stream: Any) -> None:
    """Accepts None only."""
    if stream is not None:
        raise refuse("cuda.set_stream")


class _Context:
    """A context that changes nothing for None or a negative number and is refused for a device."""

    def __init__(self, target: Any = None) -> None:
        if target is not None and not (isinstance(target, int) and target < 0) and getattr(target, "type", "") != "cpu":
            raise refuse(f"cuda.{type(self).__name__}")

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...


class device(_Context):  # noqa: N801
    """`with cuda.device(index)`: refused unless the index is None or negative."""


class device_of(_Context):  # noqa: N801
    """The device of a tensor: for CPU tensors nothing changes."""

    def __init__(self, obj: Any = None) -> None:
        super().__init__(None)


class StreamContext(_Context):
    """`with cuda.stream(s)`: nothing for None."""


def stream(stream: Any) -> StreamContext:
    """A context in which nothing changes, for None; any stream is refused."""
    return StreamContext(stream)


class _NoDeviceObject:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise refuse(f"cuda.{type(self).__name__}")


class Stream(_NoDeviceObject):
    """Always refused."""


class ExternalStream(Stream):
    """Always refused."""


class Event(_NoDeviceObject):
    """Always refused."""


class CUDAGraph(_NoDeviceObject):
    """Always refused."""


class MemPool(_NoDeviceObject):
    """Always refused."""


class graph(_NoDeviceObject):  # noqa: N801
    """Always refused."""


class _CudaDeviceProperties:
    """Never the type of an object."""


class CudaError(RuntimeError):
    """An error of a GPU: never raised."""


class DeferredCudaCallError(Exception):
    """Never raised."""


OutOfMemoryError = _C.OutOfMemoryError
AcceleratorError = getattr(_C, "AcceleratorError", RuntimeError)


def _tensor_class(name: str) -> type:
    class _CudaTensorMeta(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return False

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            raise refuse_type(f"torch.cuda.{name}")

    return _CudaTensorMeta(name, (), {"__module__": "torch.cuda", "__doc__": "GPU tensors: there are none."})


def __getattr__(name: str) -> Any:
    if name.endswith("Tensor") and not name.startswith("_"):
        made = globals()[name] = _tensor_class(name)
        return made
    if name in _SUBMODULES:
        __import__(f"{__name__}.{name}")
        return sys.modules[f"{__name__}.{name}"]
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")
