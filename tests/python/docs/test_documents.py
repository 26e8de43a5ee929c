"""README and guides: Python blocks print what their comments say, C++ programs what stands below them, excerpts are in their files."""

import multiprocessing
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "docs"))

import blocks  # noqa: E402

PAGES = [ROOT / "README.md", *blocks.pages()]
NAMES = [page.name for page in PAGES]


def run_page(page):
    """A page that makes `import torch` mean rushlight does so in a process of its own."""
    if "compat.install()" not in page.read_text(encoding="utf-8"):
        return blocks.run_page(page)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(blocks.run_page, (page,))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_python_prints_what_comments_say(page):
    for block, done in run_page(page):
        said = blocks.expected(block.text)
        printed = [line.rstrip() for _, lines in done for line in lines]
        if said or page.name != "README.md":
            assert printed == said, block.text


@pytest.mark.parametrize("page", [page for page in blocks.pages() if blocks.programs(page)], ids=lambda page: page.name)
def test_programs_print_the_text_below_them(page):
    printed = blocks.run_programs(page)
    if not printed:
        pytest.skip("no C++ compiler")
    assert printed == [block.text for block in blocks.blocks(page) if block.language == "text"]


@pytest.mark.parametrize("page", blocks.pages(), ids=lambda page: page.name)
def test_excerpts_are_in_their_files(page):
    for block in blocks.blocks(page):
        if block.source:
            assert block.text in (ROOT / block.source).read_text(encoding="utf-8"), f"the excerpt of {block.source} in {page.name} is out of date"
        else:
            assert block.language in ("python", "cpp", "text")


def test_both_languages_have_the_same_blocks():
    assert blocks.differences() == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "docs" / "guide.md", ROOT / "docs" / "guide.zh.md", *sorted((blocks.GUIDE / "zh").glob("*.md"))], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in blocks.links(page):
        assert (page.parent / target).exists(), target
