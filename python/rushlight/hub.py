"""Models and weights by name or address: local folders with a hubconf.py, and files over HTTP."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable
from typing import Any
from urllib.parse import urlparse
from urllib.request import Request, urlopen

import rushlight

__all__ = [
    "download_url_to_file",
    "get_dir",
    "help",
    "list",
    "load",
    "load_state_dict_from_url",
    "set_dir",
]

# The beginning of a file's SHA-256 in its name: "resnet18-bfd8deac.pth".
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
ENV_TORCH_HOME = "TORCH_HOME"
ENV_XDG_CACHE_HOME = "XDG_CACHE_HOME"
DEFAULT_CACHE_DIR = "~/.cache"
MODULE_HUBCONF = "hubconf.py"
VAR_DEPENDENCY = "dependencies"
_CHUNK = 1 << 17

_hub_dir: str | None = None


def _get_torch_home() -> str:
    """The folder for files that are kept: TORCH_HOME, or "torch" in the cache of the user."""
    cache = os.getenv(ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR)
    return os.path.expanduser(os.getenv(ENV_TORCH_HOME, os.path.join(cache, "torch")))


def get_dir() -> str:
    """The folder for downloads."""
    return os.path.join(_get_torch_home(), "hub") if _hub_dir is None else _hub_dir


def set_dir(d: str | os.PathLike[str]) -> None:
    """Set the folder for downloads."""
    global _hub_dir
    _hub_dir = os.path.expanduser(d)


def _is_safe_name(name: str) -> bool:
    return bool(name) and name not in (".", "..") and "/" not in name and "\\" not in name


def download_url_to_file(
    url: str, dst: str, hash_prefix: str | None = None, progress: bool = True
) -> None:
    """Download a file to `dst`, which appears only when it is complete.

    Raises RuntimeError where its SHA-256 does not begin with `hash_prefix`.
    """
    dst = os.path.expanduser(dst)
    digest = hashlib.sha256()
    request = Request(url, headers={"User-Agent": "rushlight.hub"})
    handle, partial = tempfile.mkstemp(dir=os.path.dirname(dst) or ".", suffix=".partial")
    try:
        with os.fdopen(handle, "wb") as file, urlopen(request) as response:
            total = int(response.headers.get("Content-Length") or 0)
            done = 0
            while chunk := response.read(_CHUNK):
                file.write(chunk)
                digest.update(chunk)
                done += len(chunk)
                if progress:
                    _show_progress(done, total)
        if progress:
            sys.stderr.write("\n")
        found = digest.hexdigest()
        if hash_prefix is not None and found[: len(hash_prefix)] != hash_prefix:
            raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{found}")')
        os.replace(partial, dst)
    finally:
        if os.path.exists(partial):
            os.unlink(partial)


def _show_progress(done: int, total: int) -> None:
    share = f"{done / total:6.1%}" if total else ""
    sys.stderr.write(f"\r{done / 1e6:.1f} MB {share}")
    sys.stderr.flush()


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> dict[str, Any]:
    """Weights from an address, downloaded once and kept in `model_dir`.

    Loading reads data only, whatever `weights_only` says. With `check_hash` the file's SHA-256 has
    to begin as its name says.
    """
    if model_dir is None:
        model_dir = os.path.join(get_dir(), "checkpoints")
    os.makedirs(model_dir, exist_ok=True)
    name = file_name if file_name is not None else os.path.basename(urlparse(url).path)
    if not _is_safe_name(name):
        raise ValueError(f"load_state_dict_from_url: no file name in {url!r}; give file_name")
    cached = os.path.join(model_dir, name)
    if not os.path.exists(cached):
        sys.stderr.write(f'Downloading: "{url}" to {cached}\n')
        match = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, cached, match.group(1) if match else None, progress)
    if _is_legacy_zip(cached):
        return _load_from_legacy_zip(cached, model_dir, map_location)
    return rushlight.load(cached, map_location=map_location)


def _is_legacy_zip(path: str) -> bool:
    """Whether a file is an archive that holds one file of weights, and is none itself."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        return len(members) == 1 and not members[0].is_dir()


def _load_from_legacy_zip(path: str, folder: str, map_location: Any) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        name = archive.infolist()[0].filename
        if not _is_safe_name(name):
            raise RuntimeError(f"load_state_dict_from_url: the archive holds a path, {name!r}")
        archive.extract(name, folder)
    return rushlight.load(os.path.join(folder, name), map_location=map_location)


def _import_module(name: str, path: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"hub: cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _folder_of(repo_or_dir: str, source: str, force_reload: bool, verbose: bool) -> str:
    if source == "local":
        return os.path.expanduser(repo_or_dir)
    if source != "github":
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    return _cached_repository(repo_or_dir, force_reload, verbose)


def _cached_repository(github: str, force_reload: bool, verbose: bool) -> str:
    """The folder with a repository "owner/name[:ref]", downloaded if it is not there."""
    repo, _, ref = github.partition(":")
    owner, slash, name = repo.partition("/")
    if not slash or not _is_safe_name(owner) or not _is_safe_name(name):
        raise ValueError(f"hub: expected owner/name[:ref], got {github!r}")
    ref = ref or "HEAD"
    target = os.path.join(get_dir(), f"{owner}_{name}_{ref.replace('/', '_')}")
    if os.path.isdir(target) and not force_reload:
        if verbose:
            sys.stderr.write(f"Using cache found in {target}\n")
        return target
    os.makedirs(get_dir(), exist_ok=True)
    archive_path = target + ".zip"
    url = f"https://github.com/{owner}/{name}/zipball/{ref}"
    download_url_to_file(url, archive_path, progress=verbose)
    with (
        zipfile.ZipFile(archive_path) as archive,
        tempfile.TemporaryDirectory(dir=get_dir()) as unpacked,
    ):
        archive.extractall(unpacked)
        (inner,) = os.listdir(unpacked)
        if os.path.isdir(target):
            os.rename(target, os.path.join(unpacked, "previous"))
        os.rename(os.path.join(unpacked, inner), target)
    os.unlink(archive_path)
    return target


def _hubconf(folder: str) -> Any:
    path = os.path.join(folder, MODULE_HUBCONF)
    if not os.path.exists(path):
        raise FileNotFoundError(f"hub: {folder} has no {MODULE_HUBCONF}")
    sys.path.insert(0, folder)
    try:
        module = _import_module(MODULE_HUBCONF, path)
    finally:
        sys.path.remove(folder)
    missing = [
        package
        for package in getattr(module, VAR_DEPENDENCY, ())
        if package not in ("torch", "rushlight") and importlib.util.find_spec(package) is None
    ]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")
    return module


def _entry(module: Any, name: str) -> Callable[..., Any]:
    if not isinstance(name, str):
        raise ValueError("Invalid input: model should be a string of function name")
    function = getattr(module, name, None)
    if function is None or not callable(function):
        raise RuntimeError(f"Cannot find callable {name} in hubconf")
    return function


def _names(module: Any) -> Any:
    return [f for f in dir(module) if callable(getattr(module, f)) and not f.startswith("_")]


def list(
    github: str,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = None,
    verbose: bool = True,
    source: str = "github",
) -> Any:
    """The names of the models that a hubconf.py offers."""
    return _names(_hubconf(_folder_of(github, source, force_reload, verbose)))


def help(
    github: str,
    model: str,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = None,
    source: str = "github",
) -> str | None:
    """The documentation of a model that a hubconf.py offers."""
    return _entry(_hubconf(_folder_of(github, source, force_reload, False)), model).__doc__


def load(
    repo_or_dir: str,
    model: str,
    *args: Any,
    source: str = "github",
    trust_repo: Any = None,
    force_reload: bool = False,
    verbose: bool = True,
    skip_validation: bool = False,
    **kwargs: Any,
) -> Any:
    """The model `model(*args, **kwargs)` of a hubconf.py, which is code that runs.

    `repo_or_dir` is a folder with `source="local"`, or "owner/name[:ref]" on GitHub; for the latter
    `trust_repo=True` has to say that its code may run, unless it has been downloaded before.
    """
    source = source.lower()
    if source == "github" and trust_repo is not True:
        folder = repo_or_dir.partition(":")[0].replace("/", "_")
        known = os.path.isdir(get_dir()) and any(
            entry.startswith(folder + "_") for entry in os.listdir(get_dir())
        )
        if not known:
            raise RuntimeError(
                f"hub.load: {repo_or_dir} would run code from the network; pass trust_repo=True "
                "if you trust it"
            )
    module = _hubconf(_folder_of(repo_or_dir, source, force_reload, verbose))
    return _entry(module, model)(*args, **kwargs)
