"""Storages: the memory under tensors, as bytes (`UntypedStorage`) or as numbers of one dtype (`FloatStorage`, ...).

A storage holds one tensor of bytes that covers the whole memory; everything else is done with that tensor.
"""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from . import Tensor

_ops = _C._VariableFunctions


class UntypedStorage:
    """Memory as bytes: `UntypedStorage()`, `UntypedStorage(64)` or `UntypedStorage([1, 2, 255])`."""

    __slots__ = ("_bytes", "__weakref__")
    _bytes: Tensor
    is_cuda = False
    is_sparse = False
    is_sparse_csr = False

    def __init__(self, *args: Any, device: Any = None) -> None:
        if not args:
            args = (0,)
        (first,) = args
        if isinstance(first, int):
            self._bytes = _ops.zeros(first, dtype=_C.uint8, device=device)
        else:
            self._bytes = _ops.tensor(list(first), dtype=_C.uint8, device=device)

    @classmethod
    def _of(cls, tensor: Tensor) -> UntypedStorage:
        """The storage of a tensor."""
        made = object.__new__(cls)
        made._bytes = _C._storage_bytes(tensor)
        return made

    @classmethod
    def _over(cls, data: Tensor) -> UntypedStorage:
        """The storage that a 1-d tensor of bytes covers from end to end."""
        made = object.__new__(cls)
        made._bytes = data
        return made

    @classmethod
    def from_buffer(cls, buffer: Any, *args: Any, **kwargs: Any) -> UntypedStorage:
        """A copy of an object that has a buffer, such as `bytes`."""
        return cls._over(_ops.frombuffer(bytearray(buffer), dtype=_C.uint8))

    @classmethod
    def from_file(cls, filename: str, shared: bool = False, size: int = 0) -> UntypedStorage:
        """The memory of a file; written back when `shared`."""
        from .functional import from_file

        return cls._over(from_file(filename, shared=shared, size=size, dtype=_C.uint8))

    def _tensor(self, dtype: Any, offset: int, size: Sequence[int], stride: Sequence[int]) -> Tensor:
        """A tensor that looks at this memory; numbers count elements of `dtype`."""
        size, stride = tuple(size), tuple(stride)
        if any(n < 0 for n in (*size, *stride, offset)):
            raise RuntimeError(f"storage: negative size, stride or offset: {size}, {stride}, {offset}")
        width = dtype.itemsize
        have = self.nbytes()
        need = 0 if 0 in size else (offset + 1 + sum((n - 1) * s for n, s in zip(size, stride))) * width
        if need > have:
            raise RuntimeError(
                f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {width} "
                f"requiring a storage size of {need} are out of bounds for storage of size {have}"
            )
        if 0 in size and offset * width > have:
            offset = 0
        whole = self._bytes.narrow(0, 0, have - have % width).view(dtype)
        return whole.as_strided(size, stride, offset).detach()

    @property
    def device(self) -> Any:
        return self._bytes.device

    @property
    def filename(self) -> str | None:
        return None

    def nbytes(self) -> int:
        """Number of bytes."""
        return self._bytes.numel()

    size = __len__ = nbytes

    def element_size(self) -> int:
        """Bytes of one element: 1."""
        return 1

    def data_ptr(self) -> int:
        """Address of the first byte."""
        return self._bytes.data_ptr()

    @property
    def _cdata(self) -> int:
        return _C._storage_address(self._bytes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return UntypedStorage._over(self._bytes[index])
        return self._bytes[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._bytes[index] = value

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def tolist(self) -> list[int]:
        """The bytes as numbers."""
        return self._bytes.tolist()

    def clone(self) -> UntypedStorage:
        """A copy."""
        return UntypedStorage._over(self._bytes.clone())

    def copy_(self, source: Any, non_blocking: bool | None = None) -> UntypedStorage:
        """Overwrite with the bytes of another storage."""
        self._bytes.copy_(source._bytes)
        return self

    def fill_(self, value: int) -> UntypedStorage:
        """Set every byte."""
        self._bytes.fill_(value)
        return self

    def resize_(self, size: int) -> UntypedStorage:
        """Change the number of bytes; tensors over this memory go on using it."""
        _C._storage_resize(self._bytes, size)
        self._bytes = _C._storage_bytes(self._bytes)
        return self

    def cpu(self) -> UntypedStorage:
        """This storage: it is on the CPU."""
        return self

    def to(self, *, device: Any = None, non_blocking: bool = False) -> UntypedStorage:
        """The storage on another device."""
        return UntypedStorage._over(self._bytes.to(device))

    def cuda(self, *args: Any, **kwargs: Any) -> UntypedStorage:
        """Always refused."""
        from .cuda import refuse

        raise refuse("UntypedStorage.cuda")

    def is_shared(self) -> bool:
        """Whether other processes can reach the memory."""
        from .multiprocessing.reductions import is_shared

        return is_shared(self._bytes)

    def share_memory_(self) -> UntypedStorage:
        """Move the memory of this object, not that of tensors over it, to where other processes can reach it."""
        from .multiprocessing.reductions import share_memory_

        share_memory_(self._bytes)
        return self

    def is_pinned(self, device: Any = "cuda") -> bool:
        """False: only memory for a GPU is pinned."""
        return False

    def pin_memory(self, device: Any = "cuda") -> UntypedStorage:
        """Always refused."""
        from .cuda import refuse

        raise refuse("UntypedStorage.pin_memory")

    def __copy__(self) -> UntypedStorage:
        return self.clone()

    def __deepcopy__(self, memo: dict[Any, Any]) -> UntypedStorage:
        key = ("storage", self._cdata)
        done = memo.get(key)
        if done is None:
            done = memo[key] = self.clone()
            # keeps the address from being used again while the copy goes on
            memo.setdefault(id(memo), []).append(self)
        return done

    def __reduce__(self) -> tuple[Any, ...]:
        return _storage_from_bytes, (bytes(self), None)

    def __bytes__(self) -> bytes:
        return memoryview(self._bytes).tobytes()  # type: ignore[arg-type]  # tensors have a buffer from Python 3.12 on for checkers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and self._cdata == other._cdata

    def __hash__(self) -> int:
        return hash(self._cdata)

    def __repr__(self) -> str:
        lines = "\n ".join(str(byte) for byte in self.tolist())
        return f" {lines}\n[torch.storage.UntypedStorage(device={self.device}) of size {len(self)}]"

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes()


def _storage_from_bytes(data: bytes, dtype: str | None) -> Any:
    """A storage from the bytes that a pickle holds."""
    untyped = UntypedStorage.from_buffer(data)
    return untyped if dtype is None else TypedStorage(wrap_storage=untyped, dtype=getattr(_C, dtype))


class _StorageMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        wanted = getattr(cls, "dtype", None)
        if type.__instancecheck__(cls, instance):
            return True
        return isinstance(wanted, _C.dtype) and type(instance) is TypedStorage and instance.dtype == wanted


class TypedStorage(metaclass=_StorageMeta):
    """Memory as numbers of one dtype; `storage.untyped()` gives the bytes."""

    dtype: Any = None
    is_cuda = False
    is_sparse = False

    def __init__(
        self, *args: Any, wrap_storage: UntypedStorage | None = None, dtype: Any = None, device: Any = None
    ) -> None:
        self.dtype = dtype or type(self).dtype or _ops.get_default_dtype()
        if wrap_storage is not None:
            self._untyped_storage = wrap_storage
        elif not args or isinstance(args[0], int):
            self._untyped_storage = UntypedStorage((args[0] if args else 0) * self.dtype.itemsize)
        elif isinstance(args[0], (UntypedStorage, TypedStorage)):
            given = args[0]
            self._untyped_storage = given if isinstance(given, UntypedStorage) else given._untyped_storage
        else:
            self._untyped_storage = UntypedStorage._of(_ops.tensor(list(args[0]), dtype=self.dtype))

    @classmethod
    def from_buffer(cls, buffer: Any, byte_order: str = "native", *, dtype: Any = None, **kwargs: Any) -> TypedStorage:
        """A copy of an object that has a buffer, such as `bytes`."""
        import sys

        made = cls(wrap_storage=UntypedStorage.from_buffer(buffer), dtype=dtype)
        if byte_order not in ("native", sys.byteorder):
            width = made.dtype.itemsize
            flipped = made._untyped_storage._bytes.view(-1, width).flip(1).reshape(-1)
            made._untyped_storage = UntypedStorage._over(flipped)
        return made

    _from_buffer = from_buffer

    @property
    def _values(self) -> Tensor:
        """A 1-d tensor over the whole memory."""
        return self._untyped_storage._tensor(self.dtype, 0, (len(self),), (1,))

    @property
    def device(self) -> Any:
        return self._untyped_storage.device

    @property
    def _cdata(self) -> int:
        return self._untyped_storage._cdata

    def untyped(self) -> UntypedStorage:
        """The same memory as bytes."""
        return self._untyped_storage

    def nbytes(self) -> int:
        """Number of bytes."""
        return self._untyped_storage.nbytes()

    def __len__(self) -> int:
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    size = __len__

    def element_size(self) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    def data_ptr(self) -> int:
        """Address of the first element."""
        return self._untyped_storage.data_ptr()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise RuntimeError("TypedStorage: slices are only supported in UntypedStorage.__getitem__")
        return self._values[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._values[index] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list[Any]:
        """The numbers."""
        return self._values.tolist()

    def fill_(self, value: Any) -> TypedStorage:
        """Set every element."""
        self._values.fill_(value)
        return self

    def copy_(self, source: TypedStorage, non_blocking: bool | None = None) -> TypedStorage:
        """Overwrite with the numbers of another storage."""
        self._values.copy_(source._values)
        return self

    def clone(self) -> TypedStorage:
        """A copy."""
        return TypedStorage(wrap_storage=self._untyped_storage.clone(), dtype=self.dtype)

    def resize_(self, size: int) -> TypedStorage:
        """Change the number of elements."""
        self._untyped_storage.resize_(size * self.dtype.itemsize)
        return self

    def cpu(self) -> TypedStorage:
        """This storage: it is on the CPU."""
        return self

    def is_shared(self) -> bool:
        """Whether other processes can reach the memory."""
        return self._untyped_storage.is_shared()

    def share_memory_(self) -> TypedStorage:
        """Move the memory to where other processes can reach it."""
        self._untyped_storage.share_memory_()
        return self

    def is_pinned(self, device: Any = "cuda") -> bool:
        """False: only memory for a GPU is pinned."""
        return False

    def type(self, dtype: Any = None, non_blocking: bool = False) -> Any:
        """The legacy name of the type, or the storage converted to a dtype or class."""
        if dtype is None:
            return f"torch.{_CLASS_NAMES.get(self.dtype, 'TypedStorage')}"
        wanted = getattr(dtype, "dtype", dtype)
        return TypedStorage(wrap_storage=UntypedStorage._of(self._values.to(wanted)), dtype=wanted)

    def __copy__(self) -> TypedStorage:
        return self.clone()

    def __deepcopy__(self, memo: dict[Any, Any]) -> TypedStorage:
        return TypedStorage(wrap_storage=self._untyped_storage.__deepcopy__(memo), dtype=self.dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return _storage_from_bytes, (bytes(self._untyped_storage), str(self.dtype).rsplit(".", 1)[-1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypedStorage) and (self._untyped_storage, self.dtype) == (
            other._untyped_storage,
            other.dtype,
        )

    def __hash__(self) -> int:
        return hash(self._untyped_storage)

    def __repr__(self) -> str:
        lines = "\n ".join(str(value) for value in self.tolist())
        name = "torch.storage.TypedStorage"
        return f" {lines}\n[{name}(dtype={self.dtype}, device={self.device}) of size {len(self)}]"


_CLASS_NAMES: dict[Any, str] = {}


def _typed(name: str, dtype_name: str) -> type:
    dtype = getattr(_C, dtype_name)
    _CLASS_NAMES[dtype] = name
    return _StorageMeta(
        name,
        (TypedStorage,),
        {"dtype": dtype, "__doc__": f"Memory as numbers of dtype {dtype_name}.", "__module__": "torch"},
    )


BFloat16Storage = _typed("BFloat16Storage", "bfloat16")
BoolStorage = _typed("BoolStorage", "bool")
ByteStorage = _typed("ByteStorage", "uint8")
CharStorage = _typed("CharStorage", "int8")
ComplexDoubleStorage = _typed("ComplexDoubleStorage", "complex128")
ComplexFloatStorage = _typed("ComplexFloatStorage", "complex64")
DoubleStorage = _typed("DoubleStorage", "float64")
FloatStorage = _typed("FloatStorage", "float32")
HalfStorage = _typed("HalfStorage", "float16")
IntStorage = _typed("IntStorage", "int32")
LongStorage = _typed("LongStorage", "int64")
ShortStorage = _typed("ShortStorage", "int16")
