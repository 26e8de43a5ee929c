"""Checkpointing: forget what a part of a model saves for backward and compute it again there."""

from __future__ import annotations

import contextlib
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import rushlight
from rushlight import Tensor

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "DefaultDeviceType",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

_settings = threading.local()


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function saved other tensors than the first one."""


class _StopRecomputationError(Exception):
    """Everything that was asked for has been computed again."""


def noop_context_fn() -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    """Two contexts that do nothing."""
    return contextlib.nullcontext(), contextlib.nullcontext()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Whether recomputing stops as soon as the last saved tensor is there; overrides `checkpoint`."""
    before = getattr(_settings, "early_stop", None)
    _settings.early_stop = enable
    try:
        yield
    finally:
        _settings.early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Whether errors list the tensors of both runs; overrides `debug` of `checkpoint`."""
    before = getattr(_settings, "debug", None)
    _settings.debug = enabled
    try:
        yield
    finally:
        _settings.debug = before


class DefaultDeviceType:
    """The device whose random state is kept besides the CPU's: there is none other here."""

    _default_device_type = "cpu"

    @staticmethod
    def set_device_type(device: str = "cpu") -> None:
        """Set the kind of device."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        """The kind of device."""
        return DefaultDeviceType._default_device_type


def get_device_states(*args: Any) -> tuple[list[int], list[Tensor]]:
    """Random states of the accelerators that tensors among the arguments are on: none."""
    return [], []


def set_device_states(devices: Any, states: Any, *, device_type: str | None = None) -> None:
    """Restore what `get_device_states` returned."""
    if devices or states:
        raise RuntimeError("set_device_states: this build has no accelerator")


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs with tensors cut off from their graph, requiring grad as before."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            f"{type(inputs).__name__}"
        )
    detached = []
    for value in inputs:
        if isinstance(value, Tensor):
            requires_grad = value.requires_grad
            value = value.detach()
            value.requires_grad = requires_grad
        detached.append(value)
    return tuple(detached)


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn where no input requires grad."""
    if not any(v.requires_grad for v in inputs if isinstance(v, Tensor)):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=3
        )


class _State:
    """Random numbers and autocast as they were when the first run began."""

    def __init__(self, preserve_rng_state: bool) -> None:
        self.rng = rushlight.get_rng_state() if preserve_rng_state else None
        self.autocast: dict[str, Any] = {
            "enabled": rushlight.is_autocast_enabled("cpu"),
            "dtype": rushlight.get_autocast_dtype("cpu"),
            "cache_enabled": rushlight.is_autocast_cache_enabled(),
        }

    @contextlib.contextmanager
    def restored(self) -> Iterator[None]:
        """The same state again, and afterwards the present one."""
        present = rushlight.get_rng_state() if self.rng is not None else None
        try:
            if self.rng is not None:
                rushlight.set_rng_state(self.rng)
            with rushlight.amp.autocast("cpu", **self.autocast):
                yield
        finally:
            if present is not None:
                rushlight.set_rng_state(present)


# Reentrant: the first run records nothing, backward runs a graph of its own.


class CheckpointFunction(rushlight.autograd.Function):
    """The node of a reentrant checkpoint."""

    @staticmethod
    def forward(ctx: Any, run_function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.state = _State(preserve_rng_state)
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.tensor_indices = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.save_for_backward(*(args[i] for i in ctx.tensor_indices))
        with rushlight.no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        if not rushlight.autograd._is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or "
                "passing an `inputs` parameter to .backward(). To resolve this error, you can "
                "either set use_reentrant=False, or call .backward() without passing the "
                "`inputs` argument."
            )
        inputs = list(ctx.inputs)
        for i, tensor in zip(ctx.tensor_indices, ctx.saved_tensors):
            inputs[i] = tensor
        detached = detach_variable(tuple(inputs))
        with ctx.state.restored(), rushlight.enable_grad():
            outputs = ctx.run_function(*detached)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        chosen = [
            (output, grad)
            for output, grad in zip(outputs, args)
            if isinstance(output, Tensor) and output.requires_grad
        ]
        if not chosen:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        rushlight.autograd.backward([o for o, _ in chosen], [g for _, g in chosen])
        grads = tuple(v.grad if isinstance(v, Tensor) else None for v in detached)
        return (None, None, *grads)


# Not reentrant: saved tensors are replaced by holders, filled by a second run on demand.


class _Holder:
    """Stands for one saved tensor of the first run."""

    __slots__ = ("__weakref__", "position")

    def __init__(self, position: int) -> None:
        self.position = position


def _metadata(x: Tensor) -> dict[str, Any]:
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


class _SaveInputs(rushlight.autograd.Function):
    """Saves tensors the way an operator does, so that an outer checkpoint can drop them."""

    @staticmethod
    def forward(ctx: Any, dummy: Tensor, *tensors: Tensor) -> Tensor:
        ctx.save_for_backward(*tensors)
        return rushlight.empty((0,))

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise AssertionError("checkpoint: the node that keeps the inputs has no gradient")


class _Inputs:
    """The arguments of the first run."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.others = [None if isinstance(a, Tensor) else a for a in args]
        self.indices = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        self.flags = [args[i].requires_grad for i in self.indices]
        dummy = rushlight.empty((0,), requires_grad=True)
        with rushlight.enable_grad():
            # The node lives as long as its output.
            self.output = _SaveInputs.apply(dummy, *(args[i] for i in self.indices))

    def get(self) -> list[Any]:
        """The arguments, with tensors cut off from the graph of the first run."""
        args = list(self.others)
        for i, flag, tensor in zip(self.indices, self.flags, self.output.grad_fn.saved_tensors):
            args[i] = tensor.detach().requires_grad_(flag) if flag else tensor.detach()
        return args


class _Frame:
    """One checkpointed call: what its first run saved and how to run it again."""

    def __init__(
        self,
        run: Callable[..., Any],
        inputs: _Inputs,
        early_stop: bool,
        determinism_check: str,
        debug: bool,
    ) -> None:
        self.run = run
        self.inputs = inputs
        self.early_stop = early_stop
        self.determinism_check = determinism_check
        self.debug = debug
        self.holders: list[weakref.ref[_Holder]] = []
        self.metadata: list[dict[str, Any]] = []
        self.complete = False
        # Recomputed tensors by position, until backward takes them.
        self.values: dict[int, Tensor] = {}

    def recording(self) -> AbstractContextManager[Any]:
        """The context of the first run."""

        def pack(x: Tensor) -> _Holder:
            holder = _Holder(len(self.holders))
            self.holders.append(weakref.ref(holder))
            self.metadata.append(_metadata(x))
            return holder

        def unpack(holder: _Holder) -> Tensor:
            if holder.position not in self.values:
                self.recompute()
            return self.values.pop(holder.position)

        return rushlight.autograd.graph.saved_tensors_hooks(pack, unpack)

    def recompute(self) -> None:
        """Run the function again and keep what it saves."""
        self.values.clear()
        again: list[dict[str, Any]] = []
        total = len(self.holders)

        def pack(x: Tensor) -> Tensor:
            position = len(again)
            again.append(_metadata(x))
            if position < total and self.holders[position]() is not None:
                self.values[position] = x.detach()
            if self.early_stop and len(again) == total:
                raise _StopRecomputationError
            return x.detach()

        def unpack(x: Tensor) -> Tensor:
            return x

        args = self.inputs.get()
        try:
            with (
                rushlight.autograd.graph.saved_tensors_hooks(pack, unpack),
                rushlight.enable_grad(),
            ):
                self.run(*args)
        except _StopRecomputationError:
            pass
        self._compare(again)

    def _compare(self, again: list[dict[str, Any]]) -> None:
        if len(again) != len(self.metadata):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                "original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.metadata)}\n"
                f"Number of tensors saved during recomputation: {len(again)}.{self._hint(again)}"
            )
        if self.determinism_check == "none":
            return
        different = [
            f"tensor at position {i}:\nsaved metadata: {before}\nrecomputed metadata: {now}\n"
            for i, (before, now) in enumerate(zip(self.metadata, again))
            if before != now
        ]
        if different:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have "
                "different metadata than during the forward pass.\n"
                + "".join(different)
                + self._hint(again)
            )

    def _hint(self, again: list[dict[str, Any]]) -> str:
        if not self.debug:
            return "\n\nPass debug=True to checkpoint to see all tensors that both runs saved."

        def listing(items: list[dict[str, Any]]) -> str:
            return "".join(f"\n  {i}: {item}" for i, item in enumerate(items))

        return (
            f"\n\nSaved during forward:{listing(self.metadata)}"
            f"\nSaved during recomputation:{listing(again)}"
        )


def _without_reentry(
    function: Callable[..., Any],
    preserve_rng_state: bool,
    context_fn: Callable[[], tuple[Any, Any]],
    determinism_check: str,
    debug: bool,
    early_stop: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    if determinism_check not in ("default", "none"):
        raise ValueError(
            f"determinism_check should be one of ['default', 'none'], but got {determinism_check}"
        )
    forward_context, recompute_context = context_fn()
    if not rushlight.is_grad_enabled():
        with forward_context:
            return function(*args, **kwargs)
    state = _State(preserve_rng_state)

    def run(*inputs: Any) -> None:
        with state.restored(), recompute_context:
            function(*inputs, **kwargs)

    override = getattr(_settings, "early_stop", None)
    debug_override = getattr(_settings, "debug", None)
    frame = _Frame(
        run,
        _Inputs(args),
        early_stop if override is None else override,
        determinism_check,
        debug if debug_override is None else debug_override,
    )
    with frame.recording(), forward_context:
        result = function(*args, **kwargs)
    frame.complete = True
    return result


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args, **kwargs)`, computed again in backward instead of keeping its intermediates.

    `use_reentrant=False` is recommended: it works with `autograd.grad`, keyword arguments and
    nested containers. `context_fn` gives the contexts of the first and the second run;
    `preserve_rng_state` (default True) makes both draw the same random numbers.

    Chen et al., Training Deep Nets with Sublinear Memory Cost (2016). Raises CheckpointError where
    the two runs save different tensors.

    >>> import rushlight
    >>> x = rushlight.ones(2, requires_grad=True)
    >>> checkpoint(lambda v: v.exp() * 2, x, use_reentrant=False).sum().backward()
    >>> x.grad.shape
    torch.Size([2])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
            "use_reentrant=False is recommended; use_reentrant=True is what is used now.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        return _without_reentry(
            function, preserve, context_fn, determinism_check, debug, early_stop, args, kwargs
        )
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve, *args)


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """A sequence of modules in `segments` parts, all but the last of them checkpointed."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be "
            "passed explicitly. use_reentrant=False is recommended; use_reentrant=True is what "
            "is used now.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))

    def part(start: int, end: int) -> Callable[[Any], Any]:
        def forward(value: Any) -> Any:
            for module in modules[start:end]:
                value = module(value)
            return value

        return forward

    if isinstance(functions, rushlight.nn.Sequential):
        modules = list(functions.children())
    else:
        modules = list(functions)
    size = len(modules) // segments
    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(
            part(start, end),
            input,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve,
        )
    return part(end, len(modules))(input)
