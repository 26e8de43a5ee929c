"""The examples in docstrings of the Python package run; they may name `rushlight` and whatever their file defines."""

import doctest
import importlib
import pkgutil

import pytest
import rushlight

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
# Not modules, or modules that do something when they are imported.
_LEFT_OUT = ("rushlight.__main__", "rushlight._alias", "rushlight._C", "rushlight.lib")


def modules() -> list[str]:
    found = [module.name for module in pkgutil.walk_packages(rushlight.__path__, "rushlight.")]
    return ["rushlight", *(name for name in found if not name.startswith(_LEFT_OUT))]


@pytest.mark.parametrize("name", modules())
def test_examples(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=FLAGS, extraglobs={"rushlight": rushlight}).failed == 0


def test_there_are_examples():
    found = doctest.DocTestFinder().find(importlib.import_module("rushlight.nn.functional"))
    assert any(test.examples for test in found)
