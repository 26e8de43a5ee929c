"""How tensors are pickled between processes: small ones by value, large ones as mapped files.

A tensor that was moved by `share_memory_` stays the same memory in all processes; any other is
copied once, by its sender. Files live in /dev/shm (or the temporary folder) and are removed by
whoever maps them, shared ones by the process that made them.
"""

from __future__ import annotations

import atexit
import ctypes
import glob
import itertools
import mmap
import os
import tempfile
from multiprocessing.reduction import ForkingPickler
from typing import Any

import rushlight
from rushlight import Tensor

__all__ = ["init_reductions", "is_shared", "reduce_tensor", "share_memory_"]

# Up to this many bytes a pipe is faster than a file.
_INLINE_BYTES = 16384

_counter = itertools.count()
# Address of a shared mapping -> (file, bytes, mapping).
_shared: dict[int, tuple[str, int, mmap.mmap]] = {}


def _folder() -> str:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()


def _new_path(pid: int | None = None) -> str:
    pid = os.getpid() if pid is None else pid
    return os.path.join(_folder(), f"rushlight_{pid}_{next(_counter)}")


def _map(path: str, nbytes: int) -> mmap.mmap:
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), nbytes)


def _create(nbytes: int) -> tuple[str, mmap.mmap]:
    path = _new_path()
    with open(path, "x+b") as file:
        # Reserve the pages now: running out of memory later would be a signal, not an error.
        os.posix_fallocate(file.fileno(), 0, nbytes)
        return path, mmap.mmap(file.fileno(), nbytes)


def _address(buffer: Any) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))


def _from_buffer(buffer: Any, dtype: Any, shape: tuple[int, ...]) -> Tensor:
    return rushlight.frombuffer(buffer, dtype=dtype).view(shape)


def _finish(tensor: Tensor, cls: Any, requires_grad: bool) -> Tensor:
    if cls is not Tensor:
        return cls(tensor, requires_grad)
    return tensor.requires_grad_() if requires_grad else tensor


def _rebuild_inline(
    data: bytes, dtype: Any, shape: tuple[int, ...], cls: Any, requires_grad: bool
) -> Tensor:
    if not data:
        return _finish(rushlight.empty(shape, dtype=dtype), cls, requires_grad)
    return _finish(_from_buffer(bytearray(data), dtype, shape), cls, requires_grad)


def _rebuild_file(
    path: str, nbytes: int, dtype: Any, shape: tuple[int, ...], cls: Any, requires_grad: bool
) -> Tensor:
    mapping = _map(path, nbytes)
    os.unlink(path)
    return _finish(_from_buffer(mapping, dtype, shape), cls, requires_grad)


def _rebuild_shared(
    path: str,
    nbytes: int,
    dtype: Any,
    offset: int,
    shape: tuple[int, ...],
    stride: tuple[int, ...],
    cls: Any,
    requires_grad: bool,
) -> Tensor:
    for known_path, _, known in _shared.values():
        if known_path == path:
            mapping = known
            break
    else:
        mapping = _map(path, nbytes)
        _shared[_address(mapping)] = (path, nbytes, mapping)
    whole = rushlight.frombuffer(mapping, dtype=dtype)
    return _finish(whole.as_strided(shape, stride, offset), cls, requires_grad)


def _storage_start(tensor: Tensor) -> int:
    return int(tensor.data_ptr() - tensor.storage_offset() * tensor.element_size())


def reduce_tensor(tensor: Tensor) -> tuple[Any, tuple[Any, ...]]:
    """What `ForkingPickler` sends of a tensor: a function and its arguments."""
    cls, requires_grad = type(tensor), tensor.requires_grad
    if requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd "
            "does not support crossing process boundaries. If you just want to transfer the data, "
            "call detach() on the tensor before serializing (e.g., putting it on the queue)."
        )
    plain = tensor.detach()
    if plain.device.type != "cpu":
        raise RuntimeError(
            f"multiprocessing: tensors on {plain.device} have no data to send; move them to cpu"
        )
    shape = tuple(plain.shape)
    if plain.numel():
        if plain.is_shared() and not is_shared(plain) and plain.is_contiguous():
            # Memory that only forked children have is moved to a file that any process can map.
            share_memory_(tensor)
            plain = tensor.detach()
        known = _shared.get(_storage_start(plain))
        if known is not None:
            path, nbytes, _ = known
            stride, offset = tuple(plain.stride()), plain.storage_offset()
            return _rebuild_shared, (
                path, nbytes, plain.dtype, offset, shape, stride, cls, requires_grad,
            )  # fmt: skip
    plain = plain.contiguous()
    nbytes = plain.numel() * plain.element_size()
    if nbytes <= _INLINE_BYTES:
        data = ctypes.string_at(plain.data_ptr(), nbytes) if nbytes else b""
        return _rebuild_inline, (data, plain.dtype, shape, cls, requires_grad)
    path, mapping = _create(nbytes)
    ctypes.memmove(_address(mapping), plain.data_ptr(), nbytes)
    return _rebuild_file, (path, nbytes, plain.dtype, shape, cls, requires_grad)


def share_memory_(tensor: Tensor) -> Tensor:
    """Move the memory of a tensor, in place, to a file that other processes can map."""
    if is_shared(tensor) or tensor.numel() == 0:
        return tensor
    plain = tensor.detach()
    nbytes = plain.numel() * plain.element_size()
    path, mapping = _create(nbytes)
    _shared[_address(mapping)] = (path, nbytes, mapping)
    moved = _from_buffer(mapping, plain.dtype, tuple(plain.shape))
    moved.copy_(plain)
    tensor.data = moved
    return tensor


def is_shared(tensor: Tensor) -> bool:
    """Whether the memory of this tensor is a file that all processes can map."""
    return tensor.numel() > 0 and _storage_start(tensor.detach()) in _shared


def remove_files_of(pid: int) -> None:
    """Remove what a process has left behind that nobody has mapped."""
    for path in glob.glob(os.path.join(_folder(), f"rushlight_{pid}_*")):
        try:
            os.unlink(path)
        except OSError:
            pass


def _remove_own_files() -> None:
    # Not in forked children, which end without it, so that the files of their parent stay.
    remove_files_of(os.getpid())


def init_reductions() -> None:
    """Make `multiprocessing` send tensors and parameters this way."""
    from rushlight.nn import Parameter

    ForkingPickler.register(Tensor, reduce_tensor)
    ForkingPickler.register(Parameter, reduce_tensor)
    atexit.register(_remove_own_files)
