"""Reductions and scans in every shape, layout, dtype and form against NumPy."""

from __future__ import annotations

import pytest
import reduce_table
import scan_table
from calls import SETTINGS, check, operators
from hypothesis import given, strategies as st
from operands import Draw
from pointwise_rows import known

TABLE = known(reduce_table.TABLE | scan_table.TABLE)


@pytest.mark.parametrize("name", TABLE)
@SETTINGS
@given(data=st.data())
def test_operator_agrees_with_numpy(name: str, data: st.DataObject) -> None:
    check(name, TABLE[name], Draw(data))


def test_every_reduction_and_scan_is_in_the_table() -> None:
    elsewhere = {"max.other", "min.other"}  # pointwise
    missing = [name for name, o in operators().items() if o.names and o.family in ("reduce", "scan") and name not in TABLE.keys() | elsewhere]
    assert not missing
