"""Pointwise operators in every shape, layout, dtype and form against NumPy and SciPy."""

from __future__ import annotations

import activation_table
import comparison_table
import pointwise_table
import pytest
import special_table
from calls import SETTINGS, Case, check, operators
from hypothesis import given, strategies as st
from operands import Draw
from pointwise_rows import known


def table() -> dict[str, Case]:
    """Every case of the pointwise tables; other names of an operator share its case."""
    cases = pointwise_table.POINTWISE | activation_table.ACTIVATION | special_table.SPECIAL
    cases |= comparison_table.COMPARISON | comparison_table.CHOICES
    aliases = pointwise_table.ALIASES | special_table.ALIASES | comparison_table.NUMBER_ALIASES
    cases |= {alias: cases[name] for alias, name in aliases.items()}
    for alias, name in comparison_table.ALIASES.items():
        cases |= dict.fromkeys((f"{alias}.Tensor", f"{alias}.Scalar"), cases[f"{name}.Tensor"])
    return known(cases)


TABLE = table()


@pytest.mark.parametrize("name", TABLE)
@SETTINGS
@given(data=st.data())
def test_operator_agrees_with_numpy(name: str, data: st.DataObject) -> None:
    check(name, TABLE[name], Draw(data))


def test_every_pointwise_operator_is_in_the_table() -> None:
    missing = [name for name, o in operators().items() if o.names and (o.kind == "pointwise" or o.family in ("pointwise", "special", "activation")) and name not in TABLE.keys() | {"special_logsumexp"}]
    assert not missing
