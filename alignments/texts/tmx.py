"""Read translation memories (TMX 1.4), in which a unit `tu` has one variant `tuv` per language.

The file is read as a stream. Its DOCTYPE is not resolved, and entity declarations are refused. The text of inline
elements is kept, except for `bpt`, `ept`, `it`, `ph` and `ut`, which contain formatting codes. A code for a line break
becomes a space.
"""

import html
import re
from collections.abc import Generator
from pathlib import Path

from bitext_pivot.alignments.release import DAMAGE_ERRORS
from bitext_pivot.alignments.texts.segments import SegmentPair
from bitext_pivot.alignments.xml import XmlError, XmlReader
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.storage import received
from bitext_pivot.core.text_files import decompressed

_CODE_ELEMENTS = {"bpt", "ept", "it", "ph", "ut"}
_SPACES = str.maketrans("\n\r\t", "   ")
_BREAK_ELEMENTS = frozenset({"br", "cb", "hr", "lb", "pb", "tab"})
"""Names of empty elements of HTML and TEI that stand for a break or a tab."""
_BLOCK_ELEMENTS = "blockquote|dd|div|dl|dt|h[1-6]|li|ol|p|table|td|th|tr|ul"
_TAG = rf"</?(?:\w+:)?(?:{'|'.join(sorted(_BREAK_ELEMENTS))}|{_BLOCK_ELEMENTS})\b[^<>]*>"
_ESCAPE = r"\{?\\(?:n|r|t|line|par|tab|u000[9ad])\b ?\}?"
_LINE_BREAK = re.compile(rf"(?:{_TAG}|{_ESCAPE}|\s)+", re.IGNORECASE)
_MEMOQ_CODE = re.compile(r'<mq:\w+ .*?\bval="([^"]*)"', re.DOTALL)
"""A code of memoQ, which stores the original formatting code in the attribute `val`."""


def read_tmx(path: Path, languages: tuple[str, str]) -> Generator[SegmentPair]:
    """Yield the units of a TMX file, plain or compressed, with texts in the order of `languages`.

    A regional variant counts as its language: `en-US` is `en`. If a unit has several variants of a language, the
    variant without a region (`en`) is used, otherwise the first. If a unit lacks one of the languages, its text on that
    side is empty. Attributes are the unit's `tuid`, its props by type, and the props of its variants as `en:type`.

    Raises SourceError if the file is missing, damaged or not well-formed, declares an entity, or contains no text in
    one of the languages (known only after the last unit).
    """
    reader = _UnitReader(path.name, languages)
    try:
        with received.opened(path) as file:
            yield from reader.read(decompressed(file, path))
    except DAMAGE_ERRORS as error:
        raise SourceError(_message(path, f"is damaged or truncated ({error})")) from error
    except XmlError as error:
        where = f"{error}, after {reader.number} units"
        raise SourceError(_message(path, f"is empty or cannot be read as XML ({where})")) from error
    for language in languages:
        if language not in reader.seen:
            has = ", ".join(sorted(reader.seen)) or "none"
            raise SourceError(_message(path, f"has no text in {language!r} (its languages: {has})"))


class _TranslationUnit:
    """A translation unit (`tu`) that is being read."""

    def __init__(self, number: int, attributes: dict[str, str]) -> None:
        self.number = number
        self.attributes = {"tuid": attributes["tuid"]} if "tuid" in attributes else {}
        self.is_unreadable = False
        self._texts: dict[str, str] = {}
        self._variants: dict[str, str] = {}

    def add(self, tag: str, text: str) -> None:
        """Add the text of a variant (`tuv`), whose language tag is `tag`.

        Of several variants of a language, the text without a region is kept (`en`, not `en-US`), otherwise the first.
        """
        language = _language(tag)
        if language not in self._texts or tag.lower() == language != self._variants[language]:
            self._texts[language], self._variants[language] = text, tag.lower()

    def add_property(self, kind: str, value: str) -> None:
        """Add a property (`prop`). Several values of the same kind are joined by semicolons."""
        self.attributes[kind] = (
            f"{self.attributes[kind]}; {value}" if kind in self.attributes else value
        )

    def segment(self, languages: tuple[str, str], document: str) -> SegmentPair:
        left, right = (self._texts.get(language, "") for language in languages)
        ids = (str(self.number),)
        return SegmentPair(
            self.number,
            (left, right),
            (document, document),
            (ids, ids),
            self.attributes,
            self.is_unreadable,
        )


class _UnitReader(XmlReader[SegmentPair]):
    """Reader that collects the units as segments."""

    def __init__(self, document: str, languages: tuple[str, str]) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.number = 0
        self._document = document
        self._languages = languages
        self._unit: _TranslationUnit | None = None
        self._tag = ""
        self._kind = ""
        self._codes = 0
        self._code: list[str] = []
        self._text: list[str] = []
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def handle_undefined_entity(self, *_: object) -> None:
        """Mark the current unit as unreadable."""
        if self._unit is not None:
            self._unit.is_unreadable = True

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "tu":
            self.number += 1
            self._unit = _TranslationUnit(self.number, attributes)
        elif name == "tuv":
            self._tag = attributes.get("xml:lang") or attributes.get("lang", "")
            self.seen.add(_language(self._tag))
        elif name in {"seg", "prop"}:
            self._kind = attributes.get("type", "")
            self._collect_text(True)
        elif name in _CODE_ELEMENTS:
            self._start_code(attributes.get("type", ""))
        elif name in _BREAK_ELEMENTS:
            self._text.append(" ")

    def _end(self, name: str) -> None:
        if name in _CODE_ELEMENTS:
            self._end_code()
        elif self._unit is None:
            return
        elif name == "seg":
            self._unit.add(self._tag, self._collect_text(False))
        elif name == "prop":
            self._unit.add_property(
                f"{_language(self._tag)}:{self._kind}" if self._tag else self._kind,
                self._collect_text(False),
            )
        elif name == "tuv":
            self._tag = ""
        elif name == "tu":
            self.items.append(self._unit.segment(self._languages, self._document))
            self._unit = None

    def _start_code(self, kind: str) -> None:
        self._codes += 1
        if kind in _BREAK_ELEMENTS:
            self._text.append(" ")
        self.parser.CharacterDataHandler = self._code.append

    def _end_code(self) -> None:
        self._codes -= 1
        if self._codes:
            return
        if _is_break("".join(self._code)):
            self._text.append(" ")
        self._code.clear()
        self.parser.CharacterDataHandler = self._text.append

    def _collect_text(self, on: bool) -> str:
        """Start or stop collecting text, and return the text collected so far.

        Line breaks and tabs become spaces.
        """
        text = "".join(self._text).translate(_SPACES)
        self._text.clear()
        self.parser.CharacterDataHandler = self._text.append if on else None
        return text


def _language(tag: str) -> str:
    """Return the language of a tag such as `en-US` or `EN_us`: `en`."""
    return tag.replace("_", "-").partition("-")[0].lower()


def _message(path: Path, problem: str) -> str:
    return f"{path} {problem}; expected a TMX file with both languages. Correct the file, or name another one."


def _is_break(code: str) -> bool:
    r"""Return True if a code of HTML, RTF or a translation tool represents only whitespace.

    >>> _is_break("<br/>"), _is_break("</p>"), _is_break(r"\n"), _is_break("<b>")
    (True, True, True, False)
    >>> _is_break('<mq:ch val="&#x9;" />'), _is_break('<mq:rxt displaytext="b" val="&lt;br/&gt;" />')
    (True, True)
    """
    if memoq := _MEMOQ_CODE.match(code):
        code = memoq[1]
    return _LINE_BREAK.fullmatch(html.unescape(code)) is not None
