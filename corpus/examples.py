"""Examples of each category with their differences, drawn while the data set is written."""

import hashlib
import re
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, zip_longest
from operator import itemgetter
from typing import Any, Protocol

from corpus.card import CATEGORIES
from corpus.recipe import AnyRecord
from pairs.labelling.diffs import align, is_word
from pairs.records import Category, JudgedPair, Parse

EXAMPLES = 10
_SHOWN = ("overlap", "confidence", "bertscore", "meaning")
"""Scores shown with an example; all are in the data set."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~$-])")


class Sample:
    """Kept pairs of each category, drawn evenly: those with the smallest digests of their ids, so always the same."""

    def __init__(self) -> None:
        self._drawn: dict[Category, list[tuple[bytes, JudgedPair]]] = {category: [] for category in CATEGORIES}

    def add(self, judged: JudgedPair) -> None:
        """Take a pair into account; rejected ones are not shown."""
        if judged.rejected_by is None:
            digest = hashlib.sha256(judged.pair.id.encode()).digest()
            drawn = self._drawn[judged.category]
            insort(drawn, (digest, judged), key=itemgetter(0))
            del drawn[EXAMPLES:]

    def pairs(self, category: Category) -> list[JudgedPair]:
        """Return the pairs drawn of a category, in the order of their digests."""
        return [judged for _, judged in self._drawn[category]]


def examples(title: str, sample: Sample) -> str:
    """Return a Markdown page of the pairs drawn: what only `long` has is struck out, what the halves add is bold."""
    parts = [
        f"# {escape(title)}: some pairs",
        f"Up to {EXAMPLES} of each category, drawn by their ids. ~~Struck out~~: words of the long sentence that the "
        "two do not have. **Bold**: words that they have instead. ‖: where the split falls.",
    ]
    for category in CATEGORIES:
        found = sample.pairs(category)
        parts += [f"## {category} ({len(found)} shown)", *(_example(judged) for judged in found)]
    return "\n\n".join(parts) + "\n"


def excerpt(page: str, number: int) -> str:
    """Return the first pairs of a page that `examples` wrote, of each category in turn."""
    categories = [category.rstrip().split("\n\n### ")[1:] for category in page.split("\n\n## ")[1:]]
    in_turn = [pair for pairs in zip_longest(*categories) for pair in pairs if pair]
    return "\n\n".join(f"### {pair}" for pair in in_turn[:number])


def _example(judged: JudgedPair) -> str:
    parsed = judged.scored.parsed
    gone, new = changes(parsed.long.tokens, parsed.split[0].tokens, parsed.split[1].tokens)
    first, second = new[: len(parsed.split[0].tokens)], new[len(parsed.split[0].tokens) :]
    pair = judged.pair
    found = judged.scored.scores
    scores = ", ".join(f"{name} {found[name]:.2f}" for name in _SHOWN if name in found)
    lines = [
        f"### {escape(pair.id)}",
        marked(pair.long, parsed.long, gone, "~~", judged.split_at),
        f"1. {marked(pair.split[0], parsed.split[0], first, '**')}",
        f"2. {marked(pair.split[1], parsed.split[1], second, '**')}",
        f"{judged.category}, {escape(judged.construction)}, category_bisect {judged.category_bisect}, {escape(scores)}",
    ]
    return "\n\n".join(lines)


def changes(long: Sequence[str], first: Sequence[str], second: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """Return for each token of `long` whether the halves lack it, and for each one of the halves whether it is new."""
    found, _ = align([token.lower() for token in long], *([t.lower() for t in half] for half in (first, second)))
    gone, new = [False] * len(long), [False] * (len(first) + len(second) + 1)
    for block in found:
        if block.kind == "-":
            gone[block.old_start : block.old_end] = [True] * (block.old_end - block.old_start)
        elif block.kind == "+":
            new[block.new_start : block.new_end] = [True] * (block.new_end - block.new_start)
    del new[len(first)]  # the border between the halves is no word
    return gone, new


def marked(text: str, parse: Parse, flags: Sequence[bool], mark: str, split_at: int | None = None) -> str:
    """Return a text as Markdown, changed words between marks, and ‖ before the token `split_at`.

    Tokens without a space between them are marked together, because Markdown sees no mark inside a word; changed
    punctuation alone is not marked.
    """
    border = len(parse.tokens) if split_at is None else split_at
    changed = _whole_words(parse, flags, border)
    pieces: list[str] = []
    for (flag, behind), run in groupby(range(len(flags)), lambda place: (changed[place], place >= border)):
        places = list(run)
        start, end = parse.starts[places[0]], _end(parse, places[-1])
        piece = escape(" ".join(text[start:end].split()))
        pieces.append(" " * (places[0] > 0 and start > _end(parse, places[0] - 1)))
        pieces.append("‖ " * (behind and 0 < places[0] == border))
        pieces.append(f"{mark}{piece}{mark}" if flag else piece)
    return "".join(pieces)


def _whole_words(parse: Parse, flags: Sequence[bool], border: int) -> list[bool]:
    """Flag all tokens that stand together without a space when a word among them is flagged; the split keeps apart."""
    glued = [place != border and parse.starts[place] == _end(parse, place - 1) for place in range(1, len(flags))]
    chunks = list(accumulate([0, *(not together for together in glued)])) if flags else []
    hit = {chunk for chunk, flag, token in zip(chunks, flags, parse.tokens, strict=True) if flag and is_word(token)}
    return [chunk in hit for chunk in chunks]


def _end(parse: Parse, place: int) -> int:
    return parse.starts[place] + len(parse.tokens[place])


def escape(text: str) -> str:
    """Return a text in which Markdown and HTML find nothing to interpret."""
    return _SPECIAL.sub(r"\\\1", text).replace("&", "&amp;")


class Watcher(Protocol):
    """Something that takes pairs into account one by one."""

    def add(self, judged: Any) -> None:
        """Take a record into account."""


def watched(records: Iterable[tuple[AnyRecord, str]], *watchers: Watcher) -> Iterator[tuple[AnyRecord, str]]:
    """Yield the records with their sets, each record shown to the watchers on its way."""
    for record, subset in records:
        for watcher in watchers:
            watcher.add(record)
        yield record, subset
