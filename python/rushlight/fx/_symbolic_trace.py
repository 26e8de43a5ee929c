"""Tracer: runs a program on proxies and keeps what it does as a graph (`torch.fx.symbolic_trace`)."""

from __future__ import annotations

import builtins
import functools
import inspect
import itertools
import math
import operator
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import rushlight
from rushlight.nn import Module, Sequential, functional

from .graph import Graph
from .graph_module import GraphModule
from .node import map_aggregate
from .proxy import Proxy, TracerBase

PH = type("PHBase", (), {"__repr__": lambda self: "PH"})()
"""Stands, in `concrete_args`, for a part of an argument that remains an input."""

_wrapped: dict[tuple[int, str], dict[str, Any]] = {}
"""The functions that `wrap` was told of: by the identity of the globals that hold them, and name."""


def wrap(fn_or_name: str | Callable[..., Any]) -> Any:
    """Let calls of a function of this module be recorded as calls, not looked into; for use at module scope.

    Args:
        fn_or_name: the function (as a decorator, too), or its name: `wrap("len")`.
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    frame = inspect.currentframe()
    caller = frame.f_back if frame else None
    if caller is None or caller.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped[id(caller.f_globals), name] = caller.f_globals
    return fn_or_name


def _proxy_in(values: Any) -> Proxy | None:
    found: list[Proxy] = []
    map_aggregate(values, lambda leaf: found.append(leaf) if isinstance(leaf, Proxy) else None)
    return found[0] if found else None


def _recording(original: Callable[..., Any], mark: bool = False) -> Callable[..., Any]:
    """The function, but with proxies among its arguments the call is recorded."""

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        proxy = _proxy_in((args, kwargs))
        if proxy is None:
            return original(*args, **kwargs)
        made = proxy.tracer.create_proxy("call_function", original, args, kwargs)
        if mark:
            made.node.meta["is_wrapped"] = True
        return made

    return call


def _recording_torch(original: FunctionType) -> Callable[..., Any]:
    """As `_recording`; the call is written with all its options by name, as functions of torch report themselves."""
    parameters = inspect.signature(original).parameters

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        proxy = _proxy_in((args, kwargs))
        if proxy is None:
            return original(*args, **kwargs)
        bound = inspect.signature(original).bind(*args, **kwargs)
        bound.apply_defaults()
        needed: list[Any] = []
        options: dict[str, Any] = {}
        for name, parameter in parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                needed.extend(bound.arguments[name])
            elif parameter.default is parameter.empty:
                needed.append(bound.arguments[name])
            else:
                options[name] = bound.arguments[name]
        return proxy.tracer.create_proxy("call_function", original, tuple(needed), options)

    return call


class _Patches:
    """Attributes and globals that are other ones for as long as a program is traced."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def __enter__(self) -> _Patches:
        return self

    def __exit__(self, *exc: object) -> None:
        for undo in reversed(self._undo):
            undo()

    def attribute(self, owner: Any, name: str, value: Any) -> None:
        own = name in vars(owner)
        before = vars(owner).get(name)
        setattr(owner, name, value)
        self._undo.append(lambda: setattr(owner, name, before) if own else delattr(owner, name))

    def item(self, space: dict[str, Any], name: str, value: Any) -> None:
        own, before = name in space, space.get(name)
        space[name] = value
        self._undo.append(lambda: space.__setitem__(name, before) if own else space.__delitem__(name))


class Tracer(TracerBase):
    """Makes the graph of a module or function by running it on proxies; subclasses decide what is looked into.

    Args:
        autowrap_modules: modules whose functions are recorded as calls.
        autowrap_functions: functions that are.
        param_shapes_constant: parameters are looked at as they are, not recorded where they are read.
    """

    root: Any

    def __init__(
        self,
        autowrap_modules: tuple[ModuleType, ...] = (math,),
        autowrap_functions: tuple[Callable[..., Any], ...] = (),
        param_shapes_constant: bool = False,
    ) -> None:
        super().__init__()
        functions = [
            value
            for module in autowrap_modules
            for name, value in vars(module).items()
            if not name.startswith("_") and callable(value)
        ]
        self._autowrapped = {id(function) for function in (*functions, *autowrap_functions)}
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths: dict[Module, str] | None = None
        self.root_module_name = ""
        self.module_stack: dict[str, Any] = {}
        self.tensor_attrs: dict[Any, str] = {}

    # --- what subclasses change ------------------------------------------------------------------------

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Whether calls of a module are recorded as they are; those of `torch.nn`, but for Sequential, are."""
        home = type(m).__module__
        own = __package__.partition(".")[0]
        known = ("torch.nn.", "torch.ao.nn.", f"{own}.nn.", f"{own}.ao.nn.")
        return f"{home}.".startswith(known) and not isinstance(m, Sequential)

    def path_of_module(self, mod: Module) -> str:
        """The path of a submodule of the root; NameError for a module that is none."""
        if self.submodule_paths is not None and mod in self.submodule_paths:
            return self.submodule_paths[mod]
        for name, module in self.root.named_modules():
            if module is mod:
                return str(name)
        raise NameError("module is not installed as a submodule")

    def call_module(
        self, m: Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A module is called: recorded where it is a leaf, else `forward` is run."""
        path = self.path_of_module(m)
        if self.is_leaf_module(m, path):
            return self.create_proxy("call_module", path, args, kwargs)
        return forward(*args, **kwargs)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """An attribute of a module is read: parameters become nodes."""
        if self.param_shapes_constant or not isinstance(attr_val, rushlight.nn.Parameter):
            return attr_val
        for name, parameter in self.root.named_parameters():
            if parameter is attr_val:
                if name not in parameter_proxy_cache:
                    parameter_proxy_cache[name] = self.create_proxy("get_attr", name, (), {})
                return parameter_proxy_cache[name]
        return attr_val

    # --- recording -------------------------------------------------------------------------------------

    def _create_leaf(self, a: Any) -> Any:
        if isinstance(a, rushlight.nn.Parameter):
            for name, parameter in self.root.named_parameters():
                if parameter is a:
                    return self.create_node("get_attr", name, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, rushlight.Tensor):
            return self.create_node("get_attr", self._name_of_tensor(a), (), {})
        if isinstance(a, Module):
            return self.create_node("get_attr", self.path_of_module(a), (), {})
        return super()._create_leaf(a)

    def _name_of_tensor(self, tensor: Any) -> str:
        for name, buffer in self.root.named_buffers():
            if buffer is tensor:
                return str(name)
        known = next((name for held, name in self.tensor_attrs.items() if held is tensor), None)
        if known is None:
            count = 0
            while hasattr(self.root, f"_tensor_constant{count}"):
                count += 1
            known = f"_tensor_constant{count}"
            self.tensor_attrs[tensor] = known
            setattr(self.root, known, tensor)
        return known

    def create_args_for_root(
        self, root_fn: Callable[..., Any], is_module: bool, concrete_args: Any = None
    ) -> tuple[Any, list[Any]]:
        """Placeholders for the parameters of a function; those with a value in `concrete_args` are that value."""
        function = inspect.unwrap(root_fn)
        code: CodeType = function.__code__
        hints = getattr(function, "__annotations__", {})
        defaults = inspect.signature(function).parameters
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        if isinstance(concrete_args, tuple):
            concrete_args = dict(zip(names[is_module:], concrete_args))
        args: list[Any] = []
        if is_module:
            if not names:
                raise RuntimeError("``self`` argument cannot be part of *args expansion!")
            args.append(self.root)
            names = names[1:]

        def placeholder(name: str, target: str) -> Proxy:
            value = defaults[name].default if name in defaults else inspect.Parameter.empty
            default = () if value is inspect.Parameter.empty else (value,)
            hint = hints.get(name) if name == target else None
            return self.create_proxy("placeholder", target, default, {}, type_expr=hint)

        numbers = itertools.count(1)

        def specialized(name: str, leaf: Any) -> Any:
            """The value itself, and in the graph a check that it is given again."""
            given = placeholder(name, f"{name}_{next(numbers)}")
            if leaf is PH:
                return given
            if isinstance(leaf, (bool, int, float, str, complex)):
                text = f"{name} has been specialized to have value {leaf} but got another value"
                rushlight._assert(operator.eq(given, leaf), text)
            return leaf

        for name in names:
            if concrete_args and name in concrete_args:
                args.append(map_aggregate(concrete_args[name], functools.partial(specialized, name)))
            else:
                args.append(placeholder(name, name))
        count = code.co_argcount + code.co_kwonlyargcount
        for flag, stars in ((inspect.CO_VARARGS, "*"), (inspect.CO_VARKEYWORDS, "**")):
            if code.co_flags & flag:
                args.append(self.create_proxy("placeholder", stars + code.co_varnames[count], (), {}))
                count += 1
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            return _with_flat_arguments(function, code), args
        return root_fn, args

    def trace(self, root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None) -> Graph:
        """The graph of a module's `forward`, or of a function.

        Args:
            root: the module or function.
            concrete_args: values of parameters that the graph is made for.

        Raises:
            TraceError: when the way through the program depends on values.
        """
        if isinstance(root, Module):
            self.root = root
            traced = getattr(type(root), getattr(self, "traced_func_name", "forward"))
            self.root_module_name = type(root).__name__
            self.submodule_paths = {module: name for name, module in root.named_modules()}
        else:
            self.root, traced = Module(), root
        self.graph = Graph(tracer_cls=type(self))
        self.tensor_attrs = {}
        function, args = self.create_args_for_root(traced, isinstance(root, Module), concrete_args)
        with _Patches() as patches:
            self._patch(patches, getattr(inspect.unwrap(traced), "__globals__", {}))
            result = function(*args)
        hint = getattr(traced, "__annotations__", {}).get("return")
        self.create_node("output", "output", (self.create_arg(result),), {}, type_expr=hint)
        self.submodule_paths = None
        return self.graph

    def _patch(self, patches: _Patches, space: dict[str, Any]) -> None:
        """Replace what calls and reads modules, and functions that cannot report themselves."""
        call, read = Module.__call__, Module.__getattr__
        proxies: dict[str, Any] = {}
        seen: set[int] = set()

        def module_call(module: Any, *args: Any, **kwargs: Any) -> Any:
            def forward(*args: Any, **kwargs: Any) -> Any:
                return call(module, *args, **kwargs)

            self._autowrap(patches, getattr(type(module).forward, "__globals__", {}), seen)
            return self.call_module(module, forward, args, kwargs)

        def module_read(module: Any, name: str) -> Any:
            return self.getattr(name, read(module, name), proxies)

        patches.attribute(Module, "__call__", module_call)
        patches.attribute(Module, "__getattr__", module_read)
        for home in (functional, rushlight.functional):
            for name, value in list(vars(home).items()):
                if isinstance(value, FunctionType) and not name.startswith("_") and not inspect.isclass(value):
                    recording = _recording_torch(value)
                    patches.item(vars(home), name, recording)
                    if vars(rushlight).get(name) is value:
                        patches.item(vars(rushlight), name, recording)
        self._autowrap(patches, space, seen)
        for (_, name), globals_ in _wrapped.items():
            original = globals_.get(name, getattr(builtins, name, None))
            if original is not None:
                patches.item(globals_, name, _recording(original, mark=True))

    def _autowrap(self, patches: _Patches, space: dict[str, Any], seen: set[int]) -> None:
        if id(space) in seen:
            return
        seen.add(id(space))
        for name, value in list(space.items()):
            if not name.startswith("_") and callable(value) and id(value) in self._autowrapped:
                patches.item(space, name, _recording(value, mark=True))
            elif isinstance(value, ModuleType) and any(id(held) in self._autowrapped for held in vars(value).values()):
                self._autowrap(patches, vars(value), seen)


def _with_flat_arguments(function: Any, code: CodeType) -> Callable[..., Any]:
    """The function with its keyword-only, starred and double-starred parameters given one after the other."""
    plain, keyword = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames[plain : plain + keyword]

    def call(*values: Any) -> Any:
        rest = list(values[plain + keyword :])
        starred = rest.pop(0) if code.co_flags & inspect.CO_VARARGS else None
        doubled = rest.pop(0) if code.co_flags & inspect.CO_VARKEYWORDS else None
        flags = code.co_flags & ~(inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
        count = plain + keyword + (starred is not None) + (doubled is not None)
        flat = code.replace(co_argcount=count, co_kwonlyargcount=0, co_flags=flags)
        body = FunctionType(flat, function.__globals__, function.__name__, None, function.__closure__)
        extra = [value for value in (starred, doubled) if value is not None]
        return body(*values[: plain + len(names)], *extra)

    return call


def symbolic_trace(root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None) -> GraphModule:
    """The module or function as a GraphModule, made by running it once on proxies.

    Args:
        root: the module or function.
        concrete_args: values of parameters that the graph is made for.

    Raises:
        TraceError: when the way through the program depends on values.

    >>> traced = rushlight.fx.symbolic_trace(lambda x: rushlight.relu(x) * 2)
    >>> print(traced.code.strip())
    def forward(self, x):
        relu = torch.relu(x);  x = None
        mul = relu * 2;  relu = None
        return mul
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)


__all__ = ["PH", "Tracer", "symbolic_trace", "wrap"]
