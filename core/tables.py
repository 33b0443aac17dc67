"""Tables in Markdown and on a terminal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.markup import escape as escaped
from rich.table import Table as TerminalTable
from rich.text import Text

from bitext_pivot.core.untrusted import safe

_MARKDOWN = re.compile(r"[\\`*\[\]<>|~$]|(?<!\w)_|_(?!\w)|^[#=+-]|&(?=#?\w+;)", re.MULTILINE)


class Markdown(str):
    """A cell whose text is Markdown of ours."""

    __slots__ = ()


def escape(text: str) -> str:
    """Return a text of anyone in which Markdown and HTML find nothing to interpret; plain words stay as they are.

    Escaped are the characters of CommonMark 0.31, GitHub's tables and formulas, where they could begin something.
    """
    return _MARKDOWN.sub(lambda found: "&amp;" if found[0] == "&" else f"\\{found[0]}", text)


def code(text: str) -> Markdown:
    """Return a text in typewriter type, backquotes in it as apostrophes."""
    return Markdown(f"`{text.replace('`', chr(39))}`")


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table of escaped texts, as `table_row`."""
    lines: list[Sequence[object]] = [
        [name or Markdown(" ") for name in head],
        [Markdown("---")] * len(head),
        *rows,
    ]
    return "\n".join(table_row(*line) for line in lines)


def table_row(*cells: object) -> Markdown:
    """Return a line of a Markdown table, its texts escaped; a cell of several lines becomes one line."""
    return Markdown(f"| {' | '.join(map(_cell, cells))} |")


def _cell(value: object) -> str:
    # a cell does not begin a line, where more signs mean something
    text = value.replace("|", "\\|") if isinstance(value, Markdown) else escape(f" {value}")[1:]
    return "; ".join(text.splitlines()) if "\n" in text else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with a title above and an optional note below."""

    title: str = ""
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    note: str = ""

    def __rich__(self) -> RenderableType:
        """Return the table for a terminal."""
        drawn = TerminalTable(
            *self.head,
            title=escaped(safe(self.title)) or None,
            title_justify="left",
            caption_justify="left",
        )
        for row in self.rows:
            drawn.add_row(*(safe(str(cell)) for cell in row))
        drawn.caption = escaped(safe(self.note)) or None
        return drawn

    def markdown(self) -> str:
        """Return the table in Markdown."""
        parts = (
            f"## {escape(self.title)}" if self.title else "",
            markdown_table(self.head, self.rows),
            self.note,
        )
        return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Tables under a title, the most important first."""

    title: str
    summary: str
    """One line, for where there is no room for tables."""
    tables: Sequence[Table]

    def __rich__(self) -> RenderableType:
        """Return the page for a terminal."""
        return Group(Text(safe(self.title)), Text(safe(self.summary)), *self.tables)

    def markdown(self) -> str:
        """Return the page in Markdown."""
        return (
            "\n\n".join(
                [
                    f"# {escape(self.title)}",
                    self.summary,
                    *(table.markdown() for table in self.tables),
                ]
            )
            + "\n"
        )
