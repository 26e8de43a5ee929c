"""`rearrange`: reshape and permute a tensor as a pattern of axis names says."""

from __future__ import annotations

import math
import re

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import Tensor

_DOTS = "…"


def _groups(side: str) -> list[list[str] | tuple[str, ...]]:
    """The dimensions of one side of a pattern: in brackets a list of names, else a tuple; one of size 1 has no names."""
    if "." in side:
        if side.count("...") != 1 or side.count(".") != 3:
            raise ValueError(f"Expression may contain dots only inside ellipsis (...), and one ellipsis: {side!r}")
        side = side.replace("...", _DOTS)
    groups: list[list[str] | tuple[str, ...]] = []
    bracket: list[str] | None = None
    for token in re.findall(r"\w+|\S", side):
        if token == "(":
            if bracket is not None:
                raise ValueError("Axis composition is one-level (brackets inside brackets not allowed)")
            bracket = []
        elif token == ")":
            if bracket is None:
                raise ValueError("Brackets are not balanced")
            groups.append(bracket)
            bracket = None
        else:
            names = () if token == "1" else (_checked(token),)
            if bracket is None:
                groups.append(names)
            else:
                bracket += names
    if bracket is not None:
        raise ValueError(f"Imbalanced parentheses in expression: {side!r}")
    return groups


def _checked(name: str) -> str:
    if name.isdecimal():
        raise ValueError("rearrange only supports unnamed axes of size 1")
    if name != _DOTS and not re.fullmatch(r"\w+", name):
        raise ValueError(f"Unknown character {name!r}")
    if name != _DOTS and (not name.isidentifier() or name.startswith("_") or name.endswith("_")):
        raise ValueError(f"Invalid axis identifier: {name}")
    return name


def _parsed(pattern: str, given: dict[str, int]) -> list[list[list[str] | tuple[str, ...]]]:
    """Both sides of a pattern, checked against each other and against the lengths that are given."""
    if pattern.count("->") != 1:
        raise ValueError("Pattern must contain a single '->' separator")
    sides = [_groups(side) for side in pattern.split("->")]
    names = [[name for group in side for name in group] for side in sides]
    for side in names:
        for name in side:
            if side.count(name) > 1:
                raise ValueError(f"Indexing expression contains duplicate dimension {name!r}")
    if _DOTS in names[1] and _DOTS not in names[0]:
        raise ValueError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if any(_DOTS in group for group in sides[0] if isinstance(group, list)):
        raise ValueError(f"Ellipsis is parenthesis in the left side is not allowed: {pattern}")
    if alone := set(names[0]) ^ set(names[1]):
        raise ValueError(f"Identifiers only on one side of rearrange expression (should be on both): {alone}")
    if unknown := given.keys() - set(names[0]):
        raise ValueError(f"Identifiers not found in rearrange expression: {unknown}")
    return sides


def _lengths(group: list[str] | tuple[str, ...], size: int, given: dict[str, int]) -> list[int]:
    """The length of each axis of a group, whose product is `size`; one of them may be unknown."""
    unknown = [name for name in group if name not in given]
    known = math.prod(given[name] for name in group if name in given)
    if len(unknown) > 1:
        raise RuntimeError(f"cannot infer the sizes of {len(unknown)} dimensions at once {tuple(unknown)}")
    if unknown and (known == 0 or size % known):
        raise RuntimeError(f"inferred dimension does not evenly fit into larger dimension: {size} vs {known}")
    if not unknown and known != size:
        raise RuntimeError(
            f"Dimension sizes do not match ({size} != {known}) when matching dimensions ({' '.join(group)})"
        )
    return [given.get(name, size // max(known, 1)) for name in group]


def rearrange(tensor: Tensor | list[Tensor] | tuple[Tensor, ...], pattern: str, **axes_lengths: int) -> Tensor:
    """Reorder, split and join dimensions: `pattern` names those of `tensor`, then those of the result.

    Names in brackets are factors of one dimension, `axes_lengths` gives the length of all but one of them; `...` stands
    for any number of dimensions, `1` or `()` for one of one element. Several tensors are stacked first. The notation is
    that of einops (Rogozhnikov, ICLR 2022).

    >>> import rushlight as torch
    >>> torch.func.rearrange(torch.zeros(32, 30, 40, 3), "b (h1 h) (w1 w) c -> (b h1 w1) h w c", h1=2, w1=2).shape
    torch.Size([128, 15, 20, 3])
    """
    x: Tensor = tensor if isinstance(tensor, _C.Tensor) else _C._VariableFunctions.stack(tensor)
    left, right = _parsed(pattern, axes_lengths)
    alone = (_DOTS,)
    named = len(left) - left.count(alone)
    if x.ndim < named or (x.ndim > named and alone not in left):
        raise ValueError(
            f"Number of dimensions in pattern ({named}) must be {'less than or ' if alone in left else ''}equal to the "
            f"number of dimensions in the tensor ({x.ndim})"
        )
    dots = [f"{_DOTS}{i}" for i in range(x.ndim - named)]  # the dimensions that the ellipsis stands for

    def spread(side: list[list[str] | tuple[str, ...]]) -> list[list[str]]:
        groups: list[list[str]] = []
        for group in side:
            each = [name for axis in group for name in (dots if axis == _DOTS else [axis])]
            groups += [[name] for name in each] if group == alone else [each]
        return groups

    sizes: dict[str, int] = {}
    for group, size in zip(spread(left), x.shape):
        sizes |= zip(group, _lengths(group, size, axes_lengths))
    names, joined = list(sizes), spread(right)
    parts = x.reshape([sizes[name] for name in names]).permute([names.index(n) for group in joined for n in group])
    return parts.reshape([math.prod(sizes[name] for name in group) for group in joined])
