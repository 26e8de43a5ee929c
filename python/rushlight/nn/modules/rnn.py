"""Recurrent layers and cells: RNN, LSTM and GRU."""

from __future__ import annotations

import math
import warnings

import rushlight
from rushlight import Tensor

from .. import init
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from .module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def _apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    return tensor.index_select(dim, permutation)


def apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    """The old name of `tensor.index_select(dim, permutation)`."""
    warnings.warn(
        "`apply_permutation` is deprecated, please use "
        "`tensor.index_select(dim, permutation)` instead",
        FutureWarning,
        stacklevel=2,
    )
    return _apply_permutation(tensor, permutation, dim)


def _positive(name: str, value: Any) -> None:
    if not isinstance(value, int):
        raise TypeError(f"{name} should be of type int, got: {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} must be greater than zero")


class RNNBase(Module):
    """What RNN, LSTM and GRU share: their weights and the checks of their inputs."""

    __constants__ = [
        "mode",
        "input_size",
        "hidden_size",
        "num_layers",
        "bias",
        "batch_first",
        "dropout",
        "bidirectional",
        "proj_size",
    ]
    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        directions = 2 if bidirectional else 1
        if (
            isinstance(dropout, bool)
            or not isinstance(dropout, (int, float))
            or not 0 <= dropout <= 1
        ):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an "
                "element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                "dropout expects num_layers greater than 1, but got "
                f"dropout={dropout} and num_layers={num_layers}",
                stacklevel=3,
            )
        for name, flag in (("bias", bias), ("batch_first", batch_first)):
            if not isinstance(flag, bool):
                raise TypeError(f"{name} should be of type bool, got: {type(flag).__name__}")
        _positive("input_size", input_size)
        _positive("hidden_size", hidden_size)
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if proj_size < 0:
            raise ValueError(
                "proj_size should be a positive integer or zero to disable projections"
            )
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)

        gates = _GATES[mode] * hidden_size
        outputs = proj_size or hidden_size
        self._flat_weights_names: list[str] = []
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for direction in range(directions):
                inputs = input_size if layer == 0 else outputs * directions
                shapes = {
                    "weight_ih": (gates, inputs),
                    "weight_hh": (gates, outputs),
                }
                if bias:
                    shapes["bias_ih"] = shapes["bias_hh"] = (gates,)  # type: ignore[assignment]
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                suffix = f"_l{layer}" + ("_reverse" if direction else "")
                names = []
                for kind, shape in shapes.items():
                    names.append(kind + suffix)
                    weight = rushlight.empty(shape, device=device, dtype=dtype)
                    setattr(self, kind + suffix, Parameter(weight))
                self._flat_weights_names.extend(names)
                self._all_weights.append(names)
        self.reset_parameters()

    @property
    def _flat_weights(self) -> list[Any]:
        given = self.__dict__.get("_given_weights")
        if given is not None:
            return list(given)
        params = self._parameters
        return [
            params[name] if name in params else getattr(self, name)
            for name in self._flat_weights_names
        ]

    @_flat_weights.setter
    def _flat_weights(self, weights: list[Any]) -> None:
        """Programs that differentiate through updates of weights put others in their place."""
        own = [self._parameters.get(name) for name in self._flat_weights_names]
        same = len(weights) == len(own) and all(a is b for a, b in zip(weights, own))
        self.__dict__["_given_weights"] = None if same else list(weights)

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The weights of every layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Does nothing: the kernels take the weights where they are."""

    def reset_parameters(self) -> None:
        """Draws all weights anew, uniform within 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Raises if dtype, number of dimensions or last size of the input do not fit."""
        weight = self._flat_weights[0]
        if input.dtype != weight.dtype and not rushlight.is_autocast_enabled("cpu"):
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: "
                f"model.to({input.dtype})"
            )
        expected = 3 if batch_sizes is None else 2
        if input.dim() != expected:
            raise RuntimeError(f"input must have {expected} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                f"{input.size(-1)}"
            )

    def _expected_size(self, input: Tensor, batch_sizes: Tensor | None, size: int) -> Any:
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0) if self.batch_first else input.size(1)
        return self.num_layers * (2 if self.bidirectional else 1), batch, size

    def get_expected_hidden_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """The size that the hidden state must have."""
        return self._expected_size(input, batch_sizes, self.proj_size or self.hidden_size)

    def check_hidden_size(
        self,
        hx: Tensor,
        expected_hidden_size: tuple[int, int, int],
        msg: str = "Expected hidden size {}, got {}",
    ) -> None:
        """Raises if a hidden state has another size."""
        if tuple(hx.size()) != tuple(expected_hidden_size):
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Raises if input or hidden state do not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """The hidden state in another order of the batch."""
        return hx if permutation is None else _apply_permutation(hx, permutation)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            text += f", bidirectional={self.bidirectional}"
        return text

    def __setstate__(self, state: dict[str, Any]) -> None:
        # The list of names is the truth; saved lists of the weights themselves are not.
        state = {k: v for k, v in state.items() if k not in ("_flat_weights", "_given_weights", "all_weights")}
        super().__setstate__(state)
        self.__dict__.setdefault("proj_size", 0)
        if "_flat_weights_names" not in self.__dict__:
            self._flat_weights_names = list(self._parameters)

    def _zeros(self, input: Tensor, batch: int, size: int) -> Tensor:
        layers = self.num_layers * (2 if self.bidirectional else 1)
        return rushlight.zeros(layers, batch, size, dtype=input.dtype, device=input.device)

    def _operator(self) -> Any:
        """The operator that runs all layers and directions."""
        if self.mode == "LSTM":
            return rushlight.lstm
        if self.mode == "GRU":
            return rushlight.gru
        return rushlight.rnn_tanh if self.mode == "RNN_TANH" else rushlight.rnn_relu

    def _check_dims(self, input: Tensor) -> bool:
        """Whether the input is batched; raises if it is no sequence."""
        if input.dim() not in (2, 3):
            raise ValueError(
                f"{self._get_name()}: Expected input to be 2D or 3D, got {input.dim()}D instead"
            )
        return input.dim() == 3

    def _run(self, input: Tensor, hx: Any, batch_sizes: Tensor | None) -> tuple[Any, ...]:
        weights = self._flat_weights
        rest = (self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        if batch_sizes is None:
            return self._operator()(input, hx, weights, *rest, self.batch_first)
        return self._operator()(input, batch_sizes, hx, weights, *rest)

    def _forward_one_state(self, input: Any, hx: Tensor | None) -> Any:
        """The forward of RNN and GRU."""
        if isinstance(input, PackedSequence):
            data, batch_sizes, sorted_indices, unsorted_indices = input
            if hx is None:
                hx = self._zeros(data, int(batch_sizes[0]), self.hidden_size)
            else:
                hx = self.permute_hidden(hx, sorted_indices)
            self.check_forward_args(data, hx, batch_sizes)
            output, hidden = self._run(data, hx, batch_sizes)
            packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return packed, self.permute_hidden(hidden, unsorted_indices)
        batched = self._check_dims(input)
        batch_dim = 0 if self.batch_first else 1
        if hx is not None and hx.dim() != input.dim():
            raise RuntimeError(
                f"For {'batched' if batched else 'unbatched'} {input.dim()}-D input, hx should "
                f"also be {input.dim()}-D but got {hx.dim()}-D tensor"
            )
        if not batched:
            input = input.unsqueeze(batch_dim)
            hx = None if hx is None else hx.unsqueeze(1)
        if hx is None:
            hx = self._zeros(input, input.size(batch_dim), self.hidden_size)
        self.check_forward_args(input, hx, None)
        output, hidden = self._run(input, hx, None)
        if batched:
            return output, hidden
        return output.squeeze(batch_dim), hidden.squeeze(1)


class RNN(RNNBase):
    """Elman network: h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

    Args:
        input_size: size of the input.
        hidden_size: size of the hidden state.
        num_layers: number of layers on top of each other.
        nonlinearity: "tanh" or "relu".
        bias: whether the layers have biases.
        batch_first: sequences are (N, L, size) instead of (L, N, size).
        dropout: share dropped between layers in training.
        bidirectional: run over the sequence in both directions.
        device: where the parameters live.
        dtype: their dtype.
    """

    nonlinearity: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Tensor | None = None) -> Any:
        """Runs the sequence.

        Args:
            input: (L, N, size), with `batch_first` (N, L, size), (L, size) or PackedSequence.
            hx: initial hidden state (layers * directions, N, hidden); zeros when None.

        Returns:
            The outputs of the last layer, and the final hidden state.
        """
        return self._forward_one_state(input, hx)


class LSTM(RNNBase):
    """Long short-term memory (Hochreiter 1997).

    Args:
        input_size: size of the input.
        hidden_size: size of hidden and cell state.
        num_layers: number of layers on top of each other.
        bias: whether the layers have biases.
        batch_first: sequences are (N, L, size) instead of (L, N, size).
        dropout: share dropped between layers in training.
        bidirectional: run over the sequence in both directions.
        proj_size: size to which outputs are projected; 0 for none.
        device: where the parameters live.
        dtype: their dtype.

    >>> output, (h, c) = LSTM(2, 3)(rushlight.zeros(5, 1, 2))
    >>> output.shape, h.shape
    (torch.Size([5, 1, 3]), torch.Size([1, 1, 3]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """The size that the cell state must have."""
        return self._expected_size(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Raises if input, hidden or cell state do not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden[0],
            self.get_expected_hidden_size(input, batch_sizes),
            "Expected hidden[0] size {}, got {}",
        )
        self.check_hidden_size(
            hidden[1],
            self.get_expected_cell_size(input, batch_sizes),
            "Expected hidden[1] size {}, got {}",
        )

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """Hidden and cell state in another order of the batch."""
        if permutation is None:
            return hx
        return _apply_permutation(hx[0], permutation), _apply_permutation(hx[1], permutation)

    def _initial(self, input: Tensor, batch: int) -> tuple[Tensor, Tensor]:
        return (
            self._zeros(input, batch, self.proj_size or self.hidden_size),
            self._zeros(input, batch, self.hidden_size),
        )

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Runs the sequence.

        Args:
            input: (L, N, size), with `batch_first` (N, L, size), (L, size) or PackedSequence.
            hx: initial hidden and cell state, (layers * directions, N, ...); zeros when None.

        Returns:
            The outputs of the last layer, and the final (hidden, cell) states.
        """
        if isinstance(input, PackedSequence):
            data, batch_sizes, sorted_indices, unsorted_indices = input
            if hx is None:
                hx = self._initial(data, int(batch_sizes[0]))
            else:
                hx = self.permute_hidden(hx, sorted_indices)
            self.check_forward_args(data, hx, batch_sizes)
            output, h, c = self._run(data, hx, batch_sizes)
            packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return packed, self.permute_hidden((h, c), unsorted_indices)
        batched = self._check_dims(input)
        batch_dim = 0 if self.batch_first else 1
        if hx is not None and (hx[0].dim() != input.dim() or hx[1].dim() != input.dim()):
            raise RuntimeError(
                f"For {'batched' if batched else 'unbatched'} {input.dim()}-D input, hx and cx "
                f"should also be {input.dim()}-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) "
                "tensors"
            )
        if not batched:
            input = input.unsqueeze(batch_dim)
            hx = None if hx is None else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
        if hx is None:
            hx = self._initial(input, input.size(batch_dim))
        self.check_forward_args(input, hx, None)
        output, h, c = self._run(input, hx, None)
        if batched:
            return output, (h, c)
        return output.squeeze(batch_dim), (h.squeeze(1), c.squeeze(1))


class GRU(RNNBase):
    """Gated recurrent unit (Cho 2014).

    Args:
        input_size: size of the input.
        hidden_size: size of the hidden state.
        num_layers: number of layers on top of each other.
        bias: whether the layers have biases.
        batch_first: sequences are (N, L, size) instead of (L, N, size).
        dropout: share dropped between layers in training.
        bidirectional: run over the sequence in both directions.
        device: where the parameters live.
        dtype: their dtype.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Any, hx: Tensor | None = None) -> Any:
        """Runs the sequence.

        Args:
            input: (L, N, size), with `batch_first` (N, L, size), (L, size) or PackedSequence.
            hx: initial hidden state (layers * directions, N, hidden); zeros when None.

        Returns:
            The outputs of the last layer, and the final hidden state.
        """
        return self._forward_one_state(input, hx)


class RNNCellBase(Module):
    """What the cells share: their weights."""

    __constants__ = ["input_size", "hidden_size", "bias"]
    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Tensor
    weight_hh: Tensor

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size

        def empty(*shape: int) -> Parameter:
            return Parameter(rushlight.empty(shape, device=device, dtype=dtype))

        self.weight_ih = empty(gates, input_size)
        self.weight_hh = empty(gates, hidden_size)
        if bias:
            self.bias_ih = empty(gates)
            self.bias_hh = empty(gates)
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        if nonlinearity != "tanh":
            text += f", nonlinearity={nonlinearity}"
        return text

    def reset_parameters(self) -> None:
        """Draws all weights anew, uniform within 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _check(self, tensor: Tensor, what: str) -> None:
        if tensor.dim() not in (1, 2):
            raise ValueError(
                f"{self._get_name()}: Expected {what} to be 1D or 2D, got {tensor.dim()}D instead"
            )

    def _forward_one_state(self, operator: Any, input: Tensor, hx: Tensor | None) -> Tensor:
        """The forward of RNNCell and GRUCell."""
        self._check(input, "input")
        if hx is not None:
            self._check(hx, "hidden")
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = rushlight.zeros(
                input.size(0), self.hidden_size, dtype=input.dtype, device=input.device
            )
        elif not batched:
            hx = hx.unsqueeze(0)
        result = operator(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return result if batched else result.squeeze(0)


class RNNCell(RNNCellBase):
    """One step of an Elman network.

    Args:
        input_size: size of the input.
        hidden_size: size of the hidden state.
        bias: whether there are biases.
        nonlinearity: "tanh" or "relu".
        device: where the parameters live.
        dtype: their dtype.
    """

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]
    nonlinearity: str

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next hidden state for an input (N, size) or (size)."""
        if self.nonlinearity == "tanh":
            operator = rushlight.rnn_tanh_cell
        elif self.nonlinearity == "relu":
            operator = rushlight.rnn_relu_cell
        else:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._forward_one_state(operator, input, hx)


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory.

    Args:
        input_size: size of the input.
        hidden_size: size of hidden and cell state.
        bias: whether there are biases.
        device: where the parameters live.
        dtype: their dtype.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Tensor]:
        """The next hidden and cell state for an input (N, size) or (size)."""
        self._check(input, "input")
        if hx is not None:
            for i, state in enumerate(hx):
                self._check(state, f"hx[{i}]")
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = rushlight.zeros(
                input.size(0), self.hidden_size, dtype=input.dtype, device=input.device
            )
            hx = (zeros, zeros)
        elif not batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        h, c = rushlight.lstm_cell(
            input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        )
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit.

    Args:
        input_size: size of the input.
        hidden_size: size of the hidden state.
        bias: whether there are biases.
        device: where the parameters live.
        dtype: their dtype.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next hidden state for an input (N, size) or (size)."""
        return self._forward_one_state(rushlight.gru_cell, input, hx)
