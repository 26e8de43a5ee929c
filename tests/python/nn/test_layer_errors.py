"""Texts of errors that layers and functions raise themselves."""

from __future__ import annotations

import re

import pytest
import rushlight
from rushlight import nn

F = nn.functional
ones = rushlight.ones


def lstm():
    return nn.LSTM(2, 3)


ERRORS = [
    (lambda: nn.Conv2d(3, 4, 3, groups=2), ValueError, "in_channels must be divisible by groups"),
    (lambda: nn.Conv2d(3, 4, 3, groups=0), ValueError, "groups must be a positive integer"),
    (lambda: nn.Conv2d(3, 4, 3, padding="foo"), ValueError, "Invalid padding string 'foo'"),
    (
        lambda: nn.Conv2d(3, 4, 3, padding="same", stride=2),
        ValueError,
        "padding='same' is not supported for strided convolutions",
    ),
    (
        lambda: nn.ConvTranspose2d(3, 4, 3, padding_mode="reflect"),
        ValueError,
        'Only "zeros" padding mode is supported for ConvTranspose2d',
    ),
    (
        lambda: nn.ConvTranspose2d(3, 4, 3, stride=2)(ones(1, 3, 5, 5), output_size=(20, 20)),
        ValueError,
        "requested an output size of (20, 20), but valid sizes range from [11, 11] to [12, 12]",
    ),
    (lambda: nn.BatchNorm2d(3)(ones(1, 3)), ValueError, "expected 4D input (got 2D input)"),
    (
        lambda: F.batch_norm(ones(1, 3), None, None, training=True),
        ValueError,
        "Expected more than 1 value per channel when training, got input size",
    ),
    (
        lambda: nn.InstanceNorm1d(3)(ones(2, 3, 1)),
        ValueError,
        "Expected more than 1 spatial element when training",
    ),
    (
        lambda: nn.InstanceNorm2d(3, affine=True)(ones(2, 2, 2, 2)),
        ValueError,
        "expected input's size at dim=1 to match num_features (3), but got: 2.",
    ),
    (lambda: nn.GroupNorm(3, 4), ValueError, "num_channels (4) must be divisible by num_groups"),
    (lambda: nn.Dropout(2), ValueError, "dropout probability has to be between 0 and 1"),
    (lambda: F.dropout1d(ones(1, 1, 1, 1)), RuntimeError, "Expected 2D or 3D input"),
    (lambda: nn.Hardtanh(2, 1), AssertionError, "max_val (1) must be greater than min_val (2)"),
    (
        lambda: nn.Embedding(3, 4, padding_idx=3),
        AssertionError,
        "Padding_idx must be within num_embeddings",
    ),
    (
        lambda: nn.Embedding.from_pretrained(ones(3)),
        AssertionError,
        "Embeddings parameter is expected to be 2-dimensional",
    ),
    (
        lambda: F.embedding_bag(rushlight.tensor([0]), ones(2, 2)),
        ValueError,
        "offsets has to be a 1D Tensor but got None",
    ),
    (lambda: nn.LSTM(2, 0), ValueError, "hidden_size must be greater than zero"),
    (lambda: nn.LSTM(2.5, 3), TypeError, "input_size should be of type int, got: float"),
    (lambda: nn.RNN(2, 3, nonlinearity="foo"), ValueError, "Unknown nonlinearity 'foo'"),
    (lambda: nn.LSTM(2, 3, dropout=2.0), ValueError, "dropout should be a number in range [0, 1]"),
    (lambda: nn.GRU(2, 3, proj_size=1), ValueError, "only supported for LSTM, not RNN or GRU"),
    (
        lambda: lstm()(ones(4, 2, 3)),
        RuntimeError,
        "input.size(-1) must be equal to input_size. Expected 2, got 3",
    ),
    (lambda: lstm()(ones(4)), ValueError, "LSTM: Expected input to be 2D or 3D, got 1D instead"),
    (
        lambda: lstm()(ones(4, 2, 2), (ones(1, 2, 4), ones(1, 2, 3))),
        RuntimeError,
        "Expected hidden[0] size (1, 2, 3), got [1, 2, 4]",
    ),
    (
        lambda: lstm()(ones(4, 2, 2), (ones(1, 3), ones(1, 3))),
        RuntimeError,
        "For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors",
    ),
    (
        lambda: lstm()(ones(4, 2, 2).double()),
        ValueError,
        "does not match weight dtype",
    ),
    (
        lambda: nn.GRUCell(2, 3)(ones(1, 1, 1)),
        ValueError,
        "GRUCell: Expected input to be 1D or 2D, got 3D instead",
    ),
    (
        lambda: nn.MultiheadAttention(5, 2),
        AssertionError,
        "embed_dim must be divisible by num_heads",
    ),
    (
        lambda: nn.MultiheadAttention(4, 2)(ones(3, 4), ones(5, 2, 4), ones(5, 2, 4)),
        AssertionError,
        "For unbatched (2-D) `query`, expected `key` and `value` to be 2-D",
    ),
    (
        lambda: nn.MultiheadAttention(4, 2)(*[ones(3, 2, 4)] * 3, is_causal=True),
        RuntimeError,
        "Need attn_mask if specifying the is_causal hint",
    ),
    (
        lambda: nn.MultiheadAttention(4, 2)(*[ones(3, 2, 4)] * 3, attn_mask=ones(2, 3)),
        RuntimeError,
        "The shape of the 2D attn_mask is",
    ),
    (
        lambda: nn.TransformerEncoderLayer(8, 2, activation="foo"),
        RuntimeError,
        "activation should be relu/gelu, not foo",
    ),
    (
        lambda: nn.Transformer(8, 2, 1, 1, 8)(ones(3, 2, 8), ones(3, 3, 8)),
        RuntimeError,
        "the batch number of src and tgt must be equal",
    ),
    (lambda: F.mse_loss(ones(2), ones(2), reduction="x"), ValueError, "x is not a valid value"),
    (
        lambda: F.binary_cross_entropy_with_logits(ones(2, 3), ones(3)),
        ValueError,
        "must be the same as input size",
    ),
    (lambda: F.gaussian_nll_loss(ones(2), ones(2), -ones(2)), ValueError, "var has negative entry"),
    (lambda: nn.TripletMarginLoss(-1), ValueError, "expected margin to be greater than 0, got -1"),
    (lambda: nn.MultiMarginLoss(3), ValueError, "only p == 1 and p == 2 supported"),
    (lambda: F.interpolate(ones(1, 1, 2, 2)), ValueError, "either size or scale_factor"),
    (
        lambda: F.interpolate(ones(1, 1, 2, 2), 3, mode="linear"),
        NotImplementedError,
        "Got 4D input, but linear mode needs 3D input",
    ),
    (
        lambda: F.interpolate(ones(1, 1, 2, 2), size=(3,)),
        ValueError,
        "Input and output must have the same number of spatial dimensions",
    ),
    (
        lambda: F.interpolate(ones(1, 1, 2, 2), size=3, align_corners=True),
        ValueError,
        "align_corners option can only be set with the interpolating modes",
    ),
    (
        lambda: F.grid_sample(ones(1, 1, 2, 2), ones(1, 2, 2, 2), mode="foo"),
        ValueError,
        "expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: 'foo'",
    ),
    (lambda: F.glu(ones(())), RuntimeError, "glu does not support scalars"),
    (lambda: nn.Unflatten(1, (2, "a")), TypeError, "found element of type str at pos 1"),
    (
        lambda: nn.FractionalMaxPool2d(2),
        ValueError,
        "FractionalMaxPool2d requires specifying either an output size, or a pooling ratio",
    ),
    (lambda: nn.CircularPad1d(1)(ones(1)), ValueError, "expected 2D or 3D input (got 1D input)"),
    (
        lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 5]),
        ValueError,
        "cutoffs should be a sequence of unique, positive integers",
    ),
    (lambda: nn.init.eye_(ones(3)), ValueError, "Only tensors with 2 dimensions are supported"),
    (lambda: nn.init.xavier_uniform_(ones(3)), ValueError, "Fan in and fan out can not be"),
    (lambda: nn.init.calculate_gain("foo"), ValueError, "Unsupported nonlinearity foo"),
    (
        lambda: nn.utils.rnn.pack_padded_sequence(ones(3, 2, 1), [2, 3]),
        RuntimeError,
        "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True",
    ),
    (
        lambda: nn.utils.rnn.pack_padded_sequence(ones(3, 2, 1), [3, 0]),
        RuntimeError,
        "Length of all samples has to be greater than 0",
    ),
    (lambda: nn.utils.rnn.pad_sequence(3), RuntimeError, "Expected iterable for input sequences"),
    (
        lambda: nn.utils.prune.l1_unstructured(nn.Linear(2, 2), "weight", 2.5),
        ValueError,
        "amount=2.5 should either be a float in the range [0, 1] or a non-negative integer",
    ),
    (
        lambda: nn.utils.prune.remove(nn.Linear(2, 2), "weight"),
        ValueError,
        "has to be pruned before pruning can be removed",
    ),
    (
        lambda: nn.utils.remove_weight_norm(nn.Linear(2, 2)),
        ValueError,
        "weight_norm of 'weight' not found in Linear",
    ),
    (
        lambda: nn.parallel.DistributedDataParallel(nn.Linear(1, 1)),
        RuntimeError,
        "Default process group has not been initialized",
    ),
]


@pytest.mark.parametrize("number", range(len(ERRORS)), ids=[case[2][:40] for case in ERRORS])
def test_error(number):
    action, kind, text = ERRORS[number]
    with pytest.raises(kind, match=re.escape(text)):
        action()
