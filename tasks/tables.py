"""Tables that a person reads on a terminal and on a run page alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table as Drawn
from rich.text import Text

from pairs import card


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Cells under a head, with a title above and perhaps a note below."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def __rich__(self) -> RenderableType:
        """Return the table as a terminal draws it."""
        drawn = Drawn(*self.head, title=self.title, title_justify="left", caption_justify="left")
        for row in self.rows:
            drawn.add_row(*row)
        drawn.caption = self.note or None
        return drawn

    def markdown(self) -> str:
        """Return the table in Markdown."""
        rows = [["; ".join(cell.splitlines()) for cell in row] for row in self.rows]
        head = [name or " " for name in self.head]
        return "\n\n".join(part for part in (f"## {self.title}", card.table(head, rows), self.note) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Tables under a title, the most important first."""

    title: str
    summary: str
    """One line, for where there is no room for tables."""
    tables: Sequence[Table]

    def __rich__(self) -> RenderableType:
        """Return the page as a terminal draws it."""
        return Group(Text(self.title), Text(self.summary), *self.tables)

    def markdown(self) -> str:
        """Return the page in Markdown."""
        return "\n\n".join([f"# {self.title}", self.summary, *(table.markdown() for table in self.tables)]) + "\n"
