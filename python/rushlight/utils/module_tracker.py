"""Which modules are running, forward or backward."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from rushlight import Tensor, _backward_pass
from rushlight.autograd.graph import register_multi_grad_hook
from rushlight.nn import Module
from rushlight.nn.modules.module_calls import register_module_forward_hook, register_module_forward_pre_hook
from rushlight.utils._pytree import tree_leaves

__all__ = ["ModuleTracker"]


class ModuleTracker:
    """A context in which `parents` is the set of names of running modules; "Global" is always in it.

    A name is the class of the outermost module and the path from there: "Net.layers.0". The
    backward pass of a module runs from the gradients of its outputs to those of its inputs; where
    the inputs need no gradient, to the end of the whole pass.

    >>> import rushlight
    >>> names = []
    >>> class Net(rushlight.nn.Module):
    ...     def forward(self, x):
    ...         names.extend(sorted(tracker.parents))
    ...         return x
    >>> with ModuleTracker() as tracker:
    ...     y = Net()(rushlight.ones(1))
    >>> names
    ['Global', 'Net']
    """

    def __init__(self) -> None:
        self.parents = {"Global"}
        self._names: WeakKeyDictionary[Module, str] = WeakKeyDictionary()
        self._seen: WeakSet[Module] = WeakSet()
        self._handles: list[Any] = []
        self._ends_with_pass = False

    @property
    def is_bw(self) -> bool:
        """Whether a backward pass is running."""
        return bool(_backward_pass._running)

    def _name_of(self, module: Module) -> str:
        name = self._names.setdefault(module, type(module).__name__)
        if module not in self._seen:
            self._seen.add(module)
            for child_name, child in module.named_children():
                self._names[child] = f"{name}.{child_name}"
                self._name_of(child)
        return name

    def _after_pass(self) -> None:
        self.parents = {"Global"}
        self._ends_with_pass = False

    def _begin_backward(self, name: str) -> None:
        self.parents.add(name)
        if not self._ends_with_pass:
            _backward_pass.queue_callback(self._after_pass)
            self._ends_with_pass = True

    def _at_gradients(self, values: Any, call: Any) -> None:
        tensors = [leaf for leaf in tree_leaves(values) if isinstance(leaf, Tensor) and leaf.requires_grad]
        if tensors:
            self._handles.append(register_multi_grad_hook(tensors, call))

    def _before_forward(self, module: Module, args: Any) -> None:
        name = self._name_of(module)
        self.parents.add(name)
        self._at_gradients(args, lambda _: self.parents.discard(name))

    def _after_forward(self, module: Module, args: Any, output: Any) -> None:
        name = self._name_of(module)
        self.parents.discard(name)
        self._at_gradients(output, lambda _: self._begin_backward(name))

    def __enter__(self) -> ModuleTracker:
        self._handles = [
            register_module_forward_pre_hook(self._before_forward),
            register_module_forward_hook(self._after_forward, always_call=True),
        ]
        return self

    def __exit__(self, *exc: object) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self._after_pass()
