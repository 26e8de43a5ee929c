"""Functions of the torch namespace that shape their arguments in Python before an operator runs (`torch.functional`)."""

from __future__ import annotations

from . import _C
from ._overriding import any_overridden, overridden, take_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from . import Tensor
    from ._C import Size

_ops = _C._VariableFunctions
_segment_reduce = _ops.segment_reduce

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "chain_matmul",
    "einsum",
    "istft",
    "lu",
    "meshgrid",
    "norm",
    "split",
    "stft",
    "tensordot",
    "unique",
    "unique_consecutive",
    "unravel_index",
]


def _overridden(function: Callable[..., Any], relevant: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
    """The answer of `__torch_function__` of the arguments, or NotImplemented when none has one."""
    if not _C._has_torch_function(relevant):
        return NotImplemented
    from .overrides import handle_torch_function

    return handle_torch_function(function, relevant, *args, **kwargs)


def _together(tensors: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tensors, whether they were passed one by one or as one list."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        return tuple(tensors[0])
    return tensors


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of the tensors in the one shape they broadcast to."""
    tensors = _together(tensors)
    other = _overridden(broadcast_tensors, tensors, *tensors)
    return tuple(_ops.broadcast_tensors(tensors)) if other is NotImplemented else other


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape that shapes (ints or sequences of ints) broadcast to."""
    sizes: list[int] = []
    for at, shape in enumerate(shapes):
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        sizes = [1] * (len(shape) - len(sizes)) + sizes
        for i in range(-1, -len(shape) - 1, -1):
            size = shape[i]
            if size < 0:
                raise ValueError(f"Attempting to broadcast a dimension with negative length! ({shape} at index {at})")
            if size not in (1, sizes[i]):
                if sizes[i] != 1:
                    raise RuntimeError(
                        f"Attempting to broadcast a dimension of length {size} at {i}! Mismatching argument at index "
                        f"{at} had {shape}; but expected shape should be broadcastable to {sizes}"
                    )
                sizes[i] = size
    return _C.Size(sizes)


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of a tensor along `dim`: of one size each (the last may be smaller), or of the sizes listed."""
    if overridden(tensor):
        return take_over(split, locals())
    return tensor.split(split_size_or_sections, dim)


def einsum(*args: Any) -> Tensor:
    """Sums of products by Einstein's notation: `einsum("ij,jk->ik", a, b)` or `einsum(a, [0, 1], b, [1, 2], [0, 2])`."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, "
            "or at least one operand and its subscripts list"
        )
    if isinstance(args[0], _C.Tensor):
        equation, operands = _equation(args)
    else:
        equation, operands = args[0], list(args[1:])
    other = _overridden(einsum, operands, equation, *operands)
    if other is not NotImplemented:
        return other
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        return einsum(equation, *operands[0])
    return _ops.einsum(equation, operands)


def _equation(args: Sequence[Any]) -> tuple[str, list[Tensor]]:
    """The equation as text for operands that alternate with lists of subscripts."""

    def letters(subscripts: Sequence[Any]) -> str:
        out = ""
        for s in subscripts:
            if s is Ellipsis:
                out += "..."
            elif 0 <= s < 26:
                out += chr(ord("A") + s)
            elif 26 <= s < 52:
                out += chr(ord("a") + s - 26)
            else:
                raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
        return out

    equation = ",".join(letters(subscripts) for subscripts in args[1::2])
    if len(args) % 2:
        equation = ",".join(letters(s) for s in args[1:-1:2]) + "->" + letters(args[-1])
        return equation, list(args[:-1:2])
    return equation, list(args[::2])


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Grids of coordinates from 1-d tensors; `indexing` is "ij" (rows first, the default) or "xy"."""
    tensors = _together(tensors)
    other = _overridden(meshgrid, tensors, *tensors, indexing=indexing)
    if other is not NotImplemented:
        return other
    return tuple(_ops.meshgrid(tensors, indexing=indexing or "ij"))


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """Short-time Fourier transform of signals `(*, length)`: `(*, frequencies, frames)`.

    `center` pads `n_fft // 2` samples at both ends by `pad_mode`, so that frame t is centred at t * hop_length.
    """
    if any_overridden(input, window):
        return take_over(stft, locals())
    if center:
        if align_to_window is not None:
            raise RuntimeError("stft: align_to_window should only be set when center = false")
        signal_dim = input.dim()
        pad = int(n_fft // 2)
        extended = input.view([1] * (3 - signal_dim) + list(input.size()))
        from .nn.functional import pad as pad_tensor

        extended = pad_tensor(extended, [pad, pad], pad_mode)
        input = extended.view(extended.shape[-signal_dim:])
    return _ops.stft(
        input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window
    )


def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """The signal that `stft` made `input` from, by overlap-add weighted with the squared window."""
    if any_overridden(input, window):
        return take_over(istft, locals())
    return _ops.istft(
        input, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex
    )


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements, or the different slices along `dim`, in ascending order.

    With `return_inverse` also where each element of the input went, with `return_counts` how often each occurs.
    """
    other = _overridden(
        unique, (input,), input, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts, dim=dim
    )
    if other is not NotImplemented:
        return other
    if dim is None:
        found = _ops._unique2(input, sorted, return_inverse, return_counts)
    else:
        found = _ops.unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _chosen(found, return_inverse, return_counts)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements, or slices along `dim`, that differ from the one before; options as in `unique`."""
    other = _overridden(
        unique_consecutive,
        (input,),
        input,
        return_inverse=return_inverse,
        return_counts=return_counts,
        dim=dim,
    )
    if other is not NotImplemented:
        return other
    found = _ops.unique_consecutive(input, return_inverse, return_counts, dim)
    return _chosen(found, return_inverse, return_counts)


def _chosen(found: tuple[Tensor, Tensor, Tensor], inverse: bool, counts: bool) -> Any:
    """Of (values, inverse, counts) what was asked for; a single one not in a tuple."""
    if inverse and counts:
        return tuple(found)
    if inverse:
        return found[0], found[1]
    return (found[0], found[2]) if counts else found[0]


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Sums products over `dims`: the last n dimensions of `a` with the first n of `b`, or two lists of dimensions."""
    other = _overridden(tensordot, (a, b), a, b, dims=dims, out=out)
    if other is not NotImplemented:
        return other
    if isinstance(dims, _C.Tensor):
        if dims.numel() == 1:
            dims = int(dims.item())
        elif dims.dim() == 2 and dims.shape[0] == 2:
            dims = dims.tolist()
        else:
            raise AssertionError(f"tensordot: dims must have 1 element or shape (2, n), got {tuple(dims.shape)}")
    if isinstance(dims, (tuple, list)):
        if len(dims) == 1 and hasattr(dims[0], "__index__"):
            raise RuntimeError(f"tensordot expects dims to be int or a pair of lists, got dims={dims}")
        dims_a, dims_b = (list(d) if isinstance(d, (tuple, list)) else [d] for d in dims)
    else:
        count = int(dims)
        if count < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if count > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(-count, 0)), list(range(count))
    if out is None:
        return _ops.tensordot(a, b, dims_a, dims_b)
    return _ops.tensordot(a, b, dims_a, dims_b, out=out)


def cartesian_prod(*tensors: Any) -> Tensor:
    """All ways of taking one element from each 1-d tensor, one per row."""
    tensors = _together(tensors)
    other = _overridden(cartesian_prod, tensors, *tensors)
    return _ops.cartesian_prod(tensors) if other is NotImplemented else other


def block_diag(*tensors: Any) -> Tensor:
    """A matrix with the given matrices (or rows, or numbers) along its diagonal and zeros elsewhere."""
    tensors = _together(tensors)
    other = _overridden(block_diag, tensors, *tensors)
    return _ops.block_diag(tensors) if other is NotImplemented else other


def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str | None = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """Distances in the p-norm between the rows of `x1` (*, P, M) and of `x2` (*, R, M): (*, P, R)."""
    other = _overridden(cdist, (x1, x2), x1, x2, p=p, compute_mode=compute_mode)
    if other is not NotImplemented:
        return other
    modes = {
        None: None,
        "use_mm_for_euclid_dist_if_necessary": None,
        "use_mm_for_euclid_dist": 1,
        "donot_use_mm_for_euclid_dist": 2,
    }
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return _ops.cdist(x1, x2, p, modes[compute_mode])


def _atleast(name: str, dims: int) -> Callable[..., Any]:
    def function(*tensors: Any) -> Any:
        together = _together(tensors)
        other = _overridden(function, together, *tensors)
        if other is not NotImplemented:
            return other
        operator = getattr(_ops, name)
        if len(tensors) == 1 and together is tensors:
            return operator(tensors[0])
        return tuple(operator(tensor) for tensor in together)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The tensor, or each of several, with dimensions of size 1 added until it has {dims}."
    return function


atleast_1d = _atleast("atleast_1d", 1)
atleast_2d = _atleast("atleast_2d", 2)
atleast_3d = _atleast("atleast_3d", 3)


def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The p-norm over all elements or over `dim`; "fro" is the 2-norm, "nuc" the sum of singular values.

    `torch.linalg.norm`, `vector_norm` and `matrix_norm` say more plainly what they compute.
    """
    other = _overridden(norm, (input,), input, p=p, dim=dim, keepdim=keepdim, out=out, dtype=dtype)
    if other is not NotImplemented:
        return other
    from . import linalg

    extra = {} if out is None else {"out": out}
    dims = [dim] if isinstance(dim, int) else dim
    if p == "fro":
        if dims is not None and len(dims) > 2:
            raise RuntimeError(f"norm: the Frobenius norm is over one or two dimensions, got dim={dim}")
        return linalg.vector_norm(input, 2, dims, keepdim, dtype=dtype, **extra)
    if p == "nuc":
        if dims is None:
            dims = list(range(input.dim()))
        if len(dims) != 2:
            raise RuntimeError(f"norm: the nuclear norm is over two dimensions, got dim={dim}")
        return linalg.matrix_norm(input, "nuc", dims, keepdim, dtype=dtype, **extra)
    if isinstance(p, str):
        raise RuntimeError(f"only valid string values are 'fro' and 'nuc', found {p}")
    return linalg.vector_norm(input, 2 if p is None else p, dims, keepdim, dtype=dtype, **extra)


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The coordinates, one tensor per dimension of `shape`, of flat `indices` into a tensor of that shape."""
    if overridden(indices):
        return take_over(unravel_index, locals())
    if not isinstance(indices, _C.Tensor) or indices.dtype.is_floating_point or indices.dtype.is_complex:
        given = getattr(indices, "dtype", type(indices))
        raise TypeError(f"unravel_index: expected 'indices' to be an integer tensor, got {given}")
    sizes = (shape,) if isinstance(shape, int) else tuple(int(size) for size in shape)
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {sizes}")
    coordinates = []
    indices = indices.to(_C.int64)
    for size in reversed(sizes):
        coordinates.append(indices % size)
        indices = indices // size
    return tuple(reversed(coordinates))


def chain_matmul(*matrices: Any, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order of least work; `torch.linalg.multi_dot` is its newer name."""
    matrices = _together(matrices)
    other = _overridden(chain_matmul, matrices, *matrices)
    if other is not NotImplemented:
        return other
    if len(matrices) == 1:
        return matrices[0].clone() if out is None else out.resize_(matrices[0].shape).copy_(matrices[0])
    return _C._linalg.linalg_multi_dot(matrices) if out is None else _C._linalg.linalg_multi_dot(matrices, out=out)


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:  # noqa: N803
    """Compact LU factors and pivots, with `get_infos` also LAPACK's status per matrix; see `torch.linalg.lu_factor`."""
    if overridden(A):
        return take_over(lu, locals())
    factors = _C._linalg.linalg_lu_factor_ex(A, pivot=pivot, check_errors=not get_infos)
    parts = factors if get_infos else (factors[0], factors[1])
    if out is None:
        return parts
    for target, part in zip(out, parts):
        target.resize_(part.shape).copy_(part)
    return out


def get_approximate_basis(A: Tensor, q: int, niter: int | None = 2, M: Tensor | None = None) -> Tensor:  # noqa: N803
    """Orthonormal columns (*, m, q) whose span nearly holds the columns of `A - M`.

    Randomised subspace iteration: Halko, Martinsson, Tropp (2011), algorithm 4.4.
    """
    from . import linalg

    niter = 2 if niter is None else niter
    dtype = A.dtype if A.dtype.is_floating_point or A.dtype.is_complex else _ops.get_default_dtype()
    A = A.to(dtype) if A.layout is _C.strided else A  # noqa: N806
    start = _ops.randn(A.shape[-1], q, dtype=dtype, device=A.device)

    def times(x: Tensor) -> Tensor:
        return A @ x if M is None else A @ x - M @ x

    def adjoint_times(x: Tensor) -> Tensor:
        return A.mH @ x if M is None else A.mH @ x - M.mH @ x

    basis = linalg.qr(times(start)).Q
    for _ in range(niter):
        basis = linalg.qr(adjoint_times(basis)).Q
        basis = linalg.qr(times(basis)).Q
    return basis


def svd_lowrank(
    A: Tensor,  # noqa: N803
    q: int | None = 6,
    niter: int | None = 2,
    M: Tensor | None = None,  # noqa: N803
) -> tuple[Tensor, Tensor, Tensor]:
    """The `q` largest singular values of `A - M` (*, m, n) and their vectors: U (*, m, q), S (*, q), V (*, n, q).

    Halko, Martinsson, Tropp (2011), algorithm 5.1.
    """
    if any_overridden(A, M):
        return take_over(svd_lowrank, locals())
    from . import linalg

    q = 6 if q is None else q
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.size())  # noqa: N806
    if m < n:
        other = None if M is None else M.mH
        u, s, v = svd_lowrank(A.mH, q, niter, other)
        return v, s, u
    basis = get_approximate_basis(A, q, niter, M)
    projected = basis.mH @ A if M is None else basis.mH @ A - basis.mH @ M
    u, s, vh = linalg.svd(projected, full_matrices=False)
    return basis @ u, s, vh.mH


def pca_lowrank(
    A: Tensor,  # noqa: N803
    q: int | None = None,
    center: bool = True,
    niter: int = 2,
) -> tuple[Tensor, Tensor, Tensor]:
    """`svd_lowrank` of the rows of `A` (*, m, n), by default after taking off the mean row; `q` defaults to 6."""
    if overridden(A):
        return take_over(pca_lowrank, locals())
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if not (A.dtype.is_floating_point or A.dtype.is_complex):
        raise ValueError(f"input dtype must be a floating-point type, got {A.dtype}")
    return svd_lowrank(A - A.mean(dim=-2, keepdim=True) if center else A, q, niter)


def lobpcg(
    A: Tensor,  # noqa: N803
    k: int | None = None,
    B: Tensor | None = None,  # noqa: N803
    X: Tensor | None = None,  # noqa: N803
    n: int | None = None,
    iK: Tensor | None = None,  # noqa: N803
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: Any = None,
    ortho_iparams: Any = None,
    ortho_fparams: Any = None,
    ortho_bparams: Any = None,
) -> tuple[Tensor, Tensor]:
    """The `k` largest (or smallest) eigenvalues of a symmetric matrix and their vectors, also of `A x = e B x`.

    Computed from the full decomposition, so the options that steer an iteration have no effect.
    """
    if any_overridden(A, B, X, iK):
        return take_over(lobpcg, locals())
    from . import linalg

    dense = A.to_dense() if A.layout is not _C.strided else A
    k = k if k is not None else (1 if X is None else X.shape[-1])
    if B is None:
        values, vectors = linalg.eigh(dense)
    else:
        lower = linalg.cholesky(B.to_dense() if B.layout is not _C.strided else B)
        half = linalg.solve_triangular(lower, dense, upper=False)
        reduced = linalg.solve_triangular(lower.mH, half, upper=True, left=False)
        values, vectors = linalg.eigh(reduced)
        vectors = linalg.solve_triangular(lower.mH, vectors, upper=True)
    if largest is None or largest:
        return values.flip(-1)[..., :k], vectors.flip(-1)[..., :k]
    return values[..., :k], vectors[..., :k]


def _removed(name: str, instead: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"torch.{name}: This function was deprecated and is now removed; use {instead} instead")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Removed: use `{instead}`."
    return function


eig = _removed("eig", "torch.linalg.eig")
lstsq = _removed("lstsq", "torch.linalg.lstsq")
matrix_rank = _removed("matrix_rank", "torch.linalg.matrix_rank")
solve = _removed("solve", "torch.linalg.solve")
symeig = _removed("symeig", "torch.linalg.eigh")


def from_file(
    filename: str, shared: bool | None = None, size: int | None = 0, *, dtype: Any = None, **options: Any
) -> Tensor:
    """A 1-d tensor of `size` elements over a file; changes reach the file when `shared`, which then makes it if needed."""
    import mmap
    import os

    dtype = dtype or _ops.get_default_dtype()
    wanted = (size or 0) * dtype.itemsize
    flags = os.O_RDWR | (os.O_CREAT if shared else 0) if shared else os.O_RDONLY
    descriptor = os.open(filename, flags, 0o600)
    try:
        if os.fstat(descriptor).st_size < wanted:
            if not shared:
                raise RuntimeError(f"from_file: {filename} has less than the {wanted} bytes of {size} elements")
            os.ftruncate(descriptor, wanted)
        if not wanted:
            return _ops.empty(0, dtype=dtype)
        mapping = mmap.mmap(descriptor, wanted, access=mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY)
    finally:
        os.close(descriptor)
    return _ops.frombuffer(mapping, dtype=dtype)


def spmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The matrix product, under a name from sparse days."""
    return _ops.mm(input, mat2)
