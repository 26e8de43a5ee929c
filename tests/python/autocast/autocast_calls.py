"""Calls under autocast: each is evaluated with `torch`, `F` and operands of one floating dtype, and its result dtypes are recorded.

`record.py` writes what PyTorch 2.13 gives; a new call needs a line here and a new recording.
"""

from __future__ import annotations

from typing import Any

CALLS = """
    conv1d: F.conv1d(x(1, 2, 5), x(3, 2, 2), x(3))
    conv1d padding: F.conv1d(x(1, 2, 5), x(3, 2, 2), padding="same")
    conv2d: F.conv2d(x(1, 2, 5, 5), x(3, 2, 2, 2))
    conv3d: F.conv3d(x(1, 2, 5, 5, 5), x(3, 2, 2, 2, 2))
    conv_tbc: torch.conv_tbc(x(5, 1, 2), x(2, 2, 3), x(3))
    conv_transpose1d: F.conv_transpose1d(x(1, 2, 5), x(2, 3, 2))
    conv_transpose2d: F.conv_transpose2d(x(1, 2, 5, 5), x(2, 3, 2, 2))
    conv_transpose3d: F.conv_transpose3d(x(1, 2, 3, 3, 3), x(2, 3, 2, 2, 2))
    convolution: torch.convolution(x(1, 2, 5), x(3, 2, 2), None, [1], [0], [1], False, [0], 1)
    bmm: torch.bmm(x(2, 3, 4), x(2, 4, 2))
    mm: torch.mm(x(3, 4), x(4, 2))
    mv: torch.mv(x(3, 4), x(4))
    dot: torch.dot(x(3), x(3))
    vdot: torch.vdot(x(3), x(3))
    inner: torch.inner(x(3, 4), x(2, 4))
    outer: torch.outer(x(3), x(4))
    addmv: torch.addmv(x(3), x(3, 4), x(4))
    addr: torch.addr(x(3, 4), x(3), x(4))
    vecdot: torch.linalg.vecdot(x(3, 4), x(3, 4))
    multi_dot: torch.linalg.multi_dot([x(3, 4), x(4, 2), x(2, 3)])
    chain_matmul: torch.chain_matmul(x(3, 4), x(4, 2))
    baddbmm: torch.baddbmm(x(2, 3, 2), x(2, 3, 4), x(2, 4, 2))
    addmm: torch.addmm(x(3, 2), x(3, 4), x(4, 2))
    addbmm: torch.addbmm(x(3, 2), x(2, 3, 4), x(2, 4, 2))
    linear: F.linear(x(3, 4), x(2, 4), x(2))
    linear 1-dim: F.linear(x(4), x(2, 4))
    bilinear: F.bilinear(x(3, 2), x(3, 4), x(5, 2, 4))
    matmul 1-dim: torch.matmul(x(4), x(4))
    matmul 2-dim: torch.matmul(x(3, 4), x(4))
    matmul batch: torch.matmul(x(2, 3, 4), x(4, 2))
    operator: x(3, 4) @ x(4, 2)
    einsum: torch.einsum("ij,jk", x(3, 4), x(4, 2))
    tensordot: torch.tensordot(x(3, 4), x(4, 2), 1)
    kron: torch.kron(x(2, 2), x(2, 2))
    prelu: F.prelu(x(3), x(1))
    sdpa: F.scaled_dot_product_attention(x(1, 2, 3, 4), x(1, 2, 3, 4), x(1, 2, 3, 4))
    sdpa mask: F.scaled_dot_product_attention(x(1, 2, 3, 4), x(1, 2, 3, 4), x(1, 2, 3, 4), attn_mask=x(3, 3))
    avg_pool1d: F.avg_pool1d(x(1, 2, 4), 2)
    avg_pool2d: F.avg_pool2d(x(1, 2, 4, 4), 2)
    avg_pool3d: F.avg_pool3d(x(1, 2, 4, 4, 4), 2)
    max_pool2d: F.max_pool2d(x(1, 2, 4, 4), 2)
    max_pool3d: F.max_pool3d(x(1, 2, 4, 4, 4), 2)
    adaptive_avg_pool2d: F.adaptive_avg_pool2d(x(1, 2, 4, 4), 2)
    adaptive_avg_pool3d: F.adaptive_avg_pool3d(x(1, 2, 4, 4, 4), 2)
    adaptive_max_pool3d: F.adaptive_max_pool3d(x(1, 2, 4, 4, 4), 2)
    fractional_max_pool2d: F.fractional_max_pool2d(x(1, 2, 5, 5), 2, output_size=2)
    fractional_max_pool3d: F.fractional_max_pool3d(x(1, 2, 5, 5, 5), 2, output_size=2)
    max_unpool2d: F.max_unpool2d(*F.max_pool2d(x(1, 2, 4, 4), 2, return_indices=True), 2)
    max_unpool3d: F.max_unpool3d(*F.max_pool3d(x(1, 2, 4, 4, 4), 2, return_indices=True), 2)
    reflection_pad1d: F.pad(x(1, 2, 4), (1, 1), "reflect")
    reflection_pad2d: F.pad(x(1, 2, 4, 4), (1, 1, 1, 1), "reflect")
    replication_pad1d: F.pad(x(1, 2, 4), (1, 1), "replicate")
    replication_pad2d: F.pad(x(1, 2, 4, 4), (1, 1, 1, 1), "replicate")
    replication_pad3d: F.pad(x(1, 2, 4, 4, 4), (1, 1, 1, 1, 1, 1), "replicate")
    grid_sample 2: F.grid_sample(x(1, 2, 4, 4), x(1, 2, 2, 2), align_corners=False)
    grid_sample 3: F.grid_sample(x(1, 2, 4, 4, 4), x(1, 2, 2, 2, 3), align_corners=False)
    interpolate: F.interpolate(x(1, 2, 4, 4), scale_factor=2, mode="bilinear")
    binary_cross_entropy: F.binary_cross_entropy(x(3).abs().clamp(0.1, 0.9), x(3).abs().clamp(0.1, 0.9))
    binary_cross_entropy_with_logits: F.binary_cross_entropy_with_logits(x(3), x(3))
    mse_loss: F.mse_loss(x(3), x(3))
    l1_loss: F.l1_loss(x(3), x(3))
    smooth_l1_loss: F.smooth_l1_loss(x(3), x(3))
    huber_loss: F.huber_loss(x(3), x(3))
    kl_div: F.kl_div(x(3), x(3))
    poisson_nll_loss: F.poisson_nll_loss(x(3), x(3))
    gaussian_nll_loss: F.gaussian_nll_loss(x(3), x(3), x(3).abs())
    cross_entropy: F.cross_entropy(x(2, 3), torch.tensor([0, 2]))
    cross_entropy weight: F.cross_entropy(x(2, 3), torch.tensor([0, 2]), x(3), reduction="none")
    cross_entropy soft: F.cross_entropy(x(2, 3), x(2, 3))
    nll_loss: F.nll_loss(x(2, 3), torch.tensor([0, 2]))
    nll_loss2d: F.nll_loss(x(2, 3, 2, 2), torch.zeros(2, 2, 2, dtype=torch.long))
    ctc_loss: F.ctc_loss(x(4, 1, 3).log_softmax(-1), torch.tensor([[1, 2]]), torch.tensor([4]), torch.tensor([2]))
    hinge_embedding_loss: F.hinge_embedding_loss(x(3), x(3).sign())
    margin_ranking_loss: F.margin_ranking_loss(x(3), x(3), x(3).sign())
    cosine_embedding_loss: F.cosine_embedding_loss(x(2, 3), x(2, 3), x(2).sign())
    soft_margin_loss: F.soft_margin_loss(x(3), x(3).sign())
    multi_margin_loss: F.multi_margin_loss(x(2, 3), torch.tensor([0, 2]))
    multilabel_margin_loss: F.multilabel_margin_loss(x(2, 3), torch.tensor([[0, 2, -1], [1, -1, 0]]))
    multilabel_soft_margin_loss: F.multilabel_soft_margin_loss(x(2, 3), x(2, 3).sign())
    triplet_margin_loss: F.triplet_margin_loss(x(2, 3), x(2, 3), x(2, 3))
    cosine_similarity: F.cosine_similarity(x(2, 3), x(2, 3))
    pairwise_distance: F.pairwise_distance(x(2, 3), x(2, 3))
    cdist: torch.cdist(x(2, 3), x(2, 3))
    pdist: F.pdist(x(3, 3))
    softmax: F.softmax(x(3), 0)
    log_softmax: F.log_softmax(x(3), 0)
    layer_norm: F.layer_norm(x(2, 3), (3,), x(3), x(3))
    group_norm: F.group_norm(x(2, 4), 2)
    batch_norm: F.batch_norm(x(2, 3), None, None, training=True)
    rms_norm: F.rms_norm(x(2, 3), (3,))
    normalize: F.normalize(x(2, 3))
    gelu: F.gelu(x(3))
    exp: torch.exp(x(3))
    pow: torch.pow(x(3).abs(), 2)
    sum: torch.sum(x(3))
    mean: torch.mean(x(3))
    prod: torch.prod(x(3))
    prod dim: torch.prod(x(2, 3), 1)
    cumsum: torch.cumsum(x(3), 0)
    norm: torch.norm(x(3))
    vector_norm: torch.linalg.vector_norm(x(3))
    matrix_norm: torch.linalg.matrix_norm(x(3, 3))
    var: torch.var(x(3))
    trace: torch.trace(x(3, 3))
    median: torch.median(x(3))
    nanmedian: torch.nanmedian(x(3))
    quantile: torch.quantile(x(3), 0.5)
    nanquantile: torch.nanquantile(x(3), 0.5)
    renorm: torch.renorm(x(3, 3), 2, 0, 1)
    logcumsumexp: torch.logcumsumexp(x(3), 0)
    erfinv: torch.erfinv(x(3).clamp(-0.9, 0.9))
    polar: torch.polar(x(3), x(3))
    view_as_complex: torch.view_as_complex(x(3, 2))
    complex: torch.complex(x(3), x(3))
    stft: torch.stft(x(8), 4, return_complex=True, window=x(4))
    fft: torch.fft.fft(x(4))
    ifft: torch.fft.ifft(x(4))
    fft2: torch.fft.fft2(x(4, 4))
    rfft: torch.fft.rfft(x(4))
    irfft: torch.fft.irfft(x(4))
    fftn: torch.fft.fftn(x(4, 4))
    rfftn: torch.fft.rfftn(x(4, 4))
    irfft2: torch.fft.irfft2(x(4, 4))
    hfft: torch.fft.hfft(x(4))
    ihfft: torch.fft.ihfft(x(4))
    inverse: torch.inverse(square())
    pinverse: torch.pinverse(x(3, 2))
    linalg.inv: torch.linalg.inv(square())
    linalg.inv_ex: torch.linalg.inv_ex(square())[0]
    linalg.pinv: torch.linalg.pinv(square())
    linalg.cholesky: torch.linalg.cholesky(square())
    linalg.cholesky_ex: torch.linalg.cholesky_ex(square())[0]
    cholesky_inverse: torch.cholesky_inverse(square())
    cholesky_solve: torch.cholesky_solve(x(3, 2), square())
    linalg.solve: torch.linalg.solve(square(), x(3, 2))
    linalg.solve_triangular: torch.linalg.solve_triangular(square(), x(3, 2), upper=True)
    linalg.lstsq: torch.linalg.lstsq(square(), x(3, 2))[0]
    linalg.det: torch.linalg.det(square())
    linalg.slogdet: torch.linalg.slogdet(square())[1]
    linalg.qr: torch.linalg.qr(square())[0]
    qr: torch.qr(square())[0]
    geqrf: torch.geqrf(square())[0]
    linalg.svd: torch.linalg.svd(square())[1]
    linalg.svdvals: torch.linalg.svdvals(square())
    svd: torch.svd(square())[1]
    linalg.eig: torch.linalg.eig(square())[0]
    linalg.eigh: torch.linalg.eigh(square())[0]
    linalg.eigvals: torch.linalg.eigvals(square())
    linalg.eigvalsh: torch.linalg.eigvalsh(square())
    linalg.cond: torch.linalg.cond(square())
    linalg.matrix_rank: torch.linalg.matrix_rank(square())
    linalg.matrix_exp: torch.linalg.matrix_exp(square())
    linalg.matrix_power: torch.linalg.matrix_power(square(), 2)
    linalg.householder_product: torch.linalg.householder_product(square(), x(3))
    linalg.tensorinv: torch.linalg.tensorinv(square().reshape(3, 3), 1)
    linalg.tensorsolve: torch.linalg.tensorsolve(square(), x(3))
    linalg.lu: torch.linalg.lu(square())[1]
    linalg.lu_factor: torch.linalg.lu_factor(square())[0]
    lu_solve: torch.lu_solve(x(3, 2), *torch.linalg.lu_factor(square()))
    triangular_solve: torch.triangular_solve(x(3, 2), square())[0]
    ormqr: torch.ormqr(square(), x(3), x(3, 2))
    cross: torch.linalg.cross(x(3), y(3))
    stack: torch.stack([x(3), y(3)])
    cat: torch.cat([x(3), y(3)])
    index_copy: torch.index_copy(x(3), 0, torch.tensor([1]), y(1))
    add: x(3) + y(3)
    where: torch.where(x(3) > 0, x(3), y(3))
    addcmul: torch.addcmul(x(3), y(3), x(3))
    addcdiv: torch.addcdiv(x(3), y(3), x(3))
    atan2: torch.atan2(x(3), y(3))
    RNN: torch.nn.RNN(4, 4)(x(2, 1, 4))[0]
    LSTM: torch.nn.LSTM(4, 4)(x(2, 1, 4))[0]
    GRU: torch.nn.GRU(4, 4)(x(2, 1, 4))[0]
    LSTMCell: torch.nn.LSTMCell(4, 4)(x(1, 4))[0]
    MultiheadAttention: torch.nn.MultiheadAttention(4, 2)(x(2, 1, 4), x(2, 1, 4), x(2, 1, 4))[0]
    TransformerEncoderLayer: torch.nn.TransformerEncoderLayer(4, 2, 8)(x(2, 1, 4))
    Embedding: torch.nn.Embedding(3, 4)(torch.tensor([0, 1]))
    EmbeddingBag: torch.nn.EmbeddingBag(3, 4)(torch.tensor([[0, 1]]))
    LayerNorm: torch.nn.LayerNorm(4)(x(2, 4))
    BatchNorm2d: torch.nn.BatchNorm2d(2)(x(2, 2, 2, 2))
    Conv2d: torch.nn.Conv2d(2, 3, 2)(x(1, 2, 4, 4))
    addmm out: torch.addmm(x(3, 2), x(3, 4), x(4, 2), out=torch.empty(3, 2, dtype=x(1).dtype))
    addmm in place: x(3, 2).addmm_(x(3, 4), x(4, 2))
    sparse: torch.sparse.mm(x(3, 3).to_sparse(), x(3, 2))
"""


def lines() -> dict[str, str]:
    """The calls by name."""
    return {name.strip(): call.strip() for name, _, call in (line.partition(": ") for line in CALLS.strip().splitlines())}


def outcome(torch: Any, call: str, dtype: str, other: str) -> str:
    """The dtypes of the results of a call on operands of `dtype`, and of `other` where it says `y`; or "error"."""
    torch.manual_seed(0)

    def x(*shape: int) -> Any:
        return torch.randn(shape).to(getattr(torch, dtype))

    def y(*shape: int) -> Any:
        return torch.randn(shape).to(getattr(torch, other))

    def square() -> Any:
        return (0.1 * torch.ones(3, 3) + torch.diag(torch.tensor([1.0, 2.0, 3.0]))).to(getattr(torch, dtype))

    spaces = {"torch": torch, "F": torch.nn.functional, "x": x, "y": y, "square": square}
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = eval(call, spaces)
    except (RuntimeError, TypeError, ValueError, NotImplementedError):
        return "error"
    parts = found if isinstance(found, (tuple, list)) else (found,)
    return " ".join(str(part.dtype).removeprefix("torch.") for part in parts if hasattr(part, "dtype"))


OPERANDS = (("float32", "bfloat16"), ("bfloat16", "float32"), ("float64", "float32"), ("float16", "bfloat16"))


def outcomes(torch: Any) -> dict[str, dict[str, str]]:
    """What every call gives, by the dtype of its operands."""
    return {name: {dtype: outcome(torch, call, dtype, other) for dtype, other in OPERANDS} for name, call in lines().items()}
