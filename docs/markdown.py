"""The part of Markdown that these documents use, as HTML: headings, paragraphs, lists, tables, fenced and indented code."""

from __future__ import annotations

import html
import re

_INLINE = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)]+)\)|<br>")


def inline(text: str) -> str:
    """Code, bold text and links; a link to a page leads to its HTML."""

    def replaced(match: re.Match[str]) -> str:
        code, bold, label, target = match.groups()
        if code is not None:
            return f"<code>{html.escape(code)}</code>"
        if bold is not None:
            return f"<strong>{inline(bold)}</strong>"
        if target is None:
            return "<br>"
        if "://" not in target:
            target = re.sub(r"\.md(?=#|$)", ".html", target)
        return f'<a href="{html.escape(target)}">{inline(label)}</a>'

    found, end = "", 0
    for match in _INLINE.finditer(text):
        found += html.escape(text[end : match.start()], quote=False) + replaced(match)
        end = match.end()
    return found + html.escape(text[end:], quote=False)


def anchor(title: str) -> str:
    """The name of a heading in links."""
    return re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")


def to_html(text: str) -> str:
    """A page."""
    lines, made, at = text.splitlines(), [], 0
    while at < len(lines):
        at, block = _block(lines, at)
        made.append(block)
    return "\n".join(filter(None, made))


def _block(lines: list[str], at: int) -> tuple[int, str]:
    """The block that starts at a line, and where the next one starts."""
    line = lines[at]
    if not line.strip():
        return at + 1, ""
    if line.startswith("```"):
        end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), len(lines))
        return end + 1, f"<pre><code>{html.escape(chr(10).join(lines[at + 1 : end]))}</code></pre>"
    if heading := re.match(r"(#+) (.*)", line):
        level, title = len(heading[1]), heading[2]
        return at + 1, f'<h{level} id="{html.escape(anchor(title))}">{inline(title)}</h{level}>'
    if line.startswith("|"):
        return _run(lines, at, r"\|", _table)
    if re.match(r"([-*]|\d+\.) ", line):
        return _run(lines, at, r"([-*]|\d+\.) |  +\S", _list)
    if line.startswith("    "):
        return _run(lines, at, r"    ", lambda block: f"<pre><code>{html.escape(chr(10).join(row[4:] for row in block))}</code></pre>")
    return _run(lines, at, r"(?!#|```|\||[-*] |\d+\. )\S", lambda block: f"<p>{inline(chr(10).join(block))}</p>")


def _run(lines, at, pattern, make):
    """The lines from `at` on that begin with a pattern, as one block."""
    end = at + 1
    while end < len(lines) and re.match(pattern, lines[end]):
        end += 1
    return end, make(lines[at:end])


def _table(rows: list[str]) -> str:
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in rows]
    body = [row for row in cells if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    made = []
    for i, row in enumerate(body):
        tag = "th" if i == 0 else "td"
        made.append("<tr>" + "".join(f"<{tag}>{inline(cell)}</{tag}>" for cell in row) + "</tr>")
    return "<table>\n" + "\n".join(made) + "\n</table>"


def _list(rows: list[str]) -> str:
    """Items; a line that is indented belongs to the item before it, or is an item of a list within."""
    tag = "ol" if rows[0][0].isdigit() else "ul"
    items: list[tuple[str, list[str]]] = []
    for row in rows:
        if item := re.match(r"(?:[-*]|\d+\.) (.*)", row):
            items.append((item[1], []))
        elif row.lstrip().startswith(("- ", "* ")):
            items[-1][1].append(row.strip())
        else:
            items[-1] = (items[-1][0] + "\n" + row.strip(), items[-1][1])
    return f"<{tag}>\n" + "\n".join(f"<li>{inline(text)}{_list(inner) if inner else ''}</li>" for text, inner in items) + f"\n</{tag}>"
