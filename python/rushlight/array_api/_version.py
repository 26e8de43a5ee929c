"""The version of the array API standard, and the answer of `Tensor.__array_namespace__`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

__array_api_version__ = "2025.12"
_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def namespace(api_version: str | None = None) -> ModuleType:
    """The namespace that follows the standard of that version; later versions hold all functions of those before."""
    if api_version is not None and api_version not in _VERSIONS:
        raise ValueError(
            f"__array_namespace__: unsupported array API version {api_version!r}; the known ones are {_VERSIONS}"
        )
    if api_version in (None, __array_api_version__):
        from .. import array_api

        return array_api
    from . import _until_2024

    return _until_2024
