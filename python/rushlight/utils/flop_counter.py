"""Floating point operations of a program, counted by the shapes that its products and convolutions get."""

from __future__ import annotations

import functools
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from rushlight._ops import OpOverloadPacket, _Ops
from rushlight.profiler import _observers

from ._pytree import tree_leaves
from .module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "flop_registry", "register_flop_formula"]

_Shape = Sequence[int]
_Formula = Callable[..., int]

aten = _Ops("torch.ops").aten
flop_registry: dict[OpOverloadPacket, _Formula] = {}


def register_flop_formula(targets: Any, get_raw: bool = False) -> Callable[[_Formula], _Formula]:
    """Decorate a formula, which counters then use for an operator of `torch.ops.aten`, or for several.

    A formula gets the shapes of the operator's tensors and then, where the operator tells them,
    its other arguments, and as `out_shape` that of the result (a list of several); [] stands for a
    tensor that is absent. Raises ValueError for what is no such operator, RuntimeError for one that
    has a formula, NotImplementedError with `get_raw`: formulas see shapes, not tensors.

    >>> from rushlight import ops, ones
    >>> @register_flop_formula(ops.aten.erfinv)
    ... def erfinv_flop(shape, *args, out_shape=None, **kwargs):
    ...     return 20 * prod(shape)
    >>> with FlopCounterMode(display=False) as counter:
    ...     y = ones(3).erfinv()
    >>> counter.get_total_flops()
    60
    >>> formula = flop_registry.pop(ops.aten.erfinv)
    """
    if get_raw:
        raise NotImplementedError("register_flop_formula(get_raw=True): formulas see shapes, not tensors")

    def register(formula: _Formula) -> _Formula:
        for target in tree_leaves(targets):
            _check_target(target, "register_flop_formula(targets)")
            if target in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[target] = formula
        return formula

    return register


def _check_target(target: Any, where: str) -> None:
    if not isinstance(target, OpOverloadPacket) or target.namespace != "aten":
        raise ValueError(
            f"{where}: expected each target to be OpOverloadPacket of torch.ops.aten (i.e. torch.ops.aten.mm), "
            f"got {target} which is of type {type(target)}"
        )


@register_flop_formula([aten.mm, aten._scaled_mm])
def mm_flop(a_shape: _Shape, b_shape: _Shape, *args: Any, **kwargs: Any) -> int:
    """Of a product (M, K) x (K, N): a multiplication and an addition for each of M K N terms."""
    (m, k), (_, n) = a_shape, b_shape
    return m * n * 2 * k


@register_flop_formula(aten.addmm)
def addmm_flop(self_shape: _Shape, a_shape: _Shape, b_shape: _Shape, *args: Any, **kwargs: Any) -> int:
    """Of the product alone."""
    return mm_flop(a_shape, b_shape)


@register_flop_formula(aten.bmm)
def bmm_flop(a_shape: _Shape, b_shape: _Shape, *args: Any, **kwargs: Any) -> int:
    """Of a product of (B, M, K) and (B, K, N)."""
    (b, m, k), (_, _, n) = a_shape, b_shape
    return b * m * n * 2 * k


@register_flop_formula(aten.baddbmm)
def baddbmm_flop(self_shape: _Shape, a_shape: _Shape, b_shape: _Shape, *args: Any, **kwargs: Any) -> int:
    """Of the product alone."""
    return bmm_flop(a_shape, b_shape)


def conv_flop_count(x_shape: _Shape, w_shape: _Shape, out_shape: _Shape, transposed: bool = False) -> int:
    """Of a convolution (N, C, ...) with weights: each number of `w_shape` once for each point.

    Points are those of the output, of a transposed convolution those of the input.
    """
    points = (x_shape if transposed else out_shape)[2:]
    return prod(points) * prod(w_shape) * x_shape[0] * 2


@register_flop_formula(aten.convolution)
def conv_flop(
    x_shape: _Shape,
    w_shape: _Shape,
    _bias: Any,
    _stride: Any,
    _padding: Any,
    _dilation: Any,
    transposed: bool,
    *args: Any,
    out_shape: _Shape = (),
    **kwargs: Any,
) -> int:
    """Of a convolution; padding counts, the bias does not."""
    return conv_flop_count(x_shape, w_shape, out_shape, transposed)


def _swapped(shape: _Shape) -> list[int]:
    return [shape[1], shape[0], *shape[2:]]


@register_flop_formula(aten.convolution_backward)
def conv_backward_flop(
    grad_out_shape: _Shape,
    x_shape: _Shape,
    w_shape: _Shape,
    _bias: Any,
    _stride: Any,
    _padding: Any,
    _dilation: Any,
    transposed: bool,
    _output_padding: Any,
    _groups: int,
    output_mask: Sequence[bool],
    **kwargs: Any,
) -> int:
    """Of the gradients that `output_mask` asks for, each of which is a convolution, too.

    That of the input turns direction; that of the weights has batch and channels exchanged.
    """
    count = 0
    if output_mask[0]:
        count += conv_flop_count(grad_out_shape, w_shape, x_shape, not transposed)
    if output_mask[1]:
        over, by = (grad_out_shape, x_shape) if transposed else (x_shape, grad_out_shape)
        count += conv_flop_count(_swapped(over), _swapped(by), _swapped(w_shape))
    return count


def sdpa_flop_count(query_shape: _Shape, key_shape: _Shape, value_shape: _Shape) -> int:
    """Of attention (B, H, L, D): the scores, and their product with the values."""
    (b, h, s_q, d_q), s_k, d_v = query_shape, key_shape[-2], value_shape[-1]
    scores = bmm_flop((b * h, s_q, d_q), (b * h, d_q, s_k))
    return scores + bmm_flop((b * h, s_q, s_k), (b * h, s_k, d_v))


@register_flop_formula(aten._scaled_dot_product_flash_attention_for_cpu)
def sdpa_flop(query_shape: _Shape, key_shape: _Shape, value_shape: _Shape, *args: Any, **kwargs: Any) -> int:
    """Of attention in one kernel; what a causal mask saves is not taken off."""
    return sdpa_flop_count(query_shape, key_shape, value_shape)


def sdpa_backward_flop(
    grad_out_shape: _Shape, query_shape: _Shape, key_shape: _Shape, value_shape: _Shape, *args: Any, **kwargs: Any
) -> int:
    """Of its backward pass: the scores again, and two products for each of those of the forward pass."""
    forward = sdpa_flop_count(query_shape, key_shape, value_shape)
    b, h, s_q, d_q = query_shape
    return 2 * forward + bmm_flop((b * h, s_q, d_q), (b * h, d_q, key_shape[-2]))


def _never(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("only the backward pass calls this operator")


_ATTENTION_BACKWARD = OpOverloadPacket("aten", "_scaled_dot_product_flash_attention_for_cpu_backward", _never)
flop_registry[_ATTENTION_BACKWARD] = sdpa_backward_flop

# Operators of the library that PyTorch calls otherwise: with a factor that is read transposed.
_TRANSPOSING = {"_mm_nt": (aten.mm, 1), "_addmm_nt": (aten.addmm, 2)}

_SUFFIXES = ("", "K", "M", "B", "T")


def _in_units(count: int, total: int) -> str:
    """The count in the unit that leaves `total` two to four digits before the point."""
    power = max(0, min(len(_SUFFIXES) - 1, (len(str(total)) - 2) // 3))
    return f"{count / 1000**power:.3f}{_SUFFIXES[power]}"


def _table(header: Sequence[str], rows: list[list[str]]) -> str:
    """Text columns, the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in [list(header), *rows]) for i in range(len(header))]
    lines = [list(header), ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:]))]).rstrip()
        for line in lines
    )


class FlopCounterMode:
    """A context that counts floating point operations of products, convolutions and attention.

    Counted are the operators of the calling thread that `flop_registry` or `custom_mapping` (from
    an operator of `torch.ops.aten` to its formula) knows, by the modules that run them, those of
    backward passes included. Layers with kernels of their own (recurrent ones) and tangents of
    forward mode are not counted. With `display` a table of modules down to `depth` is printed.

    >>> import rushlight
    >>> with FlopCounterMode(display=False) as counter:
    ...     y = rushlight.nn.Linear(3, 4, bias=False)(rushlight.ones(5, 3)).sum().backward()
    >>> counter.get_total_flops()
    240
    >>> print(counter.get_table())
    Module         FLOP  % Total
    ----------  -------  -------
    Linear      240.000  100.00%
     - aten.mm  240.000  100.00%
    """

    def __init__(
        self,
        mods: Any = None,
        depth: int = 2,
        display: bool = True,
        custom_mapping: dict[Any, _Formula] | None = None,
    ) -> None:
        if mods is not None:
            warnings.warn("mods argument is not needed anymore, you can stop passing it", stacklevel=2)
        self.flop_counts: dict[str, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        self.depth = depth
        self.display = display
        for target in custom_mapping or {}:
            _check_target(target, "FlopCounterMode(custom_mapping)")
        self.flop_registry = {**flop_registry, **(custom_mapping or {})}
        self.mod_tracker = ModuleTracker()
        self._by_name: dict[str, tuple[OpOverloadPacket, int | None]] = {}
        # Operators that run, outermost first: name, shapes, other arguments, whether one inside was counted.
        self._open: list[list[Any]] = []

    def get_total_flops(self) -> int:
        """Of everything."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """By module name, then by operator."""
        return {module: dict(counts) for module, counts in self.flop_counts.items()}

    def _rows(self, module: str, indent: str) -> list[list[str]]:
        total, counts = self.get_total_flops(), self.flop_counts[module]
        named = [(indent + module, sum(counts.values())), *((f"{indent} - {op}", n) for op, n in counts.items())]
        return [[name, _in_units(n, total), f"{n / total:.2%}" if total else "0%"] for name, n in named]

    def get_table(self, depth: int | None = None) -> str:
        """A row for each module down to `depth`, and for each of its operators.

        What no module accounts for alone is in the rows of "Global", which come first.
        """
        depth = self.depth if depth is None else depth
        modules = [name for name in sorted(self.flop_counts) if name != "Global" and name.count(".") < depth]
        total = self.get_total_flops()
        covered = any(sum(self.flop_counts[name].values()) >= total for name in modules)
        indent = "" if covered else " "
        rows = [row for name in modules for row in self._rows(name, indent + " " * name.count("."))]
        if not covered and self.flop_counts["Global"]:
            rows = [*self._rows("Global", ""), *rows]
        return _table(("Module", "FLOP", "% Total"), rows or [["Global", "0", "0%"]])

    def __enter__(self) -> FlopCounterMode:
        self.flop_counts.clear()
        self._open.clear()
        self._by_name = {packet.__name__: (packet, None) for packet in self.flop_registry}
        for name, (packet, transposed) in _TRANSPOSING.items():
            self._by_name[name] = (packet, transposed)
        self.mod_tracker.__enter__()
        self._observer = functools.partial(FlopCounterMode._see, self)
        _observers.add(self._observer, True)
        return self

    def __exit__(self, *exc: object) -> None:
        _observers.remove(self._observer)
        self.mod_tracker.__exit__(*exc)
        if self.display:
            print(self.get_table(self.depth))

    def _see(self, name: str, start: bool, shapes: list[Any], parameters: Sequence[Any]) -> None:
        if start:
            self._open.append([name, shapes, parameters, False])
            return
        if not self._open or self._open[-1][0] != name:
            return  # began before the context
        _, inputs, parameters, counted = self._open.pop()
        found = self._by_name.get(name)
        # An operator that ran another one that counts (for a batch of vmap, say) did its work by that.
        if found is not None and shapes and not counted:
            packet, transposed = found
            if transposed is not None:
                inputs = [shape[::-1] if i == transposed else shape for i, shape in enumerate(inputs)]
            out_shape = shapes[0] if len(shapes) == 1 else shapes
            flops = self.flop_registry[packet](*inputs, *parameters, out_shape=out_shape)
            for module in self.mod_tracker.parents:
                self.flop_counts[module][packet] += flops
            counted = True
        if counted and self._open:
            self._open[-1][3] = True
