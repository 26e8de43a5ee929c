"""What a bug report should say about the machine; `python -m rushlight.utils.collect_env`."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib import metadata
from typing import Any, NamedTuple

import rushlight

__all__ = ["SystemEnv", "get_env_info", "get_pretty_env_info", "pretty_str", "run"]

_PACKAGES = ("rushlight", "numpy", "scipy", "safetensors", "tensorboard", "tensorboardX")


class SystemEnv(NamedTuple):
    """The facts."""

    torch_version: str
    os: str
    libc_version: str
    gcc_version: str | None
    cmake_version: str | None
    python_version: str
    python_platform: str
    is_cuda_available: str
    cpu_info: str | None
    num_threads: str
    packages: str


def run(command: Any) -> tuple[int, str, str]:
    """Exit status, output and errors of a command; status 127 where it does not exist."""
    shell = isinstance(command, str)
    try:
        done = subprocess.run(command, shell=shell, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        return 127, "", str(error)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def run_and_read_all(run_lambda: Any, command: Any) -> str | None:
    """The output of a command, or None where it fails."""
    status, out, _ = run_lambda(command)
    return out if status == 0 else None


def _first_line(command: list[str]) -> str | None:
    out = run_and_read_all(run, command)
    return out.splitlines()[0] if out else None


def get_gcc_version(run_lambda: Any = run) -> str | None:
    """The version of gcc, if there is one."""
    return _first_line(["gcc", "--version"])


def get_cpu_info(run_lambda: Any = run) -> str | None:
    """What lscpu says, or the name of the processor."""
    return run_and_read_all(run_lambda, "lscpu") or platform.processor() or None


def get_gpu_info(run_lambda: Any = run) -> str | None:
    """None: this build uses the CPU."""
    return None


def get_nvidia_driver_version(run_lambda: Any = run) -> str | None:
    """None: this build uses the CPU."""
    return None


def _packages() -> str:
    lines = []
    for name in _PACKAGES:
        try:
            lines.append(f"{name}=={metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return "\n".join(lines)


def get_env_info() -> SystemEnv:
    """Collect the facts."""
    return SystemEnv(
        torch_version=rushlight.__version__,
        os=platform.platform(),
        libc_version="-".join(platform.libc_ver()),
        gcc_version=get_gcc_version(),
        cmake_version=_first_line(["cmake", "--version"]),
        python_version=f"{sys.version} ({sys.maxsize.bit_length() + 1}-bit runtime)",
        python_platform=sys.platform,
        is_cuda_available="False",
        cpu_info=get_cpu_info(),
        num_threads=f"{rushlight.get_num_threads()} of {os.cpu_count()}",
        packages=_packages(),
    )


def pretty_str(envinfo: SystemEnv) -> str:
    """The facts as text."""
    titles = {
        "torch_version": "rushlight version",
        "os": "OS",
        "libc_version": "Libc version",
        "gcc_version": "GCC version",
        "cmake_version": "CMake version",
        "python_version": "Python version",
        "python_platform": "Python platform",
        "is_cuda_available": "Is CUDA available",
        "num_threads": "Threads",
        "cpu_info": "CPU",
        "packages": "Versions of relevant libraries",
    }
    lines = []
    for key, title in titles.items():
        value = getattr(envinfo, key)
        text = "Could not collect" if value is None else str(value)
        lines.append(f"{title}:\n{text}\n" if "\n" in text else f"{title}: {text}")
    return "\n".join(lines)


def get_pretty_env_info() -> str:
    """Collect the facts and write them as text."""
    return pretty_str(get_env_info())


def main() -> None:
    """Print the facts."""
    print("Collecting environment information...")
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()
