"""The base class of all optimizers: parameter groups, state, files, hooks."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import deepcopy
from itertools import chain
from typing import Any, TypeAlias

import rushlight
from rushlight import Tensor
from rushlight._C import _set_grad_enabled, is_grad_enabled
from rushlight.utils.hooks import RemovableHandle

__all__ = [
    "Optimizer",
    "register_optimizer_step_post_hook",
    "register_optimizer_step_pre_hook",
]

ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
StateDict: TypeAlias = dict[str, Any]


class _RequiredParameter:
    """The default of an option that every parameter group has to state."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _RequiredParameter()

_global_optimizer_pre_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
_global_optimizer_post_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()


def _add_hook(
    hooks: OrderedDict[int, Callable[..., Any]],
    hook: Callable[..., Any],
    prepend: bool = False,
) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before every step of every optimizer."""
    return _add_hook(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after every step of every optimizer."""
    return _add_hook(_global_optimizer_post_hooks, hook)


def _use_grad_for_differentiable(func: Callable[..., Any]) -> Callable[..., Any]:
    """Run a step without recording, or with it where the optimizer is `differentiable`."""

    @functools.wraps(func)
    def step(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        before = is_grad_enabled()
        try:
            _set_grad_enabled(bool(self.defaults.get("differentiable", False)))
            return func(self, *args, **kwargs)
        finally:
            _set_grad_enabled(before)

    return step


def _get_value(x: Any) -> Any:
    """The Python number in a one-element tensor."""
    return x.item() if isinstance(x, Tensor) else x


def _to_scalar(x: Any) -> Any:
    """A one-element tensor without its dimensions, so that it can scale anything."""
    return x.squeeze() if isinstance(x, Tensor) and x.dim() != 0 else x


def _are_numbers(*values: Any) -> bool:
    """Whether no value is a tensor: what the fused steps take."""
    return all(isinstance(value, (int, float)) for value in values)


def _get_scalar_dtype() -> Any:
    """The dtype of step counters: float64 where that is the default, else float32."""
    if rushlight.get_default_dtype() == rushlight.float64:
        return rushlight.float64
    return rushlight.float32


def _new_step() -> Tensor:
    return rushlight.tensor(0.0, dtype=_get_scalar_dtype())


def _check_lr(lr: Any) -> None:
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def _check_options(lr: Any, betas: Sequence[Any] = (), **others: Any) -> None:
    """Refuses a rate or another option below 0 and a beta outside [0, 1), by ValueError with its name."""
    _check_lr(lr)
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")
    for name, value in others.items():
        if not 0.0 <= value:
            raise ValueError(f"Invalid {'epsilon' if name == 'eps' else name} value: {value}")
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


def _check_fused(fused: bool | None, foreach: bool | None, differentiable: bool) -> None:
    """`fused` names a kernel that is not differentiable and excludes `foreach`."""
    if not fused:
        return
    if differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def _run_closure(closure: Callable[[], Any] | None) -> Any:
    if closure is None:
        return None
    with rushlight.enable_grad():
        return closure()


def _real(tensor: Any) -> Any:
    """The real view of a complex tensor; anything else as it is."""
    if isinstance(tensor, Tensor) and tensor.is_complex():
        return rushlight.view_as_real(tensor)
    return tensor


def _zeros_like(p: Tensor) -> Tensor:
    return rushlight.zeros_like(p, memory_format=rushlight.preserve_format)


def _describe(value: Any) -> str:
    return value.type() if isinstance(value, Tensor) else str(type(value))


class Optimizer:
    """Base class: holds parameter groups and the state of each parameter.

    `params` are tensors, `(name, tensor)` pairs or dictionaries that describe groups; `defaults` are
    the options of groups that do not state them. A subclass defines `step`.

    Raises TypeError or ValueError for anything that is not a leaf tensor, for no parameters at all
    and for a parameter in two groups.

    >>> import rushlight
    >>> w = rushlight.zeros(2, requires_grad=True)
    >>> optimizer = rushlight.optim.SGD([w], lr=0.5)
    >>> w.sum().backward()
    >>> optimizer.step()
    >>> w.tolist()
    [-0.5, -0.5]
    """

    # Options that files of older versions lack, with the value that keeps their behaviour.
    _added_options: dict[str, Any] = {}
    # State entries that older files hold as Python numbers.
    _tensor_entries: tuple[str, ...] = ("step",)

    def __init__(self, params: ParamsT, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._make_hooks()
        self._patch_step_function()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or "
                f"dicts, but got {_describe(params)}"
            )
        self.state: defaultdict[Tensor, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))
        self._warned_capturable_if_run_uncaptured = True

    def _make_hooks(self) -> None:
        for name in (
            "_optimizer_step_pre_hooks",
            "_optimizer_step_post_hooks",
            "_optimizer_state_dict_pre_hooks",
            "_optimizer_state_dict_post_hooks",
            "_optimizer_load_state_dict_pre_hooks",
            "_optimizer_load_state_dict_post_hooks",
        ):
            if name not in self.__dict__:
                self.__dict__[name] = OrderedDict()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "defaults": self.defaults,
            "state": self.state,
            "param_groups": self.param_groups,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_hooks()
        self._patch_step_function()
        self.defaults.setdefault("differentiable", False)
        if not self._added_options:
            return
        for group in self.param_groups:
            for name, value in self._added_options.items():
                group.setdefault(name, value)
            for p in group["params"]:
                entries = self.state.get(p)
                if not isinstance(entries, dict):
                    continue
                for name in self._tensor_entries:
                    if name in entries and not isinstance(entries[name], Tensor):
                        entries[name] = rushlight.tensor(
                            float(entries[name]), dtype=_get_scalar_dtype()
                        )

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {k}: {group[k]}\n" for k in sorted(group) if k != "params")
        return text + ")"

    @staticmethod
    def profile_hook_step(func: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a `step` so that the step hooks run around it."""

        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            self = args[0]
            own_pre = self._optimizer_step_pre_hooks
            own_post = self._optimizer_step_post_hooks
            if not (own_pre or own_post or _global_optimizer_pre_hooks) and (
                not _global_optimizer_post_hooks
            ):
                return func(*args, **kwargs)
            for hook in chain(_global_optimizer_pre_hooks.values(), own_pre.values()):
                result = hook(self, args, kwargs)
                if result is None:
                    continue
                if not (isinstance(result, tuple) and len(result) == 2):
                    raise RuntimeError(
                        f"{func} must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {result}."
                    )
                args, kwargs = result
            out = func(*args, **kwargs)
            for hook in chain(own_post.values(), _global_optimizer_post_hooks.values()):
                hook(self, args, kwargs)
            return out

        return wrapper

    def _patch_step_function(self) -> None:
        cls = type(self)
        self._zero_grad_profile_name = f"Optimizer.zero_grad#{cls.__name__}.zero_grad"
        if not getattr(cls.step, "hooked", None):
            cls.step = self.profile_hook_step(cls.step)  # type: ignore[method-assign]
            cls.step.hooked = True  # type: ignore[attr-defined]

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return new (args, kwargs)."""
        return _add_hook(self._optimizer_step_pre_hooks, hook)  # type: ignore[attr-defined]

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return _add_hook(self._optimizer_step_post_hooks, hook)  # type: ignore[attr-defined]

    def register_state_dict_pre_hook(
        self, hook: Callable[[Optimizer], None], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict` collects."""
        return _add_hook(self._optimizer_state_dict_pre_hooks, hook, prepend)  # type: ignore[attr-defined]

    def register_state_dict_post_hook(
        self,
        hook: Callable[[Optimizer, StateDict], StateDict | None],
        prepend: bool = False,
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` on what `state_dict` returns; it may replace it."""
        return _add_hook(self._optimizer_state_dict_post_hooks, hook, prepend)  # type: ignore[attr-defined]

    def register_load_state_dict_pre_hook(
        self,
        hook: Callable[[Optimizer, StateDict], StateDict | None],
        prepend: bool = False,
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before loading; it may replace the dictionary."""
        return _add_hook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)  # type: ignore[attr-defined]

    def register_load_state_dict_post_hook(
        self, hook: Callable[[Optimizer], None], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after loading."""
        return _add_hook(self._optimizer_load_state_dict_post_hooks, hook, prepend)  # type: ignore[attr-defined]

    def state_dict(self) -> StateDict:
        """Options and state with parameters replaced by their position, ready for a file."""
        for hook in self._optimizer_state_dict_pre_hooks.values():  # type: ignore[attr-defined]
            hook(self)
        position: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                position.setdefault(id(p), len(position))
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [position[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {
            (position[id(k)] if isinstance(k, Tensor) else k): v for k, v in self.state.items()
        }
        result: StateDict = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():  # type: ignore[attr-defined]
            replaced = hook(self, result)
            if replaced is not None:
                result = replaced
        return result

    @staticmethod
    def _process_value_according_to_param_policy(
        param: Tensor,
        value: Tensor,
        param_id: int,
        param_groups: list[dict[Any, Any]],
        key: Hashable = None,
    ) -> Tensor:
        """A loaded state tensor in the parameter's dtype and device; step counters keep theirs."""
        if key == "step":
            return value
        if param.is_floating_point():
            return value.to(dtype=param.dtype, device=param.device)
        return value.to(device=param.device)

    def load_state_dict(self, state_dict: StateDict) -> None:
        """Take over options and state from `state_dict()` of an optimizer with the same groups.

        Raises ValueError where the groups differ in number or size.
        """
        state_dict = state_dict.copy()
        for pre_hook in self._optimizer_load_state_dict_pre_hooks.values():  # type: ignore[attr-defined]
            replaced = pre_hook(self, state_dict)
            if replaced is not None:
                state_dict = replaced
        groups = self.param_groups
        saved_groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved_groups)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        ids = chain.from_iterable(g["params"] for g in saved_groups)
        tensors = chain.from_iterable(g["params"] for g in groups)
        by_id = dict(zip(ids, tensors))

        def convert(param: Tensor, value: Any, param_id: int, key: Any = None) -> Any:
            if isinstance(value, Tensor):
                return self._process_value_according_to_param_policy(
                    param, value, param_id, state_dict["param_groups"], key
                )
            if isinstance(value, dict):
                return {k: convert(param, v, param_id, k) for k, v in value.items()}
            if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
                return type(value)(convert(param, v, param_id) for v in value)  # type: ignore[call-arg]
            return value

        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in by_id:
                state[by_id[key]] = convert(by_id[key], value, key)
            else:
                state[key] = value
        merged = []
        for group, saved in zip(groups, saved_groups):
            saved["params"] = group["params"]
            if "param_names" in group and "param_names" not in saved:
                saved["param_names"] = group["param_names"]
            merged.append(saved)
        self.__setstate__({"state": state, "param_groups": merged})
        for post_hook in self._optimizer_load_state_dict_post_hooks.values():  # type: ignore[attr-defined]
            post_hook(self)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or fill them with zeros."""
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad
                if grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                    continue
                if grad.grad_fn is not None:
                    grad.detach_()
                else:
                    grad.requires_grad_(False)
                grad.zero_()

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Change the parameters once; subclasses define how."""
        raise NotImplementedError

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Optimize further parameters, with their own options where `param_group` states them."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            param_group["params"] = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead."
            )
        else:
            param_group["params"] = list(params)
        self._split_names(param_group)
        for p in param_group["params"]:
            if not isinstance(p, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {_describe_param(p)}"
                )
            if not self.defaults.get("differentiable", None) and not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    f"{name}"
                )
            param_group.setdefault(name, default)
        params = param_group["params"]
        if len(params) != len(set(params)):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; "
                "each of them is changed once for every time it is listed",
                stacklevel=3,
            )
        known: set[Tensor] = set()
        for group in self.param_groups:
            known.update(group["params"])
            if ("param_names" in param_group) != ("param_names" in group):
                which = "without names" if "param_names" not in param_group else "with names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param "
                    f"group {which} to the optimizer"
                )
        if not known.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    @staticmethod
    def _split_names(param_group: dict[str, Any]) -> None:
        """Turn `(name, tensor)` pairs into the lists `params` and `param_names`."""
        pairs = param_group["params"]
        named = [isinstance(p, tuple) for p in pairs]
        if not any(named):
            return
        if not all(named):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        names = [name for name, _ in pairs]
        param_group["params"] = [p for _, p in pairs]
        param_group["param_names"] = names

    def _ready(
        self, group: dict[str, Any], new_state: Callable[[Tensor], dict[str, Any]]
    ) -> tuple[list[Tensor], list[Tensor], list[dict[str, Any]]]:
        """Parameters with a gradient, their gradients and their state, made on first use."""
        params: list[Tensor] = []
        grads: list[Tensor] = []
        states: list[dict[str, Any]] = []
        for p in group["params"]:
            grad = p.grad
            if grad is None:
                continue
            if grad.is_sparse:
                raise RuntimeError(self._sparse_message())
            state = self.state[p]
            if not state:
                state.update(new_state(p))
            params.append(p)
            grads.append(grad)
            states.append(state)
        return params, grads, states

    def _sparse_message(self) -> str:
        return f"{type(self).__name__} does not support sparse gradients"


def _describe_param(p: Any) -> str:
    return type(p).__name__
