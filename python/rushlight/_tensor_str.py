"""Text of a tensor: what `repr(tensor)` and `print(tensor)` show, and `set_printoptions`.

The values shown are fetched as one Python list (of the corners only, when the tensor is summarised); all formatting
is then done on that list, so that a small tensor costs one call into the extension.
"""

from __future__ import annotations

import sys
from itertools import islice
from math import inf, isfinite

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from . import Tensor


class _PrinterOptions:
    """What `set_printoptions` sets."""

    def __init__(self) -> None:
        self.precision: int = 4
        self.threshold: float = 1000
        self.edgeitems: int = 3
        self.linewidth: int = 80
        self.sci_mode: bool | None = None


PRINT_OPTS = _PrinterOptions()

_PROFILES: dict[str, tuple[int, float, int, int]] = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, inf, 3, 80),
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed; what is not named keeps its value, except `sci_mode`, which None gives back to us.

    `precision`: digits after the point. `threshold`: number of elements above which only `edgeitems` at either end of
    each dimension are shown. `linewidth`: characters. `profile`: "default", "short" or "full" sets all of these first.
    """
    options = PRINT_OPTS
    if profile is not None and profile in _PROFILES:
        options.precision, options.threshold, options.edgeitems, options.linewidth = _PROFILES[profile]
    if precision is not None:
        options.precision = precision
    if threshold is not None:
        options.threshold = threshold
    if edgeitems is not None:
        options.edgeitems = edgeitems
    if linewidth is not None:
        options.linewidth = linewidth
    options.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """The options now in force, as keyword arguments of `set_printoptions`."""
    return dict(vars(PRINT_OPTS))


class printoptions:  # noqa: N801
    """`set_printoptions` for the extent of a `with` block."""

    def __init__(self, **kwargs: Any) -> None:
        self.wanted = kwargs

    def __enter__(self) -> None:
        self.before = get_printoptions()
        set_printoptions(**self.wanted)

    def __exit__(self, *exc: object) -> None:
        vars(PRINT_OPTS).update(self.before)


def _flat(nested: Any, dims: int) -> list[Any]:
    """The innermost values of a nested list."""
    for _ in range(dims - 1):
        nested = [item for inner in nested for item in inner]
    return nested


def _float_texts(values: list[float]) -> tuple[list[str], int]:
    """The numbers written so that they line up, and the width of one; zeros, inf and nan do not widen the others."""
    options = PRINT_OPTS
    shown = [v for v in values if v and isfinite(v)]
    if not shown:
        return ["%.0f." % v if isfinite(v) else "%.0f" % v for v in values], 1
    sizes = [abs(v) for v in shown]
    largest, smallest = max(sizes), min(sizes)
    whole = all(v.is_integer() for v in sizes)
    scientific = largest / smallest > 1000.0 or largest > 1.0e8 or (not whole and smallest < 1.0e-4)
    if options.sci_mode is not None:
        scientific = options.sci_mode
    if whole and not scientific:
        texts = ["%.0f." % v if isfinite(v) else "%.0f" % v for v in values]
    else:
        pattern = f"%.{options.precision}{'e' if scientific else 'f'}"
        texts = [pattern % v for v in values]
    if len(shown) == len(values):
        width = max(map(len, texts))
    else:
        width = max(len(text) for text, v in zip(texts, values) if v and isfinite(v))
    return [text.rjust(width) for text in texts], width


def _complex_texts(values: list[complex]) -> tuple[list[str], int]:
    """The same for complex numbers, whose real and imaginary parts line up separately."""
    reals, real_width = _float_texts([v.real for v in values])
    imags, imag_width = _float_texts([v.imag for v in values])
    texts = []
    for real, imag in zip(reals, imags):
        imag = imag.lstrip() + "j"
        texts.append(real + (imag if imag[0] in "+-" else "+" + imag))
    return texts, real_width + imag_width + 1


def _plain_texts(values: list[Any]) -> tuple[list[str], int]:
    """The same for integers and truth values."""
    texts = [str(v) for v in values]
    width = max(map(len, texts), default=1)
    return [text.rjust(width) for text in texts], width


def _rows(texts: Iterator[str], sizes: list[int], cut: list[bool], indent: int, per_line: int) -> str:
    """The bracketed text of an array; `cut` says in which dimensions an ellipsis stands in the middle."""
    edge = PRINT_OPTS.edgeitems
    if len(sizes) == 1:
        items = list(islice(texts, sizes[0]))
        if cut[0]:
            items.insert(edge, " ...") if edge else items.append("...")
        if len(items) <= per_line:
            return "[" + ", ".join(items) + "]"
        gap = ",\n" + " " * (indent + 1)
        return "[" + gap.join(", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)) + "]"
    parts = [_rows(texts, sizes[1:], cut[1:], indent + 1, per_line) for _ in range(sizes[0])]
    if cut[0]:
        parts.insert(edge, "...")
    return "[" + ("," + "\n" * (len(sizes) - 1) + " " * (indent + 1)).join(parts) + "]"


def _corners(tensor: Tensor) -> tuple[Tensor, list[bool]]:
    """The elements that a summarised print shows, and in which dimensions some were left out."""
    edge = PRINT_OPTS.edgeitems
    cut = [size > 2 * edge for size in tensor.shape]
    for dim, shortened in enumerate(cut):
        if shortened:
            size = tensor.shape[dim]
            ends = [tensor.narrow(dim, 0, edge), tensor.narrow(dim, size - edge, edge)]
            tensor = _C._VariableFunctions.cat(ends, dim)
    return tensor, cut


# Dtypes whose elements are no numbers are shown as the bits that they are.
_BYTES = {_C.bits16: _C.uint16, _C.qint32: _C.int32} | {
    getattr(_C, name): _C.uint8
    for name in "float4_e2m1fn_x2 bits1x8 bits2x4 bits4x2 bits8 qint8 quint8 quint4x2 quint2x4".split()
    + [f"{kind}{bits}" for kind in ("int", "uint") for bits in range(1, 8)]
}


def _tensor_str(self: Tensor, indent: int) -> str:
    """The bracketed values of a strided tensor that has elements."""
    dims = self.dim()
    if self.numel() > PRINT_OPTS.threshold and dims:
        shown, cut = _corners(self)
    else:
        shown, cut = self, [False] * dims
    nested = shown.view(_BYTES.get(shown.dtype, shown.dtype)).tolist()
    values = _flat(nested, dims) if dims else [nested]
    if self.is_complex():
        texts, width = _complex_texts(values)
    elif self.is_floating_point() and self.dtype not in _BYTES:
        texts, width = _float_texts(values)
    else:
        texts, width = _plain_texts(values)
    if not dims:
        return texts[0]
    per_line = max(1, (PRINT_OPTS.linewidth - indent - dims + 1) // (width + 2))
    return _rows(iter(texts), list(shown.shape), cut, indent, per_line)


def _add_suffixes(tensor_str: str, suffixes: list[str], indent: int, force_newline: bool) -> str:
    """Append `, suffix` for each, on a new line where the line would become too long, and close the parenthesis."""
    parts = [tensor_str]
    length = len(tensor_str) - tensor_str.rfind("\n") + 1
    for suffix in suffixes:
        if force_newline or length + len(suffix) + 2 > PRINT_OPTS.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            length = indent + len(suffix)
            force_newline = False
        else:
            parts.append(", " + suffix)
            length += len(suffix) + 2
    return "".join(parts) + ")"


def _grad_suffix(self: Tensor) -> str | None:
    """`grad_fn=<...>` or `requires_grad=True` where the tensor takes part in recording."""
    try:
        node = self.grad_fn
    except RuntimeError:
        return "grad_fn=<Invalid>"
    if node is not None:
        name = type(node).__name__
        if name == "CppFunction":
            name = node.name().rsplit("::", 1)[-1]
        return f"grad_fn=<{name}>"
    return "requires_grad=True" if self.requires_grad else None


def _is_plain(cls: type) -> bool:
    """Whether objects of the class print as `tensor(...)` rather than under the name of the class."""
    if cls is _C.Tensor:
        return True
    parameters = sys.modules.get("rushlight.nn.parameter")
    return parameters is not None and cls is getattr(parameters, "Parameter", None)


def _part(values: Tensor, name: str, indent: int) -> str:
    """The text of one component tensor of a sparse tensor."""
    start = f"{name}=tensor("
    if values.numel():
        return _add_suffixes(start + _tensor_str(values, indent + len(start)), [], indent, force_newline=False)
    return f"{start}[], size={tuple(values.shape)})"


def _sparse_parts(self: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Names and values of the tensors a sparse tensor consists of."""
    layout = str(self.layout)
    if layout == "torch.sparse_coo":
        yield "indices", self._indices().detach()
        yield "values", self._values().detach()
        return
    by_row = layout in ("torch.sparse_csr", "torch.sparse_bsr")
    yield ("crow_indices", self.crow_indices().detach()) if by_row else ("ccol_indices", self.ccol_indices().detach())
    yield ("col_indices", self.col_indices().detach()) if by_row else ("row_indices", self.row_indices().detach())
    yield "values", self.values().detach()


def _is_default_dtype(dtype: Any) -> bool:
    default = _C._VariableFunctions.get_default_dtype()
    if dtype in (default, _C.int64, _C.bool):
        return True
    return dtype == (_C.complex128 if default == _C.float64 else _C.complex64)


def _str_intern(inp: Tensor, tensor_contents: str | None = None) -> str:
    """The text of one tensor without its forward-mode tangent."""
    cls = type(inp)
    prefix = "tensor(" if _is_plain(cls) else cls.__name__ + "("
    indent = len(prefix)
    suffixes: list[str] = []
    device = inp.device
    layout = str(inp.layout)
    if device.type not in ("cpu", "meta"):
        suffixes.append(f"device='{device}'")
    elif device.type == "meta":
        suffixes.append("device='meta'")
    dtype = inp.dtype
    known = _is_default_dtype(dtype)
    newline = False
    if layout != "torch.strided":
        suffixes.append(f"size={tuple(inp.shape)}")
        suffixes.append(f"nnz={inp._nnz()}")
        if not known:
            suffixes.append(f"dtype={dtype}")
        if tensor_contents is None:
            parts = [_part(values, name, indent) for name, values in _sparse_parts(inp)]
            tensor_contents = (",\n" + " " * indent).join(parts)
            newline = layout == "torch.sparse_coo"
    elif device.type == "meta":
        suffixes.append(f"size={tuple(inp.shape)}")
        if dtype != _C._VariableFunctions.get_default_dtype():
            suffixes.append(f"dtype={dtype}")
        tensor_contents = tensor_contents or "..."
    elif inp.numel() == 0:
        if inp.dim() != 1:
            suffixes.append(f"size={tuple(inp.shape)}")
        if dtype != _C._VariableFunctions.get_default_dtype():
            suffixes.append(f"dtype={dtype}")
        tensor_contents = tensor_contents or "[]"
    else:
        if not PRINT_OPTS.edgeitems:
            suffixes.append(f"size={tuple(inp.shape)}")
        if not known:
            suffixes.append(f"dtype={dtype}")
        tensor_contents = tensor_contents or _tensor_str(inp, indent)
    if layout != "torch.strided":
        suffixes.append(f"layout={layout}")
    grad = _grad_suffix(inp)
    if grad is not None:
        suffixes.append(grad)
    return _add_suffixes(prefix + tensor_contents, suffixes, indent, force_newline=newline)


def _str(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """The text of a tensor, without recording anything."""
    level = _C._vmap_level_of(self)
    if level is not None:
        from textwrap import indent

        value = indent(_str(_C._vmap_value_of(self)), " " * 4)
        return f"BatchedTensor(lvl={_C._vmap_depth_of(level)}, bdim=0, value=\n{value}\n)"
    recording = _C.is_grad_enabled()
    _C._set_grad_enabled(False)
    try:
        forward_ad = sys.modules.get("rushlight.autograd.forward_ad")
        if forward_ad is not None and forward_ad._current_level >= 0:
            primal, tangent = forward_ad.unpack_dual(self)
            if tangent is not None:
                return f"{_str_intern(primal, tensor_contents)[:-1]}, tangent={_str_intern(tangent)})"
        return _str_intern(self, tensor_contents)
    finally:
        _C._set_grad_enabled(recording)
