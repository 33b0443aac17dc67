"""Reading sentences out of a language's raw zip, one document at a time.

The zip's directory is read once, whatever the number of documents; a document is streamed through expat, and only the
sentences asked for are kept. Nothing outside the document is looked up; an entity declaration is refused.
"""

import zipfile
import zlib
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from xml.parsers import expat

from pairs.errors import SourceError

_CHUNK = 1 << 18
_INVALID_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
_BAD_REFERENCE = expat.errors.codes[expat.errors.XML_ERROR_BAD_CHAR_REF]


class UnreadableDocument(Exception):  # noqa: N818 -- no error of the build: the document is counted by reason and skipped
    """A document whose sentences cannot be had; `reason` is a short phrase to count by.

    `missing document`, or `unreadable document: ` and one of: not well-formed, declares entities, not UTF-8,
    control characters, unknown encoding, damaged in the archive.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


class SentenceArchive:
    """The documents of one language of a corpus, read from `raw/<language>.zip`; close it when done."""

    def __init__(self, path: Path, corpus: str) -> None:
        """Open the zip; raises SourceError when it is none."""
        self._corpus = corpus
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise SourceError(
                f"{path} cannot be opened as a zip of OPUS documents ({error}). Delete it and fetch again."
            ) from error

    def close(self) -> None:
        """Close the zip."""
        self._zip.close()

    def read(self, document: str, wanted: Collection[str] | None = None) -> dict[str, str]:
        """Return the sentences of a document by id, those of `wanted` only when it is given, in document order.

        `document` is named as in the link file (`en/x.xml` or `en/x.xml.gz`). A text is that of `<s>` with all its
        inline elements, entities decoded, white space runs (line breaks, no-break spaces) become one space. Of
        sentences that share an id the first counts. Raises UnreadableDocument with the reason.
        """
        member = self._member(document.removesuffix(".gz"))
        collector = _Collector(document, None if wanted is None else frozenset(wanted))
        try:
            with self._zip.open(member) as file:
                while chunk := file.read(_CHUNK):
                    collector.feed(chunk, final=False)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise UnreadableDocument("unreadable document: damaged in the archive", f"{document} ({error})") from error
        collector.feed(b"", final=True)
        return collector.sentences

    def _member(self, document: str) -> zipfile.ZipInfo:
        members = self._zip.NameToInfo
        member = members.get(f"{self._corpus}/raw/{document}") or self._by_suffix.get(document)
        if member is None:
            raise UnreadableDocument("missing document", f"{document} is no member of {self._zip.filename}")
        return member

    @cached_property
    def _by_suffix(self) -> dict[str, zipfile.ZipInfo]:
        """Members by name without up to two leading folders; made only when a top folder is not as expected."""
        found: dict[str, zipfile.ZipInfo] = {}
        for name, info in self._zip.NameToInfo.items():
            _, _, below = name.partition("/")
            for suffix in (name, below, below.partition("/")[2]):
                found.setdefault(suffix, info)
        return found


class _Collector:
    """An expat parser whose handlers collect the text of the sentences wanted."""

    def __init__(self, document: str, wanted: frozenset[str] | None) -> None:
        self.sentences: dict[str, str] = {}
        self._document = document
        self._wanted = wanted
        self._id = ""
        self._depth = 0
        self._text: list[str] = []
        self._before = b""
        self._start_of_before = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EntityDeclHandler = self._entity
        self._parser.SkippedEntityHandler = self._undefined

    def feed(self, chunk: bytes, *, final: bool) -> None:
        """Parse a piece of the document; raises UnreadableDocument."""
        try:
            self._parser.Parse(chunk, final)
        except (expat.ExpatError, ValueError, LookupError) as error:
            at = max(self._parser.ErrorByteIndex - self._start_of_before, 0)
            found = (self._before + chunk)[at : at + 4]
            reason = f"unreadable document: {_reason(error, found)}"
            raise UnreadableDocument(reason, f"{self._document} ({error})") from error
        self._start_of_before += len(self._before)
        self._before = chunk

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "s" and (self._wanted is None or attributes.get("id") in self._wanted):
            self._open(attributes.get("id", ""))

    def _open(self, sentence: str) -> None:
        """Listen to text until this element ends; the handlers cost nothing between wanted sentences."""
        self._id, self._depth = sentence, 1
        self._parser.StartElementHandler = self._deeper
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def _deeper(self, _name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if not self._depth:
            self.sentences.setdefault(self._id, " ".join("".join(self._text).split()))
            self._text.clear()
            self._parser.StartElementHandler = self._start
            self._parser.EndElementHandler = None
            self._parser.CharacterDataHandler = None

    def _entity(self, name: str, *_: object) -> None:
        raise UnreadableDocument(
            "unreadable document: declares entities", f"{self._document} declares {name!r}; refused, not expanded"
        )

    def _undefined(self, name: str, *_: object) -> None:
        raise UnreadableDocument(
            "unreadable document: not well-formed", f"{self._document} uses the undefined entity {name!r}"
        )


def _reason(error: Exception, found: bytes) -> str:
    """Name what stopped the parser by its code and the bytes at that place."""
    if not isinstance(error, expat.ExpatError):
        return "unknown encoding"
    if error.code == _BAD_REFERENCE:
        return "control characters"
    if error.code != _INVALID_TOKEN or b" " <= found[:1] < b"\x7f":
        return "not well-formed"
    return "control characters" if _starts_with_a_character(found) else "not UTF-8"


def _starts_with_a_character(found: bytes) -> bool:
    """Whether the bytes begin with a whole UTF-8 character (XML forbids some, as U+0000 and U+FFFE)."""
    try:
        found.decode()
    except UnicodeDecodeError as error:
        return error.start > 0
    return True
