"""Find candidates: two adjacent sentences, and the discourse marker that opens the second (Discovery, section 2.1).

Three things differ from the paper: words are the parser's tokens, adverbs are tagged by Universal Dependencies, and a
listed marker must end at a token boundary, so that "Andrew" is not taken for "and". Texts are stored as written,
whereas the released data is tokenised.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Literal, NamedTuple

from pydantic import Field

from bitext_pivot.core.languages import section
from bitext_pivot.core.records import MarkedPair, Parse, ParsedSentence
from bitext_pivot.core.sampling import rank
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse import connectives
from bitext_pivot.discourse.adjacency import are_adjacent
from bitext_pivot.syntax.main_clauses import has_fragment_rules, is_fragment

VERSION = "candidates 5"
"""Identifies the rules in cached shards of candidates. Raise the number when a rule changes."""
UNMARKED = "[no-conn]"
"""Label of a pair without a discourse marker, as in the released data of Discovery."""
_COMMON_MARKERS = frozenset({"and", "but"})
# words after the marker; in some released rows, only a full stop is left
_MIN_REMAINING_WORDS = 3
_MAX_PHRASE_TOKENS = 4  # of a marker that is found as a phrase and not in a list
_PHRASE_POS = frozenset({"ADP", "DET", "NOUN", "ADJ", "ADV", "PRON"})
_BRACKETS = {")": "(", "]": "[", "}": "{"}

MarkerOrigin = Literal["adverb", "list", "phrase", "none"]


class CandidateSettings(Settings):
    """Which pairs of adjacent sentences are candidates for the data set."""

    profile: Literal["strict", "faithful"] = "strict"
    """faithful follows Discovery. strict also rejects sentences without a main clause, and English markers
    that seldom relate two sentences, such as `here,`, `financially,` and `thirdly,`."""
    min_words: int = Field(default=3, ge=1, title="Minimum words")
    """Minimum number of tokens in either sentence."""
    max_words: int = Field(default=32, ge=3, title="Maximum words")
    """Maximum number of tokens in either sentence."""
    adverbs: bool = True
    """Treat any adverb at the start of a sentence as a discourse marker if a comma follows."""
    phrases: bool = False
    """Treat two to four words at the start of a sentence as a marker if a comma follows and none of them is a verb, a
    name or a number: `in addition,`."""
    markers: list[str] | None = Field(default=None, title="List of markers")
    """Discourse markers to use instead of the built-in list. A marker that ends in a comma is found only before a
    comma. The built-in list holds the connectives of the Penn Discourse Treebank for English, and is empty for other
    languages."""
    common_share: float = Field(default=0.1, ge=0, le=1, title="Share of pairs with and, but")
    """Share of the pairs with the marker *and* or *but* that is kept."""
    unmarked_share: float = Field(
        default=0.002, ge=0, le=1, title="Share of pairs without a marker"
    )
    """Share of the pairs without a discourse marker that is kept."""
    seed: int = 0
    """Seed of the random selection of pairs with *and* or *but*, and of pairs without a marker."""


class MarkerMatch(NamedTuple):
    """A discourse marker at the start of a sentence.

    `end` is the index of the token after the marker and its comma.
    """

    name: str
    found: MarkerOrigin
    end: int


def find_candidates(
    sentences: Iterable[ParsedSentence],
    settings: CandidateSettings,
    is_in_other_language: Callable[[str], bool],
    skips: Counter[str],
) -> Iterator[MarkedPair]:
    """Yield each pair of adjacent sentences with the discourse marker of the second, in order.

    Unfit pairs have the reason in `rejected_by`. Pairs that `common_share` and `unmarked_share` exclude are not yielded
    but counted in `skips`.
    """
    for first, second in pairwise(sentences):
        if not are_adjacent(first.sentence, second.sentence):
            continue
        marker = find_marker(second.parse, second.sentence.language, settings)
        pair = _build_pair(first, second, marker)
        if rank(pair.id, settings.seed) >= _kept_share(marker, settings) * 2**64:
            skips[f"not drawn: {'no marker' if marker.found == 'none' else 'and, but'}"] += 1
        else:
            yield replace(
                pair,
                rejected_by=_rejection_reason(first, second, pair, marker, settings)
                or _language_reason(pair, is_in_other_language),
            )


def _kept_share(marker: MarkerMatch, settings: CandidateSettings) -> float:
    if marker.found == "none":
        return settings.unmarked_share
    return settings.common_share if marker.name in _COMMON_MARKERS else 1


def _restores_original(pair: MarkedPair) -> bool:
    """Return True if marker and `second` together have the letters of the original sentence."""
    marker = "" if pair.marker == UNMARKED else pair.marker
    again, original = (
        "".join(filter(str.isalnum, text.upper())) for text in (marker + pair.second, pair.original)
    )
    return again == original


def _rejection_reason(
    first: ParsedSentence,
    second: ParsedSentence,
    pair: MarkedPair,
    marker: MarkerMatch,
    settings: CandidateSettings,
) -> str | None:
    """Return why two adjacent sentences are unfit for the data set, or None."""
    if settings.profile == "strict" and not _can_link_sentences(marker, second.sentence.language):
        return "marker off in strict"
    if not _restores_original(pair):
        return "self-check: marker and rest are not the sentence"
    if len(second.parse.tokens) - marker.end < _MIN_REMAINING_WORDS:
        return f"fewer than {_MIN_REMAINING_WORDS} words behind the marker"  # stored in data sets
    reason = sentence_rejection_reason(first, settings) or sentence_rejection_reason(
        second, settings
    )
    if reason or settings.profile == "faithful":
        return reason
    return _fragment_reason(first) or _fragment_reason(second)


def _can_link_sentences(marker: MarkerMatch, language: str) -> bool:
    """Return True if a discourse marker can relate two sentences.

    A marker in the language's word list `unlinked` cannot, nor can an adverb that is missing from its list `linking`.
    Languages without these lists accept any marker.
    """
    if "linking" not in section(language, "connectives"):
        return True
    linking = connectives.word_set(language, "linking")
    is_unknown = marker.found == "adverb" and marker.name.rstrip(",") not in linking
    return marker.name not in connectives.word_set(language, "unlinked") and not is_unknown


def _fragment_reason(parsed: ParsedSentence) -> str | None:
    """Return `no main clause` if a sentence is a fragment, or None.

    Only some languages are checked.
    """
    language = parsed.sentence.language
    if has_fragment_rules(language) and is_fragment(parsed.parse, language):
        return "no main clause"
    return None


def _language_reason(pair: MarkedPair, is_in_other_language: Callable[[str], bool]) -> str | None:
    return (
        "other language"
        if is_in_other_language(pair.first) or is_in_other_language(pair.original)
        else None
    )


def sentence_rejection_reason(parsed: ParsedSentence, settings: CandidateSettings) -> str | None:
    """Return why a sentence is unfit for the data set, or None.

    The checks follow Discovery, section 2.1, and the notebook of its authors.
    """
    text = parsed.sentence.text
    if not settings.min_words <= len(parsed.parse.tokens) <= settings.max_words:
        return "length"
    if not _is_balanced(text):
        return "brackets or quotation marks left open"
    if 2 * sum(map(str.isalpha, text)) <= len(text):
        return "few letters"
    if sum(map(str.isupper, text)) >= sum(map(str.islower, text)) and not _is_caseless(text):
        return "mostly capitals"
    return None


def _is_caseless(text: str) -> bool:
    return text.lower() == text.upper()


def _is_balanced(text: str) -> bool:
    opened: list[str] = []
    for letter in text:
        if letter in "([{":
            opened.append(letter)
        elif letter in _BRACKETS and (not opened or opened.pop() != _BRACKETS[letter]):
            return False
    return not opened and text.count('"') % 2 == 0 and text.count("«") == text.count("»")


def find_marker(parse: Parse, language: str, settings: CandidateSettings) -> MarkerMatch:
    """Return the discourse marker with which a sentence begins.

    For a sentence without a marker, `name` is `[no-conn]` and `found` is `none`.
    """
    tokens = [token.lower() for token in parse.tokens]
    listed = _match_listed_marker(
        tokens,
        _listed_markers(
            language, tuple(settings.markers) if settings.markers is not None else None
        ),
    )
    if listed:
        return listed
    comma = next((i for i, word in enumerate(tokens[: _MAX_PHRASE_TOKENS + 1]) if word == ","), 0)
    is_written_large = parse.tokens[0][:1].isupper() if parse.tokens else False
    if (
        comma == 1
        and settings.adverbs
        and is_written_large
        and _is_adverb(parse)
        and tokens[0].isalpha()
    ):
        return MarkerMatch(f"{tokens[0]},", "adverb", 2)
    if comma > 1 and settings.phrases and is_written_large and _is_phrase(parse, comma):
        return MarkerMatch("_".join(tokens[:comma]) + ",", "phrase", comma + 1)
    return MarkerMatch(UNMARKED, "none", 0)


def _is_adverb(parse: Parse) -> bool:
    """Return True if the first token is an adverb, but not an interrogative such as `when`."""
    return (
        parse.pos[0] == "ADV" and parse.tags[0] != "WRB" and "PronType=Int" not in parse.morphs[0]
    )


def _is_phrase(parse: Parse, end: int) -> bool:
    words = zip(parse.tokens[:end], parse.pos[:end], strict=True)
    return parse.pos[0] in {"ADP", "ADV"} and all(
        pos in _PHRASE_POS and word.isalpha() for word, pos in words
    )


def _match_listed_marker(
    tokens: list[str], entries: dict[tuple[str, ...], bool]
) -> MarkerMatch | None:
    """Return the longest marker of a list with which the sentence begins, or None.

    `entries` maps the tokens of each marker in the list to True if a comma must follow the marker.
    """
    for length in sorted({len(entry) for entry in entries}, reverse=True):
        start = tuple(tokens[:length])
        has_comma = tokens[length : length + 1] == [","]
        if start in entries and (has_comma or not entries[start]):
            return MarkerMatch("_".join(start) + "," * entries[start], "list", length + has_comma)
    return None


@functools.cache
def _listed_markers(language: str, markers: tuple[str, ...] | None) -> dict[tuple[str, ...], bool]:
    """Return the tokens of each marker in the list, and whether a comma must follow the marker."""
    if markers is not None:
        listed = [
            tuple(marker.replace("_", " ").replace(",", " ,").lower().split()) for marker in markers
        ]
    else:
        # the list of Discovery is English
        listed = (
            list(connectives.connective_phrases(language, "backward")) if language == "en" else []
        )
    return {tuple(word for word in entry if word != ","): entry[-1] == "," for entry in listed}


def _build_pair(first: ParsedSentence, second: ParsedSentence, marker: MarkerMatch) -> MarkedPair:
    sentence = second.sentence
    rest = (
        sentence.text[second.parse.starts[marker.end] :]
        if marker.end < len(second.parse.starts)
        else ""
    )
    return MarkedPair(
        id=f"{first.sentence.id}-{sentence.position}", language=sentence.language, marker=marker.name,
        found=marker.found, first=first.sentence.text, second=rest[:1].upper() + rest[1:], original=sentence.text,
        source=sentence.source, positions=(first.sentence.position, sentence.position), rejected_by=None,
    )  # fmt: skip
