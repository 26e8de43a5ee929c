"""What happens to files when writing fails, and to names that files should not hold."""

from __future__ import annotations

import os
import resource
from contextlib import contextmanager

import pytest
import rushlight as torch
from rushlight import npz, safetensors


@contextmanager
def largest_file(size: int):
    """Writing past `size` bytes fails, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Thing:  # saved through Python's pickle
    def __init__(self, value):
        self.value = value


SAVERS = {
    "checkpoint": lambda path, x: torch.save(x, path),
    "objects": lambda path, x: torch.save({"thing": Thing(x)}, path),
    "safetensors": lambda path, x: safetensors.save_file({"x": x}, path),
    "npz": lambda path, x: npz.save_file({"x": x}, path),
    "npy": lambda path, x: npz.save_npy(x, path),
}


@pytest.fixture(params=SAVERS)
def save(request):
    return SAVERS[request.param]


@pytest.mark.parametrize("size", [0, 4096, 100_000])
def test_old_file_survives_a_full_disk(save, size, tmp_path):
    path = tmp_path / "x"
    save(path, torch.ones(3))
    before = path.read_bytes()
    with largest_file(size), pytest.raises(OSError, match="x'"):
        save(path, torch.zeros(100_000))
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["x"]


def test_full_device_is_an_error(save):
    with pytest.raises(OSError, match="No space left"):
        save("/dev/full", torch.zeros(100_000))


def test_devices_are_written_to_and_stay_devices(save):
    save("/dev/null", torch.ones(3))
    assert not os.path.isfile("/dev/null")


def test_links_stay_links_and_modes_stay(save, tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    save(link, torch.ones(3))
    assert link.is_symlink() and target.read_bytes() != b"old" and target.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link", "target"]


def test_longest_names_can_be_written(save, tmp_path):
    save(tmp_path / ("n" * 255), torch.ones(3))
    assert os.listdir(tmp_path) == ["n" * 255]


def test_leftovers_of_a_killed_process_do_no_harm(save, tmp_path):
    save(tmp_path / "x", torch.ones(3))
    for name in (f"x.tmp.{os.getpid()}", *(f".rushlight-{os.getpid()}-{i}" for i in range(3000))):
        (tmp_path / name).touch()
    save(tmp_path / "x", torch.zeros(100))


def test_missing_folders_are_named(save, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        save(tmp_path / "nowhere" / "x", torch.ones(3))


def test_paths_with_null_characters_are_refused(save):
    with pytest.raises(ValueError, match="null"):
        save("/tmp/rushlight\0x", torch.ones(3))


def test_file_names_that_are_no_unicode(save, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.bin")
    save(path, torch.ones(3))
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff.bin"]


def test_names_with_null_characters_stay_apart():
    tensors = {"a\0b": torch.ones(1), "a\0c": torch.zeros(1), "a": torch.ones(2)}
    back = safetensors.load(safetensors.save(tensors, {"k\0": "v\0w"}))
    assert set(back) == set(tensors) and back["a\0c"] == 0


def test_errors_about_names_that_are_no_unicode_show_them_escaped():
    with pytest.raises(RuntimeError, match=r"'c\\xffa b'"):
        torch._C._io.read_checkpoint(b"\x80\x02cc\xffa\nb\n.")
