"""The reference of the Python package: public classes and functions with their docstrings, read from the sources."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGES = {  # page: folders or files below python/rushlight
    "nn": "nn/modules",
    "nn.functional": "nn/functional.py nn/_loss_functions.py nn/_pool_functions.py nn/_image_functions.py nn/_attention_functions.py",
    "nn.init": "nn/init.py",
    "nn.utils": "nn/utils",
    "optim": "optim",
    "utils.data": "utils/data",
    "autograd": "autograd",
    "func": "func",
    "distributions": "distributions",
    "amp": "amp",
    "torch": "functional.py _grad_mode.py _settings.py _tensor_str.py random.py serialization.py",
    "safetensors": "safetensors.py",
    "utils": "utils/checkpoint.py utils/dlpack.py utils/_pytree.py",
    "testing": "testing",
    "profiler": "profiler",
    "compat": "compat.py",
}


def sources(package: Path, entries: str) -> list[Path]:
    """The files of a page."""
    found: list[Path] = []
    for entry in entries.split():
        path = package / entry
        found += sorted(path.glob("**/*.py")) if path.is_dir() else [path]
    return found


def signature(node: ast.FunctionDef) -> str:
    """The parameters of a function as written, without `self`."""
    arguments = node.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args = arguments.args[1:]
    return f"({ast.unparse(arguments)})"


def entry(title: str, documentation: str) -> str:
    """A heading with a docstring below it: its first paragraph as text, the rest as it stands."""
    first, _, rest = documentation.partition("\n\n")
    body = f"\n\n```text\n{rest.strip()}\n```" if rest.strip() else ""
    return f"### {title}\n{' '.join(first.split())}{body}\n"


def described(node: ast.stmt) -> list[str]:
    """A public class with its methods, or a public function; nothing for what has no docstring."""
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and (text := ast.get_docstring(node)):
        return [entry(f"{node.name}{signature(node)}", text)]
    if not isinstance(node, ast.ClassDef) or node.name.startswith("_") or not (text := ast.get_docstring(node)):
        return []
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    start = next((method for method in methods if method.name == "__init__"), None)
    lines = [entry(f"class {node.name}{signature(start) if start else ''}", text)]
    for method in methods:
        if not method.name.startswith("_") and method.name != "forward" and (words := ast.get_docstring(method)):
            lines.append(f"- `{method.name}{signature(method)}`: {' '.join(words.split(chr(10) * 2)[0].split())}")
    return lines


def page(package: Path, name: str) -> str:
    """The page of a package, in Markdown."""
    lines = [f"# {name}", ""]
    for path in sources(package, PACKAGES[name]):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parts = [part for node in tree.body for part in described(node)]
        if parts:
            about = (ast.get_docstring(tree) or path.stem).split("\n\n")[0]
            lines += [f"## {path.relative_to(package)}", " ".join(about.split()), "", *parts, ""]
    return "\n".join(lines)
