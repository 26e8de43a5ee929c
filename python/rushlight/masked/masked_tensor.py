"""`MaskedTensor`: data and a mask of the same shape, True where the data counts.

Which operators it knows is written in the sets below; each says what becomes of the mask.
"""

from __future__ import annotations

from .. import _C
from . import reductions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions
_REDUCTIONS = frozenset("sum mean prod amax amin argmax argmin var std norm all any".split())
_NORMALISATIONS = frozenset("softmax log_softmax cumsum cumprod".split())
_UNARY = frozenset(
    """
    abs absolute acos acosh angle asin asinh atan atanh bitwise_not ceil clamp clip conj cos cosh deg2rad digamma erf erfc
    erfinv exp exp2 expm1 fix floor frac isnan lgamma log log10 log1p log2 logit logical_not nan_to_num neg negative positive
    rad2deg reciprocal relu round rsqrt sigmoid sign sgn signbit sin sinc sinh sqrt square tan tanh trunc
    detach requires_grad_ to type float double half bfloat16 int long short bool char byte dropout
    """.split()
)
_BINARY = frozenset(
    """
    add atan2 arctan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift div divide floor_divide fmod
    logaddexp logaddexp2 mul multiply nextafter remainder sub subtract true_divide eq ne le ge greater greater_equal gt less
    less_equal lt less maximum minimum fmax fmin not_equal logical_and logical_or logical_xor pow
    __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ __rdiv__ __pow__ __rpow__
    __floordiv__ __mod__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __and__ __or__ __xor__
    """.split()
)
_MOVING = frozenset(
    """
    t transpose permute swapaxes movedim reshape view flatten unflatten squeeze unsqueeze expand select narrow unfold
    diagonal clone contiguous chunk split unbind cat stack where flip roll tril triu index_select __getitem__
    """.split()
)


class MaskedTensor(_C.Tensor):
    """Made by `masked_tensor(data, mask)`; element-wise operators keep the mask, reductions leave masked-out elements aside."""

    _data: Tensor
    _mask: Tensor

    @staticmethod
    def __new__(cls, data: Tensor, mask: Tensor, requires_grad: bool = False) -> MaskedTensor:
        if not isinstance(data, _C.Tensor) or not isinstance(mask, _C.Tensor):
            raise TypeError(f"MaskedTensor: data and mask must be tensors, got {type(data)} and {type(mask)}")
        if mask.dtype is not _C.bool:
            raise TypeError(f"MaskedTensor: mask must have dtype bool, got {mask.dtype}")
        if data.shape != mask.shape:
            raise ValueError(
                f"MaskedTensor: data has shape {tuple(data.shape)} and mask {tuple(mask.shape)}; expand the mask"
            )
        self: MaskedTensor = data.detach().as_subclass(cls)
        self._data = data.requires_grad_() if requires_grad else data
        self._mask = mask
        return self

    def __init__(self, data: Tensor, mask: Tensor, requires_grad: bool = False) -> None:
        """All is done in `__new__`."""

    def get_data(self) -> Tensor:
        """The data, masked-out elements included."""
        return self._data

    def get_mask(self) -> Tensor:
        """The mask."""
        return self._mask

    def to_tensor(self, value: Any) -> Tensor:
        """The data with `value` where it is masked out."""
        return self._data.masked_fill(~self._mask, value)

    def backward(self, gradient: Any = None, *args: Any, **kwargs: Any) -> None:
        """Backward from the data."""
        self._data.backward(_data_of(gradient), *args, **kwargs)

    @property
    def grad(self) -> MaskedTensor | None:  # type: ignore[override]
        """The gradient of the data under the same mask."""
        return None if self._data.grad is None else MaskedTensor(self._data.grad, self._mask)

    @property
    def requires_grad(self) -> bool:  # type: ignore[override]
        """Whether operations on the data are recorded."""
        return bool(self._data.requires_grad)

    @property
    def grad_fn(self) -> Any:
        """The node that made the data."""
        return self._data.grad_fn

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name in ("__get__", "__set__"):
            name = getattr(func.__self__, "__name__", "")
        in_place = name.endswith("_") and not name.startswith("__")
        plain = name[:-1] if in_place and name != "requires_grad_" else name
        if plain in _REDUCTIONS:
            return _reduced(plain, *args, **kwargs)
        if plain in _NORMALISATIONS:
            return _normalised(plain, *args, **kwargs)
        if plain in _UNARY or plain in _BINARY:
            given = [*args, *kwargs.values()]
            mask = _common_mask(given if plain in _BINARY else given[:1])
            changed = func(*map(_data_of, args), **{key: _data_of(value) for key, value in kwargs.items()})
            return args[0] if in_place else MaskedTensor(changed, mask.expand(changed.shape))
        if name in _MOVING:
            return _moved(func, args, kwargs)
        with _C.DisableTorchFunctionSubclass():
            if name in _DESCRIBING:
                return func(*args, **kwargs)
        raise TypeError(
            f"{name or func}: MaskedTensor does not know this operator; use it on get_data() or to_tensor()"
        )

    def __len__(self) -> int:
        return len(self._data)

    def __bool__(self) -> bool:
        return bool(self._data)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return MaskedTensor, (self._data, self._mask)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        shown = _lines(self._data.tolist(), self._mask.tolist(), self._data.dim(), 2)
        if self._data.dim() == 0:
            return f"MaskedTensor({shown}, {bool(self._mask)})"
        return f"MaskedTensor(\n  {shown}\n)"

    __str__ = __repr__


_DESCRIBING = frozenset(
    """
    shape dtype device ndim size dim numel stride storage_offset is_contiguous is_floating_point is_complex element_size
    is_sparse is_quantized is_meta is_cuda is_cpu names nbytes itemsize data_ptr _version __dict__
    """.split()
)


def _data_of(value: Any) -> Any:
    """The data of masked tensors, also inside lists; anything else as it is."""
    if isinstance(value, MaskedTensor):
        return value._data
    return type(value)(map(_data_of, value)) if type(value) in (list, tuple) else value


def _mask_of(value: Any) -> Any:
    if isinstance(value, MaskedTensor):
        return value._mask
    return type(value)(map(_mask_of, value)) if type(value) in (list, tuple) else value


def _common_mask(values: Any) -> Tensor:
    """The mask that all masked operands share."""
    masks = [value._mask for value in values if isinstance(value, MaskedTensor)]
    for mask in masks[1:]:
        if not _ops.equal(masks[0], mask):
            raise ValueError("Input masks must match. If you need support for this, please open an issue on Github.")
    return masks[0]


def _moved(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The same movement of data and mask."""

    def applied(part: Callable[[Any], Any]) -> Any:
        return func(*map(part, args), **{key: part(value) for key, value in kwargs.items()})

    data, mask = applied(_data_of), applied(_mask_of)
    if isinstance(data, _C.Tensor):
        return MaskedTensor(data, mask)
    return tuple(map(MaskedTensor, data, mask))


def _reduced(name: str, input: MaskedTensor, dim: Any = None, keepdim: bool = False, **options: Any) -> MaskedTensor:
    if name in ("all", "any"):
        data = input.to_tensor(name == "all")
        data = getattr(data, name)() if dim is None else getattr(data, name)(dim, keepdim)
    elif name == "norm":
        order, dim, keepdim = dim, options.pop("dim", None), options.pop("keepdim", False)
        data = reductions.norm(input._data, order, dim, keepdim=keepdim, mask=input._mask, **options)
    else:
        data = getattr(reductions, name)(input._data, dim, keepdim=keepdim, mask=input._mask, **options)
    mask = input._mask.any() if dim is None else input._mask.any(dim, keepdim)
    return MaskedTensor(data, mask.expand(data.shape))


def _normalised(name: str, input: MaskedTensor, dim: int, **options: Any) -> MaskedTensor:
    options.pop("_stacklevel", None)
    return MaskedTensor(getattr(reductions, name)(input._data, dim, mask=input._mask, **options), input._mask)


def _lines(data: Any, mask: Any, rank: int, indent: int) -> str:
    """Rows of elements, nested as the dimensions are."""
    if rank == 0:
        if not mask:
            return "--"
        return f"{data:8.4f}" if isinstance(data, float) else str(data)
    if rank == 1:
        shown = [_lines(d, m, 0, indent) for d, m in zip(data, mask)]
        width = max([8, *map(len, shown)])
        return "[" + ", ".join(text.rjust(width) if text == "--" else text for text in shown) + "]"
    pad = " " * indent
    rows = ",\n".join(f"{pad}  " + _lines(d, m, rank - 1, indent + 2) for d, m in zip(data, mask))
    return f"[\n{rows}\n{pad}]"


def masked_tensor(data: Tensor, mask: Tensor, requires_grad: bool = False) -> MaskedTensor:
    """A masked tensor over a copy of the data."""
    return MaskedTensor(data.detach().clone(), mask.clone(), requires_grad)


def as_masked_tensor(data: Tensor, mask: Tensor) -> MaskedTensor:
    """A masked tensor over the data itself, connected to its graph."""
    return MaskedTensor(data, mask)


def is_masked_tensor(obj: Any, /) -> bool:
    """Whether `obj` is a masked tensor."""
    return isinstance(obj, MaskedTensor)
