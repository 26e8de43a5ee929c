"""Indexing and sorting in every shape, layout, dtype and form against NumPy."""

from __future__ import annotations

import index_table
import pytest
import sort_table
from calls import SETTINGS, check, operators
from hypothesis import given, strategies as st
from operands import Draw
from pointwise_rows import known

TABLE = known(index_table.TABLE | sort_table.TABLE)


@pytest.mark.parametrize("name", TABLE)
@SETTINGS
@given(data=st.data())
def test_operator_agrees_with_numpy(name: str, data: st.DataObject) -> None:
    check(name, TABLE[name], Draw(data))


def test_every_index_and_sort_operator_is_in_the_table() -> None:
    missing = [name for name, o in operators().items() if o.names and o.family in ("index", "sort") and name not in TABLE]
    assert not missing
