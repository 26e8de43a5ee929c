"""ModuleBase: calls of a module and reads of its registered attributes.

The extension's class is used where it exists; the one here says in Python what it does.
"""

from __future__ import annotations

import rushlight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PythonModuleBase:
    """`__call__` and `__getattr__` of Module."""

    # True once a hook may run in a call: of this module, or of any.
    _hooked = False
    _every_call_hooked = False

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self._hooked or PythonModuleBase._every_call_hooked:
            return self._call_impl(*args, **kwargs)
        return self.forward(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        state = self.__dict__
        for key in ("_modules", "_parameters", "_buffers"):
            table = state.get(key)
            if table is not None and name in table:
                return table[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @staticmethod
    def _watch_all_calls() -> None:
        PythonModuleBase._every_call_hooked = True


if TYPE_CHECKING:
    ModuleBase = PythonModuleBase
else:
    ModuleBase = getattr(rushlight._C, "_ModuleBase", PythonModuleBase)
