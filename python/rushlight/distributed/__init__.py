"""Several processes (`torch.distributed`): absent; questions are answered, and whatever needs a group is refused."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SUBMODULES = "_functional_collectives _tensor algorithms autograd checkpoint device_mesh distributed_c10d fsdp nn optim rpc tensor".split()


def refuse(name: str) -> RuntimeError:
    """The error that says that there is one process."""
    return RuntimeError(
        f"distributed.{name}: Distributed package doesn't have any backend built in: rushlight runs in one process; "
        "check torch.distributed.is_available() first"
    )


def is_available() -> bool:
    """False."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def _no() -> bool:
    """False."""
    return False


is_nccl_available = is_mpi_available = is_gloo_available = is_ucc_available = is_xccl_available = _no
is_torchelastic_launched = _no


def _no_group(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise ValueError(
            f"distributed.{name}: Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Always refused: there is no process group."
    return function


def _refusing(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise refuse(name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Always refused: there is one process."
    return function


for _name in """
    get_rank get_world_size get_backend all_reduce all_gather all_gather_object all_gather_into_tensor all_to_all
    all_to_all_single barrier broadcast broadcast_object_list destroy_process_group gather gather_object get_global_rank
    get_group_rank get_process_group_ranks irecv isend monitored_barrier recv reduce reduce_scatter
    reduce_scatter_tensor scatter scatter_object_list send
""".split():
    globals()[_name] = _no_group(_name)

for _name in "init_process_group new_group new_subgroups new_subgroups_by_enumeration init_device_mesh".split():
    globals()[_name] = _refusing(_name)


def get_default_backend_for_device(device: Any) -> str:
    """The backend that PyTorch would choose: "gloo" for the CPU."""
    return "gloo"


class ReduceOp:
    """Names of the operations that reductions between processes know."""

    SUM = "SUM"
    AVG = "AVG"
    PRODUCT = "PRODUCT"
    MIN = "MIN"
    MAX = "MAX"
    BAND = "BAND"
    BOR = "BOR"
    BXOR = "BXOR"
    PREMUL_SUM = "PREMUL_SUM"


class Backend(str):
    """Names of backends."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"
    default_device_backend_map = {"cpu": "gloo", "cuda": "nccl"}


class GroupMember:
    """The default group: none."""

    WORLD = None
    NON_GROUP_MEMBER = -100


group = GroupMember


class _Refused:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise refuse(type(self).__name__)


def _class(name: str) -> type:
    body = {"__doc__": "Always refused: there is one process.", "__module__": __name__}
    return type(name, (_Refused,), body)


for _name in "DeviceMesh FileStore HashStore PrefixStore ProcessGroup Store TCPStore Work".split():
    globals()[_name] = _class(_name)


def fill(space: dict[str, Any], classes: str, functions: str) -> None:
    """Put refusing classes and functions into a module below this one."""
    for name in classes.split():
        space[name] = _class(name)
    for name in functions.split():
        space[name] = _refusing(name)


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        __import__(f"{__name__}.{name}")
        return sys.modules[f"{__name__}.{name}"]
    raise AttributeError(f"module 'torch.distributed' has no attribute '{name}'")
