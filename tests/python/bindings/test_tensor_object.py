"""The Tensor object: identity, life, subclasses, attributes, conversions to Python."""

import copy
import gc
import pickle
import weakref

import pytest
import rushlight as torch


class Plain(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl


class Kept(torch.Tensor):
    pass


def test_object_is_the_same_while_it_lives():
    x = torch.tensor([1.0], requires_grad=True)
    x.sum().backward()
    assert x.grad is x.grad
    y = x * 2
    assert y.grad_fn is y.grad_fn


def test_attributes_survive_while_only_cpp_holds_the_tensor():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.sum().backward()
    x.grad.note = "kept"
    gc.collect()
    assert x.grad.note == "kept"


def test_weak_references():
    x = torch.ones(2)
    seen = weakref.ref(x)
    assert seen() is x
    del x
    assert seen() is None


def test_cycle_through_attribute_is_collected():
    x = torch.ones(2)
    x.itself = x
    seen = weakref.ref(x)
    del x
    gc.collect()
    assert seen() is None


def test_cycle_through_hook_is_collected():
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g, x=x: None)
    seen = weakref.ref(x)
    del x
    gc.collect()
    assert seen() is None


def test_slots_of_subclass_are_released():
    class Slotted(torch.Tensor):
        __slots__ = ("extra",)

    class Tag:
        pass

    x = torch.Tensor._make_subclass(Slotted, torch.ones(2))
    x.extra = Tag()
    seen = weakref.ref(x.extra)
    del x
    gc.collect()
    assert seen() is None


def test_subclasses():
    plain = torch.Tensor._make_subclass(Plain, torch.ones(2), True)
    assert type(plain) is Plain and plain.requires_grad and type(plain * 2) is torch.Tensor
    kept = torch.ones(2).as_subclass(Kept)
    assert type(kept) is Kept and type(kept + 1) is Kept and type(kept.sum()) is Kept
    assert isinstance(kept, torch.Tensor) and type(torch.stack([kept, kept])) is Kept


def test_many_objects_are_reused_without_confusion():
    for _ in range(3):
        tensors = [torch.tensor(float(i)) for i in range(1000)]
        assert [t.item() for t in tensors] == list(range(1000))


def test_python_numbers():
    x = torch.tensor([3])
    assert int(x) == 3 and float(x) == 3.0 and bool(x) and complex(x) == 3 and range(5)[x] == 3
    assert [10, 20][torch.tensor(1)] == 20 and len(torch.ones(4, 2)) == 4
    assert float(torch.tensor(2.5)) == 2.5 and int(torch.tensor(2.7)) == 2
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with more than one value is ambiguous"):
        bool(torch.ones(2))
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with no values is ambiguous"):
        bool(torch.ones(0))
    with pytest.raises(TypeError, match="only integer tensors of a single element can be converted to an index"):
        [1][torch.tensor(0.0)]
    with pytest.raises(TypeError, match="len\\(\\) of a 0-d tensor"):
        len(torch.tensor(1))
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(torch.tensor(1))
    with pytest.raises(RuntimeError, match="cannot be converted to Scalar"):
        torch.ones(2).item()


def test_iteration_and_membership():
    x = torch.arange(6).reshape(3, 2)
    assert [row.tolist() for row in x] == [[0, 1], [2, 3], [4, 5]]
    a, b, c = x
    assert b.tolist() == [2, 3] and 4 in x and 9 not in x
    with pytest.raises(RuntimeError, match="only supports Tensor or scalar"):
        assert "a" in x


def test_hash_is_identity_and_comparison_is_elementwise():
    x, y = torch.ones(2), torch.ones(2)
    assert hash(x) == id(x) and len({x, y}) == 2
    assert (x == y).tolist() == [True, True] and (x != "a") is True and (x == None) is False  # noqa: E711
    with pytest.raises(TypeError):
        assert x < "a"


def test_attributes():
    x = torch.ones(2, 3)
    assert x.shape == (2, 3) and x.ndim == 2 and x.dtype is torch.float32 and x.device == torch.device("cpu")
    assert x.layout is torch.strided and x.itemsize == 4 and x.nbytes == 24 and x.is_cpu and not x.is_cuda
    assert x.T.shape == (3, 2) and x.mT.stride() == (1, 3) and x.H.shape == (3, 2)
    assert (
        x.is_leaf
        and not x._is_view()
        and x[0]._is_view()
        and x.grad is None
        and x.grad_fn is None
        and x._version == 0
        and x._base is None
    )
    x.add_(1)
    assert x._version == 1 and x[0]._base is x
    with pytest.raises(RuntimeError, match="only supported on matrices or batches of matrices"):
        assert torch.ones(2).mT is None


def test_real_and_imag_can_be_set():
    z = torch.zeros(2, dtype=torch.complex64)
    z.real = torch.tensor([1.0, 2.0])
    z.imag = torch.tensor([3.0, 4.0])
    assert z.tolist() == [1 + 3j, 2 + 4j] and z.real.tolist() == [1.0, 2.0]


def test_data_and_grad_setters():
    x = torch.ones(2, requires_grad=True)
    x.data = torch.tensor([5.0, 6.0])
    assert x.tolist() == [5.0, 6.0] and x.requires_grad
    x.grad = torch.ones(2)
    x.grad = None
    with pytest.raises(RuntimeError, match="size"):
        x.grad = torch.ones(3)
    with pytest.raises(TypeError, match="assigned grad expected to be a Tensor or None"):
        x.grad = 3
    with pytest.raises(RuntimeError, match="own grad"):
        x.grad = x


def test_sizes_and_strides():
    x = torch.ones(2, 3)
    assert isinstance(x.size(), torch.Size) and x.size(-1) == 3 and x.stride() == (3, 1) and x.stride(0) == 3
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.size(2)
    with pytest.raises(TypeError, match="must be int, not str"):
        x.size("a")


def test_methods_can_be_added_to_the_type():
    torch.Tensor.added_by_test = lambda self: self.dim()
    try:
        assert torch.ones(2, 2).added_by_test() == 2
    finally:
        del torch.Tensor.added_by_test


def test_copy_and_pickle():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert copy.deepcopy(x).tolist() == x.tolist() and copy.copy(x).tolist() == x.tolist()
    for value in (x, torch.float32, torch.device("cpu"), torch.Size([2, 3]), torch.strided, torch.channels_last):
        again = pickle.loads(pickle.dumps(value))
        assert again.tolist() == value.tolist() if isinstance(value, torch.Tensor) else again == value
