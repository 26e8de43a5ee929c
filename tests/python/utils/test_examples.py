"""The examples in the documentation of the Python packages."""

import doctest
import importlib
import pkgutil

import pytest

PACKAGES = (
    "amp",
    "distributions",
    "multiprocessing",
    "optim",
    "profiler",
    "testing",
    "utils",
)


def modules():
    for name in PACKAGES:
        package = importlib.import_module(f"rushlight.{name}")
        yield package.__name__
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            yield module.name


@pytest.mark.parametrize("name", list(modules()))
def test_examples(name):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.testmod(importlib.import_module(name), optionflags=flags).failed == 0
