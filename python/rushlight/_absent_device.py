"""The functions that a device module has when its devices are absent: shared by `xpu`, `mps` and `mtia`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ZERO = """
    device_count memory_allocated max_memory_allocated memory_reserved max_memory_reserved current_allocated_memory
    driver_allocated_memory recommended_max_memory""".split()
_FALSE = "is_available is_initialized is_bf16_supported is_built _is_in_bad_fork _is_compiled".split()
_NOTHING = """
    empty_cache manual_seed manual_seed_all seed seed_all reset_peak_memory_stats reset_accumulated_memory_stats
    set_per_process_memory_fraction""".split()
_REFUSED = """
    current_device current_stream get_device_capability get_device_name get_device_properties get_rng_state init
    mem_get_info set_device set_rng_state set_stream synchronize compile_shader""".split()


def fill(space: dict[str, Any], name: str, label: str) -> None:
    """Put into a module the functions of an absent device; `label` is what PyTorch calls it in its refusal."""

    def refuse(what: str) -> AssertionError:
        return AssertionError(
            f"{name}.{what}: Torch not compiled with {label} enabled: rushlight runs on the CPU; use device='cpu'"
        )

    def put(function: Callable[..., Any], title: str, doc: str) -> None:
        function.__name__ = function.__qualname__ = title
        function.__doc__ = doc
        function.__module__ = space["__name__"]
        space.setdefault(title, function)

    for title in _ZERO:
        put(lambda *args, **kwargs: 0, title, "0: there is no such device.")
    for title in _FALSE:
        put(lambda *args, **kwargs: False, title, "False: there is no such device.")
    for title in _NOTHING:
        put(lambda *args, **kwargs: None, title, "Nothing to do: there is no such device.")
    put(lambda *args, **kwargs: [], "get_rng_state_all", "Empty: one state per device.")
    put(lambda new_states: None, "set_rng_state_all", "Accepted: there is no device.")
    put(lambda *args, **kwargs: {}, "memory_stats", "Empty.")
    for title in _REFUSED:

        def refused(*args: Any, _title: str = title, **kwargs: Any) -> Any:
            raise refuse(_title)

        put(refused, title, "Always refused: there is no such device.")

    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        raise refuse(type(self).__name__)

    for title in ("Stream", "Event"):
        body = {"__init__": construct, "__doc__": "Always refused.", "__module__": space["__name__"]}
        space.setdefault(title, type(title, (), body))

    class _Context:
        """A context in which nothing changes, for None; a device is refused."""

        def __init__(self, target: Any = None) -> None:
            if target is not None:
                raise refuse("stream")

        def __enter__(self) -> None: ...

        def __exit__(self, *exc: object) -> None: ...

    space.setdefault("stream", _Context)
    space.setdefault("device", _Context)
