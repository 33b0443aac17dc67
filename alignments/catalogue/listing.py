"""The catalogue as a table for people; for programs there is `Entry.plain`."""

from collections.abc import Iterable, Sequence

from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from alignments.catalogue import fixes
from alignments.catalogue.entries import Entry
from alignments.catalogue.licences import licence


def table(entries: Sequence[Entry], title: str) -> Table:
    """Return a row for each release; sizes are those of the catalogue, rounded down to KiB."""
    numbers = ("documents", "links", "tokens")
    sizes = ("link file", "raw", "xml", "moses", "tmx")
    listed = Table(title=title, title_justify="left", caption="* OPUS flags it as the latest.", caption_justify="left")
    listed.add_column("corpus", no_wrap=True)
    listed.add_column("release", no_wrap=True)
    for name in (*numbers, *sizes):
        listed.add_column(name, justify="right", no_wrap=True)
    listed.add_column("licence")
    listed.add_column("note")
    for entry in entries:
        listed.add_row(*map(Text, _cells(entry)))
    return listed


def size(number: int | None) -> str:
    """Return bytes for people (`285.0 MB`), `unknown` for None."""
    return "unknown" if number is None else decimal(number)


def _cells(entry: Entry) -> Iterable[str]:
    known = entry.sizes
    reverse = "" if entry.a < entry.b else f"filed as {entry.pair}; "
    yield entry.corpus
    yield f"{entry.release} *" if entry.latest else entry.release
    yield _count(entry.documents)
    yield _count(entry.links)
    yield " / ".join(map(_short, entry.tokens))
    for kind in ("links", "raw", "xml", "moses", "tmx"):
        yield size(known[kind]) if kind in known else "-"
    yield licence(entry.corpus)
    yield reverse + fixes.note(entry.corpus, entry.release)


def _count(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def _short(number: int | None) -> str:
    return "?" if number is None else f"{number / 1e6:,.1f}M"
