"""`torch.PyTorchFileReader`: the records of a checkpoint archive as bytes."""

from __future__ import annotations

import os
import zipfile
import zlib

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from . import Tensor


class PyTorchFileReader:
    """Reads records of an archive that `torch.save` wrote, from a path or from an open binary file.

    Names are those inside the archive's folder, as "data.pkl" or "data/0". What is no archive, a record that does not
    exist and one that is damaged raise RuntimeError.
    """

    def __init__(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        try:
            self._archive = zipfile.ZipFile(file)
        except FileNotFoundError as error:
            raise RuntimeError(f"open file failed because of errno {error.errno} on fopen: {error}") from None
        except (zipfile.BadZipFile, OSError) as error:
            raise RuntimeError(f"PytorchStreamReader failed reading zip archive: {error}") from None
        names = self._archive.namelist()
        self._folder = names[0].split("/", 1)[0] + "/" if names else ""

    def _info(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._archive.getinfo(self._folder + name)
        except KeyError:
            known = ", ".join(self.get_all_records()[:8])
            raise RuntimeError(
                f"PytorchStreamReader failed locating file {name}: file not found; the archive has {known}"
            ) from None

    def has_record(self, name: str) -> bool:
        """Whether the archive has a record of that name."""
        return self._folder + name in self._archive.NameToInfo

    def get_all_records(self) -> list[str]:
        """The names of all records, in the order of the archive."""
        start = len(self._folder)
        return [name[start:] for name in self._archive.namelist() if name.startswith(self._folder)]

    def get_record(self, name: str) -> bytes:
        """The bytes of a record."""
        try:
            return self._archive.read(self._info(name))
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise RuntimeError(f"PytorchStreamReader failed reading file {name}: {error}") from None

    def get_record_size(self, name: str) -> int:
        """Bytes of a record."""
        return self._info(name).file_size

    def get_record_header_offset(self, name: str) -> int:
        """Where the header of a record begins in the file, in bytes."""
        return self._info(name).header_offset

    def get_record_offset(self, name: str) -> int:
        """Where the bytes of a record begin in the file."""
        file = self._archive.fp
        if file is None:
            raise RuntimeError("PytorchStreamReader: the archive is closed")
        header = self._info(name).header_offset
        file.seek(header + 26)  # two lengths stand there, of the name and of what follows it
        lengths = file.read(4)
        return header + 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")

    def get_storage_from_record(self, name: str, numel: int, dtype: Any) -> Tensor:
        """The first `numel` elements of a record as a tensor of that dtype; without elements its storage is empty."""
        data = bytearray(self.get_record(name))
        if numel == 0:
            return _C._VariableFunctions.empty(0, dtype=dtype)
        return _C._VariableFunctions.frombuffer(data, dtype=dtype, count=numel)

    def serialization_id(self) -> str:
        """The number that `torch.save` gave the archive; "" where there is none."""
        name = ".data/serialization_id"
        return self.get_record(name).decode() if self.has_record(name) else ""
