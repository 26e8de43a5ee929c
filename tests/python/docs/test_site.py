"""The documentation site: every link leads to a page and a heading that exist, every operator and every layer is in it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import rushlight

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, str(ROOT / "docs" / "build.py"), "--out", str(folder)], check=True, capture_output=True)
    return folder


def test_links_lead_somewhere(site):
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors = {path: set(re.findall(r' id="([^"]*)"', text)) for path, text in texts.items()}
    wrong = []
    for path, text in texts.items():
        for target, _, anchor in (link.partition("#") for link in re.findall(r'href="([^"]+)"', text) if "://" not in link):
            page = (path.parent / target).resolve() if target else path
            if page not in texts or (anchor and anchor not in anchors[page]):
                wrong.append((str(path.relative_to(site)), target, anchor))
    assert wrong == []


def test_everything_public_is_there(site):
    operators = (site / "operators" / "all.html").read_text()
    assert all(f">{name}</a>" in operators for name in ("add", "conv2d", "linalg_svd", "gather"))
    layers = (site / "python" / "nn.html").read_text()
    assert [name for name in rushlight.nn.modules.__all__ if not re.search(rf">class {name}\b", layers)] == []
    optimizers = (site / "python" / "optim.html").read_text()
    assert [name for name in rushlight.optim.__all__ if name[0].isupper() and not re.search(rf">class {name}\b", optimizers)] == []


def test_markdown_becomes_html():
    sys.path.insert(0, str(ROOT / "docs"))
    from markdown import to_html

    assert to_html("# A `b`\n\nx **y** [z](p.md#q)\nw") == '<h1 id="a-b">A <code>b</code></h1>\n<p>x <strong>y</strong> <a href="p.html#q">z</a>\nw</p>'
    assert to_html("- a\n  - b\n- c") == "<ul>\n<li>a<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>"
    assert to_html("```cpp\na < b\n```") == "<pre><code>a &lt; b</code></pre>"
    assert to_html("| a | b |\n|---|---|\n| 1 | 2 |") == "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>"
