"""Settings of a compiler that is not there: any name can be set and keeps its value."""

from __future__ import annotations

import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ConfigModule(types.ModuleType):
    """A module of settings, None until set, that `patch` changes for a while."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def patch(self, *args: Any, **changes: Any) -> Any:
        """A context manager and decorator under which settings have other values."""
        from contextlib import contextmanager

        wanted = dict(args[0]) if args and isinstance(args[0], dict) else {}
        if len(args) == 2:
            wanted[args[0]] = args[1]
        wanted.update(changes)

        @contextmanager
        def changed() -> Any:
            before = {name: self.__dict__.get(name) for name in wanted}
            self.__dict__.update(wanted)
            try:
                yield
            finally:
                self.__dict__.update(before)

        return changed()

    def get_config_copy(self) -> dict[str, Any]:
        """The settings that were set."""
        return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}

    shallow_copy_dict = get_config_copy
