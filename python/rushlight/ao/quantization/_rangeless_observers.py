"""What observers share, and those that measure no range."""

from __future__ import annotations

from functools import partial
from typing import Any

import rushlight
from rushlight import Tensor, dtype as Dtype
from rushlight._quantized import qscheme as Scheme
from rushlight.nn import Module


class _PartialWrapper:
    """A class with some arguments given, as `with_args` makes it; `callable_args` are called for each object."""

    def __init__(self, p: Any, callable_args: dict[str, Any] | None = None) -> None:
        self.p = p
        self.callable_args = callable_args or {}

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        late = {name: make() for name, make in self.callable_args.items() if name not in keywords}
        return self.p(*args, **keywords, **late)

    def __repr__(self) -> str:
        return f"{self.p!r}{self.callable_args!r}"

    def with_args(self, **kwargs: Any) -> _PartialWrapper:
        return _PartialWrapper(partial(self, **kwargs))

    def with_callable_args(self, **kwargs: Any) -> _PartialWrapper:
        return _PartialWrapper(self.p, {**self.callable_args, **kwargs})


class ObserverBase(Module):
    """Base of observers: `forward` notes what it sees and returns it, `calculate_qparams` gives scale and zero point.

    `dtype` is the quantized format; `is_dynamic` says that ranges are taken anew for each input.
    """

    def __init__(self, dtype: Dtype, is_dynamic: bool = False) -> None:
        super().__init__()
        self.dtype = dtype
        self.is_dynamic = is_dynamic

    def forward(self, x: Tensor) -> Tensor:
        """Return the input."""
        return x

    def calculate_qparams(self, **kwargs: Any) -> Any:
        """Scale and zero point; what knows no range raises RuntimeError."""
        raise RuntimeError(f"calculate_qparams should not be called for {type(self).__name__}")

    @classmethod
    def with_args(cls, **kwargs: Any) -> _PartialWrapper:
        """The class with arguments given.

        >>> half = PlaceholderObserver.with_args(dtype=rushlight.float16)
        >>> half().dtype
        torch.float16
        """
        return _PartialWrapper(partial(cls, **kwargs))

    @classmethod
    def with_callable_args(cls, **kwargs: Any) -> _PartialWrapper:
        """The class with arguments that are computed whenever an object is made."""
        return _PartialWrapper(cls, kwargs)


class FixedQParamsObserver(ObserverBase):
    """Knows its `scale` and `zero_point` from the start, for operators of known range such as sigmoid."""

    scale: Tensor
    zero_point: Tensor

    def __init__(
        self,
        scale: float,
        zero_point: int,
        dtype: Dtype = rushlight.quint8,
        qscheme: Scheme = rushlight.per_tensor_affine,
        quant_min: int = 0,
        quant_max: int = 255,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if is_dynamic:
            raise NotImplementedError("FixedQParamsObserver doesn't support dynamic quantization")
        super().__init__(dtype=dtype, is_dynamic=is_dynamic, **kwargs)
        self.quant_min = quant_min
        self.quant_max = quant_max
        self.register_buffer("scale", rushlight.tensor([scale], dtype=rushlight.float32))
        self.register_buffer("zero_point", rushlight.tensor([zero_point], dtype=rushlight.int32))
        self.qscheme = qscheme

    def calculate_qparams(self, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """The scale and the zero point given."""
        return self.scale, self.zero_point


class PlaceholderObserver(ObserverBase):
    """Notes nothing; says which format is wanted (`dtype`), and for dynamic quantization which positions."""

    def __init__(
        self,
        dtype: Dtype = rushlight.float32,
        custom_op_name: str = "",
        compute_dtype: Dtype | None = None,
        quant_min: int | None = None,
        quant_max: int | None = None,
        qscheme: Scheme | None = None,
        eps: float | None = None,
        is_dynamic: bool = False,
    ) -> None:
        super().__init__(dtype=dtype, is_dynamic=is_dynamic or compute_dtype is not None)
        self.qscheme = rushlight.per_tensor_affine if qscheme is None else qscheme
        self.quant_min = quant_min
        self.quant_max = quant_max
        self.eps = eps
        self.custom_op = custom_op_name

    def extra_repr(self) -> str:
        """The format."""
        return f"dtype={self.dtype}, is_dynamic={self.is_dynamic}"


class RecordingObserver(ObserverBase):
    """Keeps copies of all inputs, to look at."""

    def __init__(self, dtype: Dtype = rushlight.quint8) -> None:
        super().__init__(dtype=dtype, is_dynamic=False)
        self.tensor_val: list[Tensor] = []

    def forward(self, x: Tensor) -> Tensor:
        """Keep a copy and return the input."""
        self.tensor_val.append(x.clone())
        return x

    def get_tensor_value(self) -> list[Tensor]:
        """The copies, in order."""
        return self.tensor_val


class NoopObserver(ObserverBase):
    """Notes nothing: formats without a range, such as float16."""

    def __init__(self, dtype: Dtype = rushlight.float16, custom_op_name: str = "") -> None:
        super().__init__(dtype=dtype, is_dynamic=False)
        self.custom_op = custom_op_name


class ReuseInputObserver(ObserverBase):
    """Stands for the observer of the operator's input."""

    def __init__(self) -> None:
        super().__init__(rushlight.quint8, is_dynamic=False)
