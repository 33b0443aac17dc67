"""Reading a link file event by event: the whole of XML, and what is wrong where it cannot be read."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.parsers import expat

from alignments.xces.link_runs import BAD, LinkRun, documents_of, shape_of
from pairs.errors import SourceError


def read_events(chunks: Iterable[bytes], path: Path) -> Iterator[LinkRun]:
    """Yield the links in runs, each of one pair of documents; `path` is for messages.

    Raises SourceError when the XML is not well-formed or declares an entity, and what `chunks` raises; links of the
    chunks before the fault have been yielded by then.
    """
    reader = _Reader(path)
    for chunk in chunks:
        yield from reader.feed(chunk, final=False)
    yield from reader.feed(b"", final=True)


def complaint(path: Path, fault: str) -> str:
    """Return the message for a link file that cannot be used."""
    return f"{path} {fault}; expected a gzipped XCES link file. Delete it and fetch again, or name another release."


class _Reader:
    """An expat parser whose handlers collect links."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._number = 0
        self._documents: tuple[str, str] | None = None
        self._links: list[dict[str, str]] = []
        self._runs: list[LinkRun] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity

    def feed(self, chunk: bytes, *, final: bool) -> list[LinkRun]:
        """Return the links that begin in this chunk."""
        self._runs = []
        try:
            self._parser.Parse(chunk, final)
        except (expat.ExpatError, ValueError, LookupError) as error:
            where = f"{error}, after {self._number} links"
            raise SourceError(complaint(self._path, f"is empty or not well-formed XML ({where})")) from error
        self._close()
        return self._runs

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "link":
            self._number += 1
            self._links.append(attributes)
        elif name == "linkGrp":
            self._close()
            self._documents = documents_of(attributes)

    def _end(self, name: str) -> None:
        if name == "linkGrp":
            self._close()
            self._documents = None

    def _close(self) -> None:
        """Make a run of the links since the last one."""
        if self._links:
            known = self._documents is not None
            shapes = [shape_of(link.get("xtargets")) if known else BAD for link in self._links]
            first = self._number + 1 - len(self._links)
            self._runs.append(LinkRun(self._documents, first, shapes, self._links.__getitem__))
            self._links = []

    def _entity(self, name: str, *_: object) -> None:
        raise SourceError(complaint(self._path, f"declares the entity {name!r}, which no link file needs; refused"))
