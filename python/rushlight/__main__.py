"""`python -m rushlight script.py [args]`, `-m module [args]` or `-c code [args]`: runs a PyTorch program on rushlight."""

from __future__ import annotations

import os
import sys

from .compat import install

_USAGE = """usage: python -m rushlight script.py [args]
       python -m rushlight -m module [args]
       python -m rushlight -c code [args]

Runs a program for PyTorch with `import torch` meaning rushlight."""


def _alias_in_children() -> None:
    """Let processes that the program starts, by `multiprocessing` or by itself, import torch as well."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_alias")
    sys.path.insert(1, folder)
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = folder if not inherited else folder + os.pathsep + inherited


def _run_as_main(code: object, name: str | None) -> None:
    """Execute code as the program, in the module `__main__` that pickle and workers look names up in."""
    import builtins

    main = sys.modules["__main__"]
    main.__dict__.clear()  # with it go the names of this file: below, only local ones
    main.__dict__.update(__name__="__main__", __builtins__=builtins, __spec__=None, __doc__=None)
    main.__dict__.update(__package__=None, __loader__=None)
    if name is not None:
        main.__file__ = name
    exec(code, main.__dict__)  # type: ignore[arg-type]


def _run_script(path: str) -> None:
    if os.path.isdir(path) or path.endswith((".zip", ".pyz")):
        import runpy

        runpy.run_path(path, run_name="__main__")
        return
    import io

    sys.path[0] = os.path.dirname(os.path.abspath(path))
    try:
        with io.open_code(os.path.abspath(path)) as file:
            source = file.read()
    except OSError as error:
        sys.exit(f"rushlight: cannot open {path!r}: {error.strerror}")
    _run_as_main(compile(source, path, "exec", dont_inherit=True), path)


def main() -> None:
    """Take the command line apart and run the program it names."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE)
        sys.exit(0 if arguments else 2)
    first = arguments[0]
    if first == "--version":
        from .version import __version__

        print(f"rushlight {__version__}")
        return
    if first in ("-m", "-c") and len(arguments) < 2:
        sys.exit(f"rushlight: Argument expected for the {first} option\n{_USAGE}")
    install()
    _alias_in_children()
    if first == "-c":
        sys.argv[:] = ["-c", *arguments[2:]]
        sys.path[0] = ""
        _run_as_main(compile(arguments[1], "<string>", "exec", dont_inherit=True), None)
    elif first == "-m":
        import runpy

        sys.argv[:] = [arguments[1], *arguments[2:]]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif first == "-":
        sys.argv[:] = ["-", *arguments[1:]]
        sys.path[0] = ""
        _run_as_main(compile(sys.stdin.read(), "<stdin>", "exec", dont_inherit=True), None)
    elif first.startswith("-"):
        sys.exit(f"rushlight: unknown option {first}\n{_USAGE}")
    else:
        sys.argv[:] = arguments
        _run_script(first)


if __name__ == "__main__":
    main()
