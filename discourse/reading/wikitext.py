"""Read the articles of a MediaWiki dump (`pages-articles.xml`); mwparserfromhell parses their wikitext.

Format: https://www.mediawiki.org/wiki/Help:Export. Prose remains; templates, tables, lists, headings, footnotes, code,
formulas, files and categories are dropped. A sentence lacks the words that a template would write. What is
dropped between two words leaves a space, since many templates stand for one, or for a dash.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby
from pathlib import Path

import regex  # type: ignore[import-untyped]
from mwparserfromhell import parse
from mwparserfromhell.definitions import is_visible
from mwparserfromhell.nodes import Comment, ExternalLink, HTMLEntity, Node, Tag, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

from bitext_pivot.alignments.release import DAMAGES
from bitext_pivot.alignments.xml import XmlError, XmlReader
from bitext_pivot.core.data import read_toml
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.text_files import opened
from bitext_pivot.core.untrusted import shown
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.discourse.reading.apostrophes import without_quotes

_HIDDEN_TAGS = {
    "code",
    "del",
    "dl",
    "ol",
    "pre",
    "ref",
    "references",
    "source",
    "syntaxhighlight",
    "table",
    "ul",
}
_POWER = re.compile(r"[-+\u2212]?\d+")
_RAISED = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
"""Characters above the line, as of 10⁶: without them it is another number."""
_BLOCKS = {"blockquote", "center", "div", "p", "poem"}
_BREAKS = {"br", "hr"}
_LISTS = ("*", "#", ":", ";")
_FILE, _CATEGORY = "6", "14"  # keys of namespaces, in which a dump has names of its own
_NAMES = ", ".join(read_toml(Path(__file__).with_suffix(".toml")).values())
_HIDDEN_LINKS = frozenset(_NAMES.lower().split(", "))
# Characters that no text has, until apostrophes that are markup are deleted: another apostrophe, the edge of a node
_LITERAL, _EDGE = "\ufdd0", "\ufdd1"
_OTHER_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]+)*:\S")  # [[fr:Chat]]: the same article in French
# __NOTOC__, and what dropped templates leave inside brackets
_REMAINS = re.compile(r"__[A-Z]+__|(?<=\()[ ,;:\u00a0]+|(?<![ ,;:\u00a0])[ ,;:\u00a0]++(?=\))")
_BROKEN = re.compile(r"\[\[|]]|\{\{|}}|\{\||\|}|</?\w")  # what is not closed stays as it is

_DROPPED = "\ufdd2"
"""What a reader writes, until `_without_dropped`, for a template, note or picture that is no text."""
_END_OF_WORD, _START_OF_WORD = (
    r"[\p{L}\p{N}\p{Pe}\p{Pf}.,;:!?%]",
    r"[\p{L}\p{N}\p{Ps}\p{Pi}\p{Sc}%]",
)
_WITHOUT_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]"
_GAP = regex.compile(rf"(?<={_END_OF_WORD})(?<!{_WITHOUT_SPACES}){_DROPPED}+(?={_START_OF_WORD})")


def read_articles(path: Path, skips: Counter[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield title and paragraphs of the articles (namespace 0) of a dump, plain or compressed.

    Redirects, other pages and what has markup that cannot be read are counted in `skips`. Raises SourceError if the
    file is no dump, damaged or truncated.
    """
    reader = _Reader()
    try:
        with opened(path) as file:
            for page in reader.read(file):
                if page.get("ns") != "0":
                    skips["page outside the articles"] += 1
                elif "redirect" in page:
                    skips["redirect"] += 1
                else:
                    try:
                        prose = paragraphs(page.get("text", ""), reader.hidden)
                    except RecursionError:
                        skips["article with too deeply nested markup"] += 1
                        continue
                    whole = [paragraph for paragraph in prose if not _BROKEN.search(paragraph)]
                    skips.update(["paragraph with broken markup"] * (len(prose) - len(whole)))
                    yield page.get("title", ""), whole
    except (*DAMAGES, XmlError) as error:
        raise SourceError(
            f"{path} is no MediaWiki dump, or damaged or truncated ({error}). "
            "Expected pages-articles.xml, plain or compressed; download it again, or name another file."
        ) from error


def paragraphs(text: str, hidden: Collection[str] = _HIDDEN_LINKS) -> list[str]:
    """Return the paragraphs of wikitext, without links into the namespaces `hidden` (lower case)."""
    code = parse(text, skip_style_tags=True)
    prose = _prose(code, hidden).encode(errors="replace").decode()  # &#xD800; is half a character
    prose = (
        "\n".join(map(without_quotes, prose.split("\n"))).replace(_LITERAL, "'").replace(_EDGE, "")
    )
    prose = _without_dropped(prose)
    lines = _REMAINS.sub("", prose).replace(" ()", "").split("\n")
    blocks = groupby(lines, lambda line: bool(squeezed(line)) and not line.startswith(_LISTS))
    return [squeezed(" ".join(block)) for is_prose, block in blocks if is_prose]


def _without_dropped(text: str) -> str:
    """Return a text with a space for what was dropped between two words, nothing for the rest.

    >>> _without_dropped(f"5{_DROPPED}km{_DROPPED}, or{_DROPPED} more")
    '5 km, or more'
    """
    return str(_GAP.sub(" ", text)).replace(_DROPPED, "")


def _prose(code: Wikicode, hidden: Collection[str]) -> str:
    return _EDGE.join(_text(node, hidden) for node in code.nodes)


def _text(node: Node, hidden: Collection[str]) -> str:
    match node:
        case Text() | ExternalLink():
            return str(node.__strip__(normalize=True) or "")
        case HTMLEntity():
            return str(node.normalize()).replace("'", _LITERAL)
        case Wikilink():
            return _link(node, hidden)
        case Tag():
            return _tag(node, hidden)
        case Comment():
            return ""
    return _DROPPED


def _link(link: Wikilink, hidden: Collection[str]) -> str:
    title = str(link.title).strip()
    if title.partition(":")[0].strip().replace("_", " ").lower() in hidden:
        return _DROPPED
    if link.text is not None:
        return _prose(link.text, hidden)
    return "" if _OTHER_LANGUAGE.match(title) else title.removeprefix(":")


def _tag(tag: Tag, hidden: Collection[str]) -> str:
    name = str(tag.tag).strip().lower()
    if tag.wiki_markup in _LISTS:
        return str(tag.wiki_markup)
    if name in _HIDDEN_TAGS or not is_visible(name):
        return _DROPPED
    prose = " " if name in _BREAKS else ""
    if tag.contents:
        prose = _prose(tag.contents, hidden)
    if name == "nowiki":
        prose = prose.replace("'", _LITERAL)
    if name == "sup" and _POWER.fullmatch(prose.strip()):
        return prose.strip().translate(_RAISED)
    return f"\n\n{prose}\n\n" if name in _BLOCKS else prose


class _Reader(XmlReader[dict[str, str]]):
    """Collect pages: the text of `title`, `ns` and `text` (of the last revision), and `redirect` where there is one."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = set(_HIDDEN_LINKS)
        self._page: dict[str, str] = {}
        self._key = ""
        self._text: list[str] = []
        self.parser.StartElementHandler = self._root
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text.append

    def _root(self, name: str, _: dict[str, str]) -> None:
        if name != "mediawiki":
            raise XmlError(f"its first element is {shown(name)!r}, not 'mediawiki'")
        self.parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._text.clear()
        self._key = attributes.get("key", "")
        if name in {"page", "redirect"}:
            self._page = {} if name == "page" else {**self._page, name: ""}

    def _end(self, name: str) -> None:
        text = "".join(self._text)
        if name == "namespace" and self._key in {_FILE, _CATEGORY}:
            self.hidden.add(text.lower())
        elif name in {"title", "ns", "text"}:
            self._page[name] = text
        elif name == "page":
            self.items.append(self._page)
