"""The recorded graph: nodes, hooks on saved tensors and on several gradients at once (`torch.autograd.graph`)."""

from __future__ import annotations

from contextlib import contextmanager

from .. import _C, _backward_pass as _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, NamedTuple

    from .. import Tensor
else:
    from collections import namedtuple

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "set_warn_on_accumulate_grad_stream_mismatch",
]

Node = _C._NodeBase
"""The class of `tensor.grad_fn`: one recorded step."""

if TYPE_CHECKING:

    class GradientEdge(NamedTuple):
        """An output of a node: where a gradient enters."""

        node: Any
        output_nr: int
        ownership_token: Any = None
else:
    GradientEdge = namedtuple("GradientEdge", "node output_nr ownership_token", defaults=(None,))


def _node_of(tensor: Tensor) -> Any:
    """The node that takes the gradient of a tensor: of a leaf, the one that accumulates it."""
    if tensor.grad_fn is not None:
        return tensor.grad_fn
    with_history = tensor.view_as(tensor)
    assert with_history.grad_fn is not None
    return with_history.grad_fn.next_functions[0][0]


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the gradient of a tensor enters the graph; `grad` and `backward` take it in place of the tensor."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(_node_of(tensor), tensor.output_nr, tensor)


def increment_version(tensor: Any) -> None:
    """Count a change in place that was made behind the library's back."""
    _C._increment_version((tensor,) if isinstance(tensor, _C.Tensor) else tuple(tensor))


class saved_tensors_hooks:  # noqa: N801
    """While active, `pack_hook(tensor)` says what is kept of a saved tensor and `unpack_hook` gives the tensor back."""

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        _C._autograd._push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *exc: object) -> None:
        _C._autograd._pop_saved_tensors_default_hooks()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801
    """Saved tensors are kept on the CPU, where they already are: only changes in place stop being noticed."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor: Tensor) -> tuple[Any, Tensor]:
            return tensor.device, tensor.cpu()

        def unpack(packed: tuple[Any, Tensor]) -> Tensor:
            return packed[1].to(packed[0])

        super().__init__(pack, unpack)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """While active, using `saved_tensors_hooks` is an error with this text."""
    before = _C._autograd._saved_tensors_hooks_get_disabled_error_message()
    _C._autograd._saved_tensors_hooks_disable(error_message)
    try:
        yield
    finally:
        if before is None:
            _C._autograd._saved_tensors_hooks_enable()
        else:
            _C._autograd._saved_tensors_hooks_disable(before)


class allow_mutation_on_saved_tensors:  # noqa: N801
    """While active, tensors saved for backward may be changed in place: copies of them are what is saved."""

    def __enter__(self) -> allow_mutation_on_saved_tensors:
        self._hooks = saved_tensors_hooks(lambda tensor: tensor.detach().clone(), lambda tensor: tensor)
        self._hooks.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._hooks.__exit__(*exc)

    def clear(self) -> None:
        """Nothing to do: copies go with the graph."""


class _MultiHandle:
    """Takes a hook off all the tensors it was put on."""

    def __init__(self, handles: Sequence[Any]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Take the hook off."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> _MultiHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., None], *, mode: str = "all") -> _MultiHandle:
    """Call `fn` once per backward pass: with the gradients of all tensors when the last is known, or with the first one.

    mode "all": `fn(list of gradients, None for tensors that got none)`. mode "any": `fn(gradient)`.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        last: list[Any] = [None]

        def first(gradient: Tensor) -> None:
            task = _engine.current()
            if last[0] is not task:
                last[0] = task
                fn(gradient)

        return _MultiHandle([tensor.register_hook(first) for tensor in tensors])

    nodes = [_node_of(tensor) for tensor in tensors]
    waiting: dict[Any, tuple[list[Tensor | None], list[int]]] = {}

    def at(index: int) -> Callable[[Tensor], None]:
        def hook(gradient: Tensor) -> None:
            task = _engine.current()
            if task not in waiting:
                expected = sum(_engine.will_execute(node) for node in nodes)
                waiting[task] = ([None] * len(nodes), [expected])
            gradients, left = waiting[task]
            gradients[index] = gradient
            left[0] -= 1
            if left[0] == 0:
                del waiting[task]
                fn(gradients)

        return hook

    return _MultiHandle([tensor.register_hook(at(i)) for i, tensor in enumerate(tensors)])


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Accepted: there are no streams, so there is nothing to warn of."""
