"""`install()` makes `import torch` mean rushlight, for programs that must run unmodified.

Every `torch.x.y` is the module `rushlight.x.y` itself, imported when first asked for, so both names share all state.
From then on classes and functions say that they are of `torch.x.y`: programs print types, and compare where they come from.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

PYTORCH_VERSION = "2.13.0"
"""The PyTorch release whose behaviour rushlight follows."""

_OWN = __package__


class _Alias(importlib.abc.Loader):
    """Answers the import of `torch.x` with the module `rushlight.x`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = importlib.import_module(self.name)
        self.kept = module.__spec__, module.__dict__.get("__loader__")
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__, module.__loader__ = self.kept  # the import system had put those of the alias there

    def get_code(self, fullname: str) -> Any:
        """The code of the module, for `python -m torch.x`."""
        spec = importlib.util.find_spec(self.name)
        return None if spec is None else spec.loader.get_code(self.name)  # type: ignore[union-attr]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds `torch` and everything below it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top, _, rest = fullname.partition(".")
        if top == "functorch":  # the package of this name came with PyTorch
            name = f"{_OWN}.{fullname}"
        elif top == "torch":
            name = f"{_OWN}.{rest}" if rest else str(_OWN)
        else:
            return None
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            return None
        if found is None:
            return None
        spec = importlib.machinery.ModuleSpec(
            fullname, _Alias(name), origin=found.origin, is_package=found.submodule_search_locations is not None
        )
        if found.submodule_search_locations is not None:
            spec.submodule_search_locations = list(found.submodule_search_locations)
        return spec

    def find_distributions(self, context: Any = None) -> list[Any]:
        """What `importlib.metadata.version("torch")` looks at; libraries decide by it whether PyTorch is there."""
        name = getattr(context, "name", None)
        if name is None or name.lower() != "torch":
            return []
        from importlib.metadata import Distribution

        class _Torch(Distribution):
            def read_text(self, filename: str) -> str | None:
                if filename != "METADATA":
                    return None
                return f"Metadata-Version: 2.1\nName: torch\nVersion: {PYTORCH_VERSION}+rushlight\n"

            def locate_file(self, path: Any) -> Any:
                return path

        return [_Torch()]


def _public(name: str) -> str:
    return "torch" + name[len(_OWN) :]


def _name_contents(module: ModuleType) -> None:
    """Let what a module of ours defines say that it is of the module's namesake in `torch`."""
    sys.modules.setdefault(_public(module.__name__), module)  # inspect, dataclasses and typing look modules up there
    for value in list(vars(module).values()):
        if isinstance(value, (type, FunctionType)):
            home = value.__module__
            if isinstance(home, str) and home.partition(".")[0] == _OWN:
                try:
                    value.__module__ = _public(home)
                except (AttributeError, TypeError):
                    pass  # a type of the extension that cannot be changed


class _NamingLoader(importlib.machinery.SourceFileLoader):
    """Loads a module of ours whose contents then bear the names of `torch`."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _name_contents(module)


class _NamingFinder(importlib.abc.MetaPathFinder):
    """Finds the modules of ours that are imported later than `install()` was called."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != _OWN:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            spec.loader = _NamingLoader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Let `import torch`, anywhere in this process from now on, give rushlight; RuntimeError when PyTorch is loaded.

    `torch.__version__` then names the PyTorch release that rushlight follows, because programs compare it.
    """
    loaded = sys.modules.get("torch")
    own = importlib.import_module(_OWN)
    if loaded is own:
        return
    if loaded is not None:
        raise RuntimeError(
            "rushlight.compat.install: PyTorch itself is already imported in this process; call install() first"
        )
    sys.meta_path[:0] = [_Finder(), _NamingFinder()]
    importlib.import_module("torch")
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == _OWN and name not in (__name__, f"{_OWN}.__main__"):
            _name_contents(module)
    results = own._C._return_types
    results._home = _public(f"{_OWN}.return_types")
    _name_contents(results)
    from . import torch_version, version

    text = f"{PYTORCH_VERSION}+rushlight"
    own.__version__ = torch_version.__version__ = torch_version.TorchVersion(text)  # type: ignore[attr-defined]
    version.__version__ = text


def is_installed() -> bool:
    """Whether `import torch` means rushlight."""
    return sys.modules.get("torch") is sys.modules[_OWN]
