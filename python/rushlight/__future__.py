"""Switches of behaviour to come (`torch.__future__`)."""

from __future__ import annotations

_overwrite = False
_swap = False


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """Whether `Module.to` puts new parameters in the place of the old ones instead of changing `.data`."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion() -> bool:
    """The setting."""
    return _overwrite


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Whether `Module.to` and `load_state_dict` swap parameters with `swap_tensors`."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion() -> bool:
    """The setting."""
    return _swap
