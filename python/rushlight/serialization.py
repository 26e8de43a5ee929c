"""`save` and `load`: tensors and whatever holds them, in PyTorch's file format.

The extension reads and writes files of tensors, numbers, text and containers (`weights_only`). Objects of other classes
go through Python's pickle over the same zip archive, only when the caller says `weights_only=False`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

DEFAULT_PROTOCOL = 2
_safe_globals: list[Any] = []


class SourceChangeWarning(Warning):
    """Never given; kept so that filters for it work."""


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Let `load(weights_only=True)` make objects of these classes and call these functions."""
    _safe_globals.extend(item for item in safe_globals if item not in _safe_globals)


def get_safe_globals() -> list[Any]:
    """What `add_safe_globals` was given."""
    return list(_safe_globals)


def clear_safe_globals() -> None:
    """Take back every `add_safe_globals`."""
    _safe_globals.clear()


class safe_globals:  # noqa: N801
    """`add_safe_globals` for the extent of a `with` block."""

    def __init__(self, safe_globals: list[Any]) -> None:
        self.wanted = safe_globals

    def __enter__(self) -> None:
        self.before = get_safe_globals()
        add_safe_globals(self.wanted)

    def __exit__(self, *exc: object) -> None:
        _safe_globals[:] = self.before


def get_default_load_endianness() -> None:
    """None: files say themselves in which order their bytes are."""


def set_default_mmap_options(flags: int) -> None:
    """Accepted: `load(mmap=True)` always maps privately, so that changing a tensor never changes the file."""


def get_unsafe_globals_in_checkpoint(f: Any) -> list[str]:
    """Names of the classes and functions that a file asks for and `load(weights_only=True)` would refuse."""
    return _archive().unsafe_globals(f)


def _archive() -> Any:
    from . import _pickle_archive

    return _pickle_archive


def _is_path(f: Any) -> bool:
    return isinstance(f, (str, os.PathLike))


@contextmanager
def _naming(f: Any) -> Iterator[None]:
    """Adds the name of the file to errors about its contents."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        if _is_path(f) and os.fspath(f) not in str(error):
            raise type(error)(f"{error} (file {os.fspath(f)!r})") from error
        raise


def _check_open_for(f: Any, method: str, mode: str) -> None:
    if not _is_path(f) and not hasattr(f, method):
        raise AttributeError(
            f"'{type(f).__name__}' object has no attribute '{method}'. You can only torch.{'save' if mode == 'w' else 'load'} "
            f"{'to' if mode == 'w' else 'from'} a file that is seekable or a path. Please pre-load the data into a buffer "
            "like io.BytesIO and try to load from it instead."
        )


def save(
    obj: object,
    f: Any,
    pickle_module: Any = None,
    pickle_protocol: int = DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write `obj` to `f`, a path or a binary file open for writing; PyTorch can read it.

    Tensors that share memory go on sharing it after `load`. `_use_new_zipfile_serialization`: False writes the format that
    PyTorch had before 1.6.
    """
    _check_open_for(f, "write", "w")
    target = os.fspath(f) if _is_path(f) else f
    if not _use_new_zipfile_serialization:
        _archive().write_sequence(obj, target, pickle_protocol)
        return
    if pickle_module is None and pickle_protocol == DEFAULT_PROTOCOL:
        try:
            _C._io.write_checkpoint(obj, target)
            return
        except TypeError:
            if not _is_path(f) and f.seekable():
                f.seek(0, os.SEEK_END) if f.tell() else None
    _archive().write(obj, target, pickle_module, pickle_protocol)


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """The object that `save` wrote to `f`, a path or a binary file open for reading.

    `map_location`: where tensors go: a device, a dict of device names, or a function of (storage, location).
    `weights_only`: True (the default) makes tensors and plain data only and can run no code of the file; False makes any
    object and must only be used on files from a trusted source. `mmap`: leave tensor data in the file until it is used.
    """
    _check_open_for(f, "read", "r")
    if weights_only is None:
        weights_only = pickle_module is None and os.environ.get("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "0") not in (
            "1",
            "y",
            "yes",
            "true",
        )
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    if mmap and not _is_path(f):
        raise ValueError("f must be a file name in order to use the mmap argument")
    with _naming(f):
        if weights_only:
            return _load_plain(f, map_location, bool(mmap))
        return _archive().read(f, map_location, pickle_module, pickle_load_args)


def _load_plain(f: Any, map_location: Any, mmap: bool) -> Any:
    """Load without the power to run code: by the extension, or, with safe globals, by a restricted unpickler."""
    if _safe_globals or callable(map_location) or isinstance(map_location, dict):
        return _archive().read(f, map_location, None, {}, allowed=_safe_globals)
    tree = _read_plain(f, mmap)
    if map_location is None or _C.device(map_location).type == "cpu":
        return tree
    return _moved(tree, _C.device(map_location))


def _read_plain(f: Any, mmap: bool) -> Any:
    """The extension's reader; what it refuses because it is no plain data is an UnpicklingError, as programs expect."""
    source = os.fspath(f) if _is_path(f) else f.read()
    if not (os.path.getsize(source) if isinstance(source, str) else source):
        raise EOFError("Ran out of input: the file is empty")
    try:
        return _C._io.read_checkpoint(source, mmap=mmap) if isinstance(source, str) else _C._io.read_checkpoint(source)
    except RuntimeError as error:
        if "name table" not in str(error):
            raise
        from pickle import UnpicklingError

        raise UnpicklingError(
            f"Weights only load failed: {error}. Use torch.serialization.add_safe_globals for a class you trust, or "
            "weights_only=False for a file you trust."
        ) from error


def _moved(tree: Any, device: Any) -> Any:
    """The tree with every tensor on another device."""
    if isinstance(tree, _C.Tensor):
        return tree.to(device)
    if isinstance(tree, dict):
        for key in tree:
            tree[key] = _moved(tree[key], device)
        return tree
    if isinstance(tree, list):
        tree[:] = [_moved(item, device) for item in tree]
        return tree
    if isinstance(tree, tuple):
        moved = [_moved(item, device) for item in tree]
        return type(tree)(*moved) if hasattr(tree, "_fields") else type(tree)(moved)
    return tree


def _get_layout(name: str) -> Any:
    """The layout that a file calls by its name, such as "torch.sparse_coo"."""
    import rushlight

    layout = getattr(rushlight, name.rpartition(".")[2], None)
    if not isinstance(layout, rushlight.layout):
        raise ValueError(f"load: {name!r} is no layout")
    return layout
