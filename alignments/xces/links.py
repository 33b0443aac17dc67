"""Read an XCES link file as a stream.

All layouts in OPUS are read: attributes in any order, a `linkGrp` over several lines, empty sides (`;s1`), UNPC's TEI.
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from alignments.extract import Link, Sides
from alignments.xml import XmlError, XmlReader
from pairs.errors import SourceError

_NO_DOCUMENTS = ("", "")


def read_links(path: Path) -> Iterator[Link]:
    """Yield the links of a gzipped XCES file in order; document names are without `.gz`.

    A link is bad without exactly one semicolon in `xtargets`, and outside a `linkGrp` that names two documents. Raises
    SourceError if the file is missing, empty, not gzip, truncated, not well-formed XML, declares an entity or has no
    link.
    """
    link = None
    try:
        with gzip.open(path) as file:
            for number, (documents, attributes) in enumerate(_Reader().read(file), 1):
                link = _link(number, documents, attributes)
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


def _link(number: int, documents: Sides, attributes: dict[str, str]) -> Link:
    one, semicolon, two = attributes.pop("xtargets", "").partition(";")
    if not semicolon or ";" in two or documents is _NO_DOCUMENTS:
        return Link(number, documents, ((), ()), attributes, bad=True)
    return Link(number, documents, (tuple(one.split()), tuple(two.split())), attributes)


class _Reader(XmlReader[tuple[Sides, dict[str, str]]]):
    """Collect the attributes of links, with the documents of their group."""

    def __init__(self) -> None:
        super().__init__()
        self._documents = _NO_DOCUMENTS
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "link":
            self.items.append((self._documents, attributes))
        elif name == "linkGrp":
            one, two = attributes.get("fromDoc"), attributes.get("toDoc")
            self._documents = (one.removesuffix(".gz"), two.removesuffix(".gz")) if one and two else _NO_DOCUMENTS

    def _end(self, name: str) -> None:
        if name == "linkGrp":
            self._documents = _NO_DOCUMENTS


def _message(path: Path, fault: str) -> str:
    return f"{path} {fault}; expected a gzipped XCES link file. Delete it and fetch again, or name another release."
