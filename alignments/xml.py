"""Parse XML in chunks with expat. No external file is read, and entity declarations are refused."""

import gzip
from collections.abc import Iterator
from typing import IO, Generic, NoReturn, TypeVar
from xml.parsers import expat

_Item = TypeVar("_Item")
_CHUNK = 1 << 17  # bytes
_MAX_REST = 256 << 20  # bytes
# bytes; with each chunk, expat parses an unfinished tag again from its start
_MAX_TAG = 8 << 20


class XmlError(Exception):
    """The file cannot be parsed as XML. `reason` is a short phrase under which such files are counted."""

    def __init__(self, detail: str, reason: str = "not well-formed") -> None:
        super().__init__(detail)
        self.reason = reason


class XmlReader(Generic[_Item]):
    """An expat parser that yields items while it reads; handlers of subclasses append them to `items`."""

    def __init__(self) -> None:
        self.items: list[_Item] = []
        self._fed = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.EntityDeclHandler = _refuse
        self.parser.SkippedEntityHandler = self.handle_undefined_entity

    def read(self, file: IO[bytes] | gzip.GzipFile) -> Iterator[_Item]:
        """Yield the items of a file while it is parsed.

        Raises XmlError, and the errors of reading the file. A damaged archive usually causes invalid XML first. The
        rest of the file is then read, because the checksum at its end shows whether the archive is damaged.
        """
        piece = b" "
        try:
            while piece:
                piece = file.read(_CHUNK)
                self.feed(piece)
                yield from self.items
                self.items.clear()
        except XmlError:
            # read up to the checksum, which raises an error of its own if the archive is damaged
            for _ in range(0, _MAX_REST, _CHUNK):
                if not file.read(_CHUNK):
                    break
            raise

    def feed(self, piece: bytes) -> None:
        """Parse a chunk; an empty chunk ends the file. Raises XmlError."""
        try:
            self.parser.Parse(piece, not piece)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise XmlError(str(error)) from error
        self._fed += len(piece)
        if self._fed - self.parser.CurrentByteIndex > _MAX_TAG:
            raise XmlError(
                f"a tag or comment of more than {_MAX_TAG >> 20} MiB", "a tag without end"
            )

    def handle_undefined_entity(self, name: str, *_: object) -> None:
        """Raise XmlError for a reference to an undeclared entity."""
        raise XmlError(f"uses the undefined entity {name!r}")


def _refuse(name: str, *_: object) -> NoReturn:
    raise XmlError(f"refused: declares the entity {name!r}", "declares entities")
