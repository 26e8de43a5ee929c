"""__torch_function__: subclasses, other types, modes, switches."""

import rushlight as torch
from rushlight.overrides import TorchFunctionMode


class Logged(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs)


class Number:
    """No tensor, but takes part in calls."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__, len(args)


def test_subclass_sees_calls_and_keeps_its_class():
    x = torch.ones(2).as_subclass(Logged)
    Logged.calls.clear()
    y = torch.add(x, 1)
    z = 2 * x
    x.sum(dim=0)
    torch.cat([torch.ones(1), x])
    assert type(y) is Logged and type(z) is Logged
    assert Logged.calls[0] == "add" and "sum" in Logged.calls and "cat" in Logged.calls


def test_types_that_are_no_tensors():
    assert torch.add(Number(), torch.ones(1)) == ("add", 2)
    assert torch.cat([torch.ones(1), Number()])[0] == "cat"
    assert torch.ones(1) + Number() == ("add", 2)


def test_mode():
    seen = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func.__name__)
            return func(*args, **(kwargs or {}))

    with Mode():
        x = torch.ones(2)
        x + x
        torch.tensor([1])
    torch.ones(2)
    assert seen == ["ones", "add", "tensor"]


def test_switches():
    x = torch.ones(2).as_subclass(Logged)
    with torch._C.DisableTorchFunctionSubclass():
        assert type(x + 1) is torch.Tensor
    assert torch._C._has_torch_function((x,)) and not torch._C._has_torch_function((torch.ones(1),))
    assert torch._C._has_torch_function_unary(Number()) and not torch._C._has_torch_function_unary(3)
