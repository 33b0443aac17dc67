"""Finding the wanted sentences of a plainly written document by searching its bytes.

Plain is what alignments/xces/markup.py accepts and where each sentence begins `<s id="`, as all of OPUS' writers put
it. The result is that of the reader with handlers in alignments/xces/sentences.py, or UnusualMarkupError.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping

from alignments.xces.markup import PlainMarkup, UnusualMarkupError

_START = b'<s id="'
# Every start of a sentence: its id where it is plainly written, nothing where anything would have to be decoded
_STARTS = re.compile(rb'<s(?: id="([^"&\t\r\n]*)"|[\s/>])')
_ODD_START = re.compile(rb'<s(?=[\s/>])(?! id="[^"&\t\r\n]+")')  # one of those without an id
_FEW = 16  # searching a window so many times takes about as long as listing its ids
_REST_OF_TAG = re.compile(rb"""(?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*>""")
_HELD = 1 << 23  # bytes without the start of a sentence that are held at most


def search(chunks: Iterable[bytes], wanted: Mapping[bytes, str]) -> dict[str, bytes]:
    """Return what stands between `<s>` and `</s>`, by id, of the sentences wanted, in document order.

    `wanted` maps each id as bytes to the id. Of sentences that share an id the first counts. Raises
    UnusualMarkupError when the document must be read event by event, and what `chunks` raises.
    """
    found: dict[str, bytes] = {}
    markup, pieces = PlainMarkup(), iter(chunks)
    window = chunk = next(pieces, b"")
    for following in pieces:
        markup.check(chunk)
        cut = max(window.rfind(_START), 0)
        _collect(window[:cut], wanted, found)
        window, chunk = window[cut:] + following, following
        if len(window) > _HELD:
            raise UnusualMarkupError
    markup.check(chunk, final=True)  # a document of one chunk is checked in one go, which is much faster than in two
    _collect(window, wanted, found)
    return found


def _collect(window: bytes, wanted: Mapping[bytes, str], found: dict[str, bytes]) -> None:
    """Add the sentences wanted of a window that begins and ends between sentences' starts."""
    for at, id in _few(window, wanted) if len(wanted) <= _FEW else _many(window, wanted):
        found.setdefault(wanted[id], _content(window, at + len(_START) + len(id) + 1))


def _few(window: bytes, wanted: Iterable[bytes]) -> list[tuple[int, bytes]]:
    """Return where the first sentence of each id wanted starts, in the window's order."""
    if _ODD_START.search(window):
        raise UnusualMarkupError
    return sorted((at, id) for id in wanted if (at := window.find(b'<s id="%b"' % id)) >= 0)


def _many(window: bytes, wanted: Container[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield where each sentence wanted starts, in the window's order."""
    ids = _STARTS.findall(window)
    if not all(ids):
        raise UnusualMarkupError
    at = 0
    for id in ids:
        if id in wanted:
            at = window.find(b'<s id="%b"' % id, at)
            yield at, id
            at += 1


def _content(window: bytes, at: int) -> bytes:
    """Return what stands between the tag whose id's closing quote ends at `at` and the next `</s>`.

    Where that is not the sentence's own end, as with a sentence in a sentence, it is not well-formed by itself.
    """
    if window.startswith(b">", at):
        start = at + 1
    elif tag := _REST_OF_TAG.match(window, at):
        start = tag.end()
    else:
        raise UnusualMarkupError
    end = window.find(b"</s>", start)
    if end < 0:
        raise UnusualMarkupError
    return window[start:end]
