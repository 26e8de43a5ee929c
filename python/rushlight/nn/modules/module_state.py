"""Saving a module's tensors to a state dictionary and loading them back."""

from __future__ import annotations

import warnings
from collections import OrderedDict

import rushlight
from rushlight import Tensor

from ..parameter import Parameter, is_lazy
from .hooks import HookTable, WrappedHook, register

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from rushlight.utils.hooks import RemovableHandle

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"


class IncompatibleKeys(tuple[list[str], list[str]]):
    """The pair (missing_keys, unexpected_keys) that `load_state_dict` returns."""

    __slots__ = ()
    _fields = ("missing_keys", "unexpected_keys")

    def __new__(cls, missing_keys: list[str], unexpected_keys: list[str]) -> IncompatibleKeys:
        return tuple.__new__(cls, (missing_keys, unexpected_keys))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    @property
    def missing_keys(self) -> list[str]:
        """Keys of the module that the dictionary lacks."""
        return self[0]

    @property
    def unexpected_keys(self) -> list[str]:
        """Keys of the dictionary that the module lacks."""
        return self[1]

    def __repr__(self) -> str:
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"{type(self).__name__}(missing_keys={self[0]}, unexpected_keys={self[1]})"

    __str__ = __repr__


class _IncompatibleKeys(IncompatibleKeys):
    __slots__ = ()


class ModuleState:
    """The part of Module that saves and loads."""

    _version: int = 1
    _state_dict_hooks = HookTable(called=False)
    _state_dict_pre_hooks = HookTable(called=False)
    _load_state_dict_pre_hooks = HookTable(called=False)
    _load_state_dict_post_hooks = HookTable(called=False)

    if TYPE_CHECKING:
        _parameters: dict[str, Any]
        _buffers: dict[str, Any]
        _modules: dict[str, Any]
        _non_persistent_buffers_set: set[str]

    def get_extra_state(self) -> Any:
        """Overridden: returns what to save beside parameters and buffers."""
        raise RuntimeError(
            "Module.get_extra_state: this class does not define extra state; override "
            "get_extra_state and set_extra_state together."
        )

    def set_extra_state(self, state: Any) -> None:
        """Overridden: takes back what `get_extra_state` returned."""
        raise RuntimeError(
            "Module.set_extra_state: this class does not define extra state; override "
            "get_extra_state and set_extra_state together."
        )

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was "
                "previously registered via register_state_dict_post_hook"
            )
        return register(self._state_dict_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook(module, state_dict, prefix, local_metadata)` after `state_dict`."""
        hook._from_public_api = True  # type: ignore[attr-defined]
        return register(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook(module, prefix, keep_vars)` before `state_dict`."""
        return register(self._state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], with_module: bool = False
    ) -> RemovableHandle:
        wrapped = WrappedHook(hook, self if with_module else None)
        return register(self._load_state_dict_pre_hooks, wrapped)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook` before this module loads.

        Its arguments: module, state_dict, prefix, local_metadata, strict, missing_keys,
        unexpected_keys, error_msgs.
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook(module, incompatible_keys)` after `load_state_dict`."""
        return register(self._load_state_dict_post_hooks, hook)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, param in self._parameters.items():
            if param is not None:
                destination[prefix + name] = param if keep_vars else param.detach()
        for name, buf in self._buffers.items():
            if buf is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buf if keep_vars else buf.detach()
        if type(self).get_extra_state is not ModuleState.get_extra_state:
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """All parameters and persistent buffers by name, sharing memory with the module.

        Args:
            destination: dictionary to add to; a new one when omitted.
            prefix: put before every name.
            keep_vars: keep the tensors themselves instead of detached views of them.

        >>> list(rushlight.nn.Linear(2, 3).state_dict())
        ['weight', 'bias']
        """
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead: "
                "state_dict(destination=..., prefix=..., keep_vars=...).",
                FutureWarning,
                stacklevel=2,
            )
            if destination is None:
                destination = args[0]
            if len(args) > 1 and prefix == "":
                prefix = args[1]
            if len(args) > 2 and keep_vars is False:
                keep_vars = args[2]
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()

        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        own = self.__dict__
        for hook in tuple(own.get("_state_dict_pre_hooks", {}).values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars
                )
        for hook in tuple(own.get("_state_dict_hooks", {}).values()):
            result = hook(self, destination, prefix, local_metadata)
            if result is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = result
        return destination

    def _load_tensor(
        self, name: str, current: Any, key: str, value: Any, assign: bool, errors: list[str]
    ) -> None:
        """Takes one tensor over from a state dictionary, or says why it cannot."""
        if not isinstance(value, Tensor):
            errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or '
                f"Tensor-like object from checkpoint but received {type(value)}"
            )
            return
        lazy = is_lazy(current)
        if not lazy:
            # Checkpoints of early versions hold scalars as tensors of one element.
            if current.dim() == 0 and value.dim() == 1 and value.shape[0] == 1:
                value = value[0]
            if value.shape != current.shape:
                errors.append(
                    f"size mismatch for {key}: copying a param with shape {value.shape} from "
                    f"checkpoint, the shape in current model is {current.shape}."
                )
                return
            if current.is_meta and not value.is_meta and not assign:
                warnings.warn(
                    f"for {key}: copying from a non-meta parameter in the checkpoint to a meta "
                    "parameter in the current model, which is a no-op. (Did you mean to pass "
                    "`assign=True` to assign items in the state dictionary to their "
                    "corresponding key in the module instead of copying them in place?)",
                    stacklevel=4,
                )
        try:
            with rushlight.no_grad():
                if not assign:
                    current.copy_(value)
                elif isinstance(current, Parameter):
                    if isinstance(value, Parameter):
                        value.requires_grad_(current.requires_grad)
                    else:
                        value = Parameter(value, requires_grad=current.requires_grad)
                    setattr(self, name, value)
                else:
                    setattr(self, name, value)
        except Exception as error:
            shape = value.size() if lazy else current.size()
            errors.append(
                f'While copying the parameter named "{key}", whose dimensions in the model are '
                f"{shape} and whose dimensions in the checkpoint are {value.size()}, an "
                f"exception occurred : {error.args}."
            )

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Loads this module's own tensors; submodules follow separately."""
        for hook in tuple(self.__dict__.get("_load_state_dict_pre_hooks", {}).values()):
            hook(
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        hidden = self._non_persistent_buffers_set
        expected = {name: param for name, param in self._parameters.items() if param is not None}
        for name, buf in self._buffers.items():
            if buf is not None and name not in hidden:
                expected[name] = buf
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, current in expected.items():
            key = prefix + name
            if key in state_dict:
                self._load_tensor(name, current, key, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)

        extra_key = prefix + _EXTRA_STATE_KEY_SUFFIX
        if type(self).set_extra_state is not ModuleState.set_extra_state:
            if extra_key in state_dict:
                self.set_extra_state(state_dict[extra_key])
            elif strict:
                missing_keys.append(extra_key)
        elif strict and extra_key in state_dict:
            unexpected_keys.append(extra_key)

        if strict:
            for key in state_dict:
                if not key.startswith(prefix) or key == extra_key:
                    continue
                name, dot, _ = key[len(prefix) :].partition(".")
                if name not in (self._modules if dot else expected):
                    unexpected_keys.append(key)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Copies the tensors of `state_dict` into this module and its submodules.

        Args:
            state_dict: tensors by name, as `state_dict()` returns them.
            strict: raise RuntimeError if names differ.
            assign: put the given tensors into the module instead of copying their values.

        >>> layer = rushlight.nn.Linear(2, 3)
        >>> layer.load_state_dict(rushlight.nn.Linear(2, 3).state_dict())
        <All keys matched successfully>
        """
        if not hasattr(state_dict, "keys") or not hasattr(state_dict, "__getitem__"):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing_keys: list[str] = []
        unexpected_keys: list[str] = []
        error_msgs: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        entries = OrderedDict(state_dict)
        if metadata is not None:
            entries._metadata = metadata  # type: ignore[attr-defined]

        def load(module: Any, entries: Any, prefix: str) -> None:
            local_metadata = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                local_metadata["assign_to_params_buffers"] = assign
            module._load_from_state_dict(
                entries, prefix, local_metadata, True, missing_keys, unexpected_keys, error_msgs
            )
            for name, child in module._modules.items():
                if child is not None:
                    child_prefix = prefix + name + "."
                    part = {k: v for k, v in entries.items() if k.startswith(child_prefix)}
                    load(child, part, child_prefix)
            keys = _IncompatibleKeys(missing_keys, unexpected_keys)
            for hook in tuple(module.__dict__.get("_load_state_dict_post_hooks", {}).values()):
                if hook(module, keys) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not "
                        "expected to return new values, if incompatible_keys need to be "
                        "modified, it should be done inplace."
                    )

        load(self, entries, "")
        if strict:
            for found, label in ((unexpected_keys, "Unexpected"), (missing_keys, "Missing")):
                if found:
                    listed = ", ".join(f'"{key}"' for key in found)
                    error_msgs.insert(0, f"{label} key(s) in state_dict: {listed}. ")
        if error_msgs:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                + "\n\t".join(error_msgs)
            )
        return _IncompatibleKeys(missing_keys, unexpected_keys)
