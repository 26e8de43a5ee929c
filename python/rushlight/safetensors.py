"""Files in the safetensors format: a dict of tensors by name, readable from any language, without any code in them."""

from __future__ import annotations

import os

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from . import Tensor


def save_file(
    tensors: Mapping[str, Tensor], filename: str | os.PathLike[str], metadata: Mapping[str, str] | None = None
) -> None:
    """Write tensors and, as text, metadata to a file; no two tensors may share memory."""
    _C._io.write_safetensors(dict(tensors), os.fspath(filename), dict(metadata or {}))


def save(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> bytes:
    """The same as bytes."""
    return _C._io.write_safetensors(dict(tensors), None, dict(metadata or {}))


def load_file(filename: str | os.PathLike[str], device: Any = "cpu") -> dict[str, Tensor]:
    """The tensors in a file, by name."""
    tensors = _C._io.read_safetensors(os.fspath(filename))
    return tensors if _C.device(device).type == "cpu" else {name: t.to(device) for name, t in tensors.items()}


def load(data: bytes) -> dict[str, Tensor]:
    """The tensors in the bytes of a file, by name."""
    return _C._io.read_safetensors(data)


class safe_open:  # noqa: N801
    """A file whose tensors are read one by one: `with safe_open(path) as f: f.get_tensor(name)`."""

    def __init__(self, filename: str | os.PathLike[str], framework: str = "pt", device: Any = "cpu") -> None:
        self._tensors = load_file(filename, device)
        self._metadata = _C._io.safetensors_metadata(os.fspath(filename))

    def __enter__(self) -> safe_open:
        return self

    def __exit__(self, *exc: object) -> None:
        self._tensors = {}

    def keys(self) -> list[str]:
        """Names of all tensors."""
        return list(self._tensors)

    def metadata(self) -> dict[str, str] | None:
        """The text entries of the file, None when there are none."""
        return self._metadata or None

    def get_tensor(self, name: str) -> Tensor:
        """One tensor."""
        if name not in self._tensors:
            raise KeyError(f"File does not contain tensor {name}")
        return self._tensors[name]

    def get_slice(self, name: str) -> Tensor:
        """One tensor, to be indexed."""
        return self.get_tensor(name)
