"""x[...] and x[...] = value against NumPy, and what is refused."""

import numpy as np
import pytest
import rushlight as torch

ARRAY = np.arange(60).reshape(3, 4, 5)
MASK = ARRAY % 3 == 0

KEYS = [
    0, -1, (1, 2), (1, 2, 3), slice(1, 3), (slice(None), 1), (slice(0, 3, 2), slice(1, None), -1), Ellipsis, (Ellipsis, 0),
    (0, Ellipsis), (None, 0), (slice(None), None, 1), (Ellipsis, None), (), (None, Ellipsis, slice(1, 2), None),
    [0, 2], ([0, 1], [1, 2]), (slice(None), [0, 1]), (0, [0, 1]), ([[0, 1], [2, 0]],), (slice(None), slice(None), [4, 0]),
    np.array([0, 1]), (np.array([0, 2]), slice(None), np.array([1, 3])), MASK, MASK[:, :, 0], [True, False, True],
    (slice(None), [True, False, True, False]), (slice(1, 2), [3, 3, 0]), ([0], slice(1, 3), 2), np.int64(2), True, False,
    (None, [0, 1]), range(2), slice(-2, None), slice(2, 1), slice(0, 100),
]  # fmt: skip


def torch_key(key):
    if isinstance(key, tuple):
        return tuple(torch_key(k) for k in key)
    return torch.from_numpy(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("key", KEYS, ids=lambda k: repr(k)[:30])
def test_reading(key):
    x = torch.from_numpy(ARRAY.copy())
    expected = ARRAY[key] if not isinstance(key, range) else ARRAY[list(key)]
    assert x[torch_key(key)].tolist() == expected.tolist() and x[key].shape == expected.shape


@pytest.mark.parametrize("key", KEYS, ids=lambda k: repr(k)[:30])
def test_reading_while_recording(key):
    x = torch.from_numpy(ARRAY.astype("float64")).requires_grad_()
    y = x[torch_key(key)]
    assert y.requires_grad and y.tolist() == ARRAY[list(key) if isinstance(key, range) else key].tolist()
    y.sum().backward()
    counts = np.zeros(ARRAY.shape)
    np.add.at(counts, list(key) if isinstance(key, range) else key, 1)
    assert x.grad.tolist() == counts.tolist()


@pytest.mark.parametrize("key", KEYS, ids=lambda k: repr(k)[:30])
def test_writing_a_number(key):
    x, array = torch.from_numpy(ARRAY.copy()), ARRAY.copy()
    x[torch_key(key)] = -7
    array[list(key) if isinstance(key, range) else key] = -7
    assert x.tolist() == array.tolist()


@pytest.mark.parametrize("key", KEYS, ids=lambda k: repr(k)[:30])
def test_writing_a_tensor(key):
    array = ARRAY.copy()
    key_ = list(key) if isinstance(key, range) else key
    value = np.arange(array[key_].size).reshape(array[key_].shape)
    x = torch.from_numpy(ARRAY.copy())
    x[torch_key(key)] = torch.from_numpy(value)
    array[key_] = value
    assert x[torch_key(key)].tolist() == array[key_].tolist()


def test_basic_keys_give_views():
    x = torch.zeros(3, 4)
    x[1][2] = 5
    x[:, 0] += 1
    assert x[1, 2] == 5 and x[:, 0].tolist() == [1, 1, 1] and x[0]._base is x
    assert x[...]._base is x and x[...] is not x


def test_mask_with_integers_and_slices():
    x = torch.arange(30).reshape(2, 3, 5)
    m = torch.tensor([[True, False, True], [False, True, True]])
    assert x[m].shape == (4, 5) and x[m, 0].tolist() == [0, 10, 20, 25] and x[m, ::2].shape == (4, 3)


def test_values_with_leading_ones_and_broadcasting():
    x = torch.zeros(3, 4)
    x[0] = torch.ones(1, 1, 4)
    x[1:] = torch.tensor([[2.0], [3.0]])
    assert x[:, 0].tolist() == [1, 2, 3]
    x[[0, 1]] = torch.arange(4.0)
    assert x[1].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("key", "error", "text"),
    [
        (5, IndexError, "index 5 is out of bounds for dimension 0 with size 3"),
        (-4, IndexError, "index -4 is out of bounds for dimension 0 with size 3"),
        ((0, 5), IndexError, "index 5 is out of bounds for dimension 1 with size 4"),
        ((0, 1, 2), IndexError, "too many indices for tensor of dimension 2"),
        (1.0, IndexError, "only integers, slices"),
        ({1}, IndexError, "only integers, slices"),
        (slice(None, None, -1), ValueError, "step must be greater than zero"),
        (slice("a"), TypeError, "slice indices must be integers"),
        (torch.tensor([1.0]), IndexError, "tensors used as indices must be long, int, byte or bool tensors"),
        (torch.tensor([7]), IndexError, "out of bounds"),
        (torch.tensor([True, False]), IndexError, "The shape of the mask"),
        (
            (torch.tensor([0, 1]), torch.tensor([0, 1, 2])),
            IndexError,
            "shape mismatch: indexing tensors could not be broadcast",
        ),
        (10**20, ValueError, "Overflow when unpacking long"),
    ],
)
def test_refused_keys(key, error, text):
    with pytest.raises(error, match=text):
        torch.zeros(3, 4)[key]


@pytest.mark.parametrize(
    ("key", "value", "error", "text"),
    [
        (0, [1, 2, 3, 4], TypeError, "can't assign a list to a torch.FloatTensor"),
        (0, "a", TypeError, "can't assign a str"),
        (0, None, TypeError, "can't assign a NoneType"),
        (0, 1j, RuntimeError, "without overflow"),
        (0, torch.ones(3), RuntimeError, "must match the existing size"),
        ([0, 1], torch.ones(3), RuntimeError, "shape mismatch"),
        (5, 1, IndexError, "out of bounds"),
    ],
)
def test_refused_values(key, value, error, text):
    with pytest.raises(error, match=text):
        torch.zeros(3, 4)[key] = value


def test_zero_dim_tensors():
    x = torch.tensor(1.0)
    assert x[...].item() == 1 and x[None].shape == (1,) and x[()].item() == 1
    with pytest.raises(IndexError, match="invalid index of a 0-dim tensor"):
        x[0]
    with pytest.raises(TypeError, match="does not support deleting items"):
        del torch.zeros(2)[0]
