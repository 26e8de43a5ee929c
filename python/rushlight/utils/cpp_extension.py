"""C++ extensions of PyTorch cannot be built here: they need PyTorch's own headers and libraries.

Extensions for this library are ordinary CMake projects that use its C++ interface.
"""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = [
    "BuildExtension",
    "CUDAExtension",
    "CppExtension",
    "include_paths",
    "load",
    "load_inline",
]

CUDA_HOME = None
CUDNN_HOME = None
HIP_HOME = None
ROCM_HOME = None
IS_HIP_EXTENSION = False


def _refuse(name: str) -> NoReturn:
    raise RuntimeError(
        f"{name}: extensions written for PyTorch's C++ interface cannot be compiled or loaded "
        "here; build them against <rushlight/rushlight.h> with CMake (find_package(rushlight))"
    )


def load(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises RuntimeError."""
    _refuse("load")


def load_inline(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises RuntimeError."""
    _refuse("load_inline")


def CppExtension(*args: Any, **kwargs: Any) -> NoReturn:  # noqa: N802
    """Raises RuntimeError."""
    _refuse("CppExtension")


def CUDAExtension(*args: Any, **kwargs: Any) -> NoReturn:  # noqa: N802
    """Raises RuntimeError."""
    _refuse("CUDAExtension")


def SyclExtension(*args: Any, **kwargs: Any) -> NoReturn:  # noqa: N802
    """Raises RuntimeError."""
    _refuse("SyclExtension")


def include_paths(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises RuntimeError."""
    _refuse("include_paths")


def library_paths(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises RuntimeError."""
    _refuse("library_paths")


class BuildExtension:
    """Raises RuntimeError when a build is started with it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse("BuildExtension")

    @classmethod
    def with_options(cls, **options: Any) -> type[BuildExtension]:
        """Accepted; the build raises."""
        return cls


def is_ninja_available() -> bool:
    """False: nothing is built here."""
    return False
