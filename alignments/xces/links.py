"""Read an XCES link file as a stream.

All layouts found in OPUS are supported: attributes in any order, a `linkGrp` tag that spans several lines, links with
an empty side (`;s1`), the TEI of UNPC, and groups whose left side is in the second language.
"""

import gzip
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from bitext_pivot.alignments.extraction import CANDIDATE_SHAPES, Link, LinkGroup, shape_name
from bitext_pivot.alignments.release import DAMAGE_ERRORS
from bitext_pivot.alignments.xml import XmlError, XmlReader
from bitext_pivot.core.errors import DamagedError, SourceError


def read_link_groups(
    path: Path,
    languages: tuple[str, str],
    *,
    max_links: int | None = None,
    max_candidates: int = 20_000,
    shapes: Collection[str] = CANDIDATE_SHAPES,
) -> Iterator[LinkGroup]:
    """Yield the links of a gzipped XCES file, one group for each pair of documents.

    A group stores links of `shapes` as candidates, at most `max_candidates` of them, and counts all others. Only the
    first `max_links` links are read.

    Documents and ids are in the order of `languages`. If the languages are en and fr, but a group aligns `fr/x` with
    `en/x`, the two sides are swapped. The first folder of a document's name is its language.

    Document names have no `.gz`. A link is counted as bad if its `xtargets` does not contain exactly one semicolon, or
    if it is not inside a `linkGrp` with two documents. Raises DamagedError if the file is missing, truncated or not
    gzip, and SourceError if it is empty, is not well-formed XML, declares an entity or has no link.
    """
    reader = _LinkReader(languages, max_links, max_candidates, shapes)
    try:
        with gzip.open(path) as file, suppress(_LastLinkReached):
            yield from reader.read(file)
        yield from reader.rest()
    except DAMAGE_ERRORS as error:
        raise DamagedError(
            path, _message(path, f"is damaged or cannot be read ({error})")
        ) from error
    except XmlError as error:
        where = f", after {reader.number} links" if reader.number else ""
        raise SourceError(
            _message(path, f"is empty or cannot be read as XML ({error}{where})")
        ) from error
    if not reader.number:
        raise SourceError(_message(path, "contains no link"))


class _LastLinkReached(Exception):
    """Raised to stop the parser when `max_links` links have been read."""


class _LinkReader(XmlReader[LinkGroup]):
    """Reader that stores the candidates and counts the links of each group while it parses.

    This is faster than a second pass over the links.
    """

    def __init__(
        self,
        languages: tuple[str, str],
        max_links: int | None,
        max_candidates: int,
        shapes: Collection[str],
    ) -> None:
        super().__init__()
        self.number = 0
        self._languages = languages
        self._is_exchanged = False
        self._max_links, self._max_candidates, self._shapes = max_links, max_candidates, shapes
        self._group = LinkGroup(("", ""))
        self._has_documents = False
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "link":
            self.number += 1
            self._add(attributes)
            if self.number == self._max_links:
                raise _LastLinkReached
        elif name == "linkGrp":
            from_document = attributes.get("fromDoc", "").removesuffix(".gz")
            to_document = attributes.get("toDoc", "").removesuffix(".gz")
            self._is_exchanged = (_folder(to_document), _folder(from_document)) == self._languages
            self._close(
                (to_document, from_document) if self._is_exchanged else (from_document, to_document)
            )
            self._has_documents = bool(from_document and to_document)

    def _end(self, name: str) -> None:
        if name == "linkGrp":
            self._has_documents = False

    def rest(self) -> list[LinkGroup]:
        """Return the groups that `read` has not yielded yet, at the end of the file."""
        self._close(self._group.documents)
        return self.items

    def _add(self, attributes: dict[str, str]) -> None:
        group = self._group
        sides = attributes.pop("xtargets", "").split(";")
        if len(sides) != 2 or not self._has_documents:
            group.skips["bad link"] += 1
            return
        left, right = sides[0].split(), sides[1].split()
        if self._is_exchanged:
            left, right = right, left
        shape = shape_name(len(left), len(right))
        group.shapes[shape] += 1
        if shape in self._shapes:
            group.candidates.append(
                Link(self.number, group.documents, (tuple(left), tuple(right)), attributes)
            )
            if len(group.candidates) == self._max_candidates:
                self._close(group.documents)

    def _close(self, documents: tuple[str, str]) -> None:
        """Finish the current group, if it has a link, and start a group for the pair `documents`."""
        if self._group.shapes or self._group.skips:
            self.items.append(self._group)
        self._group = LinkGroup(documents)


def _folder(document: str) -> str:
    """Return the first folder of a document's name, which in OPUS is the language of the document."""
    return document.partition("/")[0]


def _message(path: Path, problem: str) -> str:
    return f"{path} {problem}; expected a gzipped XCES link file. Use another mirror or another release."
