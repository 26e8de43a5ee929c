"""Products of float8 matrices and of bytes; the bits are PyTorch's."""

import pytest
import rushlight as torch
import rushlight.nn.functional as F

E4, E5 = torch.float8_e4m3fn, torch.float8_e5m2
PER_TENSOR, PER_ROW = F.ScalingType.TensorWise, F.ScalingType.RowWise
X, Y = torch.linspace(-2, 2, 12).view(3, 4), torch.linspace(-1, 1.5, 20).view(4, 5)
S1, S2 = torch.tensor(0.3), torch.tensor(0.7)


def bits(t):
    return t.view(torch.uint8).tolist()


BITS = {
    E4: (
        [[58, 47, 168, 184, 190], [58, 58, 58, 58, 58], [57, 63, 66, 69, 72]],
        [[66, 60, 48, 175, 189], [66, 68, 70, 72, 73], [65, 73, 76, 80, 82]],
        [[58, 60, 62, 64, 65], [58, 65, 69, 72, 74], [57, 68, 73, 77, 80]],
    ),
    E5: (
        [[61, 58, 180, 187, 191], [60, 60, 61, 60, 61], [61, 63, 66, 67, 68]],
        [[65, 64, 56, 180, 190], [64, 65, 67, 67, 68], [65, 68, 71, 72, 73]],
        [[61, 63, 63, 64, 65], [60, 64, 66, 68, 69], [61, 65, 69, 70, 72]],
    ),
}


@pytest.mark.parametrize("dtype", BITS)
def test_bits_are_pytorchs(dtype):
    a, b, c = X.to(dtype), Y.to(dtype), torch.arange(5.0).to(dtype)
    mm, addmm, linear = BITS[dtype]
    assert (
        bits(a.mm(b)) == bits(a @ b) == bits(F.linear(a, b.t())) == bits(torch.mm(a, b, out=torch.empty_like(a))) == mm
    )
    assert bits(torch.addmm(c, a, b, beta=0.5, alpha=2)) == addmm
    assert bits(F.linear(a, b.t(), c)) == linear
    assert bits(F.linear(a[None], b.t(), c)) == [linear]
    assert bits(a[0] @ b) == mm[0]


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"])
def test_products_are_those_of_float32_rounded_once(name):
    dtype = getattr(torch, name)
    torch.manual_seed(0)
    for m, k, n in ((64, 700, 33), (1, 1, 1), (5, 0, 7), (0, 3, 2)):
        a, b, c = (torch.randn(*size).to(dtype) for size in ((m, k), (k, n), (m, n)))
        assert bits(a.mm(b)) == bits((a.float() @ b.float()).to(dtype))
        turned = b.t().contiguous().t()
        expected = torch.addmm(c.float(), a.float(), b.float(), beta=0.5, alpha=0.25).to(dtype)
        assert bits(torch.addmm(c, a, turned, beta=0.5, alpha=0.25)) == bits(expected)


def test_gradients_are_products_too():
    a, b = X.to(E4).requires_grad_(), Y.to(E4).requires_grad_()
    out = a @ b
    out.backward(torch.ones(3, 5).to(E4))
    assert a.grad.dtype is E4 and b.grad.dtype is E4
    assert bits(a.grad) == bits(torch.ones(3, 5).to(E4) @ b.detach().t())


@pytest.mark.parametrize(
    "call, kernel",
    [
        (lambda a, b: a.mv(b[:, 0]), "mv"),
        (lambda a, b: a[0].dot(b[:, 0]), "dot"),
        (lambda a, b: a[None].bmm(b[None]), "bmm"),
        (lambda a, b: a.to(torch.float8_e8m0fnu).mm(b.to(torch.float8_e8m0fnu)), "addmm_impl_cpu_"),
        (lambda a, b: a.to(torch.complex32).mm(b.to(torch.complex32)), "addmm_impl_cpu_"),
    ],
)
def test_other_products_are_refused(call, kernel):
    with pytest.raises(NotImplementedError, match=f'"{kernel}" not implemented for'):
        call(X.to(E4), Y.to(E4))


def test_dtypes_must_match():
    with pytest.raises(RuntimeError, match="expected m1 and m2 to have the same dtype.*c10::Float8_e4m3fn"):
        X.to(E4).mm(Y.to(E5))
    with pytest.raises(RuntimeError, match="self and mat2 must have the same dtype"):
        torch.addmm(torch.ones(5), X.to(E4), Y.to(E4))


def test_scaled_mm():
    a, b = X.to(E4), Y.to(E4)
    expected = [[40, 29, 149, 165, 172], [40, 40, 40, 40, 40], [39, 45, 49, 51, 54]]
    assert bits(torch._scaled_mm(a, b, S1, S2)) == expected
    assert bits(torch._scaled_mm(a, b, S1.view(1), S2.view(1, 1), scale_result=torch.tensor(2.0))) == expected
    assert bits(torch._scaled_mm(a, b, S1, S2, use_fast_accum=True, out=torch.empty_like(a))) == expected
    assert torch._scaled_mm(a, b, S1, S2, out_dtype=torch.float32)[0].tolist() == pytest.approx(
        [0.2583984732, 0.1004882752, -0.0520898550, -0.2060009241, -0.3757030963], abs=1e-7
    )
    biased = torch._scaled_mm(a, b, S1, S2, bias=torch.arange(5.0), out_dtype=torch.bfloat16)
    assert biased.tolist() == [
        [0.2578125, 1.1015625, 1.9453125, 2.796875, 3.625],
        [0.26171875, 1.2578125, 2.265625, 3.265625, 4.25],
        [0.2392578125, 1.3984375, 2.546875, 3.703125, 4.875],
    ]
    rows, columns = torch.tensor([[1.0], [0.5], [3]]), torch.tensor([[1.0, 2, 3, 0.1, 0.2]])
    assert torch._scaled_mm(a, b, rows, columns, out_dtype=torch.float16).tolist() == [
        [1.23046875, 0.95703125, -0.744140625, -0.09808349609375, -0.35791015625],
        [0.6240234375, 1.2451171875, 1.8671875, 0.062225341796875, 0.1224365234375],
        [3.421875, 11.3203125, 23.515625, 1.00390625, 2.46875],
    ]
    assert torch._scaled_mm(a, b.to(E5), S1, S2, out_dtype=torch.int32).eq(0).all()
    assert torch._scaled_mm(a, b.to(E5), S1, S2).dtype is E4
    assert torch._scaled_mm(a[:, :0], b[:0], S1, S2, bias=torch.arange(5.0)).float()[2].tolist() == [0, 1, 2, 3, 4]


def test_scaled_mm_refuses():
    a, b, one = X.to(E4), Y.to(E4), torch.tensor(1.0)
    for scales in ((torch.ones(3, 1), one), (torch.ones(2, 1), torch.ones(1, 5)), (one.double(), one)):
        with pytest.raises(ValueError, match="Invalid scaling configuration"):
            torch._scaled_mm(a, b, *scales)
    with pytest.raises(ValueError, match="Invalid scaling configuration"):
        torch._scaled_mm(X, Y, one, one)
    with pytest.raises(RuntimeError, match="Bias must be size 5 but got 4"):
        torch._scaled_mm(a, b, one, one, bias=torch.ones(4))
    with pytest.raises(RuntimeError, match="Promotion for Float8 Types is not supported"):
        torch._scaled_mm(a, b, one, one, bias=torch.ones(5).to(E4))
    with pytest.raises(RuntimeError, match="mat1 must be a matrix"):
        torch._scaled_mm(a[0], b, one, one)
    with pytest.raises(RuntimeError, match=r"cannot be multiplied \(3x4 and 5x4\)"):
        torch._scaled_mm(a, b.t(), one, one)
    recorded = torch._scaled_mm(a.clone().requires_grad_(), b, one, one, out_dtype=torch.float32)
    with pytest.raises(RuntimeError, match="derivative for aten::_scaled_mm is not implemented"):
        recorded.sum().backward()


def test_functional_scaled_mm():
    a, b = X.to(E4), Y.to(E4)
    expected = torch._scaled_mm(a, b, S1, S2, out_dtype=torch.bfloat16)
    assert torch.equal(F.scaled_mm(a, b, S1, PER_TENSOR, S2, PER_TENSOR), expected)
    assert torch.equal(F.scaled_mm(a, b, [S1], [PER_TENSOR], [S2], [PER_TENSOR], contraction_dim=(1, 0)), expected)
    assert F.scaled_mm(a, b, S1, PER_TENSOR, S2, PER_TENSOR, output_dtype=None).dtype is E4
    rows, columns = torch.ones(3, 1) * S1, torch.ones(1, 5) * S2
    assert torch.equal(F.scaled_mm(a, b, rows, PER_ROW, columns, PER_ROW), expected)


def test_functional_scaled_mm_refuses():
    a, b, one = X.to(E4), Y.to(E4), torch.tensor(1.0)
    block = F.ScalingType.BlockWise1x32
    for recipes in ((PER_TENSOR, PER_ROW), (block, block), (PER_ROW, PER_ROW)):
        with pytest.raises(ValueError, match="Invalid scaling configuration"):
            F.scaled_mm(a, b, one, recipes[0], one, recipes[1])
    with pytest.raises(ValueError, match="scale_a must have 1 Float element"):
        F.scaled_mm(a, b, torch.ones(3, 1), PER_TENSOR, torch.ones(1, 5), PER_TENSOR)
    with pytest.raises(ValueError, match="contraction_dim must have exactly 2 elements"):
        F.scaled_mm(a, b, one, PER_TENSOR, one, PER_TENSOR, contraction_dim=(1,))
    with pytest.raises(ValueError, match=r"\(3x4 and 4x5\) with contraction dims mat_a: 0, mat_b: 1"):
        F.scaled_mm(a, b, one, PER_TENSOR, one, PER_TENSOR, contraction_dim=(0, 1))
    with pytest.raises(NotImplementedError, match="scaled_grouped_mm"):
        F.scaled_grouped_mm(a, b, one, PER_TENSOR, one, PER_TENSOR)


def test_int_mm():
    torch.manual_seed(0)
    i = torch.randint(-128, 128, (20, 300)).to(torch.int8)
    j = torch.randint(-128, 128, (300, 16)).to(torch.int8)
    expected = i.long() @ j.long()
    result = torch._int_mm(i, j)
    assert result.dtype is torch.int32 and torch.equal(result.long(), expected)
    assert torch.equal(torch._int_mm(j.t(), i.t()), result.t())
    unsigned = i.to(torch.uint8)
    assert torch.equal(torch._int_mm(unsigned, j).long(), unsigned.long() @ j.long())
    assert torch._int_mm(i[:, :0], j[:0]).eq(0).all() and torch._int_mm(i[:0], j).shape == (0, 16)
    for a, b, text in (
        (i.int(), j, "Expected self dtype to be int8 or uint8 but got int"),
        (i, j.float(), "Expected mat2 dtype to be of type int8 but got float"),
        (i, j.t(), r"self.size\(1\) needs to match mat2.size\(0\) but got 300 and 16"),
        (i[0], j, "Expected self to be of dimension 2 but got 1"),
        (i, j[None], "Expected mat2 to be of dimension 2 but got 3"),
    ):
        with pytest.raises(RuntimeError, match=text):
            torch._int_mm(a, b)
