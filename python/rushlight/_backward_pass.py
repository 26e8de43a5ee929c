"""One backward pass: what is running, from where, and what is to be called when it ends."""

from __future__ import annotations

from ._C import _run_backward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class _Pass:
    """What is known of a backward pass that is running, made when somebody asks."""

    def __init__(self) -> None:
        self.callbacks: list[Callable[[], None]] = []
        self.nodes: set[Any] | None = None


# The passes that are running, innermost last: their outputs and, when it was asked for, what is known of them.
_running: list[list[Any]] = []

# Whether every pass keeps its graph: set while `vmap` computes any sample but the last.
kept = False


def run_backward(
    outputs: Sequence[Any],
    gradients: Sequence[Any],
    keep: bool,
    create_graph: bool,
    inputs: Sequence[Any],
    allow_unreachable: bool,
    accumulate: bool,
) -> Any:
    """Run backward in the extension; None among the gradients stands for 1. Queued callbacks are called at the end."""
    entry = [outputs, None]
    _running.append(entry)
    try:
        found = _run_backward(outputs, gradients, keep or kept, create_graph, inputs, allow_unreachable, accumulate)
    finally:
        _running.pop()
    if entry[1] is not None:
        for callback in entry[1].callbacks:  # type: ignore[attr-defined]
            callback()
    return found


def current() -> _Pass:
    """The innermost backward pass that is running; RuntimeError outside of one."""
    if not _running:
        raise RuntimeError("autograd: this can only be asked during a backward pass")
    entry = _running[-1]
    if entry[1] is None:
        entry[1] = _Pass()
    return entry[1]


def queue_callback(callback: Callable[[], None]) -> None:
    """Call `callback()` when the backward pass that is running ends."""
    current().callbacks.append(callback)


def will_execute(node: Any) -> bool:
    """Whether the backward pass that is running reaches `node`."""
    task = current()
    if task.nodes is None:
        task.nodes = set()
        pending = [getattr(root, "grad_fn", None) or getattr(root, "node", None) for root in _running[-1][0]]
        while pending:
            here = pending.pop()
            if here is not None and here not in task.nodes:
                task.nodes.add(here)
                pending += [below for below, _ in here.next_functions]
    return node in task.nodes
