"""Translation memories (TMX 1.4): a `tu` is a text and its translations, one `tuv` a language.

The file is read as a stream. Its DOCTYPE is never resolved and an entity declaration is refused. Of inline elements
the text stays (`hi`, and any unknown element); `bpt`, `ept`, `it`, `ph` and `ut` hold a file format's own codes, not
text, so they go, with the `sub` inside them.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from alignments.texts.lines import DAMAGE, opened
from alignments.texts.segments import Segment
from pairs.errors import SourceError

_CHUNK = 1 << 17
_CODES = {"bpt", "ept", "it", "ph", "ut"}
_BLANKS = str.maketrans("\n\r\t", "   ")


def read_tmx(path: Path, languages: tuple[str, str]) -> Iterator[Segment]:
    """Yield the units of a TMX file, plain or compressed, with their texts in the order of `languages`.

    Regions are variants of their language: `en-US` is `en`; where a unit has several, the language itself counts first,
    then the first in the file. A unit without one of the languages has an empty text on that side. Attributes are
    `tuid`, the unit's props by type and its variants' props as `en:type`. Raises SourceError when the file is missing,
    damaged, not well-formed, declares an entity, or has no unit in one of the languages; units before have been
    yielded by then.
    """
    reader = _Reader(path, languages)
    try:
        with opened(path) as file:
            while chunk := file.read(_CHUNK):
                yield from reader.feed(chunk, final=False)
    except DAMAGE as error:
        raise SourceError(_complaint(path, f"is damaged or cut short ({error})")) from error
    yield from reader.feed(b"", final=True)
    for language in languages:
        if language not in reader.seen:
            has = ", ".join(sorted(reader.seen)) or "none"
            raise SourceError(_complaint(path, f"has no text in {language!r}; its languages: {has}"))


class _Unit:
    """A `tu` being read."""

    def __init__(self, number: int, attributes: dict[str, str]) -> None:
        self.number = number
        self.attributes = {"tuid": attributes["tuid"]} if "tuid" in attributes else {}
        self.problem: str | None = None
        self._texts: dict[str, str] = {}
        self._variants: dict[str, str] = {}

    def add(self, tag: str, text: str) -> None:
        """Take the text of a `tuv`; its language without a region beats one with, else the first counts."""
        language = _language(tag)
        if language not in self._texts or tag.lower() == language != self._variants[language]:
            self._texts[language], self._variants[language] = text, tag.lower()

    def note(self, kind: str, value: str) -> None:
        """Take a prop; several of one type are told apart by a semicolon."""
        self.attributes[kind] = f"{self.attributes[kind]}; {value}" if kind in self.attributes else value

    def segment(self, languages: tuple[str, str], document: str) -> Segment:
        one, other = (self._texts.get(language, "") for language in languages)
        ids = (str(self.number),)
        return Segment(self.number, (one, other), (document, document), (ids, ids), self.attributes, self.problem)


class _Reader:
    """An expat parser whose handlers collect units."""

    def __init__(self, path: Path, languages: tuple[str, str]) -> None:
        self.seen: set[str] = set()
        self._path = path
        self._languages = languages
        self._number = 0
        self._done: list[Segment] = []
        self._unit: _Unit | None = None
        self._tag = ""
        self._kind = ""
        self._codes = 0
        self._text: list[str] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity
        self._parser.SkippedEntityHandler = self._undefined

    def feed(self, chunk: bytes, *, final: bool) -> list[Segment]:
        """Return the units that end in this chunk."""
        self._done = []
        try:
            self._parser.Parse(chunk, final)
        except (expat.ExpatError, ValueError, LookupError) as error:
            where = f"{error}, after {self._number} units"
            raise SourceError(_complaint(self._path, f"is empty or not well-formed XML ({where})")) from error
        return self._done

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "tu":
            self._number += 1
            self._unit = _Unit(self._number, attributes)
        elif name == "tuv":
            self._tag = attributes.get("xml:lang") or attributes.get("lang", "")
            self.seen.add(_language(self._tag))
        elif name in {"seg", "prop"}:
            self._kind = attributes.get("type", "")
            self._listen(True)
        elif name in _CODES:
            self._codes += 1
            self._parser.CharacterDataHandler = None

    def _end(self, name: str) -> None:
        if name in _CODES:
            self._codes -= 1
            self._parser.CharacterDataHandler = None if self._codes else self._text.append
        elif self._unit is None:
            return
        elif name == "seg":
            self._unit.add(self._tag, self._listen(False))
        elif name == "prop":
            self._unit.note(f"{_language(self._tag)}:{self._kind}" if self._tag else self._kind, self._listen(False))
        elif name == "tuv":
            self._tag = ""
        elif name == "tu":
            self._done.append(self._unit.segment(self._languages, self._path.name))
            self._unit = None

    def _listen(self, on: bool) -> str:
        """Begin or end to collect text; return what was collected, line ends and tabs as blanks."""
        text = "".join(self._text).translate(_BLANKS)
        self._text.clear()
        self._parser.CharacterDataHandler = self._text.append if on else None
        return text

    def _entity(self, name: str, *_: object) -> None:
        raise SourceError(_complaint(self._path, f"declares the entity {name!r}, which no memory needs; refused"))

    def _undefined(self, name: str, *_: object) -> None:
        if self._unit is not None:
            self._unit.problem = f"uses the undefined entity {name!r}"


def _language(tag: str) -> str:
    """Return the language of a tag such as `en-US` or `EN_us`: `en`."""
    return tag.replace("_", "-").partition("-")[0].lower()


def _complaint(path: Path, fault: str) -> str:
    return f"{path} {fault}; expected a TMX file with both languages. Mend the file, or name another."
