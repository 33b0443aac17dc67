"""Reading a plainly written link file by searching its bytes, many links at a time.

Plain is what alignments/xces/markup.py accepts, with links of the form `<link a="..." xtargets="..." b="..." />`, as
all of OPUS' writers put them. Only the `xtargets` are looked at, and the shapes of a whole run are told at once; a link
is taken apart when it is asked for. The result is that of alignments/xces/link_events.py, or UnusualMarkupError.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple
from xml.parsers import expat

from alignments.xces.link_runs import BAD, LinkRun, documents_of, shape_of
from alignments.xces.markup import PlainMarkup, UnusualMarkupError

_TAG = re.compile(rb"""<[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>""")
_GROUP = re.compile(rb"<(/?)linkGrp(?=[\s/>])([^>]*)>")
_OTHER_LINK = re.compile(rb"<link[/>\t\r\n]")
# without the look ahead, all attributes would be taken and given back: twice the time
_TARGETS = re.compile(rb"""<link (?:(?!xtargets=)[^\s=<>"'/]+="[^"]*" +)*xtargets="([^"&\t\r\n]*)\"""")
_ATTRIBUTES = re.compile(rb"""((?:\s*[^\s=<>"'/]+="[^"&\t\r\n]*")*)\s*/?(?:>|$)""")
_ATTRIBUTE = re.compile(r'([^\s=]+)="([^"]*)"', re.ASCII)
_HELD = 1 << 23  # bytes of one unfinished tag that are held at most

# The letters of an id become x, so that few kinds of `xtargets` are left to tell the shape of. A byte that is not ASCII
# may be part of a blank, which str.split would split at.
_KINDS = bytes(c if c in b" ;\n" else ord("x") if c < 128 else ord("?") for c in range(256))


def search(chunks: Iterable[bytes]) -> Iterator[LinkRun]:
    """Yield the links in runs, each of one pair of documents; raises UnusualMarkupError, and what `chunks` raises."""
    markup, reader, rest = PlainMarkup(), _Reader(), b""
    for chunk in chunks:
        unknown = markup.check(chunk)
        window = rest + chunk if rest else chunk
        cut = len(window) - unknown
        yield from reader.runs(window[:cut])
        rest = window[cut:]
        if len(rest) > _HELD:
            raise UnusualMarkupError
    markup.check(b"", final=True)
    yield from reader.runs(rest)


class _Reader:
    """What is known between two windows: the number of links so far and the documents of the open group."""

    def __init__(self) -> None:
        self._number = 0
        self._documents: tuple[str, str] | None = None
        self._shapes = _Shapes()

    def runs(self, window: bytes) -> Iterator[LinkRun]:
        """Yield the links of a window that begins and ends between tags."""
        targets, links = _TARGETS.findall(window), window.split(b"<link ")[1:]
        if len(targets) != len(links) or _OTHER_LINK.search(window):
            raise UnusualMarkupError
        kinds = b"\n".join(targets).translate(_KINDS).split(b"\n") if targets else []
        found = _Found([self._shapes[kind] for kind in kinds], links)
        place = begun = 0
        for group in _GROUP.finditer(window):
            end = place + window.count(b"<link ", begun, group.start())
            yield from self._run(found, place, end)
            closes = group[1] or group[2].endswith(b"/")
            self._documents = None if closes else documents_of(_attributes(group[2]))
            place, begun = end, group.end()
        yield from self._run(found, place, len(links))

    def _run(self, found: "_Found", start: int, stop: int) -> Iterator[LinkRun]:
        """Yield the links between two tags of groups, if there are any."""
        if start < stop:
            shapes = found.shapes[start:stop] if self._documents else [BAD] * (stop - start)
            yield LinkRun(self._documents, self._number + 1, shapes, partial(_taken_apart, found.links, start))
            self._number += stop - start


class _Found(NamedTuple):
    """The links of a window: their shapes, and what follows `<link ` in each."""

    shapes: list[str]
    links: list[bytes]


class _Shapes(dict[bytes, str]):
    """The shape of each kind of `xtargets`: `x;xx xxx` is 1-2."""

    def __missing__(self, kind: bytes) -> str:
        if b"?" in kind:
            raise UnusualMarkupError
        self[kind] = shape_of(kind.decode())
        return self[kind]


def _taken_apart(links: list[bytes], start: int, place: int) -> dict[str, str]:
    """Return the attributes of the link at a place behind `start`."""
    try:
        return _attributes(links[start + place])
    except UnusualMarkupError:
        return _parsed(links[start + place])


def _attributes(tag: bytes) -> dict[str, str]:
    """Return the attributes at the beginning of what follows a tag's name; raises UnusualMarkupError."""
    match = _ATTRIBUTES.match(tag)
    if match is None:
        raise UnusualMarkupError
    return dict(_ATTRIBUTE.findall(match[1].decode()))


def _parsed(tag: bytes) -> dict[str, str]:
    """Return the attributes of a tag with references or unusual quotes in it."""
    found: dict[str, str] = {}
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda _, attributes: found.update(attributes)
    # with a doctype, as in the file: an entity that is not declared is then left out, as it was there
    parser.Parse(b'<!DOCTYPE link SYSTEM "">')
    whole = _TAG.match(b"<link " + tag)
    parser.Parse(whole[0] if whole else b"<link/>")
    return found
