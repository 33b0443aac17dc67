"""Tables, and pages of several tables, that can be printed on a terminal or rendered as Markdown."""

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
    """A string that is already Markdown and must not be escaped."""

    __slots__ = ()


def escape(text: str) -> str:
    """Escape the characters of a text that Markdown or HTML would interpret.

    These are the special characters of CommonMark 0.31 and of GitHub's tables and formulas, in the positions where they
    have a meaning.
    """
    return _MARKDOWN.sub(lambda found: "&amp;" if found[0] == "&" else f"\\{found[0]}", text)


def code(text: str) -> Markdown:
    """Return a text as inline code of Markdown. Backquotes in the text become apostrophes."""
    return Markdown(f"`{text.replace('`', chr(39))}`")


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table; cells are escaped as in `table_row`."""
    lines: list[Sequence[object]] = [
        [name or Markdown(" ") for name in head],
        [Markdown("---")] * len(head),
        *rows,
    ]
    return "\n".join(table_row(*line) for line in lines)


def table_row(*cells: object) -> Markdown:
    """Return a line of a Markdown table. Texts are escaped, and the lines of a cell are joined by `; `."""
    return Markdown(f"| {' | '.join(map(_cell, cells))} |")


def _cell(value: object) -> str:
    # The added space keeps `escape` from treating the cell as the beginning of a line.
    text = value.replace("|", "\\|") if isinstance(value, Markdown) else escape(f" {value}")[1:]
    return "; ".join(text.splitlines()) if "\n" in text else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with an optional title above it and an optional note below it."""

    title: str = ""
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    note: str = ""

    def __rich__(self) -> RenderableType:
        """Return the table as a renderable for a terminal."""
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
        """Return the table as Markdown."""
        parts = (
            f"## {escape(self.title)}" if self.title else "",
            markdown_table(self.head, self.rows),
            self.note,
        )
        return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Several tables under a title, most important first."""

    title: str
    summary: str
    """Summary of the tables in one line, for places without room for the tables."""
    tables: Sequence[Table]

    def __rich__(self) -> RenderableType:
        """Return the page as a renderable for a terminal."""
        return Group(Text(safe(self.title)), Text(safe(self.summary)), *self.tables)

    def markdown(self) -> str:
        """Return the page as Markdown."""
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
