"""Align documents with their translations: split into sentences, then Gale and Church within paragraphs.

If a document and its translation have the same number of paragraphs, each paragraph is aligned alone (the hard regions
of the paper), otherwise the whole document.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from bitext_pivot.alignments.extraction import Link
from bitext_pivot.alignments.texts.beads import Bead, align
from bitext_pivot.alignments.texts.lines import read_lines
from bitext_pivot.core.splitting import Splitter
from bitext_pivot.core.storage import atomic
from bitext_pivot.core.white_space import squeezed

Paragraphs = Literal["lines", "blank lines"]
"""What ends a paragraph: every line, or blank lines only (for texts with line breaks inside sentences)."""


class DocumentPair(NamedTuple):
    """A document and its translation; one without a file is empty."""

    names: tuple[str, str]
    paths: tuple[Path | None, Path | None]


class DocumentSentence(NamedTuple):
    """A sentence and its id: `7.2` is the second of paragraph 7."""

    id: str
    text: str


def match_documents(
    left: Path, right: Path, skips: Counter[str] | None = None
) -> list[DocumentPair]:
    """Return the documents of two folders matched by name, sorted, as `files_by_name`; or two files as they are."""
    if left.is_file():
        return [DocumentPair((left.name, right.name), (left, right))]
    files = files_by_name(left, skips), files_by_name(right, skips)
    return [
        DocumentPair((name, name), (files[0].get(name), files[1].get(name)))
        for name in sorted(files[0] | files[1])
    ]


def files_by_name(folder: Path, skips: Counter[str] | None = None) -> dict[str, Path]:
    """Return the files below a folder, sorted by their names relative to it, without hidden ones.

    What is not read is counted in `skips` by reason: symbolic links to folders, to nothing and to what is not below the
    folder, whose owner may not want it in a data set; devices and sockets; names that are not UTF-8; folders that
    cannot be read. The folder itself may be a symbolic link.
    """
    skips = Counter() if skips is None else skips
    root = folder.resolve()
    files: dict[str, Path] = {}
    for parent, folders, names in os.walk(
        folder, onerror=lambda _: skips.update(["folder that cannot be read"])
    ):
        visible = [name for name in [*folders, *names] if not name.startswith(".")]
        inner_folders: list[str] = []
        for name in visible:
            path = Path(parent, name)
            reason = _skip_reason(path, root)
            if reason is not None:
                skips[reason] += 1
            elif path.is_dir():
                inner_folders.append(name)
            else:
                files[path.relative_to(folder).as_posix()] = path
        folders[:] = inner_folders
    return dict(sorted(files.items()))


def _skip_reason(path: Path, root: Path) -> str | None:
    """Return the reason to skip an entry below the folder `root`, whose path has no links."""
    try:
        path.name.encode()
    except UnicodeEncodeError:
        return "file name that is not UTF-8"
    if path.is_symlink():
        target = Path(os.path.realpath(path))  # of a link to itself this is the link
        if not target.is_relative_to(root):
            return "link that leaves the folder"
        if target.is_dir():
            return "link to a folder"
        if target.is_symlink() or not target.exists():
            return "link to nothing"
    if not path.is_file() and not path.is_dir():
        return "no regular file"
    return None


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files below a folder."""
    return atomic.digest(path, files_by_name(path)) if path.is_dir() else atomic.sha256(path)


def read_documents(
    documents: Sequence[DocumentPair],
    splitters: tuple[Splitter, Splitter],
    *,
    paragraphs: Paragraphs = "lines",
    band: int = 500,
    max_cost: float = 8.0,
) -> Iterator[Link]:
    """Yield the beads of all documents as links, numbered from 1, with their costs as attributes.

    A bead that costs more than `max_cost` nats is skipped: `unlikely by length`. Raises SourceError if a file cannot be
    read, is damaged or in another encoding than UTF-8.
    """
    number = 0
    for pair in documents:
        left, right = (
            _sentences(p, s, paragraphs) for p, s in zip(pair.paths, splitters, strict=True)
        )
        for region in _regions(left, right):
            for bead in align(
                [len(s.text) for s in region[0]], [len(s.text) for s in region[1]], band=band
            ):
                number += 1
                reason = "unlikely by length" if bead.cost > max_cost else None
                yield _link(number, pair, region, bead)._replace(skip_reason=reason)


def _sentences(
    path: Path | None, splitter: Splitter, paragraphs: Paragraphs
) -> list[list[DocumentSentence]]:
    """Return the sentences of a document by paragraph, without empty paragraphs."""
    if path is None:
        return []
    split = [
        sentences for text in _paragraphs(path, paragraphs) if (sentences := splitter.split(text))
    ]
    return [
        [DocumentSentence(f"{n}.{m}", text) for m, text in enumerate(sentences, 1)]
        for n, sentences in enumerate(split, 1)
    ]


def _paragraphs(path: Path, paragraphs: Paragraphs) -> Iterator[str]:
    lines = read_lines(path)
    if paragraphs == "lines":
        yield from lines
        return
    paragraph: list[str] = []
    for line in lines:
        if squeezed(line):
            paragraph.append(line)
        else:
            yield " ".join(paragraph)
            paragraph = []
    yield " ".join(paragraph)


def _regions(
    left: list[list[DocumentSentence]], right: list[list[DocumentSentence]]
) -> Iterator[tuple[Sequence[DocumentSentence], Sequence[DocumentSentence]]]:
    if len(left) == len(right):
        yield from zip(left, right, strict=True)
    else:
        yield (
            [s for paragraph in left for s in paragraph],
            [s for paragraph in right for s in paragraph],
        )


def _link(
    number: int,
    pair: DocumentPair,
    region: tuple[Sequence[DocumentSentence], Sequence[DocumentSentence]],
    bead: Bead,
) -> Link:
    left, right = (
        [sentences[n] for n in places]
        for sentences, places in zip(region, (bead.one, bead.other), strict=True)
    )
    ids = tuple(s.id for s in left), tuple(s.id for s in right)
    texts = [s.text for s in left], [s.text for s in right]
    return Link(number, pair.names, ids, {"cost": f"{bead.cost:.3f}"}, texts)
