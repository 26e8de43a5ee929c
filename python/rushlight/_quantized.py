"""How numbers map to a quantized format (`torch.qscheme`), and operators on quantized tensors, which are refused.

Quantization-aware training needs no quantized tensors: see `torch.fake_quantize_per_tensor_affine` and
`torch.ao.quantization.FakeQuantize`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class qscheme:  # noqa: N801 - PyTorch's name
    """A kind of scale and zero point, such as `torch.per_tensor_affine`; there is one object of each kind.

    >>> import rushlight
    >>> rushlight.per_channel_symmetric
    torch.per_channel_symmetric
    """

    __slots__ = ("_name",)
    __module__ = "torch"
    _name: str

    def __new__(cls, *args: Any, **kwargs: Any) -> qscheme:
        raise TypeError("cannot create 'torch.qscheme' instances")

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> Any:
        return _scheme, (self._name,)


def _make(name: str) -> qscheme:
    made = object.__new__(qscheme)
    made._name = name
    return made


per_tensor_affine = _make("per_tensor_affine")
per_channel_affine = _make("per_channel_affine")
per_tensor_symmetric = _make("per_tensor_symmetric")
per_channel_symmetric = _make("per_channel_symmetric")
per_channel_affine_float_qparams = _make("per_channel_affine_float_qparams")


def _scheme(name: str) -> Any:
    """The object of that name; what is stored of one is its name."""
    return globals()[name]


def _refuse(name: str) -> NoReturn:
    raise NotImplementedError(
        f"{name}: rushlight has no quantized tensors; torch.fake_quantize_per_tensor_affine rounds in floating point"
    )


def quantize_per_tensor(*args: Any, **kwargs: Any) -> NoReturn:
    """Always refused: raises NotImplementedError."""
    _refuse("quantize_per_tensor")


def quantize_per_tensor_dynamic(*args: Any, **kwargs: Any) -> NoReturn:
    """Always refused: raises NotImplementedError."""
    _refuse("quantize_per_tensor_dynamic")


def quantize_per_channel(*args: Any, **kwargs: Any) -> NoReturn:
    """Always refused: raises NotImplementedError."""
    _refuse("quantize_per_channel")


def empty_quantized(*args: Any, **kwargs: Any) -> NoReturn:
    """Always refused: raises NotImplementedError."""
    _refuse("empty_quantized")
