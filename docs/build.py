"""Writes the documentation as a site of plain HTML to build/docs: `python docs/build.py [--out FOLDER]`.

Guides in both languages, the operators by family (from catalogue/), the Python package (from its docstrings), architecture. Open
index.html; nothing is loaded from elsewhere.
"""

from __future__ import annotations

import argparse
import html
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "codegen"))
sys.path.insert(0, str(ROOT / "docs"))

import markdown  # noqa: E402
import python_pages  # noqa: E402
from emit_cpp import declaration, forms  # noqa: E402
from emit_python import signature_text  # noqa: E402
from model import Operator, load  # noqa: E402

PREFIX = {"torch": "torch.", "Tensor": "Tensor.", "nn": "torch.nn.functional.", "linalg": "torch.linalg.", "fft": "torch.fft.", "special": "torch.special."}
CHAPTERS = "start tensors autograd training pytorch cpp performance extending errors".split()
STYLE = """
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: flex; color: #1c1c1c; background: #fff }
nav { flex: 0 0 15rem; height: 100vh; overflow: auto; position: sticky; top: 0; padding: 1rem; box-sizing: border-box; background: #f4f4f1; font-size: 14px }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0 } nav a { color: inherit; text-decoration: none } nav a:hover { text-decoration: underline }
nav b { font-weight: 600 } .here { font-weight: 600 }
main { flex: 1; min-width: 0; max-width: 52rem; padding: 1rem 2rem 4rem }
pre { background: #f4f4f1; padding: .7rem 1rem; overflow: auto; font-size: 14px; line-height: 1.4 } code { font-family: ui-monospace, monospace; font-size: .92em }
table { border-collapse: collapse } td, th { border: 1px solid #ddd; padding: .25rem .6rem; text-align: left; vertical-align: top }
h3 { font-size: 1rem; margin-top: 1.8rem; font-family: ui-monospace, monospace }
"""


def operator_entry(op: Operator) -> str:
    """One operator: signatures in both languages, forms, sentence."""
    homes = ", ".join(f"`{PREFIX[home]}`" for home in op.names) or "C++ only"
    lines = [f"### {op.name}{signature_text(op, '')}", op.doc, "", f"- Python: {homes}", "- C++:"]
    lines += [f"  - `{declaration(op, form, defaults=True)}`" for form in forms(op)]
    if op.recorded:
        lines.append(f"- derivative: `{op.node_title}`")
    return "\n".join([*lines, ""])


def about(family: str) -> str:
    """The sentences at the heads of a family's file or files."""
    files = [ROOT / "catalogue" / f"{family}.yaml", *sorted((ROOT / "catalogue" / family).glob("*.yaml"))]
    firsts = [path.read_text().partition("\n")[0] for path in files if path.exists()]
    return " ".join(first[2:] for first in firsts if first.startswith("# "))


def pages() -> Iterator[tuple[str, str, str, str]]:
    """(section, title, path in the site, Markdown) of every page."""
    yield "", "rushlight", "index.md", (ROOT / "README.md").read_text().replace("](docs/", "](")
    for section, folder in (("Guide", "guide"), ("指南", "guide/zh")):
        for chapter in CHAPTERS:
            text = (ROOT / "docs" / folder / f"{chapter}.md").read_text()
            yield section, text.partition("\n")[0].lstrip("# "), f"{folder}/{chapter}.md", text
    operators = [op for op in load(ROOT / "catalogue") if not op.number]
    families = [(family, list(group)) for family, group in groupby(operators, key=lambda op: op.family)]
    yield "Operators", "by name", "operators/all.md", operator_index(families)
    for family, members in families:
        text = f"# {family}\n{about(family)}\n\n" + "\n".join(map(operator_entry, members))
        yield "Operators", family, f"operators/{family}.md", text
    for name in python_pages.PACKAGES:
        yield "Python", name, f"python/{name}.md", python_pages.page(ROOT / "python" / "rushlight", name)
    for name in ("guide.md", "guide.zh.md"):
        yield "", "", name, (ROOT / "docs" / name).read_text()
    yield "Project", "Architecture", "architecture.md", (ROOT / "docs" / "architecture.md").read_text()
    yield "Project", "Precision", "precision.md", (ROOT / "docs" / "precision.md").read_text()
    for name in ("CONTRIBUTING", "ROADMAP", "CHANGELOG"):
        yield "Project", name.capitalize(), f"{name}.md", (ROOT / f"{name}.md").read_text().replace("](docs/", "](")


def operator_index(families: list[tuple[str, list[Operator]]]) -> str:
    """All operators by family, each with a link."""
    lines = ["# Operators", f"{sum(len(members) for _, members in families)} signatures in {len(families)} families.", ""]
    for family, members in families:
        first = {op.name: op for op in reversed(members)}
        links = [
            f"[{name}]({family}.md#{markdown.anchor(f'{name}{signature_text(op, str())}')})" for name, op in sorted(first.items())
        ]
        lines += [f"## {family}", about(family), "", ", ".join(links), ""]
    return "\n".join(lines)


def navigation(listed: list[tuple[str, str, str]], here: str) -> str:
    """The list of all pages, with links relative to the page at `here`."""
    up = "../" * here.count("/")
    lines = []
    for section, group in groupby(listed, key=lambda page: page[0]):
        lines.append(f"<b>{section}</b><ul>" if section else "<ul>")
        for _, title, path in group:
            if title:
                mark = ' class="here"' if path == here else ""
                lines.append(f'<li{mark}><a href="{up}{html.escape(path[:-3])}.html">{html.escape(title)}</a></li>')
        lines.append("</ul>")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "docs")
    out = parser.parse_args().out
    made = list(pages())
    listed = [(section, title, path) for section, title, path, _ in made]
    for _, title, path, text in made:
        target = out / path.replace(".md", ".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        language = "zh" if "zh" in path else "en"
        target.write_text(
            f'<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{html.escape(title or path)}</title><style>{STYLE}</style>"
            f"<nav>{navigation(listed, path)}</nav><main>{markdown.to_html(text)}</main></html>\n",
            encoding="utf-8",
        )
    print(f"{len(made)} pages: {out / 'index.html'}")


if __name__ == "__main__":
    main()
