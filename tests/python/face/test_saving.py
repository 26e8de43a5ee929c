"""`save` and `load`, pickling and copying, storages, safetensors."""

from __future__ import annotations

import copy
import io
import pickle
import zipfile

import pytest
import rushlight as torch
from rushlight import npz, safetensors


def round_trip(obj, **options):
    buffer = io.BytesIO()
    torch.save(obj, buffer)
    buffer.seek(0)
    return torch.load(buffer, **options)


def test_plain_data_round_trip():
    state = {"w": torch.arange(6.0).reshape(2, 3), "n": 3, "name": "x", "list": [1.5, None, True], "t": (1, 2)}
    back = round_trip(state)
    assert (
        torch.equal(back["w"], state["w"]) and back["n"] == 3 and back["list"] == state["list"] and back["t"] == (1, 2)
    )


def test_the_format_before_archives():
    x = torch.arange(6.0).reshape(2, 3)
    things = {"x": x, "row": x[1], "half": x.half(), "model": torch.nn.Linear(3, 2), "thing": Thing(3)}
    buffer = io.BytesIO()
    torch.save(things, buffer, _use_new_zipfile_serialization=False)
    assert not zipfile.is_zipfile(buffer)
    buffer.seek(0)
    back = torch.load(buffer, weights_only=False)
    assert torch.equal(back["x"], x) and torch.equal(back["half"], x.half()) and back["thing"].value == 3
    assert all(torch.equal(a, b) for a, b in zip(back["model"].parameters(), things["model"].parameters(), strict=True))
    back["row"][0] = 7
    assert back["x"][1, 0] == 7
    damaged = io.BytesIO(buffer.getvalue()[:-1])
    with pytest.raises(RuntimeError, match="cut short"):
        torch.load(damaged, weights_only=False)
    for cut in range(0, len(buffer.getvalue()), 97):
        with pytest.raises((RuntimeError, EOFError, pickle.UnpicklingError)):
            torch.load(io.BytesIO(buffer.getvalue()[:cut]), weights_only=False)


def test_the_format_before_archives_without_code(tmp_path):
    x = torch.arange(6.0).reshape(2, 3)
    torch.save({"x": x, "row": x[1]}, tmp_path / "plain.pt", _use_new_zipfile_serialization=False)
    for options in ({}, {"weights_only": True, "map_location": lambda storage, location: storage}):
        back = torch.load(tmp_path / "plain.pt", **options)
        assert torch.equal(back["x"], x) and torch.equal(back["row"], x[1])
    torch.save(Thing(3), tmp_path / "thing.pt", _use_new_zipfile_serialization=False)
    with pytest.raises(pickle.UnpicklingError):
        torch.load(tmp_path / "thing.pt")


def test_an_empty_file_ends_early(tmp_path):
    (tmp_path / "empty.pt").write_bytes(b"")
    for source in (tmp_path / "empty.pt", io.BytesIO()):
        for weights_only in (True, False):
            with pytest.raises(EOFError, match="Ran out of input"):
                torch.load(source, weights_only=weights_only)


def test_shared_memory_stays_shared():
    x = torch.zeros(4)
    for back in (round_trip([x, x[1:]]), copy.deepcopy([x, x[1:]])):
        back[0][1] = 7
        assert back[1][0] == 7
    assert x[1] == 0


class Thing:
    def __init__(self, value):
        self.value = value


def test_objects_need_weights_only_false(tmp_path):
    path = tmp_path / "thing.pt"
    torch.save({"thing": Thing(torch.ones(2)), "dtype": torch.float32, "size": torch.Size([2])}, path)
    back = torch.load(path, weights_only=False)
    assert torch.equal(back["thing"].value, torch.ones(2)) and back["dtype"] is torch.float32
    assert isinstance(back["size"], torch.Size)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        torch.load(path)
    with torch.serialization.safe_globals([Thing]):
        assert torch.equal(torch.load(path)["thing"].value, torch.ones(2))


def test_map_location_forms(tmp_path):
    path = tmp_path / "x.pt"
    torch.save({"x": torch.ones(2)}, path)
    for place in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}, lambda storage, location: storage):
        assert torch.equal(torch.load(path, map_location=place)["x"], torch.ones(2))
    assert torch.load(path, map_location="meta")["x"].is_meta


def test_load_errors_name_the_file(tmp_path):
    path = tmp_path / "bad.pt"
    path.write_bytes(b"this is no checkpoint")
    with pytest.raises((RuntimeError, ValueError, pickle.UnpicklingError)):
        torch.load(path)
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "absent.pt")


def test_pickle_and_deepcopy_keep_requires_grad_and_attributes():
    x = torch.ones(2, requires_grad=True)
    x.tag = "mine"
    for y in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert y.requires_grad and torch.equal(y, x) and y.tag == "mine" and y.data_ptr() != x.data_ptr()
    with pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(x * 2)


def test_storages():
    x = torch.arange(4, dtype=torch.int32)
    assert x.storage().tolist() == [0, 1, 2, 3] and len(x.untyped_storage()) == 16
    x.storage()[1] = 9
    assert x[1] == 9
    assert isinstance(x.storage(), torch.IntStorage) and not isinstance(x.storage(), torch.FloatStorage)
    assert torch.is_storage(x.storage()) and torch.is_storage(x.untyped_storage())
    assert x.untyped_storage().data_ptr() == x[1:].untyped_storage().data_ptr()


def test_safetensors(tmp_path):
    path = tmp_path / "w.safetensors"
    safetensors.save_file({"a": torch.ones(2, 2), "b": torch.arange(3)}, path, {"kind": "test"})
    back = safetensors.load_file(path)
    assert torch.equal(back["a"], torch.ones(2, 2)) and back["b"].dtype is torch.int64
    assert torch.equal(safetensors.load(safetensors.save(back))["b"], torch.arange(3))
    with safetensors.safe_open(path) as file:
        assert file.metadata() == {"kind": "test"} and sorted(file.keys()) == ["a", "b"]


class Mine(torch.Tensor):
    pass


def test_types_pickle():
    values = [
        torch.Tensor,
        Mine,
        torch.float32,
        torch.Size([1, 2]),
        torch.device("cpu"),
        torch.strided,
        torch.nn.Parameter,
    ]
    assert pickle.loads(pickle.dumps(values)) == values
    back = pickle.loads(pickle.dumps(torch.ones(2).as_subclass(Mine)))
    assert type(back) is Mine and torch.equal(back, torch.ones(2))


def test_untyped_storage_of_a_file_writes_back(tmp_path):
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(4)))
    storage = torch.UntypedStorage.from_file(str(path), shared=True, size=4)
    assert list(storage) == [0, 1, 2, 3]
    storage[0] = 7
    assert path.read_bytes() == bytes([7, 1, 2, 3])


def hostile_truth_values() -> list:
    """The bytes 2, 0, 255 as bool tensors, from a file of each format."""
    data = bytes([2, 0, 255])
    header = b'{"m":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}}'
    array = b"{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }"
    buffer = io.BytesIO()
    torch.save(torch.zeros(3, dtype=torch.bool), buffer)
    pickled = _replaced_storage(buffer.getvalue(), data)
    return [
        safetensors.load(len(header).to_bytes(8, "little") + header + data)["m"],
        npz.load_npy(b"\x93NUMPY\x01\x00" + len(array).to_bytes(2, "little") + array + data),
        torch.load(io.BytesIO(pickled)),
    ]


def _replaced_storage(archive: bytes, data: bytes) -> bytes:
    """The archive with other bytes in its storage."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            target.writestr(name, data if name.endswith("data/0") else source.read(name))
    return out.getvalue()


@pytest.mark.parametrize("which", range(3))
def test_truth_values_of_files_are_0_or_1(which):
    mask = hostile_truth_values()[which]
    assert mask.view(torch.uint8).tolist() == [1, 0, 1] and mask.sum() == 2
    assert torch.arange(3)[mask].tolist() == [0, 2]


def test_other_bytes_under_a_bool_view_count_once():
    mask = torch.tensor([2, 0, 255, 1, 128], dtype=torch.uint8).view(torch.bool)
    assert mask.nonzero().tolist() == [[0], [2], [3], [4]] and torch.arange(5)[mask].tolist() == [0, 2, 3, 4]
    assert torch.arange(5).masked_select(mask).tolist() == [0, 2, 3, 4]
