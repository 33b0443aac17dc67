"""Telling plain markup from the rest: what lets a file be searched as bytes instead of parsed event by event.

A parser without handlers for elements and text checks a file in C, several times faster than one that calls Python for
each element. What it accepts here is well-formed UTF-8 of nothing but elements and text, and there every `<` begins a
tag: neither text nor an attribute's value may hold one. So a search for b"<s " finds the sentences, all of them and
nothing else. Everything unusual goes back to the reader with handlers, which alone decides what is wrong with a file.
"""

import re
from xml.parsers import expat

_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?<[^\0]")


class UnusualMarkupError(Exception):
    """The file cannot be searched as bytes; read it event by event. Never leaves the readers."""


class PlainMarkup:
    """Checks pieces of a file, in order, before they are searched."""

    def __init__(self) -> None:
        parser = expat.ParserCreate()
        parser.CommentHandler = _refuse
        parser.ProcessingInstructionHandler = _refuse
        parser.StartCdataSectionHandler = _refuse
        parser.SkippedEntityHandler = _refuse
        parser.XmlDeclHandler = _declared
        parser.StartDoctypeDeclHandler = _doctype
        self._parser = parser
        self._size = 0

    def check(self, piece: bytes, *, final: bool = False) -> int:
        """Go on with the next piece and return how many bytes at its end belong to a tag that is not yet complete.

        Or to a comment, which is seen when it ends: what stands in those bytes is not known yet. Raises
        UnusualMarkupError for anything but UTF-8, elements, text and a doctype. A doctype may name an external subset,
        which is never read, and must not have an internal one.
        """
        if not self._size and not _BEGINNING.match(piece):
            raise UnusualMarkupError
        try:
            self._parser.Parse(piece, final)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise UnusualMarkupError from error
        self._size += len(piece)
        return self._size - max(self._parser.CurrentByteIndex, 0)


def _refuse(*_: object) -> None:
    raise UnusualMarkupError


def _declared(_version: str, encoding: str | None, _standalone: int) -> None:
    if encoding is not None and encoding.lower() != "utf-8":
        raise UnusualMarkupError


def _doctype(_name: str, system: str | None, _public: str | None, has_internal_subset: bool) -> None:
    if has_internal_subset or "<" in (system or ""):
        raise UnusualMarkupError
