"""Label the relation of two neighbouring sentences by the votes of their back-translations.

The method follows Shi et al. 2019, section 3.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from bitext_pivot.core.languages import digest
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.explicitation.markers import (
    are_sentences,
    find_connective,
    has_alternative,
    has_cue,
    has_short_opening,
    is_marked,
)
from bitext_pivot.discourse.explicitation.senses import is_reliable, most_frequent_sense, to_pdtb2
from bitext_pivot.discourse.explicitation_records import RelationReading

RejectionReason = Literal[
    "fragment", "marked", "alternative", "not_explicit", "unreliable", "cue", "votes", "self-check"
]
"""Reasons why the relation of two sentences gets no label, in the order of the checks."""
_WORD = re.compile(r"[^\W_]+")
_VERSION = 5
"""Identifies the rules and word lists of this folder in cached shards. Raise it when a change of them gives other
labels."""
_WEAK_CONNECTIVES = frozenset({"and"})
"""Connectives that the profile `strict` ignores, because translators add them even where there is no relation."""
_MERGED_SENSES = {"Comparison.Concession": "Comparison.Contrast"}


class RelationReadings(NamedTuple):
    """The relations that back-translations make explicit, or the reason why there is none."""

    readings: tuple[RelationReading, ...]
    rejected_by: str | None
    """A `RejectionReason`, or None."""


class ExplicitationSettings(Settings):
    """When the relation of two sentences counts as made explicit by their back-translations."""

    profile: Literal["faithful", "strict"] = "strict"
    """faithful follows the paper, with one data set per pivot language. strict requires that two languages agree and
    none disagrees; it also rejects originals with any sign of a relation, and connectives whose sense is unreliable."""
    merge_contrast: bool = Field(default=True, title="Merge Contrast and Concession")
    """Give contrast and concession the same label, Comparison.Contrast, as in the examples of the paper, because `but`
    and `however` can express either."""

    def absence(self, first: str, second: str) -> RejectionReason | None:
        """Return why the relation of two sentences cannot be implicit, or None if it may be.

        The reasons are `fragment` (one of the two is not a complete sentence), `marked` (a connective in `second` marks
        the relation), and `alternative` (`second` starts with another phrase that marks it, or with a short adverbial).
        The profile `faithful` checks only `marked`. No translation is needed.
        """
        is_strict = self.profile == "strict"
        if is_strict and not are_sentences(first, second):
            return "fragment"
        if is_marked(second):
            return "marked"
        return (
            "alternative"
            if is_strict and (has_alternative(second) or has_short_opening(second))
            else None
        )

    def readings(self, second: str, back: Mapping[str, str]) -> RelationReadings:
        """Return one relation per language whose back-translation makes it explicit, or a reason.

        `back` holds the back-translation of `second` from each language. The reasons for no relation are:
        `not_explicit` (no back-translation has a connective), `unreliable` (no connective has a reliable sense), `cue`
        (for every sense, the original `second` contains a word that can express it), `self-check` (a connective is not
        in its back-translation, or `second` begins with it), and `votes` (no two languages agree, or one has another
        sense). Only the profile `strict` checks `cue`, `votes` and the reliability of senses.
        """
        is_strict = self.profile == "strict"
        named = {
            language: name for language, text in back.items() if (name := find_connective(text))
        }
        if not (
            named := {
                x: name
                for x, name in named.items()
                if not (is_strict and name in _WEAK_CONNECTIVES)
            }
        ):
            return RelationReadings((), "not_explicit")
        readings = [
            self._reading(language, name, label)
            for language, name in named.items()
            if (label := most_frequent_sense(name)) and (is_reliable(name) or not is_strict)
        ]
        if not readings:
            return RelationReadings((), "unreliable")
        without = tuple(
            reading for reading in readings if not (is_strict and has_cue(second, reading.sense))
        )
        if not without:
            return RelationReadings((), "cue")
        if not all(
            _was_inserted(reading.connective, second, back[reading.language]) for reading in without
        ):
            return RelationReadings((), "self-check")
        is_agreed = majority_sense(without, 2) and len({reading.sense for reading in without}) == 1
        if is_strict and not is_agreed:
            return RelationReadings((), "votes")
        return RelationReadings(without, None)

    def data_sets(self, languages: Sequence[str]) -> list[str]:
        """Return the names of the data sets that a build with these pivot languages writes.

        The names are `2-votes`, `3-votes` and so on, up to the number of languages. With the profile `faithful`, there
        are also `all` and one data set per language (see `sense_by_data_set`).
        """
        votes = [f"{number}-votes" for number in range(2, len(languages) + 1)]
        return votes if self.profile == "strict" else ["all", *languages, *votes]

    def _reading(self, language: str, name: str, label: str) -> RelationReading:
        merged = _MERGED_SENSES.get(label, label) if self.merge_contrast else label
        return RelationReading(
            language=language, connective=name, sense=merged, sense_pdtb2=to_pdtb2(merged) or ""
        )


def _was_inserted(name: str, second: str, back: str) -> bool:
    """Return True if `back` contains the connective `name` and `second` does not begin with it."""
    words, original, translated = (_WORD.findall(text.lower()) for text in (name, second, back))
    size = len(words)
    places = [i for i in range(len(translated)) if translated[i : i + size] == words]
    return bool(places) and original[:size] != words


def majority_sense(readings: Sequence[RelationReading], minimum: int) -> str | None:
    """Return the most frequent sense, or None in a tie or with fewer than `minimum` readings."""
    ranked = Counter(reading.sense for reading in readings).most_common(2)
    if not ranked or ranked[0][1] < minimum or (len(ranked) == 2 and ranked[1][1] == ranked[0][1]):
        return None
    return ranked[0][0]


def sense_by_data_set(
    readings: Sequence[RelationReading], languages: Sequence[str]
) -> dict[str, str]:
    """Return the sense of two sentences for each data set (Table 1 of the paper) that has them.

    The data set `all` contains every pair, with the sense that most readings have, or "" if there is a tie. The data
    set of a language has the sense read from that language. The data sets `2-votes`, `3-votes` and so on have the sense
    on which at least that many languages agree.
    """
    senses = {"all": majority_sense(readings, 1) or ""} | {
        reading.language: reading.sense for reading in readings
    }
    senses |= {
        f"{n}-votes": majority_sense(readings, n) or "" for n in range(2, len(languages) + 1)
    }
    return {name: sense for name, sense in senses.items() if sense or name == "all"}


def signature() -> str:
    """Return the versions of the rules that label relations and of the English connectives.

    Shards of back-translations and labels that were made with other versions are not used again.
    """
    return f"{_VERSION} {digest('en', 'connectives')}"
