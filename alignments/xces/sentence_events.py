"""Reading the sentences of a document event by event: the whole of XML, and the reason where it cannot be read.

The document is streamed through expat, whose handlers are silent between the sentences wanted.
"""

from collections.abc import Collection, Iterable
from xml.parsers import expat

_INVALID_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
_LONGEST = 1 << 20  # characters of a sentence; what is longer is no sentence, and would fill the memory
_KEPT = 64  # bytes before a chunk that are held, for a character that the chunk's border cuts
_BAD_REFERENCE = expat.errors.codes[expat.errors.XML_ERROR_BAD_CHAR_REF]


class UnreadableDocument(Exception):  # noqa: N818 -- no error of the build: the document is counted by reason and skipped
    """A document whose sentences cannot be had; `reason` is a short phrase to count by.

    `missing document`, or `unreadable document: ` and one of: not well-formed, declares entities, not UTF-8,
    control characters, unknown encoding, a sentence without end, damaged in the archive.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


def collect(
    chunks: Iterable[bytes], document: str, wanted: Collection[str] | None = None, *, tokenised: bool = False
) -> dict[str, str]:
    """Return the text of the sentences of a document by id, those of `wanted` only when it is given, in its order.

    A text is all that stands inside `<s>`, white space as it is; with `tokenised` there is a space before and after
    each `<w>`. `document` is its name for messages. Of sentences that share an id the first counts. Raises
    UnreadableDocument with the reason, and what `chunks` raises.
    """
    collector = _Collector(document, None if wanted is None else frozenset(wanted), tokenised=tokenised)
    for chunk in chunks:
        collector.feed(chunk, final=False)
    collector.feed(b"", final=True)
    return collector.sentences


class _Collector:
    """An expat parser whose handlers collect the text of the sentences wanted."""

    def __init__(self, document: str, wanted: frozenset[str] | None, *, tokenised: bool) -> None:
        self.sentences: dict[str, str] = {}
        self._document = document
        self._wanted = wanted
        self._token = "w" if tokenised else None
        self._id = ""
        self._depth = 0
        self._text: list[str] = []
        self._before = b""
        self._fed = 0
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
            at = max(self._parser.ErrorByteIndex - self._fed + len(self._before), 0)
            found = (self._before + chunk)[at : at + 4]
            reason = f"unreadable document: {_reason(error, found)}"
            raise UnreadableDocument(reason, f"{self._document} ({error})") from error
        if sum(map(len, self._text)) > _LONGEST:
            raise UnreadableDocument(
                "unreadable document: a sentence without end", f"{self._document}, after {_LONGEST:,} characters"
            )
        self._fed += len(chunk)
        self._before = (self._before + chunk[-_KEPT:])[-_KEPT:]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "s" and (self._wanted is None or attributes.get("id") in self._wanted):
            self._open(attributes.get("id", ""))

    def _open(self, sentence: str) -> None:
        """Listen to text until this element ends; the handlers cost nothing between wanted sentences."""
        self._id, self._depth = sentence, 1
        self._parser.StartElementHandler = self._deeper
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def _deeper(self, name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1
        if name == self._token:
            self._text.append(" ")

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == self._token:
            self._text.append(" ")
        if not self._depth:
            self.sentences.setdefault(self._id, "".join(self._text))
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
