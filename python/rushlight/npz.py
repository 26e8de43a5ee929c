"""Files of NumPy: one array (`.npy`) or a dict of arrays by name (`.npz`), to and from tensors, without NumPy.

Column-major arrays become tensors with such strides, and the other way round; bytes of the other order are turned.
Arrays of Python objects, text or records are refused, so nothing in a file is ever run.
"""

from __future__ import annotations

import os

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from . import Tensor


def save_file(tensors: Mapping[str, Tensor], filename: str | os.PathLike[str]) -> None:
    """Write tensors by name to a file, as `numpy.savez` does; NumPy has no bfloat16, so that is refused."""
    _C._io.write_npz(dict(tensors), os.fspath(filename))


def save(tensors: Mapping[str, Tensor]) -> bytes:
    """The same as bytes."""
    return _C._io.write_npz(dict(tensors), None)


def load_file(filename: str | os.PathLike[str]) -> dict[str, Tensor]:
    """The arrays in a file of `numpy.savez` or `numpy.savez_compressed`, by name."""
    return _C._io.read_npz(os.fspath(filename))


def load(data: bytes) -> dict[str, Tensor]:
    """The arrays in the bytes of such a file, by name."""
    return _C._io.read_npz(data)


def save_npy(tensor: Tensor, filename: str | os.PathLike[str] | None = None) -> bytes | None:
    """Write one tensor to a file, byte for byte as `numpy.save` does; without a file name, return the bytes."""
    return _C._io.write_npy(tensor, None if filename is None else os.fspath(filename))


def load_npy(source: str | os.PathLike[str] | bytes) -> Tensor:
    """The array in a file of `numpy.save`, or in its bytes."""
    return _C._io.read_npy(source if isinstance(source, bytes) else os.fspath(source))
