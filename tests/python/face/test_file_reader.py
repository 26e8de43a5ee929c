"""torch.PyTorchFileReader gives the records of an archive, and RuntimeError for everything else."""

from __future__ import annotations

import io

import pytest
import rushlight as torch


def archive() -> bytes:
    file = io.BytesIO()
    torch.save({"a": torch.arange(5, dtype=torch.float32), "b": torch.ones(2, dtype=torch.uint16)}, file)
    return file.getvalue()


def test_records_are_the_bytes_of_the_archive(tmp_path):
    data = archive()
    path = tmp_path / "x.pt"
    path.write_bytes(data)
    for reader in (torch.PyTorchFileReader(str(path)), torch.PyTorchFileReader(io.BytesIO(data))):
        assert {"data.pkl", "data/0", "data/1", "version", "byteorder"} <= set(reader.get_all_records())
        assert reader.has_record("data/0") and not reader.has_record("data/7")
        assert reader.get_record("byteorder") == b"little" and reader.get_record_size("data/0") == 20
        offset = reader.get_record_offset("data/0")
        assert offset % 64 == 0 and data[offset : offset + 20] == reader.get_record("data/0")
        assert data[reader.get_record_header_offset("data/0") :][:2] == b"PK"
        assert reader.get_storage_from_record("data/0", 5, torch.float32).tolist() == [0, 1, 2, 3, 4]
        assert reader.serialization_id() == ""  # one of PyTorch has a number


def test_what_is_no_archive_is_refused(tmp_path):
    reader = torch.PyTorchFileReader(io.BytesIO(archive()))
    with pytest.raises(RuntimeError, match="failed locating file data/9: file not found; the archive has .*data.pkl"):
        reader.get_record("data/9")
    with pytest.raises(RuntimeError, match="open file failed because of errno 2"):
        torch.PyTorchFileReader(str(tmp_path / "nothing"))
    with pytest.raises(RuntimeError, match="failed reading zip archive"):
        torch.PyTorchFileReader(io.BytesIO(b"no archive"))
    damaged = bytearray(archive())
    damaged[reader.get_record_offset("data/0")] ^= 1
    with pytest.raises(RuntimeError, match="failed reading file data/0"):
        torch.PyTorchFileReader(io.BytesIO(bytes(damaged))).get_record("data/0")


def test_quantized_tensors_are_refused():
    with pytest.raises(NotImplementedError, match="empty_quantized: rushlight has no quantized tensors"):
        torch.empty_quantized((2,), torch.ones(2))
