"""Read an XCES link file as a stream: one gzip, any size, memory flat.

All of OPUS' writers are covered: attributes in any order, a `linkGrp` broken over lines, empty sides (`;s1`), UNPC's
TEI flavour.
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from alignments.extract import Link, Sides
from alignments.xml import XmlError, XmlReader
from pairs.errors import SourceError

_CHUNK = 1 << 17
_NOWHERE = ("", "")


def read_links(path: Path) -> Iterator[Link]:
    """Yield the links of a gzipped XCES file in order; document names are without `.gz`.

    A link is bad without exactly one semicolon in `xtargets`, and outside a `linkGrp` that names two documents. Raises
    SourceError when the file is missing, empty, not gzip, truncated, not well-formed XML, declares an entity or has no
    link.
    """
    link = None
    try:
        with gzip.open(path) as file:
            for link in _links(file):
                yield link
    except EOFError as error:
        raise SourceError(_message(path, "is truncated: its gzip stream has no end")) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise SourceError(_message(path, f"is not gzip or is damaged ({error})")) from error
    except OSError as error:
        raise SourceError(_message(path, f"cannot be read ({error})")) from error
    except XmlError as error:
        if error.reason == "declares entities":
            raise SourceError(_message(path, f"{error}, which no link file needs; refused")) from error
        where = f", after {link.number} links" if link else ""
        raise SourceError(_message(path, f"is empty or not well-formed XML ({error}{where})")) from error
    if link is None:
        raise SourceError(_message(path, "has no link"))


def _links(file: gzip.GzipFile) -> Iterator[Link]:
    reader = _Reader()
    number = 0
    chunk = b" "
    while chunk:
        chunk = file.read(_CHUNK)
        reader.feed(chunk)
        for documents, attributes in reader.links:
            number += 1
            yield _link(number, documents, attributes)
        reader.links.clear()


class _Reader(XmlReader):
    """Collect the attributes of links, with the documents of their group."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[Sides, dict[str, str]]] = []
        self._documents = _NOWHERE
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "link":
            self.links.append((self._documents, attributes))
        elif name == "linkGrp":
            one, two = attributes.get("fromDoc"), attributes.get("toDoc")
            self._documents = (one.removesuffix(".gz"), two.removesuffix(".gz")) if one and two else _NOWHERE

    def _end(self, name: str) -> None:
        if name == "linkGrp":
            self._documents = _NOWHERE


def _link(number: int, documents: Sides, attributes: dict[str, str]) -> Link:
    sides = attributes.pop("xtargets", "").split(";")
    if len(sides) != 2 or documents is _NOWHERE:
        return Link(number, documents, ((), ()), attributes, bad=True)
    return Link(number, documents, (tuple(sides[0].split()), tuple(sides[1].split())), attributes)


def _message(path: Path, fault: str) -> str:
    return f"{path} {fault}; expected a gzipped XCES link file. Delete it and fetch again, or name another release."
