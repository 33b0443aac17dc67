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
"""Why two sentences have no label, in the order of the checks."""
_WORD = re.compile(r"[^\W_]+")
_VERSION = 5
"""Part of the signature of labels. Raise it when a rule or a list in this folder gives other labels."""
_WEAK_CONNECTIVES = frozenset({"and"})
"""Connectives that `strict` ignores, because translators add them even where there is no relation."""
_MERGED_SENSES = {"Comparison.Concession": "Comparison.Contrast"}


class RelationReadings(NamedTuple):
    """The explicit relations of two sentences, or the reason why there is none."""

    readings: tuple[RelationReading, ...]
    rejected_by: str | None
    """A `RejectionReason`, or None."""


class ExplicitationSettings(Settings):
    """When a relation counts as made explicit by the translations."""

    profile: Literal["faithful", "strict"] = "strict"
    """faithful follows the paper, with one data set per language. strict requires that two languages agree
    and none disagrees; it also rejects originals with any sign of a relation, and connectives whose sense
    is unreliable."""
    merge_contrast: bool = Field(default=True, title="Merge Contrast and Concession")
    """Label contrast and concession alike as Comparison.Contrast, as in the examples of the paper, because
    `but` and `however` can express either."""

    def absence(self, first: str, second: str) -> RejectionReason | None:
        """Return why the relation of two original sentences is not implicit, or None.

        The reasons are `fragment` (one of the two is not a complete sentence), `marked` (a connective marks the
        relation in `second`), and `alternative` (`second` starts with another phrase for a relation or a short
        adverbial). Only `marked` is checked in `faithful`. No translation is needed.
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
        """Return the explicit relations by language, at least one, or the reason why there is none.

        `back` holds the back-translation of `second` by language. The reasons are: `not_explicit` (no back-translation
        has a connective), `unreliable` (no connective has a reliable sense), `cue` (`second` itself contains a cue for
        each sense), `self-check` (a connective is not in its back-translation, or `second` begins with it), and `votes`
        (no two languages agree, or one has another sense). `cue`, `votes` and the reliability of senses are checked in
        `strict` only.
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
        """Return the names of the data sets for these pivot languages: `2-votes`, `3-votes` ...

        With the profile `faithful`, there are also `all` and one data set per language (see `sense_by_data_set`).
        """
        votes = [f"{number}-votes" for number in range(2, len(languages) + 1)]
        return votes if self.profile == "strict" else ["all", *languages, *votes]

    def _reading(self, language: str, name: str, label: str) -> RelationReading:
        merged = _MERGED_SENSES.get(label, label) if self.merge_contrast else label
        return RelationReading(
            language=language, connective=name, sense=merged, sense_pdtb2=to_pdtb2(merged) or ""
        )


def _was_inserted(name: str, second: str, back: str) -> bool:
    """Return True if the connective is in the back-translation and the original does not begin with it."""
    words, original, translated = (_WORD.findall(text.lower()) for text in (name, second, back))
    size = len(words)
    places = [i for i in range(len(translated)) if translated[i : i + size] == words]
    return bool(places) and original[:size] != words


def majority_sense(readings: Sequence[RelationReading], minimum: int) -> str | None:
    """Return the sense with the most votes, or None if it has fewer than `minimum` or there is a tie."""
    ranked = Counter(reading.sense for reading in readings).most_common(2)
    if not ranked or ranked[0][1] < minimum or (len(ranked) == 2 and ranked[1][1] == ranked[0][1]):
        return None
    return ranked[0][0]


def sense_by_data_set(
    readings: Sequence[RelationReading], languages: Sequence[str]
) -> dict[str, str]:
    """Return the sense of two sentences in each data set of the paper's Table 1 that contains them.

    `all` contains every pair, with the sense of most readings or "" for a tie. The data set of a language has the sense
    read from that language. `2-votes` to `n-votes` have the sense on which that many of the n languages agree.
    """
    senses = {"all": majority_sense(readings, 1) or ""} | {
        reading.language: reading.sense for reading in readings
    }
    senses |= {
        f"{n}-votes": majority_sense(readings, n) or "" for n in range(2, len(languages) + 1)
    }
    return {name: sense for name, sense in senses.items() if sense or name == "all"}


def signature() -> str:
    """Return the versions of the rules and lists.

    They are part of the signatures of back-translated and labelled shards.
    """
    return f"{_VERSION} {digest('en', 'connectives')}"
