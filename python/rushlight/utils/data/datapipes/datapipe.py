"""The base classes of pipelines; a registered step is a method: `pipe.map(f).batch(4)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from ..dataset import Dataset, IterableDataset

__all__ = [
    "DFIterDataPipe",
    "DataChunk",
    "IterDataPipe",
    "MapDataPipe",
    "functional_datapipe",
    "guaranteed_datapipes_determinism",
    "non_deterministic",
]

_T_co = TypeVar("_T_co", covariant=True)


def _step(pipe: Any, name: str) -> Any:
    """The registered step `name` with `pipe` as its first argument."""
    functions = type(pipe).functions
    if name in functions:
        return partial(functions[name], pipe)
    raise AttributeError(f"'{type(pipe).__name__}' object has no attribute '{name}'")


def _register(cls: Any, name: str, function: Callable[..., Any]) -> None:
    if name in cls.functions:
        raise Exception(f"Unable to add DataPipe function name {name} as it is already taken")
    cls.functions[name] = function


class IterDataPipe(IterableDataset[_T_co]):
    """A stream of samples; subclasses define `__iter__`.

    >>> from rushlight.utils.data.datapipes.iter import IterableWrapper
    >>> list(IterableWrapper(range(5)).map(lambda x: x * x).batch(2))
    [[0, 1], [4, 9], [16]]
    """

    functions: dict[str, Callable[..., Any]] = {}
    getstate_hook: Callable[[Any], Any] | None = None
    reduce_ex_hook: Callable[[Any], Any] | None = None
    str_hook: Callable[[Any], str] | None = None
    repr_hook: Callable[[Any], str] | None = None

    def __iter__(self) -> Iterator[_T_co]:
        raise NotImplementedError("Subclasses of IterDataPipe should implement __iter__.")

    def __getattr__(self, name: str) -> Any:
        return _step(self, name)

    def __getstate__(self) -> Any:
        if IterDataPipe.getstate_hook is not None:
            return IterDataPipe.getstate_hook(self)
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @classmethod
    def register_function(cls, function_name: str, function: Callable[..., Any]) -> None:
        """Make `function(pipe, ...)` the method `function_name` of all streams."""
        _register(IterDataPipe, function_name, function)

    @classmethod
    def register_datapipe_as_function(
        cls, function_name: str, cls_to_register: Any, enable_df_api_tracing: bool = False
    ) -> None:
        """Make a class of pipes the method `function_name` of all streams."""
        _register(IterDataPipe, function_name, cls_to_register)

    @classmethod
    def set_getstate_hook(cls, hook_fn: Callable[[Any], Any] | None) -> None:
        """What is called to pickle a stream."""
        IterDataPipe.getstate_hook = hook_fn

    def reset(self) -> None:
        """Called before a new pass by pipes that keep state."""


class MapDataPipe(Dataset[_T_co]):
    """Samples by index or key; subclasses define `__getitem__` and `__len__`."""

    functions: dict[str, Callable[..., Any]] = {}

    def __getattr__(self, name: str) -> Any:
        return _step(self, name)

    def __getstate__(self) -> Any:
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @classmethod
    def register_function(cls, function_name: str, function: Callable[..., Any]) -> None:
        """Make `function(pipe, ...)` the method `function_name` of all maps."""
        _register(MapDataPipe, function_name, function)

    @classmethod
    def register_datapipe_as_function(cls, function_name: str, cls_to_register: Any) -> None:
        """Make a class of pipes the method `function_name` of all maps."""
        _register(MapDataPipe, function_name, cls_to_register)


class DFIterDataPipe(IterDataPipe[Any]):
    """A stream of data frames."""


class DataChunk(list):  # type: ignore[type-arg]
    """A batch of samples that are not collated yet."""

    def __init__(self, items: Any) -> None:
        items = list(items)
        super().__init__(items)
        self.items = items

    def as_str(self, indent: str = "") -> str:
        """The samples as text."""
        return indent + "[" + ", ".join(str(item) for item in self) + "]"

    def raw_iterator(self) -> Iterator[Any]:
        """The samples one by one."""
        yield from self.items


class functional_datapipe:  # noqa: N801
    """A class decorator: the pipe becomes the method `name` of all pipes of its kind.

    >>> @functional_datapipe("double")
    ... class Doubler(IterDataPipe):
    ...     def __init__(self, source):
    ...         self.source = source
    ...     def __iter__(self):
    ...         return (2 * x for x in self.source)
    >>> from rushlight.utils.data.datapipes.iter import IterableWrapper
    >>> list(IterableWrapper([1, 2]).double())
    [2, 4]
    """

    def __init__(self, name: str, enable_df_api_tracing: bool = False) -> None:
        self.name = name

    def __call__(self, cls: Any) -> Any:
        if issubclass(cls, IterDataPipe):
            IterDataPipe.register_datapipe_as_function(self.name, cls)
        elif issubclass(cls, MapDataPipe):
            MapDataPipe.register_datapipe_as_function(self.name, cls)
        else:
            raise TypeError(
                "functional_datapipe: only subclasses of IterDataPipe and MapDataPipe become "
                f"steps, not {cls}"
            )
        return cls


_determinism = False


class guaranteed_datapipes_determinism:  # noqa: N801
    """While active, pipes marked `non_deterministic` refuse to be made."""

    def __init__(self) -> None:
        global _determinism
        self._before = _determinism
        _determinism = True

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        global _determinism
        _determinism = self._before


class non_deterministic:  # noqa: N801
    """A class decorator: the order of this pipe may differ from run to run."""

    def __init__(self, arg: Any) -> None:
        self.cls = arg if isinstance(arg, type) else None
        self.condition = None if isinstance(arg, type) else arg

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.cls is None:
            self.cls = args[0]
            return self._make
        return self._make(*args, **kwargs)

    def _make(self, *args: Any, **kwargs: Any) -> Any:
        marked = self.condition is None or self.condition(*args, **kwargs)
        if _determinism and marked:
            raise TypeError(f"{self.cls} is non-deterministic, and determinism was asked for")
        assert self.cls is not None
        return self.cls(*args, **kwargs)
