"""Movement of elements in every shape, layout, dtype and form against NumPy."""

from __future__ import annotations

import pytest
from calls import SETTINGS, check, operators
from hypothesis import given, strategies as st
from operands import Draw
from pointwise_rows import known
from shape_table import ELSEWHERE, TABLE

known(TABLE)


@pytest.mark.parametrize("name", TABLE)
@SETTINGS
@given(data=st.data())
def test_operator_agrees_with_numpy(name: str, data: st.DataObject) -> None:
    check(name, TABLE[name], Draw(data))


def test_every_movement_is_in_the_table() -> None:
    missing = [name for name, o in operators().items() if o.names and o.family == "shape" and name not in TABLE.keys() | ELSEWHERE]
    assert not missing
