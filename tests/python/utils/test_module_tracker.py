"""Names of running modules, forward and backward."""

import rushlight as torch
from rushlight import nn
from rushlight.utils.module_tracker import ModuleTracker


class Seen(torch.autograd.Function):
    """The identity, which notes what runs when it is called and when its gradient is."""

    @staticmethod
    def forward(ctx, x, tracker, seen):
        ctx.note = lambda: seen.append((tracker.is_bw, sorted(tracker.parents)))
        ctx.note()
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        ctx.note()
        return grad, None, None


def test_names_forward_and_backward():
    tracker, seen = ModuleTracker(), []

    class Leaf(nn.Module):
        def forward(self, x):
            return Seen.apply(x, tracker, seen)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.rest = Leaf(), nn.Sequential(Leaf())

        def forward(self, x):
            return self.rest(self.first(x))

    net = Net()
    with tracker:
        net(torch.ones(2, requires_grad=True)).sum().backward()
        assert tracker.parents == {"Global"} and not tracker.is_bw
    first, second = ["Global", "Net", "Net.first"], ["Global", "Net", "Net.rest", "Net.rest.0"]
    assert seen == [(False, first), (False, second), (True, second), (True, first)]


def test_inputs_without_gradient_and_errors():
    tracker = ModuleTracker()
    layer = nn.Linear(2, 2)
    with tracker:
        layer(torch.ones(1, 2)).sum().backward()
        assert tracker.parents == {"Global"}  # the pass is over
        try:
            layer(torch.ones(1, 3))
        except RuntimeError:
            pass
        assert tracker.parents == {"Global"}
