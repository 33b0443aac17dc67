"""Tables in Markdown and on a terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table as TerminalTable
from rich.text import Text


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table; a cell of several lines becomes one line."""
    lines = [[name or " " for name in head], ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(value: object) -> str:
    text = str(value).replace("|", "\\|")
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
        drawn = TerminalTable(*self.head, title=self.title or None, title_justify="left", caption_justify="left")
        for row in self.rows:
            drawn.add_row(*map(str, row))
        drawn.caption = self.note or None
        return drawn

    def markdown(self) -> str:
        """Return the table in Markdown."""
        parts = (f"## {self.title}", markdown_table(self.head, self.rows), self.note)
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
        return Group(Text(self.title), Text(self.summary), *self.tables)

    def markdown(self) -> str:
        """Return the page in Markdown."""
        return "\n\n".join([f"# {self.title}", self.summary, *(table.markdown() for table in self.tables)]) + "\n"
