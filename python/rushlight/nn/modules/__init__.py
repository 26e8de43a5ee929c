"""The layer classes, one file per family; the less common files are imported on first use."""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

from .module import Module  # isort: skip
from .activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    MultiheadAttention,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softmax2d,
    Softmin,
    Softplus,
    Softshrink,
    Softsign,
    Tanh,
    Tanhshrink,
    Threshold,
)
from .container import (
    Container,
    ModuleDict,
    ModuleList,
    ParameterDict,
    ParameterList,
    Sequential,
)
from .dropout import (
    AlphaDropout,
    Dropout,
    Dropout1d,
    Dropout2d,
    Dropout3d,
    FeatureAlphaDropout,
)
from .flatten import Flatten, Unflatten
from .linear import Bilinear, Identity, LazyLinear, Linear
from .normalization import CrossMapLRN2d, GroupNorm, LayerNorm, LocalResponseNorm, RMSNorm
from .sparse import Embedding, EmbeddingBag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Class: file, for files that are imported when one of their classes is first used.
_LAZY = {
    name: file
    for file, names in {
        "adaptive": "AdaptiveLogSoftmaxWithLoss",
        "batchnorm": (
            "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d "
            "LazyBatchNorm3d SyncBatchNorm"
        ),
        "channelshuffle": "ChannelShuffle",
        "conv": (
            "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d "
            "LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d"
        ),
        "distance": "CosineSimilarity PairwiseDistance",
        "fold": "Fold Unfold",
        "instancenorm": (
            "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d "
            "LazyInstanceNorm2d LazyInstanceNorm3d"
        ),
        "linear_cross_entropy_options": "LinearCrossEntropyOptions",
        "loss": (
            "BCELoss BCEWithLogitsLoss CosineEmbeddingLoss CrossEntropyLoss CTCLoss "
            "GaussianNLLLoss HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss "
            "LinearCrossEntropyLoss MarginRankingLoss MSELoss MultiLabelMarginLoss "
            "MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PoissonNLLLoss "
            "SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss"
        ),
        "padding": (
            "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d "
            "ConstantPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d "
            "ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d"
        ),
        "pixelshuffle": "PixelShuffle PixelUnshuffle",
        "pooling": (
            "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d "
            "AdaptiveMaxPool2d AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d "
            "FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d "
            "MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d"
        ),
        "rnn": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
        "transformer": (
            "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder "
            "TransformerEncoderLayer"
        ),
        "upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    }.items()
    for name in names.split()
}
_FILES = frozenset(_LAZY.values())

_EAGER: list[str] = (
    "AlphaDropout Bilinear CELU Container CrossMapLRN2d Dropout Dropout1d Dropout2d Dropout3d "
    "ELU Embedding EmbeddingBag FeatureAlphaDropout Flatten GELU GLU GroupNorm Hardshrink "
    "Hardsigmoid Hardswish Hardtanh Identity LayerNorm LazyLinear LeakyReLU Linear "
    "LocalResponseNorm LogSigmoid LogSoftmax Mish Module ModuleDict ModuleList "
    "MultiheadAttention PReLU ParameterDict ParameterList RMSNorm RReLU ReLU ReLU6 SELU "
    "Sequential SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh "
    "Tanhshrink Threshold Unflatten"
).split()


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _FILES:
        return import_module(f"{__name__}.{name}")
    file = _LAZY.get(name)
    if file is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{file}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_FILES})


__all__: list[str] = sorted([*_EAGER, *_LAZY])
