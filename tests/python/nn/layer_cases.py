"""Layers and inputs whose printed form, state, initial values, outputs and gradients are recorded.

Each case is a constructor and the arguments of a call, both as expressions over `nn`, `torch` and
the generators below. `record.py` writes what PyTorch 2.13 gives into `layer_results.json`.
"""

from __future__ import annotations

# Inputs: r(...) is uniform in [-1, 1), u(...) in [0, 1), i(n, ...) integer below n.
CASES: list[tuple[str, str]] = [
    ("nn.Identity(3, x=1)", "r(2, 3)"),
    ("nn.Linear(5, 3)", "r(4, 5)"),
    ("nn.Linear(5, 3, bias=False)", "r(2, 4, 5)"),
    ("nn.Linear(1, 1, dtype=torch.float64)", "r(1).double()"),
    ("nn.Bilinear(3, 4, 2)", "r(5, 3), r(5, 4)"),
    ("nn.LazyLinear(3)", "r(2, 4)"),
    ("nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))", "r(2, 3)"),
    ("nn.Embedding(7, 3)", "i(7, 2, 4)"),
    ("nn.Embedding(7, 3, padding_idx=2)", "i(7, 4)"),
    ("nn.Embedding(7, 3, max_norm=1.0)", "i(7, 4)"),
    ("nn.EmbeddingBag(7, 3)", "i(7, 2, 4)"),
    ("nn.EmbeddingBag(7, 3, mode='sum')", "i(7, 6), torch.tensor([0, 2, 5])"),
    ("nn.EmbeddingBag(7, 3, mode='max')", "i(7, 6), torch.tensor([0, 2, 5])"),
    ("nn.EmbeddingBag(7, 3, mode='sum')", "i(7, 2, 4), None, u(2, 4)"),
    (
        "nn.EmbeddingBag(7, 3, padding_idx=1, include_last_offset=True)",
        "i(7, 6), torch.tensor([0, 2, 6])",
    ),
    ("nn.Conv1d(4, 6, 3)", "r(2, 4, 9)"),
    ("nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2)", "r(4, 9)"),
    ("nn.Conv1d(4, 4, 3, padding='same', padding_mode='circular')", "r(2, 4, 9)"),
    ("nn.Conv2d(3, 6, 3)", "r(2, 3, 7, 8)"),
    ("nn.Conv2d(3, 6, (3, 2), stride=(2, 1), padding=(1, 0), bias=False)", "r(2, 3, 7, 8)"),
    ("nn.Conv2d(4, 4, 3, padding='same', dilation=2, groups=4)", "r(1, 4, 7, 8)"),
    ("nn.Conv2d(3, 2, 3, padding=1, padding_mode='reflect')", "r(1, 3, 5, 5)"),
    ("nn.Conv2d(3, 2, 2, padding='same', padding_mode='replicate')", "r(1, 3, 5, 5)"),
    ("nn.Conv3d(2, 3, 2)", "r(1, 2, 3, 4, 5)"),
    ("nn.Conv3d(2, 4, (1, 2, 3), padding=1, groups=2)", "r(2, 3, 4, 5)"),
    ("nn.ConvTranspose1d(3, 4, 3, stride=2, output_padding=1)", "r(2, 3, 5)"),
    ("nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, groups=2)", "r(1, 4, 4, 5)"),
    ("nn.ConvTranspose2d(2, 3, 3, stride=2)", "r(1, 2, 4, 5), [10, 12]"),
    ("nn.ConvTranspose3d(2, 3, 2, dilation=2)", "r(1, 2, 2, 3, 3)"),
    ("nn.LazyConv2d(4, 3)", "r(1, 3, 5, 5)"),
    ("nn.LazyConvTranspose1d(4, 3)", "r(1, 3, 5)"),
    ("nn.MaxPool1d(2)", "r(2, 3, 7)"),
    ("nn.MaxPool2d(3, 2, 1)", "r(2, 3, 7, 8)"),
    ("nn.MaxPool2d(2, ceil_mode=True, return_indices=True)", "r(1, 2, 5, 5)"),
    ("nn.MaxPool2d(2, dilation=2)", "r(2, 5, 5)"),
    ("nn.MaxPool3d(2)", "r(1, 2, 4, 4, 5)"),
    ("nn.MaxUnpool1d(2)", "r(1, 2, 2), torch.tensor([[[1, 2], [0, 3]]])"),
    ("nn.MaxUnpool2d(2)", "r(1, 1, 1, 2), torch.tensor([[[[1, 6]]]])"),
    ("nn.AvgPool1d(3, 2, 1)", "r(2, 3, 7)"),
    ("nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False)", "r(2, 3, 7, 8)"),
    ("nn.AvgPool2d((3, 2), divisor_override=2)", "r(1, 2, 5, 5)"),
    ("nn.AvgPool3d(2)", "r(1, 2, 4, 4, 5)"),
    ("nn.FractionalMaxPool2d(2, output_size=(3, 2))", "r(1, 2, 7, 6)"),
    ("nn.FractionalMaxPool3d(2, output_ratio=0.5)", "r(1, 2, 6, 6, 6)"),
    ("nn.LPPool1d(2, 3)", "r(1, 2, 7)"),
    ("nn.LPPool2d(1.5, 2, stride=1)", "u(1, 2, 4, 4)"),
    ("nn.LPPool3d(2, 2)", "r(1, 2, 4, 4, 4)"),
    ("nn.AdaptiveMaxPool1d(3)", "r(2, 3, 7)"),
    ("nn.AdaptiveMaxPool2d((None, 2), return_indices=True)", "r(1, 2, 3, 5)"),
    ("nn.AdaptiveMaxPool3d(2)", "r(1, 2, 3, 4, 5)"),
    ("nn.AdaptiveAvgPool1d(3)", "r(2, 3, 7)"),
    ("nn.AdaptiveAvgPool2d((3, None))", "r(1, 2, 7, 5)"),
    ("nn.AdaptiveAvgPool3d(2)", "r(1, 2, 3, 4, 5)"),
    ("nn.ReflectionPad1d(2)", "r(1, 2, 4)"),
    ("nn.ReflectionPad2d((1, 2, 0, 1))", "r(1, 2, 4, 4)"),
    ("nn.ReflectionPad3d(1)", "r(1, 2, 3, 3, 3)"),
    ("nn.ReplicationPad1d((1, 2))", "r(1, 2, 4)"),
    ("nn.ReplicationPad2d(1)", "r(2, 4, 4)"),
    ("nn.ReplicationPad3d(1)", "r(1, 2, 2, 3, 3)"),
    ("nn.CircularPad1d(1)", "r(1, 2, 4)"),
    ("nn.CircularPad2d((1, 2, 0, 1))", "r(1, 2, 4, 4)"),
    ("nn.CircularPad3d(1)", "r(1, 2, 2, 3, 3)"),
    ("nn.ConstantPad1d((1, 2), 3.5)", "r(2, 4)"),
    ("nn.ConstantPad2d(1, 2)", "r(1, 2, 2)"),
    ("nn.ConstantPad3d(1, 2)", "r(1, 2, 2, 1)"),
    ("nn.ZeroPad1d(1)", "r(2, 4)"),
    ("nn.ZeroPad2d((1, 0, 2, 0))", "r(1, 2, 4)"),
    ("nn.ZeroPad3d(1)", "r(1, 2, 2, 1)"),
    ("nn.BatchNorm1d(3)", "r(4, 3)"),
    ("nn.BatchNorm1d(3, momentum=None)", "r(4, 3, 5)"),
    ("nn.BatchNorm1d(3).eval()", "r(4, 3)"),
    ("nn.BatchNorm2d(3, affine=False)", "r(2, 3, 4, 4)"),
    ("nn.BatchNorm2d(3, bias=False)", "r(2, 3, 4, 4)"),
    ("nn.BatchNorm2d(3, track_running_stats=False).eval()", "r(2, 3, 4, 4)"),
    ("nn.BatchNorm3d(2, eps=1e-3)", "r(2, 2, 3, 3, 2)"),
    ("nn.SyncBatchNorm(3)", "r(4, 3)"),
    ("nn.LazyBatchNorm1d()", "r(4, 3)"),
    ("nn.LazyBatchNorm2d(affine=False)", "r(2, 3, 2, 2)"),
    ("nn.InstanceNorm1d(3)", "r(2, 3, 5)"),
    ("nn.InstanceNorm2d(3, affine=True, track_running_stats=True)", "r(2, 3, 4, 4)"),
    ("nn.InstanceNorm2d(3, affine=True)", "r(3, 4, 4)"),
    ("nn.InstanceNorm3d(2, track_running_stats=True).eval()", "r(2, 2, 3, 3, 2)"),
    ("nn.LazyInstanceNorm1d()", "r(4, 3, 5)"),
    ("nn.LayerNorm(5)", "r(3, 5)"),
    ("nn.LayerNorm((3, 5), elementwise_affine=False)", "r(2, 3, 5)"),
    ("nn.LayerNorm([5], bias=False)", "r(3, 5)"),
    ("nn.GroupNorm(2, 6)", "r(2, 6, 3, 3)"),
    ("nn.GroupNorm(3, 6, bias=False)", "r(2, 6, 2)"),
    ("nn.GroupNorm(1, 6, affine=False)", "r(2, 6, 4)"),
    ("nn.RMSNorm(5)", "r(3, 5)"),
    ("nn.RMSNorm((3, 5), eps=1e-6, elementwise_affine=False)", "r(2, 3, 5)"),
    ("nn.LocalResponseNorm(2)", "r(2, 4, 3)"),
    ("nn.LocalResponseNorm(3, alpha=1.0, beta=0.5, k=2.0)", "r(2, 4, 3, 3)"),
    ("nn.Threshold(0.1, 20)", "r(9)"),
    ("nn.ReLU()", "r(9)"),
    ("nn.ReLU(inplace=True)", "r(9) * 1"),
    ("nn.RReLU()", "r(9)"),
    ("nn.RReLU(0.1, 0.3).eval()", "r(9)"),
    ("nn.Hardtanh(-0.5, 0.25)", "r(9)"),
    ("nn.ReLU6()", "r(9) * 9"),
    ("nn.Sigmoid()", "r(9)"),
    ("nn.Hardsigmoid()", "r(9) * 5"),
    ("nn.Tanh()", "r(9)"),
    ("nn.SiLU()", "r(9)"),
    ("nn.Mish()", "r(9)"),
    ("nn.Hardswish()", "r(9) * 5"),
    ("nn.ELU(0.7)", "r(9)"),
    ("nn.CELU(1.3)", "r(9)"),
    ("nn.SELU()", "r(9)"),
    ("nn.GLU(0)", "r(4, 3)"),
    ("nn.GELU()", "r(9)"),
    ("nn.GELU('tanh')", "r(9)"),
    ("nn.Hardshrink()", "r(9)"),
    ("nn.LeakyReLU(0.2)", "r(9)"),
    ("nn.LogSigmoid()", "r(9)"),
    ("nn.Softplus(2, 1.5)", "r(9)"),
    ("nn.Softshrink(0.3)", "r(9)"),
    ("nn.PReLU()", "r(2, 3)"),
    ("nn.PReLU(3, 0.1)", "r(2, 3)"),
    ("nn.Softsign()", "r(9)"),
    ("nn.Tanhshrink()", "r(9)"),
    ("nn.Softmin(1)", "r(2, 3)"),
    ("nn.Softmax(0)", "r(2, 3)"),
    ("nn.Softmax2d()", "r(1, 2, 3, 2)"),
    ("nn.LogSoftmax(-1)", "r(2, 3)"),
    ("nn.Dropout(0.3)", "r(4, 5)"),
    ("nn.Dropout(0.3).eval()", "r(4, 5)"),
    ("nn.Dropout1d()", "r(3, 4, 2)"),
    ("nn.Dropout1d()", "r(4, 2)"),
    ("nn.Dropout2d()", "r(2, 3, 2, 2)"),
    ("nn.Dropout3d()", "r(3, 2, 2, 1)"),
    ("nn.AlphaDropout(0.4)", "r(4, 5)"),
    ("nn.FeatureAlphaDropout(0.4)", "r(4, 5, 2)"),
    ("nn.Flatten()", "r(2, 3, 4)"),
    ("nn.Unflatten(1, (2, 3))", "r(2, 6)"),
    ("nn.Fold((4, 5), 2)", "r(1, 8, 12)"),
    ("nn.Unfold((2, 3), dilation=2, padding=1, stride=2)", "r(1, 2, 6, 6)"),
    ("nn.PixelShuffle(2)", "r(1, 8, 2, 3)"),
    ("nn.PixelUnshuffle(2)", "r(1, 2, 4, 6)"),
    ("nn.ChannelShuffle(3)", "r(1, 6, 2)"),
    ("nn.Upsample(scale_factor=2)", "r(1, 2, 3, 3)"),
    ("nn.Upsample(size=(5, 4), mode='bilinear')", "r(1, 2, 3, 3)"),
    ("nn.Upsample(scale_factor=1.7, mode='bicubic', align_corners=True)", "r(1, 2, 3, 3)"),
    ("nn.Upsample(scale_factor=2, mode='linear')", "r(1, 2, 3)"),
    ("nn.Upsample(scale_factor=(2, 1.5, 1), mode='trilinear')", "r(1, 2, 3, 3, 2)"),
    ("nn.Upsample(scale_factor=0.6, mode='nearest-exact')", "r(1, 2, 6, 7)"),
    ("nn.Upsample(size=3, mode='area')", "r(1, 2, 6, 7)"),
    ("nn.UpsamplingNearest2d(size=5)", "r(1, 2, 3, 3)"),
    ("nn.UpsamplingBilinear2d(scale_factor=2)", "r(1, 2, 3, 3)"),
    ("nn.PairwiseDistance(keepdim=True)", "r(4, 3), r(4, 3)"),
    ("nn.CosineSimilarity(0)", "r(4, 3), r(4, 3)"),
    ("nn.RNN(3, 4)", "r(5, 2, 3)"),
    ("nn.RNN(3, 4, 2, nonlinearity='relu', bidirectional=True, batch_first=True)", "r(2, 5, 3)"),
    ("nn.LSTM(3, 4)", "r(5, 2, 3)"),
    ("nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True)", "r(2, 5, 3)"),
    ("nn.LSTM(3, 4, proj_size=2)", "r(5, 2, 3), (r(1, 2, 2), r(1, 2, 4))"),
    ("nn.LSTM(3, 4, bias=False)", "r(5, 3)"),
    ("nn.LSTM(3, 4, 2, dropout=0.5)", "r(5, 2, 3)"),
    ("nn.GRU(3, 4, 2)", "r(5, 2, 3), r(2, 2, 4)"),
    ("nn.GRU(3, 4, bidirectional=True, bias=False)", "r(5, 2, 3)"),
    ("nn.RNNCell(3, 4)", "r(2, 3)"),
    ("nn.RNNCell(3, 4, nonlinearity='relu', bias=False)", "r(2, 3), r(2, 4)"),
    ("nn.LSTMCell(3, 4)", "r(2, 3)"),
    ("nn.GRUCell(3, 4)", "r(3), r(4)"),
    ("nn.MultiheadAttention(6, 2)", "r(3, 2, 6), r(4, 2, 6), r(4, 2, 6)"),
    (
        "nn.MultiheadAttention(6, 3, batch_first=True, bias=False)",
        "*(2 * [r(2, 3, 6)]), r(2, 3, 6)",
    ),
    ("nn.MultiheadAttention(6, 2, kdim=3, vdim=5)", "r(3, 2, 6), r(4, 2, 3), r(4, 2, 5)"),
    (
        "nn.MultiheadAttention(6, 2, add_bias_kv=True, add_zero_attn=True)",
        "r(3, 2, 6), r(4, 2, 6), r(4, 2, 6), torch.tensor([[False, False, True, True]] * 2)",
    ),
    ("nn.MultiheadAttention(6, 2)", "*(3 * [r(3, 6)]), None, False"),
    (
        "nn.MultiheadAttention(6, 2)",
        "*(3 * [r(3, 2, 6)]), None, True, torch.ones(3, 3).triu(1).bool(), False",
    ),
    ("nn.TransformerEncoderLayer(6, 2, 8, dropout=0.0)", "r(3, 2, 6)"),
    (
        "nn.TransformerEncoderLayer(6, 2, 8, dropout=0.2, norm_first=True, activation='gelu')",
        "r(3, 2, 6)",
    ),
    ("nn.TransformerDecoderLayer(6, 2, 8, dropout=0.0, bias=False)", "r(3, 2, 6), r(4, 2, 6)"),
    ("nn.TransformerEncoder(nn.TransformerEncoderLayer(6, 2, 8, 0.0), 2)", "r(3, 2, 6)"),
    (
        "nn.TransformerDecoder(nn.TransformerDecoderLayer(6, 2, 8, 0.0, norm_first=True), 1, "
        "nn.LayerNorm(6))",
        "r(3, 2, 6), r(4, 2, 6)",
    ),
    ("nn.Transformer(6, 2, 1, 1, 8, 0.0, batch_first=True)", "r(2, 3, 6), r(2, 4, 6)"),
    ("nn.L1Loss()", "r(3, 4), r(3, 4)"),
    ("nn.L1Loss(reduction='sum')", "r(3, 4), r(3, 4)"),
    ("nn.MSELoss()", "r(3, 4), r(3, 4)"),
    ("nn.MSELoss(reduction='none')", "r(2, 2), r(2, 2)"),
    ("nn.NLLLoss()", "r(3, 4).log_softmax(1), i(4, 3)"),
    ("nn.NLLLoss(u(4), ignore_index=1)", "r(5, 4, 2).log_softmax(1), i(4, 5, 2)"),
    ("nn.CrossEntropyLoss()", "r(3, 4), i(4, 3)"),
    ("nn.CrossEntropyLoss(u(4), ignore_index=2, label_smoothing=0.1)", "r(6, 4), i(4, 6)"),
    ("nn.CrossEntropyLoss(reduction='sum')", "r(3, 4), u(3, 4)"),
    ("nn.CrossEntropyLoss(reduction='none')", "r(2, 4, 3), i(4, 2, 3)"),
    ("nn.LinearCrossEntropyLoss(3, 4)", "r(5, 3), i(4, 5)"),
    ("nn.LinearCrossEntropyLoss(3, 4, out_features=(2,), bias=True)", "r(5, 3), i(4, 5, 2)"),
    ("nn.PoissonNLLLoss(full=True)", "r(3, 4), u(3, 4) * 4"),
    ("nn.GaussianNLLLoss(full=True)", "r(3, 4), r(3, 4), u(3, 1)"),
    ("nn.KLDivLoss(reduction='batchmean')", "r(3, 4).log_softmax(1), r(3, 4).softmax(1)"),
    ("nn.KLDivLoss(reduction='sum', log_target=True)", "*(2 * [r(3, 4).log_softmax(1)])"),
    ("nn.BCELoss(u(4))", "u(3, 4), u(3, 4)"),
    ("nn.BCEWithLogitsLoss(pos_weight=u(4))", "r(3, 4), u(3, 4)"),
    ("nn.HingeEmbeddingLoss()", "r(3, 4), i(2, 3, 4) * 2 - 1"),
    ("nn.MultiLabelMarginLoss()", "r(2, 3), torch.tensor([[1, 0, -1], [2, -1, 0]])"),
    ("nn.SmoothL1Loss(beta=0.5)", "r(3, 4), r(3, 4)"),
    ("nn.HuberLoss(delta=0.3)", "r(3, 4), r(3, 4)"),
    ("nn.SoftMarginLoss()", "r(3, 4), i(2, 3, 4) * 2 - 1"),
    ("nn.MultiLabelSoftMarginLoss(u(4))", "r(3, 4), i(2, 3, 4).float()"),
    ("nn.CosineEmbeddingLoss(0.1)", "r(3, 4), r(3, 4), i(2, 3) * 2 - 1"),
    ("nn.MarginRankingLoss(0.1)", "r(3), r(3), i(2, 3) * 2 - 1"),
    ("nn.MultiMarginLoss(p=2, weight=u(4))", "r(3, 4), i(4, 3)"),
    ("nn.TripletMarginLoss(swap=True)", "r(3, 4), r(3, 4), r(3, 4)"),
    ("nn.TripletMarginWithDistanceLoss(swap=True)", "r(3, 4), r(3, 4), r(3, 4)"),
    (
        "nn.CTCLoss(zero_infinity=True)",
        "r(6, 2, 4).log_softmax(2), i(3, 2, 3) + 1, torch.tensor([6, 5]), torch.tensor([3, 2])",
    ),
    (
        "nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 6], div_value=2.0, head_bias=True)",
        "r(5, 8), i(12, 5)",
    ),
    ("nn.utils.weight_norm(nn.Linear(3, 2))", "r(2, 3)"),
    ("nn.utils.weight_norm(nn.Conv1d(3, 2, 2), dim=None)", "r(2, 3, 4)"),
    ("nn.utils.spectral_norm(nn.Linear(3, 2))", "r(2, 3)"),
    ("nn.utils.parametrizations.weight_norm(nn.Conv2d(3, 2, 2), dim=1)", "r(1, 3, 4, 4)"),
    ("nn.utils.parametrizations.spectral_norm(nn.ConvTranspose1d(3, 2, 2))", "r(1, 3, 4)"),
    ("nn.utils.parametrizations.orthogonal(nn.Linear(3, 3))", "r(2, 3)"),
    ("nn.utils.parametrizations.orthogonal(nn.Linear(4, 2), orthogonal_map='cayley')", "r(2, 4)"),
    ("nn.utils.prune.l1_unstructured(nn.Linear(4, 3), 'weight', 0.4)", "r(2, 4)"),
    ("nn.utils.prune.random_structured(nn.Conv2d(2, 4, 2), 'weight', 2, 0)", "r(1, 2, 3, 3)"),
    ("nn.DataParallel(nn.Linear(3, 2))", "r(2, 3)"),
]


def generators(torch: object) -> dict[str, object]:
    """r, u and i, seeded apart from the layers."""
    generator = torch.Generator().manual_seed(123)  # type: ignore[attr-defined]

    def u(*size: int) -> object:
        return torch.rand(size, generator=generator)  # type: ignore[attr-defined]

    def r(*size: int) -> object:
        return u(*size) * 2 - 1  # type: ignore[operator]

    def i(n: int, *size: int) -> object:
        return torch.randint(0, n, size, generator=generator)  # type: ignore[attr-defined]

    return {"r": r, "u": u, "i": i}


def _flat(value: object, torch: object) -> list[object]:
    """The tensors in nested tuples and lists."""
    if isinstance(value, torch.Tensor):  # type: ignore[attr-defined]
        return [value]
    if isinstance(value, (tuple, list)):
        return [tensor for part in value for tensor in _flat(part, torch)]
    return []


def digest(tensor: object) -> object:
    """All values of a small tensor; of a larger one the first, their sum and a weighted sum."""
    if tensor is None:
        return None
    values = tensor.detach().flatten().tolist()  # type: ignore[attr-defined]
    if len(values) <= 12:
        return values
    mixed = sum(v * (1 + n % 7) for n, v in enumerate(values))
    return [*values[:6], sum(values) / len(values), mixed / len(values)]


def run_case(torch: object, nn: object, constructor: str, arguments: str) -> dict[str, object]:
    """What one case gives: printed form, state after the seed, outputs, gradients, next draw."""
    import warnings

    names = {"torch": torch, "nn": nn, **generators(torch)}
    torch.manual_seed(0)  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = eval(constructor, names)
        lazy = type(layer).__name__.startswith("Lazy")
        text = repr(layer)
        state = (
            [] if lazy else [(k, list(v.shape), digest(v)) for k, v in layer.state_dict().items()]
        )
        args = eval(f"({arguments},)", names)
        inputs = [t for t in _flat(args, torch) if t.is_floating_point()]
        if "inplace" not in constructor and "Loss" not in constructor:
            for tensor in inputs:
                if tensor.is_leaf:
                    tensor.requires_grad_()
        outputs = [t for t in _flat(layer(*args), torch)]
    total = sum(
        (t * (t.detach() + 1)).sum() for t in outputs if t.is_floating_point() and t.requires_grad
    )
    if not isinstance(total, int):
        total.backward()
    gradients = [t.grad for t in (*inputs, *layer.parameters())]
    return {
        "repr": text,
        "state": state,
        "outputs": [digest(t) for t in outputs],
        "shapes": [list(t.shape) for t in outputs],
        "gradients": [digest(g) for g in gradients],
        "buffers": [(k, digest(b)) for k, b in layer.named_buffers()],
        "next": torch.rand(()).item(),  # type: ignore[attr-defined]
    }
