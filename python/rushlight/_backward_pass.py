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


# The passes that are running, innermost last: outputs, what is known of them when it was asked for, and inputs.
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
    entry = [outputs, None, inputs]
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
        outputs, _, inputs = _running[-1]
        above: dict[Any, list[Any]] = {}  # the nodes that the pass can reach, and from where
        pending = [(_node_of(root), None) for root in outputs]
        while pending:
            here, user = pending.pop()
            if here is None:
                continue
            if here not in above:
                above[here] = []
                pending += [(below, here) for below, _ in here.next_functions]
            above[here].append(user)
        task.nodes = set(above) if not inputs else _upwards([_node_of(leaf) for leaf in inputs], above)
    return node in task.nodes


def _node_of(target: Any) -> Any:
    """The node of a tensor, a leaf's own one included, or of a gradient edge."""
    found = getattr(target, "node", None) or getattr(target, "grad_fn", None)
    if found is None and target.requires_grad:
        from ._grad_mode import enable_grad

        with enable_grad():  # a pass records nothing by itself
            found = target.view_as(target).grad_fn.next_functions[0][0]
    return found


def _upwards(nodes: list[Any], above: dict[Any, list[Any]]) -> set[Any]:
    """The nodes from which one of `nodes` is reached."""
    found: set[Any] = set()
    pending = [node for node in nodes if node in above]
    while pending:
        here = pending.pop()
        if here is not None and here not in found:
            found.add(here)
            pending += above[here]
    return found
