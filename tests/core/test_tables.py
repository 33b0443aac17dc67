"""Tables for a terminal and for a run page; texts of strangers stay texts in them."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

from bitext_pivot.core.tables import Page, Table, code, escape, markdown_table

TABLE = Table(
    title="Fruit",
    head=("kind", "", "note"),
    rows=[("plum | sloe", "3", "ripe\nblue")],
    note="Counted.",
)
PAGE = Page(
    title="Harvest",
    summary="plums: 3",
    tables=[TABLE, Table(title="None", head=("kind",), rows=[])],
)


def test_markdown_begins_with_its_summary_and_keeps_cells_whole() -> None:
    assert PAGE.markdown().splitlines() == [
        "# Harvest", "", "plums: 3", "", "## Fruit", "",
        "| kind |   | note |", "| --- | --- | --- |", "| plum \\| sloe | 3 | ripe; blue |", "", "Counted.", "",
        "## None", "", "| kind |", "| --- |",
    ]  # fmt: skip


def test_a_terminal_shows_the_same() -> None:
    console = Console(file=io.StringIO(), width=80, record=True)
    console.print(PAGE)
    printed = console.export_text()
    for text in ("Harvest", "plums: 3", "Fruit", "plum | sloe", "blue", "Counted.", "None"):
        assert text in printed


HOSTILE = [
    "![x](http://evil.example/x.png)",
    "<img src=http://evil.example/x.png>",
    "<script>alert(1)</script>",
    "[x]: http://evil.example",
    "a|b | <b>c</b>",
    "`code` ``` ~~~ ~~gone~~ **bold** _it_ $x$",
    "# Heading",
    "- item",
    "\\<b>\\\\`x`",
    "&lt;img&gt; &#60;b&#62;",
]


def rendered(markdown: str) -> str:
    """Return HTML as a renderer makes it that lets HTML and tables through."""
    return str(
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)
    )


def tags(html: str) -> set[str]:
    """Return the names of the elements."""
    return set(re.findall(r"<(\w+)", html))


@given(
    st.sampled_from(HOSTILE)
    | st.text(st.sampled_from("\\`*_[]()<>!|~$&#=+- a1\n;:/."), max_size=30)
)
def test_no_text_becomes_an_element_in_a_cell_or_a_heading(text: str) -> None:
    html = rendered(markdown_table(("name", text), [(text, 1), (code(text), 2)]))
    assert tags(html) <= {"table", "thead", "tbody", "tr", "th", "td", "code"}
    assert html.count("<tr>") == 3 and html.count("<td>") == 4
    assert tags(rendered(f"# {escape(' '.join(text.split()))}")) <= {"h1"}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reader_sees_the_text_as_it_was(text: str) -> None:
    shown = re.search("<td>(.*?)</td>", rendered(markdown_table(("a",), [(text,)])))
    assert (
        shown
        and shown[1]
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", '"')
        .replace("&amp;", "&")
        == text
    )


@pytest.mark.parametrize(
    "text", ["Europarl/v8", "CC-BY-4.0", "fr-en: News-Commentary/v16", "R&D (50 %)", "snake_case"]
)
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert escape(text) == text


def test_a_terminal_gets_no_control_characters_and_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_SECRET-98765")
    odd = "x\x1b]0;owned\x07 hf_SECRET-98765"
    table = Table(title=odd, head=["name"], rows=[[odd]], note=odd)
    console = Console(width=120, file=io.StringIO())
    console.print(Page(title=odd, summary=odd, tables=[table]))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert (
        text.count("***") == 5
        and "SECRET" not in text
        and "\x1b" not in text
        and "\x07" not in text
    )
