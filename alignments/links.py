"""Reading an XCES link file as a stream: one gzip, any size, memory flat.

Whatever OPUS' writers produce is read: attributes in any order, a `linkGrp` broken over lines, its end tag on a link's
line, a space before `>`, empty sides (`;s1`), UNPC's TEI flavour. Nothing outside the file is ever looked up, and an
entity declaration is refused.
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from pairs.errors import SourceError

_CHUNK = 1 << 17


class Link(NamedTuple):
    """One row of a link file: sentences of one document and the sentences of another that say the same."""

    number: int
    """Place in the file, counted from 1; links with a problem count too."""
    from_document: str
    """As the file names it, without `.gz`: `en/ep-96-10-22.xml`."""
    to_document: str
    from_ids: tuple[str, ...]
    to_ids: tuple[str, ...]
    attributes: dict[str, str]
    """All but `xtargets`, in the file's order."""
    problem: str | None = None
    """Why the link cannot be used; its ids are empty then."""

    @property
    def shape(self) -> str:
        """Number of sentences on either side: `1-2`."""
        return f"{len(self.from_ids)}-{len(self.to_ids)}"


def read_links(path: Path) -> Iterator[Link]:
    """Yield the links of a gzipped XCES file in order.

    Raises SourceError when the file is missing, empty, not gzip, cut short, not well-formed XML, declares an entity or
    holds no link; links read before the fault have been yielded by then.
    """
    reader = _Reader(path)
    for chunk in _chunks(path):
        yield from reader.feed(chunk, final=False)
    yield from reader.feed(b"", final=True)
    if not reader.number:
        raise SourceError(_complaint(path, "holds no link"))


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except EOFError as error:
        raise SourceError(_complaint(path, "is cut short: its gzip stream has no end")) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise SourceError(_complaint(path, f"is not gzip or is damaged ({error})")) from error
    except OSError as error:
        raise SourceError(_complaint(path, f"cannot be read ({error})")) from error


class _Reader:
    """An expat parser whose handlers collect links."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self._documents: tuple[str, str] | None = None
        self._links: list[Link] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity

    def feed(self, chunk: bytes, *, final: bool) -> list[Link]:
        """Return the links that end in this chunk."""
        self._links = []
        try:
            self._parser.Parse(chunk, final)
        except (expat.ExpatError, ValueError, LookupError) as error:
            where = f"{error}, after {self.number} links"
            raise SourceError(_complaint(self.path, f"is empty or not well-formed XML ({where})")) from error
        return self._links

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "link":
            self.number += 1
            targets = attributes.pop("xtargets", None)
            self._links.append(_link(self.number, self._documents, targets, attributes))
        elif name == "linkGrp":
            names = attributes.get("fromDoc"), attributes.get("toDoc")
            self._documents = (_plain(names[0]), _plain(names[1])) if names[0] and names[1] else None

    def _end(self, name: str) -> None:
        if name == "linkGrp":
            self._documents = None

    def _entity(self, name: str, *_: object) -> None:
        raise SourceError(_complaint(self.path, f"declares the entity {name!r}, which no link file needs; refused"))


def _link(number: int, documents: tuple[str, str] | None, targets: str | None, attributes: dict[str, str]) -> Link:
    if documents is None:
        return Link(number, "", "", (), (), attributes, "in no linkGrp that names two documents")
    if targets is None:
        return Link(number, *documents, (), (), attributes, "without xtargets")
    sides = targets.split(";")
    if len(sides) != 2:
        return Link(number, *documents, (), (), attributes, f"xtargets {targets!r} has not exactly one semicolon")
    return Link(number, *documents, tuple(sides[0].split()), tuple(sides[1].split()), attributes)


def _plain(document: str) -> str:
    return document.removesuffix(".gz")


def _complaint(path: Path, fault: str) -> str:
    return f"{path} {fault}; expected a gzipped XCES link file. Delete it and fetch again, or name another release."
