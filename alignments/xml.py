"""Parse XML in pieces with expat: nothing outside the file is read, and entity declarations are refused."""

import gzip
from collections.abc import Iterator
from typing import IO, Generic, NoReturn, TypeVar
from xml.parsers import expat

Item = TypeVar("Item")
_PIECE = 1 << 17  # bytes
_INVALID_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
_BAD_REFERENCE = expat.errors.codes[expat.errors.XML_ERROR_BAD_CHAR_REF]
_KEPT = 64  # bytes kept of earlier pieces, for a character that two pieces share


class XmlError(Exception):
    """The file cannot be read as XML; `reason` is a short phrase to count by.

    One of: not well-formed, declares entities, not UTF-8, control characters, unknown encoding.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class XmlReader(Generic[Item]):
    """An expat parser; subclasses set its handlers, which append to `items`."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.EntityDeclHandler = _refuse
        self.parser.SkippedEntityHandler = self.undefined
        self._position = 0
        self._before = b""

    def read(self, file: IO[bytes] | gzip.GzipFile) -> Iterator[Item]:
        """Yield the items of a file while it is parsed. Raises XmlError, and what reading the file raises."""
        piece = b" "
        while piece:
            piece = file.read(_PIECE)
            self.feed(piece)
            yield from self.items
            self.items.clear()

    def feed(self, piece: bytes) -> None:
        """Parse a piece; an empty one ends the file. Raises XmlError."""
        try:
            self.parser.Parse(piece, not piece)
        except (expat.ExpatError, ValueError, LookupError) as error:
            start = max(self.parser.ErrorByteIndex - self._position + len(self._before), 0)
            raise XmlError(_reason(error, (self._before + piece)[start : start + 4]), str(error)) from error
        self._position += len(piece)
        self._before = (self._before + piece[-_KEPT:])[-_KEPT:]

    def undefined(self, name: str, *_: object) -> None:
        """Handle a reference to an entity that is not declared; raises XmlError."""
        raise XmlError("not well-formed", f"uses the undefined entity {name!r}")


def _refuse(name: str, *_: object) -> NoReturn:
    raise XmlError("declares entities", f"declares the entity {name!r}")


def _reason(error: Exception, place: bytes) -> str:
    """Return what stopped the parser, by its code and the bytes at that place."""
    if not isinstance(error, expat.ExpatError):
        return "unknown encoding"
    if error.code == _BAD_REFERENCE:
        return "control characters"
    if error.code != _INVALID_TOKEN or b" " <= place[:1] < b"\x7f":
        return "not well-formed"
    return "control characters" if _starts_with_character(place) else "not UTF-8"


def _starts_with_character(place: bytes) -> bool:
    """Return True if the bytes begin with a UTF-8 character (XML forbids some, as U+0000 and U+FFFE)."""
    try:
        place.decode()
    except UnicodeDecodeError as error:
        return error.start > 0
    return True
