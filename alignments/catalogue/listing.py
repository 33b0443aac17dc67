"""Show the catalogue as a table in the terminal."""

from collections.abc import Sequence

from rich import box
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from bitext_pivot.alignments import fixes
from bitext_pivot.alignments.catalogue.corpus_licences import corpus_licence
from bitext_pivot.alignments.catalogue.entries import CatalogueEntry

_WIDE = 200
"""Minimum width of the terminal, in characters, at which the table has all columns."""
_NARROW = ("corpus", "release", "links", "download", "licence")
_TEXTS = {"corpus": 24, "release": 14, "licence": None, "note": None}
"""Text columns and their maximum widths."""


def build_table(entries: Sequence[CatalogueEntry], title: str, width: int) -> Table:
    """Return a table with one row per release for a terminal of `width` characters.

    Sizes are rounded down to KiB.
    """
    caption = "* flagged as the latest by OPUS. download: links and documents, or lines (moses)."
    rows = [_format_cells(entry) for entry in entries]
    names: Sequence[str] = [*rows[0]]
    if width < _WIDE:
        caption += " For more columns use --json or a wider terminal."
        names = _NARROW
    listed = Table(
        title=title,
        title_justify="left",
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
    )
    for name in names:
        if name in _TEXTS:
            listed.add_column(name, overflow="fold", max_width=_TEXTS[name])
        else:
            listed.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        listed.add_row(*(Text(row[name]) for name in names))
    return listed


def format_size(number: int | None) -> str:
    """Return a readable number of bytes (`285.0 MB`), or `unknown` for None."""
    return "unknown" if number is None else decimal(number)


def _format_cells(entry: CatalogueEntry) -> dict[str, str]:
    columns = {"link file": "links", "raw": "raw", "xml": "xml", "moses": "moses", "tmx": "tmx"}
    sizes = entry.sizes
    reverse = "" if entry.a < entry.b else f"filed as {entry.pair}; "
    return {
        "corpus": entry.corpus,
        "release": f"{entry.release} *" if entry.latest else entry.release,
        "documents": _format_count(entry.documents),
        "links": _format_count(entry.links),
        "tokens": " / ".join(map(_format_millions, entry.tokens)),
        **{
            name: format_size(sizes[kind]) if kind in sizes else "-"
            for name, kind in columns.items()
        },
        "download": _format_download(entry),
        "licence": corpus_licence(entry.corpus),
        "note": reverse + fixes.note(entry.corpus, entry.release),
    }


def _format_download(entry: CatalogueEntry) -> str:
    """Return how much a build downloads from a release, at most: `285.0 MB`.

    This is the size of the link file and the raw documents. If the release lacks them, it is the size of the Moses zip,
    as in `12.0 MB moses`, or `-` if there is no Moses zip either.
    """
    sizes = entry.sizes
    if "raw" in sizes and "links" in sizes:
        return format_size(sizes["links"] + sizes["raw"])
    return f"{format_size(sizes['moses'])} moses" if "moses" in sizes else "-"


def _format_count(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def _format_millions(number: int | None) -> str:
    return "?" if number is None else f"{number / 1e6:,.1f}M"
