"""The code blocks of the guides: runs them, fills in what they print, keeps the Chinese pages in step.

    python docs/blocks.py           says where a Chinese page has other blocks than its English one
    python docs/blocks.py --fill    writes what the blocks print into the English pages, and copies the blocks of each into the
                                    Chinese one, in order

Lines of a Python block that begin with "#" are what it prints; an exception is printed as its type and text. The blocks of a
page run in order, in one session, in an empty folder. A C++ block is a program, and the text block after it what it prints.
A block whose fence names a file, as in ```yaml catalogue/round.yaml, is an excerpt of it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs" / "guide"
FENCE = re.compile(r"^```([\w+]+)(?: ([\w./-]+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    language: str
    source: str  # the file that an excerpt is from
    text: str

    def __str__(self) -> str:
        return f"```{self.language}{' ' * bool(self.source)}{self.source}\n{self.text}```"


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [Block(*found) for found in re.findall(FENCE, page.read_text(encoding="utf-8"))]


def pages() -> list[Path]:
    """The English pages."""
    return sorted(GUIDE.glob("*.md"))


def links(page: Path) -> list[str]:
    """The files that a page links to."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", text)
    return [target for target in targets if "://" not in target]


def expected(block: str) -> list[str]:
    """What a block says that it prints."""
    return [line[2:].rstrip() for line in block.splitlines() if line.startswith("#")]


def run(block: str, names: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Runs a block in the namespace `names`; each statement with the lines that it prints."""
    code = "\n".join(line for line in block.splitlines() if not line.startswith("#")) + "\n"
    lines = code.splitlines()
    body = ast.parse(code).body
    starts = [min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1 for node in body]
    done = []
    for node, start, end in zip(body, starts, [*starts[1:], len(lines)]):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(ast.Module([node], []), "<guide>", "exec"), names)
            except Exception as error:
                print(f"{type(error).__name__}: {error}")
        done.append(("\n".join(lines[start:end]), printed.getvalue().splitlines()))
    return done


def run_page(page: Path) -> list[tuple[Block, list[tuple[str, list[str]]]]]:
    """Runs the Python blocks of a page."""
    names: dict[str, Any] = {"__name__": "__main__"}
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return [(block, run(block.text, names)) for block in blocks(page) if block.language == "python"]
        finally:
            os.chdir(before)


def programs(page: Path) -> list[str]:
    """The C++ programs of a page."""
    return [block.text for block in blocks(page) if block.language == "cpp" and not block.source]


def one_program(sources: list[str]) -> str:
    """C++ programs as one that runs them all, each in a namespace, with a line of its number before what it prints."""
    includes = sorted({line for text in sources for line in text.splitlines() if line.startswith("#include")})
    text = "\n".join(includes) + "\n"
    for i, source in enumerate(sources):
        body = "\n".join(line for line in source.splitlines() if not line.startswith("#include"))
        text += f"namespace block_{i} {{\n{body.replace('int main()', 'void run()')}\n}}\n"
    calls = "".join(f'  std::cout << "%%{i}\\n";\n  block_{i}::run();\n' for i in range(len(sources)))
    return text + f"int main() {{\n{calls}}}\n"


def run_programs(page: Path) -> list[str]:
    """What each C++ program of a page prints; compiled once, against the library in python/rushlight."""
    sources = programs(page)
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if not sources or not compiler:
        return []
    library = ROOT / "python" / "rushlight"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "guide.cpp"
        program.write_text(one_program(sources))
        link = [f"-L{library}", "-lrushlight", f"-Wl,-rpath,{library.resolve()}", "-pthread"]
        subprocess.run([compiler, "-std=c++20", "-O0", f"-I{ROOT / 'include'}", str(program), "-o", "guide", *link], cwd=folder, check=True)
        printed = subprocess.run(["./guide"], cwd=folder, check=True, capture_output=True, text=True).stdout
    return [re.sub(r"block_\d+::", "", part.partition("\n")[2]) for part in printed.split("%%")[1:]]


def filled(done: list[tuple[str, list[str]]]) -> str:
    """The text of a block with what its statements printed below them."""
    text = ""
    for code, printed in done:
        stripped = code.rstrip("\n")
        text += stripped + "\n" + "".join(f"# {line}".rstrip() + "\n" for line in printed) + "\n" * code[len(stripped) :].count("\n")
    return text.rstrip("\n") + "\n"


def with_blocks(text: str, made: list[Block]) -> str:
    """The text of a page with other blocks."""
    rest = iter(made)
    return FENCE.sub(lambda _: str(next(rest)), text)


def fill(page: Path) -> None:
    results, texts = iter(run_page(page)), iter(run_programs(page))
    made: list[Block] = []
    for block in blocks(page):
        if block.language == "python":
            block = Block("python", "", filled(next(results)[1]))
        elif block.language == "text":
            block = Block("text", "", next(texts))
        elif block.source and block.text not in (ROOT / block.source).read_text(encoding="utf-8"):
            sys.exit(f"{page}: the excerpt of {block.source} is not in it:\n{block.text}")
        made.append(block)
    page.write_text(with_blocks(page.read_text(encoding="utf-8"), made), encoding="utf-8")
    other = GUIDE / "zh" / page.name
    if other.exists():
        if len(blocks(other)) != len(made):
            sys.exit(f"{other}: {len(blocks(other))} blocks where {page} has {len(made)}")
        other.write_text(with_blocks(other.read_text(encoding="utf-8"), made), encoding="utf-8")


def differences() -> list[str]:
    """Where the two sets differ, in words."""
    found = []
    for page in pages():
        other = GUIDE / "zh" / page.name
        if not other.exists():
            found.append(f"{other.relative_to(ROOT)}: is missing")
            continue
        english, chinese = blocks(page), blocks(other)
        if len(english) != len(chinese):
            found.append(f"{other.relative_to(ROOT)}: {len(chinese)} blocks, the English page has {len(english)}")
        found += [f"{other.relative_to(ROOT)}: block {i} differs" for i, (a, b) in enumerate(zip(english, chinese), 1) if a != b]
    return found


def main() -> None:
    if "--fill" in sys.argv:
        for page in pages():
            fill(page)
    sys.exit("\n".join(differences()) or 0)


if __name__ == "__main__":
    main()
