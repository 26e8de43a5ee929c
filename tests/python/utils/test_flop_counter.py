"""Counted operations: PyTorch's numbers, forward and backward, by module."""

import pytest
import rushlight as torch
import rushlight.nn.functional as F
from rushlight import nn
from rushlight.profiler import profile
from rushlight.utils.flop_counter import FlopCounterMode, flop_registry, register_flop_formula


def rand(*sizes):
    return torch.randn(*sizes, requires_grad=True)


def counts(call, **options):
    with FlopCounterMode(display=False, **options) as counter:
        call()
    return {str(op): n for op, n in counter.get_flop_counts().get("Global", {}).items()}


# By PyTorch 2.13 on the CPU.
PRODUCTS = [
    (lambda: (rand(2, 3) @ rand(3, 4)).sum().backward(), {"aten.mm": 144}),
    (lambda: nn.Linear(3, 4)(rand(5, 3)).sum().backward(), {"aten.addmm": 120, "aten.mm": 240}),
    (lambda: nn.Linear(3, 4)(torch.randn(5, 3)).sum().backward(), {"aten.addmm": 120, "aten.mm": 120}),
    (lambda: nn.Linear(3, 4, bias=False)(rand(2, 5, 3)).sum().backward(), {"aten.mm": 720}),
    (lambda: nn.Linear(3, 4)(rand(3)).sum().backward(), {"aten.addmm": 24, "aten.mm": 48}),
    (lambda: rand(2, 3, 4).bmm(rand(2, 4, 5)).sum().backward(), {"aten.bmm": 720}),
    (lambda: (rand(2, 3, 4) @ rand(4, 5)).sum().backward(), {"aten.mm": 720}),
    (lambda: (rand(2, 3, 4, 5) @ rand(3, 5, 4)).sum().backward(), {"aten.bmm": 2880}),
    (lambda: (rand(2, 3) @ rand(3)).sum().backward(), {}),
    (
        lambda: torch.addmm(rand(4), rand(2, 3), rand(3, 4), alpha=0.5).sum().backward(),
        {"aten.addmm": 48, "aten.mm": 96},
    ),
    (
        lambda: torch.baddbmm(rand(2, 3, 5), rand(2, 3, 4), rand(2, 4, 5)).sum().backward(),
        {"aten.baddbmm": 240, "aten.bmm": 480},
    ),
    (lambda: torch.mm(torch.ones(2, 3), torch.ones(3, 4), out=torch.empty(2, 4)), {"aten.mm": 48}),
    (
        lambda: F.scaled_dot_product_attention(rand(3, 5, 8), rand(3, 6, 8), rand(3, 6, 8)).sum().backward(),
        {"aten.bmm": 8640},
    ),
]


@pytest.mark.parametrize("call, expected", PRODUCTS)
def test_products(call, expected):
    assert counts(call) == expected


CONVOLUTIONS = [
    (lambda: nn.Conv1d(3, 4, 3)(rand(2, 3, 9)), 1008, 2016),
    (lambda: nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2)(rand(2, 4, 9, 8)), 8640, 25920),
    (lambda: nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2)(torch.randn(2, 4, 9, 8)), 8640, 17280),
    (lambda: nn.Conv3d(3, 4, 3)(rand(2, 3, 9, 8, 7)), 272160, 544320),
    (lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, groups=2)(rand(2, 4, 9, 8)), 31104, 93312),
    (lambda: F.conv2d(rand(2, 4, 9, 8), rand(6, 4, 3, 3), padding="same"), 62208, 124416),
    (lambda: F.conv2d(rand(4, 9, 8), rand(6, 4, 3, 3)), 18144, 36288),
]


@pytest.mark.parametrize("call, forward, backward", CONVOLUTIONS)
def test_convolutions(call, forward, backward):
    expected = {"aten.convolution": forward, "aten.convolution_backward": backward}
    assert counts(lambda: call().sum().backward()) == expected


def test_attention_in_one_kernel():
    # 2 * (2 * 3 * 5 * 6 * 8) * 2 forward; backward takes five products of that size.
    q, k, v = rand(2, 3, 5, 8), rand(2, 3, 6, 8), rand(2, 3, 6, 8)
    found = counts(lambda: F.scaled_dot_product_attention(q, k, v).sum().backward())
    name = "aten._scaled_dot_product_flash_attention_for_cpu"
    assert found == {name: 5760, f"{name}_backward": 14400}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(10, 20)
        self.b = nn.Sequential(nn.Linear(20, 20), nn.Linear(20, 5))

    def forward(self, x):
        return self.b(self.a(x).relu())


def test_modules_and_table(capsys):
    net = Net()
    with FlopCounterMode(depth=1) as counter:
        net(rand(3, 10)).sum().backward()
    mm, addmm = torch.ops.aten.mm, torch.ops.aten.addmm
    found = counter.get_flop_counts()
    assert found == {
        "Global": {addmm: 4200, mm: 8400},
        "Net": {addmm: 4200, mm: 8400},
        "Net.a": {addmm: 1200, mm: 2400},
        "Net.b": {addmm: 3000, mm: 6000},
        "Net.b.0": {addmm: 2400, mm: 4800},
        "Net.b.1": {addmm: 600, mm: 1200},
    }
    assert counter.get_total_flops() == 12600
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert shown[2:] == [
        ["Net", "12.600K", "100.00%"],
        ["-", "aten.addmm", "4.200K", "33.33%"],
        ["-", "aten.mm", "8.400K", "66.67%"],
    ]
    assert len(counter.get_table().splitlines()) == 2 + 3 and len(counter.get_table(9).splitlines()) == 2 + 15


def test_work_outside_of_modules_is_global():
    with FlopCounterMode(display=False) as counter:
        Net()(torch.randn(3, 10))
        torch.ones(40, 30) @ torch.ones(30, 10)
    assert counter.get_table().splitlines()[2].split() == ["Global", "28.200K", "100.00%"]
    with FlopCounterMode(display=False) as counter:
        pass
    assert counter.get_table().splitlines()[2].split() == ["Global", "0", "0%"]


def test_checkpointing_counts_what_is_computed_again():
    from rushlight.utils.checkpoint import checkpoint

    net = Net()
    plain = sum(counts(lambda: net(rand(3, 10)).sum().backward()).values())
    again = sum(counts(lambda: checkpoint(net, rand(3, 10), use_reentrant=False).sum().backward()).values())
    assert plain == 12600 and again > plain


def test_autocast_and_vmap_count_once():
    def lowered():
        with torch.autocast("cpu"):
            F.linear(torch.ones(5, 3), torch.ones(4, 3)), torch.ones(5, 3) @ torch.ones(3, 4)

    assert counts(lowered) == {"aten.mm": 240}
    batch = torch.randn(7, 5, 3)
    assert sum(counts(lambda: torch.vmap(lambda x: x @ torch.ones(3, 4))(batch)).values()) == 7 * 120
    images = torch.randn(7, 2, 3, 9)
    convolved = counts(lambda: torch.vmap(lambda x: F.conv1d(x, torch.ones(4, 3, 3)))(images))
    assert convolved == {"aten.convolution": 7 * 1008}


def test_own_formulas():
    aten = torch.ops.aten
    by_size = {aten.sin: lambda shape, *args, out_shape=None, **kwargs: shape[0] * 7 + out_shape[0]}
    assert counts(lambda: torch.ones(3).sin(), custom_mapping=by_size) == {"aten.sin": 24}

    @register_flop_formula([aten.cos, aten.tan])
    def flop(shape, *args, **kwargs):
        return 2 * shape[0]

    try:
        assert counts(lambda: torch.ones(3).cos().tan()) == {"aten.cos": 6, "aten.tan": 6}
        with pytest.raises(RuntimeError, match="duplicate registrations for aten.cos"):
            register_flop_formula(aten.cos)(flop)
    finally:
        del flop_registry[aten.cos], flop_registry[aten.tan]
    with pytest.raises(ValueError, match="expected each target to be OpOverloadPacket"):
        register_flop_formula(torch.sin)(flop)
    with pytest.raises(NotImplementedError, match="get_raw"):
        register_flop_formula(aten.cos, get_raw=True)


def test_counters_nest_and_share_with_the_profiler():
    with profile() as prof, FlopCounterMode(display=False) as outer:
        torch.ones(2, 3) @ torch.ones(3, 4)
        with FlopCounterMode(display=False) as inner:
            F.linear(torch.ones(2, 3), torch.ones(4, 3))
    assert (outer.get_total_flops(), inner.get_total_flops()) == (96, 48)
    assert {"aten::mm"} <= {event.key for event in prof.key_averages()}
    assert counts(lambda: torch.ones(2, 2).exp()) == {}


def test_failed_operators_do_not_count():
    def fails():
        with pytest.raises(RuntimeError, match="cannot be multiplied"):
            torch.ones(2, 3) @ torch.ones(2, 3)
        torch.ones(2, 3) @ torch.ones(3, 1)

    assert counts(fails) == {"aten.mm": 12}
