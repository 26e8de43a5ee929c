"""One backward pass: what is running, from where, and what is to be called when it ends."""

from __future__ import annotations

from .._C import _run_backward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class _Pass:
    """A backward pass that is running."""

    __slots__ = ("callbacks", "nodes", "roots")

    def __init__(self, roots: Sequence[Any]) -> None:
        self.roots = roots
        self.callbacks: list[Callable[[], None]] = []
        self.nodes: set[Any] | None = None


_running: list[_Pass] = []


def run_backward(
    outputs: Sequence[Any],
    gradients: Sequence[Any],
    keep: bool,
    create_graph: bool,
    inputs: Sequence[Any],
    allow_unreachable: bool,
    accumulate: bool,
) -> Any:
    """Run backward in the extension; callbacks that hooks queued are called at its end."""
    task = _Pass(outputs)
    _running.append(task)
    try:
        found = _run_backward(
            outputs,
            gradients,
            keep,
            create_graph,
            inputs,
            allow_unreachable=allow_unreachable,
            accumulate_grad=accumulate,
        )
    finally:
        _running.pop()
    for callback in task.callbacks:
        callback()
    return found


def current() -> _Pass:
    """The innermost backward pass that is running; RuntimeError outside of one."""
    if not _running:
        raise RuntimeError("autograd: this can only be asked during a backward pass")
    return _running[-1]


def queue_callback(callback: Callable[[], None]) -> None:
    """Call `callback()` when the backward pass that is running ends."""
    current().callbacks.append(callback)


def will_execute(node: Any) -> bool:
    """Whether the backward pass that is running reaches `node`."""
    task = current()
    if task.nodes is None:
        task.nodes = set()
        pending = [getattr(root, "grad_fn", None) or getattr(root, "node", None) for root in task.roots]
        while pending:
            here = pending.pop()
            if here is not None and here not in task.nodes:
                task.nodes.add(here)
                pending += [below for below, _ in here.next_functions]
    return node in task.nodes
