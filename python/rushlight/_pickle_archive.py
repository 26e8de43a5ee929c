"""Objects of any class in PyTorch's zip format, through Python's pickle: the part of `save` and `load` that can run code.

Names in the file are PyTorch's: `rushlight.nn...` is written as `torch.nn...` and read back, so files pass both ways.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import zipfile

from . import _C, _utils
from .storage import TypedStorage, UntypedStorage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_OWN = __package__


def _storage_name(dtype: Any) -> str:
    from .storage import _CLASS_NAMES

    return _CLASS_NAMES.get(dtype, "UntypedStorage")


_PythonPickler: Any = pickle._Pickler  # the C pickler gives no say in how classes are named


class _Pickler(_PythonPickler):  # type: ignore[misc]
    """Writes storages beside the pickle and gives our classes PyTorch's module names."""

    dispatch = _PythonPickler.dispatch.copy()

    def __init__(self, file: Any, protocol: int) -> None:
        super().__init__(file, protocol)
        self.storages: dict[int, tuple[str, UntypedStorage, Any]] = {}

    def persistent_id(self, obj: Any) -> Any:
        if not isinstance(obj, (TypedStorage, UntypedStorage)):
            return None
        untyped = obj if isinstance(obj, UntypedStorage) else obj._untyped_storage
        dtype = obj.dtype if isinstance(obj, TypedStorage) else _C.uint8
        key, *_ = self.storages.setdefault(untyped._cdata, (str(len(self.storages)), untyped, dtype))
        kind = (
            _Name("torch", _storage_name(dtype))
            if isinstance(obj, TypedStorage)
            else _Name("torch.storage", "UntypedStorage")
        )
        return "storage", kind, key, "cpu", untyped.nbytes() // dtype.itemsize

    def save_global(self, obj: Any, name: str | None = None) -> None:
        module = getattr(obj, "__module__", None)
        if isinstance(module, str) and module.partition(".")[0] == _OWN:
            _Name("torch" + module[len(_OWN) :], name or obj.__qualname__).write(self)
            self.memoize(obj)
            return
        super().save_global(obj, name)

    dispatch[type(_utils._rebuild_tensor)] = save_global

    def save_type(self, obj: Any) -> None:
        if obj in (type(None), type(NotImplemented), type(...)):
            super().save_type(obj)
        else:
            self.save_global(obj)

    dispatch[type] = save_type

    def save_dtype(self, obj: Any) -> None:
        _Name("torch", str(obj).rpartition(".")[2]).write(self)

    dispatch[_C.dtype] = save_dtype

    def save_size(self, obj: Any) -> None:
        self.save_reduce(_Name("torch", "Size"), (tuple(obj),), obj=obj)

    dispatch[_C.Size] = save_size

    def save_device(self, obj: Any) -> None:
        args = (obj.type,) if obj.index is None else (obj.type, obj.index)
        self.save_reduce(_Name("torch", "device"), args, obj=obj)

    dispatch[_C.device] = save_device


class _Name:
    """A global by module and name, written as it stands."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __call__(self) -> None:
        """Only there because pickle asks that a constructor can be called."""

    def write(self, pickler: _Pickler) -> None:
        pickler.write(pickle.GLOBAL + f"{self.module}\n{self.name}\n".encode())


_Pickler.dispatch[_Name] = lambda pickler, obj: obj.write(pickler)


def write(obj: Any, target: Any, pickle_module: Any, protocol: int) -> None:
    """Write any object that can be pickled to a path or a binary file."""
    data = io.BytesIO()
    pickler = _Pickler(data, protocol)
    pickler.dump(obj)

    def members() -> Iterator[tuple[str, Any]]:
        yield "data.pkl", data.getbuffer()
        yield "byteorder", sys.byteorder.encode()
        for key, storage, _ in pickler.storages.values():
            yield f"data/{key}", bytes(storage)
        yield "version", b"3\n"

    _C._io.write_archive(members(), target)


# The format before the archives: pickles of a magic number, a version, facts of the machine, the object and the keys of
# its storages; then each storage as a count of elements and their bytes.
_MAGIC, _VERSION = 0x1950A86A20F9469CFC6C, 1001


class _SequencePickler(_Pickler):
    dispatch = _Pickler.dispatch

    def persistent_id(self, obj: Any) -> Any:
        found = super().persistent_id(obj)
        return None if found is None else (*found, None)


def write_sequence(obj: Any, target: Any, protocol: int) -> None:
    """Write any object that can be pickled in the format before the archives."""
    facts = {
        "protocol_version": _VERSION,
        "little_endian": sys.byteorder == "little",
        "type_sizes": {"short": 2, "int": 4, "long": 4},
    }
    data = io.BytesIO()
    for fact in (_MAGIC, _VERSION, facts):
        pickle.dump(fact, data, protocol)
    pickler = _SequencePickler(data, protocol)
    pickler.dump(obj)
    pickle.dump([key for key, *_ in pickler.storages.values()], data, protocol)
    for _, storage, dtype in pickler.storages.values():
        data.write((storage.nbytes() // dtype.itemsize).to_bytes(8, "little"))
        data.write(bytes(storage))
    _C._io.write_bytes(data.getbuffer(), target)


class _Sequence:
    """The storages of such a file, which are met empty and filled when the object is there."""

    def __init__(self) -> None:
        self.storages: dict[str, tuple[UntypedStorage, int]] = {}

    def storage(self, key: str, count: int, size: int) -> UntypedStorage:
        """One storage of `count` elements of `size` bytes, the same object each time."""
        return self.storages.setdefault(key, (UntypedStorage(count * size), size))[0]

    def fill(self, file: Any, keys: Any) -> None:
        """Read the elements of every storage."""
        if not isinstance(keys, list) or set(keys) != self.storages.keys():
            raise RuntimeError("load: the keys at the end are not those of the object's storages: the file is damaged")
        for key in keys:
            storage, size = self.storages[key]
            wanted = int.from_bytes(file.read(8), "little") * size
            if wanted != storage.nbytes() or len(data := file.read(wanted)) != wanted:
                raise RuntimeError(f"load: the elements of storage {key!r} are cut short: the file is damaged")
            storage.copy_(UntypedStorage.from_buffer(data))


def _read_sequence(file: Any, place: Any, allowed: Sequence[Any] | None, options: dict[str, Any]) -> Any:
    def part() -> Any:
        return _Unpickler(file, sequence, place, allowed, **options).load()

    sequence = _Sequence()
    if part() != _MAGIC:
        raise RuntimeError("Invalid magic number; corrupt file?")
    if (version := part()) != _VERSION:
        raise RuntimeError(f"Invalid protocol version: {version}")
    facts = part()
    if not isinstance(facts, dict) or not facts.get("little_endian", True):
        raise RuntimeError("load: the file was written by a big-endian machine")
    obj = part()
    sequence.fill(file, part())
    return obj


class _Unpickler(pickle.Unpickler):
    """Reads PyTorch's names as ours and finds storages in the archive."""

    def __init__(
        self, file: Any, archive: _Members | _Sequence, map_location: Any, allowed: Sequence[Any] | None, **kwargs: Any
    ) -> None:
        super().__init__(file, **kwargs)
        self._archive = archive
        self._place = map_location
        self._allowed = None if allowed is None else {_full_name(item): item for item in allowed}

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == "torch":
            if module == "torch" and name.endswith("Storage"):
                from . import storage

                return getattr(storage, name)
            ours = _OWN + module[len("torch") :]
        else:
            ours = module
        if module == "__builtin__":  # what protocol 2 writes
            module = ours = "builtins"
        if self._allowed is not None:
            known = self._allowed.get(f"{module}.{name}") or self._allowed.get(f"{ours}.{name}")
            if known is not None:
                return known[0] if isinstance(known, tuple) else known
            if f"{module}.{name}" not in _PLAIN:
                raise pickle.UnpicklingError(
                    f"Weights only load failed: the file asks for {module}.{name}, which was not an allowed global by "
                    "default; use torch.serialization.add_safe_globals for a class you trust, or weights_only=False "
                    "for a file you trust"
                )
        return super().find_class(ours, name)

    def persistent_load(self, saved_id: Any) -> Any:
        if saved_id[0] == "module":  # a class of modules with its source, which old files have
            return saved_id[1]
        kind, storage_type, key, location, count, *view = saved_id
        if kind != "storage" or view not in ([], [None]):
            raise pickle.UnpicklingError(f"load: unknown persistent id {saved_id!r}")
        dtype = getattr(storage_type, "dtype", None) or _C.uint8
        untyped = self._archive.storage(key, count, dtype.itemsize)
        untyped = _placed(untyped, location, self._place)
        if storage_type is UntypedStorage:
            return untyped
        return TypedStorage(wrap_storage=untyped, dtype=dtype)


_PLAIN = frozenset(
    """
    collections.OrderedDict collections.Counter collections.defaultdict builtins.set builtins.complex _codecs.encode
    builtins.bytearray torch.Size torch.device torch._utils._rebuild_tensor_v2 torch._utils._rebuild_tensor
    torch._utils._rebuild_tensor_v3 torch._utils._rebuild_parameter torch._utils._rebuild_parameter_with_state
    torch._utils._rebuild_sparse_tensor torch._utils._rebuild_meta_tensor_no_storage torch.nn.parameter.Parameter
    torch.serialization._get_layout torch.Tensor torch._tensor._rebuild_from_type_v2 torch.storage.UntypedStorage
    """.split()
) | {f"torch.{name}" for name in vars(_C) if isinstance(getattr(_C, name), _C.dtype)}


def _full_name(item: Any) -> str:
    if isinstance(item, tuple):
        return str(item[1])
    return f"{item.__module__}.{item.__qualname__}"


def _placed(storage: UntypedStorage, location: str, place: Any) -> UntypedStorage:
    """The storage where `map_location` wants it."""
    if place is None:
        if location.partition(":")[0] != "cpu":
            raise RuntimeError(
                f"Attempting to deserialize object on a {location.partition(':')[0].upper()} device but torch.cuda."
                "is_available() is False. If you are running on a CPU-only machine, please use torch.load with "
                "map_location=torch.device('cpu') to map your storages to the CPU."
            )
        return storage
    if isinstance(place, dict):
        return _placed(storage, location, place.get(location))
    if callable(place) and not isinstance(place, (str, _C.device)):
        chosen = place(storage, location)
        return storage if chosen is None else getattr(chosen, "_untyped_storage", chosen)
    device = _C.device(place)
    if device.type == "cpu":
        return storage
    if device.type == "meta":
        return storage.to(device=device)
    from .cuda import refuse

    raise refuse(f"load(map_location={str(place)!r})")


class _Members:
    """The members of an archive by name without the folder they all lie in."""

    def __init__(self, f: Any) -> None:
        self.zip = zipfile.ZipFile(f)
        self.stem = self.zip.namelist()[0].split("/", 1)[0]
        self._storages: dict[str, UntypedStorage] = {}

    def read(self, name: str) -> bytes:
        """The bytes of one member."""
        try:
            return self.zip.read(f"{self.stem}/{name}")
        except KeyError:
            raise RuntimeError(f"load: the archive has no member {name!r}: the file is damaged") from None

    def storage(self, key: str, _count: int, _size: int) -> UntypedStorage:
        """One storage, the same object each time."""
        if key not in self._storages:
            self._storages[key] = UntypedStorage.from_buffer(self.read(f"data/{key}"))
        return self._storages[key]


def read(
    f: Any, map_location: Any, pickle_module: Any, options: dict[str, Any], allowed: Sequence[Any] | None = None
) -> Any:
    """Read any object; with `allowed`, only plain data and objects of these classes."""
    start = None if isinstance(f, (str, os.PathLike)) else f.tell()
    if not zipfile.is_zipfile(f):
        if start is None:
            with open(f, "rb") as file:
                return _read_sequence(file, map_location, allowed, options)
        f.seek(start)
        return _read_sequence(f, map_location, allowed, options)
    archive = _Members(f)
    names = archive.zip.namelist()
    if f"{archive.stem}/constants.pkl" in names:
        raise RuntimeError(
            "load: the file is a TorchScript archive, which rushlight cannot run; save a state_dict instead"
        )
    return _Unpickler(io.BytesIO(archive.read("data.pkl")), archive, map_location, allowed, **options).load()


def unsafe_globals(f: Any) -> list[str]:
    """Names in the pickle of an archive that stand for neither plain data nor a safe global."""
    import pickletools

    from .serialization import get_safe_globals

    found = []
    texts: list[str] = []
    for opcode, argument, _ in pickletools.genops(_Members(f).read("data.pkl")):
        if isinstance(argument, str) and opcode.name != "GLOBAL":
            texts.append(argument)
        name = None
        if opcode.name == "GLOBAL":
            name = str(argument).replace(" ", ".")
        elif opcode.name == "STACK_GLOBAL" and len(texts) > 1:
            name = f"{texts[-2]}.{texts[-1]}"
        if name and name not in _PLAIN and name not in found:
            found.append(name)
    safe = {_full_name(item) for item in get_safe_globals()}
    return [name for name in found if name not in safe and not name.endswith("Storage")]
