"""Derivatives of functions as functions: `grad`, `vjp`, `jvp`, `jacrev`, `jacfwd`, `hessian`, `linearize`.

All stand on recording: the inputs are cut from the caller's graph only where nothing outside is being recorded, so
transforms nest, and results can be differentiated by whoever encloses them.
"""

from __future__ import annotations

from .. import _C
from .._grad_mode import enable_grad
from .._vmap import vmap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions


def _trees() -> Any:
    from ..utils import _pytree

    return _pytree


def _is_tensor(value: Any) -> bool:
    return isinstance(value, _C.Tensor)


class _Inputs:
    """The arguments to differentiate in, replaced by tensors that a graph starts from.

    Inside `vmap` they differ between samples, whatever the caller gave: each sample has gradients of its own.
    """

    def __init__(self, tree: Any, function: str) -> None:
        self.given, self.spec = _trees().tree_flatten(tree)
        self.given = [_C._vmap_on_every_level(x) for x in self.given]
        self.live: list[Tensor] = []
        for x in self.given:
            if not _is_tensor(x):
                raise ValueError(f"{function}: expected only Tensors in the inputs to differentiate in, got {type(x)}")
            if not (x.is_floating_point() or x.is_complex()):
                raise RuntimeError(
                    f"{function}: only Tensors of floating point dtype can require gradients, got {x.dtype}"
                )
            if x.requires_grad:
                self.live.append(x.view_as(x))
            else:
                self.live.append(x.detach().requires_grad_())
        self.leaves = [_C._vmap_innermost(x) for x in self.live]

    def tree(self) -> Any:
        """The replacements, nested as the arguments were."""
        return self.packed(self.live)

    def packed(self, values: Sequence[Any]) -> Any:
        """One value per input, nested as the arguments were."""
        return _trees().tree_unflatten(list(values), self.spec)

    def leads_outside(self, outputs: Sequence[Any]) -> bool:
        """Whether the outputs also depend on something recorded that is not one of these inputs."""
        if any(x.requires_grad for x in self.given):
            return True
        own = {id(x) for x in self.leaves}
        seen = set()
        pending = []
        for output in outputs:
            if not (_is_tensor(output) and output.requires_grad):
                continue
            if output.grad_fn is not None:
                pending.append(output.grad_fn)
            elif id(_C._vmap_innermost(output)) not in own:
                return True
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            leaf = getattr(node, "variable", None)
            if leaf is not None and id(leaf) not in own:
                return True
            pending += [below for below, _ in node.next_functions if below is not None]
        return False


def _kept(value: Any, outside: bool) -> Any:
    """Results, cut from the graph when nobody outside can differentiate them."""
    if outside:
        return value
    return _trees().tree_map(lambda x: x.detach() if _is_tensor(x) and x.requires_grad else x, value)


def _derivatives(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], weights: Sequence[Tensor] | None, *, create: bool, keep: bool
) -> list[Tensor]:
    """The derivative in each input; zeros where there is no path."""
    from ..autograd import grad as autograd_grad

    chosen = [i for i, output in enumerate(outputs) if output.requires_grad]
    found: Sequence[Tensor | None] = [None] * len(inputs)
    if chosen and inputs:
        found = autograd_grad(
            [outputs[i] for i in chosen],
            list(inputs),
            None if weights is None else [weights[i] for i in chosen],
            create_graph=create,
            retain_graph=keep,
            allow_unused=True,
        )
    return [_ops.zeros_like(x) if g is None else g for g, x in zip(found, inputs)]


def _units(like: Tensor) -> Tensor:
    """The tensors like `like` with a single one in each place, in a row."""
    count = like.numel()
    return _ops.eye(count, dtype=like.dtype, device=like.device).reshape((count, *like.shape))


def _chosen(args: tuple[Any, ...], argnums: Any, function: str) -> tuple[Any, tuple[int, ...]]:
    """The arguments that `argnums` names, and their places."""
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if not isinstance(argnums, int) and not numbers:
        raise RuntimeError("argnums must be non-empty")
    for n in numbers:
        if not -len(args) <= n < len(args):
            raise RuntimeError(f"Got argnum={n}, but only {len(args)} positional inputs")
    places = tuple(n % len(args) for n in numbers)
    if len(set(places)) != len(places):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    picked = args[places[0]] if isinstance(argnums, int) else tuple(args[n] for n in places)
    return picked, places


def _with(args: tuple[Any, ...], places: tuple[int, ...], values: Any, single: bool) -> list[Any]:
    """The arguments with others in some places."""
    replaced = list(args)
    for place, value in zip(places, (values,) if single else values):
        replaced[place] = value
    return replaced


def _split_aux(out: Any, has_aux: bool, function: str) -> tuple[Any, Any]:
    if not has_aux:
        return out, None
    if not (isinstance(out, tuple) and len(out) == 2):
        raise RuntimeError(f"{function}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return out


def _flat_outputs(out: Any, function: str) -> tuple[list[Tensor], Any]:
    leaves, spec = _trees().tree_flatten(out)
    for leaf in leaves:
        if not _is_tensor(leaf):
            raise RuntimeError(
                f"{function}: Expected f to be a function that has non-empty output and returns only tensors, got "
                f"{type(leaf)}"
            )
    return leaves, spec


def _named(wrapper: Callable[..., Any], func: Callable[..., Any]) -> Callable[..., Any]:
    from functools import update_wrapper

    return update_wrapper(wrapper, func)


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that returns `(gradient, value)`, or `(gradient, (value, aux))`, of a function of one number."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        recording = _C.is_grad_enabled()
        with enable_grad():
            picked, places = _chosen(args, argnums, "grad")
            inputs = _Inputs(picked, "grad")
            out, aux = _split_aux(
                func(*_with(args, places, inputs.tree(), isinstance(argnums, int)), **kwargs), has_aux, "grad"
            )
            if not _is_tensor(out):
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a single tensor, got {type(out)}"
                    if not isinstance(out, tuple)
                    else "grad_and_value(f)(*args): Expected f(*args) to return a single tensor, got tuple; "
                    "if f returns auxiliary data, set has_aux=True"
                )
            if out.dim() != 0:
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
                    f"{out.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            outside = recording and inputs.leads_outside([out])
            gradients = _derivatives([out], inputs.live, None, create=outside, keep=outside or has_aux)
            gradient = inputs.packed(gradients)
            value = _kept(out, outside)
            if has_aux:
                return gradient, (value, _kept(aux, outside))
            return gradient, value

    return _named(wrapper, func)


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that returns the gradient of `func`, whose output is one number, in the arguments `argnums`.

    With `has_aux`, `func` returns `(number, aux)` and the result is `(gradient, aux)`.
    """
    both = grad_and_value(func, argnums, has_aux)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return _named(wrapper, func)


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """`func(*primals)` and a function from weights of its outputs to the gradients of the primals, as a tuple."""
    recording = _C.is_grad_enabled()
    with enable_grad():
        inputs = _Inputs(primals, "vjp")
        out, aux = _split_aux(func(*inputs.tree()), has_aux, "vjp")
        outputs, spec = _flat_outputs(out, "vjp(f, *primals)")
        if not outputs:
            raise RuntimeError("vjp(f, *primals): Expected f to be a function that has non-empty output")
        outside = recording and inputs.leads_outside(outputs)

    def vjp_fn(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        weights, weight_spec = _trees().tree_flatten(cotangents)
        if weight_spec != spec:
            raise RuntimeError(
                f"Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
                f"cotangents: {weight_spec}, primal output: {spec}"
            )
        create = outside or any(w.requires_grad for w in weights) if create_graph is None else create_graph
        create = create and _C.is_grad_enabled()
        with enable_grad():
            gradients = _derivatives(outputs, inputs.live, weights, create=create, keep=True)
        return inputs.packed(gradients)

    value = _kept(out, outside)
    return (value, vjp_fn, _kept(aux, outside)) if has_aux else (value, vjp_fn)


class _Linear:
    """The derivative of a function at a point, ready to be applied to tangents: a reverse pass recorded for reversal."""

    def __init__(self, func: Callable[..., Any], primals: Any, has_aux: bool, function: str) -> None:
        recording = _C.is_grad_enabled()
        with enable_grad():
            self.inputs = _Inputs(primals, function)
            out, self.aux = _split_aux(func(*self.inputs.tree()), has_aux, function)
            self.out = out
            self.outputs, self.spec = _flat_outputs(out, function)
            self.outside = recording and self.inputs.leads_outside(self.outputs)
            self.weights = [_ops.zeros_like(o, requires_grad=True) if _differentiable(o) else o for o in self.outputs]
            self.backward = _derivatives(self.outputs, self.inputs.live, self.weights, create=True, keep=True)

    def __call__(self, tangents: Sequence[Tensor]) -> Any:
        """The tangents of the outputs."""
        create = (self.outside or any(t.requires_grad for t in tangents)) and _C.is_grad_enabled()
        live = [w for w, o in zip(self.weights, self.outputs) if _differentiable(o)]
        with enable_grad():
            found = iter(_derivatives(self.backward, live, tangents, create=create, keep=True))
        results = [next(found) if _differentiable(o) else _ops.zeros_like(o) for o in self.outputs]
        return _trees().tree_unflatten(results, self.spec)


def _differentiable(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _checked_tangents(primals: tuple[Any, ...], tangents: Any, function: str) -> list[Tensor]:
    xs, spec = _trees().tree_flatten(primals)
    ts, tangent_spec = _trees().tree_flatten(tangents)
    if spec != tangent_spec:
        raise RuntimeError(
            f"{function}: Expected primals and tangents to have the same python structure. For example, if primals is a "
            "tuple of 3 tensors, tangents also must be."
        )
    for x, t in zip(xs, ts):
        if x.shape != t.shape:
            raise RuntimeError(
                f"{function}: Expected tangents to have the shapes of the primals, got {tuple(t.shape)} for {tuple(x.shape)}"
            )
    return ts


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """`func(*primals)` and its directional derivative along `tangents`; computed by two reverse passes."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals), got {type(primals)}"
        )
    directions = _checked_tangents(primals, tangents, "jvp(f, primals, tangents)")
    linear = _Linear(func, primals, has_aux, "jvp(f, primals, tangents)")
    results = _kept(linear.out, linear.outside), linear(directions)
    return (*results, _kept(linear.aux, linear.outside)) if has_aux else results


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """`func(*primals)` and the function from tangents of the primals to tangents of the outputs."""
    linear = _Linear(func, primals, False, "linearize")

    def jvp_fn(*tangents: Any) -> Any:
        return linear(_checked_tangents(primals, tangents, "linearize"))

    return _kept(linear.out, linear.outside), jvp_fn


def jacrev(
    func: Callable[..., Any],
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """The function that returns the Jacobian of `func`, by reverse passes for all output elements at once.

    `chunk_size`: for how many of them at a time, where memory is short. For each output, nested as the outputs are, a
    tensor of shape `output.shape + input.shape` per argument in `argnums`.
    """

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        recording = _C.is_grad_enabled()
        with enable_grad():
            picked, places = _chosen(args, argnums, "jacrev")
            inputs = _Inputs(picked, "jacrev")
            out, aux = _split_aux(
                func(*_with(args, places, inputs.tree(), isinstance(argnums, int)), **kwargs), has_aux, "jacrev"
            )
            outputs, spec = _flat_outputs(out, "jacrev(f, *args)")
            outside = recording and inputs.leads_outside(outputs)
            blocks = []
            for output in outputs:

                def pull(weights: Tensor, output: Tensor = output) -> Any:
                    return tuple(_derivatives([output], inputs.live, [weights], create=outside, keep=True))

                shapes = [tuple(output.shape) + tuple(x.shape) for x in inputs.live]
                if output.numel() and output.requires_grad:
                    found = vmap(pull, chunk_size=chunk_size)(_units(output))
                    blocks.append(inputs.packed([g.reshape(shape) for g, shape in zip(found, shapes)]))
                else:
                    blocks.append(inputs.packed([x.new_zeros(shape) for x, shape in zip(inputs.live, shapes)]))
            jacobian = _trees().tree_unflatten(blocks, spec)
            return (jacobian, _kept(aux, outside)) if has_aux else jacobian

    return _named(wrapper, func)


def jacfwd(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """The function that returns the Jacobian of `func`, forward along all input elements at once; results as from `jacrev`."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        picked, places = _chosen(args, argnums, "jacfwd")

        def of_picked(values: Any) -> Any:
            return func(*_with(args, places, values, isinstance(argnums, int)), **kwargs)

        linear = _Linear(of_picked, (picked,), has_aux, "jacfwd")
        xs = linear.inputs.live
        blocks: list[list[Tensor]] = [[] for _ in linear.outputs]
        for k, x in enumerate(xs):

            def push(direction: Tensor, k: int = k) -> Any:
                tangents = [direction if i == k else _ops.zeros_like(other) for i, other in enumerate(xs)]
                return tuple(_trees().tree_flatten(linear([t.detach() for t in tangents]))[0])

            columns = vmap(push, out_dims=-1, randomness=randomness)(_units(x)) if x.numel() else None
            for o, output in enumerate(linear.outputs):
                shape = tuple(output.shape) + tuple(x.shape)
                blocks[o].append(columns[o].reshape(shape) if columns else output.new_zeros(shape))
        packed = [linear.inputs.packed(block)[0] for block in blocks]
        jacobian = _trees().tree_unflatten(packed, linear.spec)
        return (jacobian, _kept(linear.aux, linear.outside)) if has_aux else jacobian

    return _named(wrapper, func)


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """The function that returns the second derivatives of `func`: the Jacobian of its Jacobian."""
    return jacrev(jacrev(func, argnums), argnums)


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """`func` itself: whether it writes in place makes no difference to the transforms of this module."""
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n"
            "     remove='mutations': all inplace and out= operators will be removed from the program\n"
            "     remove='mutations_and_views': In addition to the above, all aliasing operators {view} will be replaced"
        )
    return func
