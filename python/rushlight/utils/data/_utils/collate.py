"""Batches from lists of samples."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import rushlight
from rushlight import Tensor

__all__ = ["collate", "default_collate", "default_convert"]

_FnMap = dict[Any, Callable[..., Any]]

default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)

np_str_obj_array_pattern = re.compile("[SaUO]")  # kinds of NumPy arrays that are no tensors


def _is_numpy(value: Any, *names: str) -> bool:
    """Whether a value is a NumPy array or scalar, found out without importing NumPy."""
    cls = type(value)
    return cls.__module__ == "numpy" and (cls.__name__ in names if names else True)


def _is_numpy_scalar(value: Any) -> bool:
    return _is_numpy(value) and not isinstance(value, str) and hasattr(value, "dtype")


def _is_text_or_object(dtype: Any) -> bool:
    return np_str_obj_array_pattern.search(dtype.str) is not None


def default_convert(data: Any) -> Any:
    """NumPy arrays inside `data` as tensors, in containers of the same kind; all else unchanged."""
    if isinstance(data, Tensor):
        return data
    if _is_numpy(data) and hasattr(data, "dtype"):
        return data if _is_text_or_object(data.dtype) else rushlight.as_tensor(data)
    return _rebuilt(data, default_convert)


def _rebuilt(data: Any, convert: Callable[[Any], Any]) -> Any:
    """The same container with every member converted."""
    if isinstance(data, Mapping):
        return _new_mapping(data, {key: convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(convert(d) for d in data))
    if isinstance(data, tuple):
        return [convert(d) for d in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _new_sequence(data, [convert(d) for d in data])
    return data


def _new_mapping(like: Any, items: dict[Any, Any]) -> Any:
    """A mapping of the same type with the given items; a dict where its type cannot be made."""
    if type(like) is dict:
        return items
    try:
        if isinstance(like, MutableMapping):
            clone = copy.copy(like)
            clone.update(items)
            return clone
        return type(like)(items)
    except TypeError:
        return items


def _new_sequence(like: Any, items: list[Any]) -> Any:
    """A sequence of the same type with the given items; a list where its type cannot be made."""
    if type(like) is list:
        return items
    try:
        if isinstance(like, MutableSequence):
            clone = copy.copy(like)
            for i, item in enumerate(items):
                clone[i] = item
            return clone
        return type(like)(items)
    except TypeError:
        return items


def collate(batch: Any, *, collate_fn_map: _FnMap | None = None) -> Any:
    """Put the samples of a batch together, type by type.

    `collate_fn_map` maps types to functions `fn(batch, *, collate_fn_map)`; containers are taken
    apart and their members collated.
    """
    elem = batch[0]
    if collate_fn_map is not None:
        fn = _function_for(elem, collate_fn_map)
        if fn is not None:
            return fn(batch, collate_fn_map=collate_fn_map)

    def together(samples: Any) -> Any:
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(elem, Mapping):
        return _new_mapping(elem, {key: together([d[key] for d in batch]) for key in elem})
    if isinstance(elem, tuple) and hasattr(elem, "_fields"):
        return type(elem)(*(together(samples) for samples in zip(*batch)))
    if isinstance(elem, Sequence):
        size = len(elem)
        if not all(len(sample) == size for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [together(samples) for samples in zip(*batch)]
        return columns if isinstance(elem, tuple) else _new_sequence(elem, columns)
    raise TypeError(default_collate_err_msg_format.format(type(elem)))


def _function_for(elem: Any, collate_fn_map: _FnMap) -> Callable[..., Any] | None:
    exact = collate_fn_map.get(type(elem))
    if exact is not None:
        return exact
    for kind, fn in collate_fn_map.items():
        if isinstance(elem, kind):
            return fn
    if collate_fn_map is default_collate_fn_map and _is_numpy(elem):
        if _is_numpy(elem, "ndarray", "memmap"):
            return collate_numpy_array_fn
        if _is_numpy_scalar(elem):
            return collate_numpy_scalar_fn
    return None


def collate_tensor_fn(batch: Any, *, collate_fn_map: _FnMap | None = None) -> Tensor:
    """Stack tensors along a new first dimension."""
    return rushlight.stack(batch, 0)


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: _FnMap | None = None) -> Any:
    """Stack arrays as tensors; arrays of text or objects raise TypeError."""
    if _is_text_or_object(batch[0].dtype):
        raise TypeError(default_collate_err_msg_format.format(batch[0].dtype))
    return collate([rushlight.as_tensor(b) for b in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: _FnMap | None = None) -> Tensor:
    """NumPy scalars as one tensor of their dtype."""
    return rushlight.stack([rushlight.as_tensor(b) for b in batch], 0)


def collate_float_fn(batch: Any, *, collate_fn_map: _FnMap | None = None) -> Tensor:
    """Python floats as a float64 tensor."""
    return rushlight.tensor(batch, dtype=rushlight.float64)


def collate_int_fn(batch: Any, *, collate_fn_map: _FnMap | None = None) -> Tensor:
    """Python integers or booleans as a tensor."""
    return rushlight.tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: _FnMap | None = None) -> Any:
    """Text stays a sequence of strings."""
    return batch


default_collate_fn_map: _FnMap = {
    Tensor: collate_tensor_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch: Any) -> Any:
    """The batch a `DataLoader` makes unless told otherwise: stacked tensors in like containers.

    >>> default_collate([{"x": 1, "name": "a"}, {"x": 2, "name": "b"}])
    {'x': tensor([1, 2]), 'name': ['a', 'b']}
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)
