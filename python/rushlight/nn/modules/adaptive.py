"""AdaptiveLogSoftmaxWithLoss: softmax over many classes of very different frequency."""

from __future__ import annotations

from collections import namedtuple

import rushlight
from rushlight import Tensor

from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """Frequent classes in a head, rare ones in clusters of smaller projections (Grave 2017).

    Args:
        in_features: size of the input.
        n_classes: number of classes, numbered by falling frequency.
        cutoffs: first class of each cluster.
        div_value: by which the projection of each next cluster is smaller.
        head_bias: whether the head has a bias.
        device: where the parameters live.
        dtype: their dtype.

    >>> loss = AdaptiveLogSoftmaxWithLoss(4, 10, cutoffs=[3])
    >>> loss(rushlight.zeros(2, 4), rushlight.tensor([0, 7])).output.shape
    torch.Size([2])
    """

    in_features: int
    n_classes: int
    cutoffs: list[int]
    div_value: float
    head_bias: bool
    head: Linear
    tail: ModuleList

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        increasing = all(a < b for a, b in zip(cutoffs, cutoffs[1:]))
        if (
            not increasing
            or min(cutoffs) <= 0
            or max(cutoffs) > n_classes - 1
            or any(int(c) != c for c in cutoffs)
        ):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an "
                "increasing order, where each value is between 1 and n_classes-1"
            )
        place = {"device": device, "dtype": dtype}
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, **place)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(
                    Linear(in_features, hidden, bias=False, **place),
                    Linear(hidden, size, bias=False, **place),
                )
            )

    def reset_parameters(self) -> None:
        """Draws all weights anew."""
        self.head.reset_parameters()
        pairs: Any = self.tail
        for projection, output in pairs:
            projection.reset_parameters()
            output.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> Any:
        """The log probabilities of the targets and minus their mean.

        Args:
            input_: (N, in_features) or (in_features).
            target_: class indices (N) or ().
        """
        dims = target_.dim()
        if dims == 1:
            if input_.size(0) != target_.size(0):
                raise RuntimeError(
                    "Input and target should have the same size in the batch dimension."
                )
            if input_.dim() != 2:
                raise RuntimeError(
                    "1D target tensor expects 2D input tensors, but found inputs with size "
                    f"{input_.size()}"
                )
        elif dims == 0:
            if input_.dim() != 1:
                raise RuntimeError(
                    "0D target tensor expects 1D input tensors, but found inputs with size "
                    f"{input_.size()}"
                )
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        input = input_ if dims else input_.unsqueeze(0)
        target = target_ if dims else target_.unsqueeze(0)

        used = 0
        output = input.new_zeros(target.size(0))
        head_index = target.new_empty(target.size(0))
        bounds = [0, *self.cutoffs]
        for i in range(len(bounds) - 1):
            inside = (target >= bounds[i]) & (target < bounds[i + 1])
            rows = inside.nonzero().squeeze(-1)
            if rows.numel() == 0:
                continue
            if i == 0:
                head_index.index_copy_(0, rows, target[inside])
            else:
                relative = target[inside] - bounds[i]
                cluster = self.shortlist_size + i - 1
                scores = self.tail[i - 1](input.index_select(0, rows))
                logprob = F.log_softmax(scores, dim=1)
                head_index.index_fill_(0, rows, cluster)
                chosen = logprob.gather(1, relative.unsqueeze(1)).squeeze(1)
                output.index_copy_(0, rows, chosen)
            used += rows.numel()
        if used != target.size(0):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        head_logprob = F.log_softmax(self.head(input), dim=1)
        output = output + head_logprob.gather(1, head_index.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        if not dims:
            output = output.squeeze(0)
        return _ASMoutput(output, loss)

    def _get_full_log_prob(self, input: Tensor, head_output: Tensor) -> Tensor:
        output = input.new_empty((head_output.size(0), self.n_classes))
        head_logprob = F.log_softmax(head_output, dim=1)
        output[:, : self.shortlist_size] = head_logprob[:, : self.shortlist_size]
        for i, (start, stop) in enumerate(zip(self.cutoffs, self.cutoffs[1:])):
            cluster = F.log_softmax(self.tail[i](input), dim=1)
            output[:, start:stop] = cluster + head_logprob[:, self.shortlist_size + i].unsqueeze(1)
        return output

    def log_prob(self, input: Tensor) -> Tensor:
        """The log probabilities of all classes, (N, n_classes)."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The most probable class of each row."""
        head_output = self.head(input)
        output = rushlight.argmax(head_output, dim=1)
        outside = output >= self.shortlist_size
        if not outside.any():
            return output
        if outside.all():
            return rushlight.argmax(self._get_full_log_prob(input, head_output), dim=1)
        full = self._get_full_log_prob(input[outside], head_output[outside])
        output[outside] = rushlight.argmax(full, dim=1)
        return output
