"""Label a pair of sentences by the votes of its back-translations (Shi et al. 2019, section 3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from discourse.explicitation.markers import connective, has_alternative, is_marked
from discourse.explicitation.senses import sense

Profile = Literal["faithful", "strict"]
Reason = Literal["marked", "alternative", "not_explicit", "no_sense"]
_WEAK = frozenset({"and"})
"""Connectives that `strict` does not count: translations add them without a relation."""
_CONTRAST = {"Comparison.Concession": "Comparison.Contrast"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one language says of a relation."""

    language: str
    connective: str
    sense: str
    """PDTB-3, level 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """Two sentences in order whose relation is implicit, and its explicit readings, at least one."""

    first: str
    second: str
    readings: tuple[Reading, ...]
    has_alternative: bool
    """Whether `second` starts with a phrase such as `for this reason`, which is no connective."""


def read(
    first: str, second: str, back: Mapping[str, str], profile: Profile, *, merge_contrast: bool = False
) -> Instance | Reason:
    """Return the instance of two consecutive English sentences, or the reason that they are none.

    `back` has the back-translations of `second` by language. `merge_contrast` counts Concession as Contrast, as the
    paper's cases do. Reasons: `second` is `marked` or starts with an `alternative` (strict only); no back-translation
    is explicit; no connective has a sense.
    """
    if is_marked(second):
        return "marked"
    has_phrase = has_alternative(second)
    if has_phrase and profile == "strict":
        return "alternative"
    weak = _WEAK if profile == "strict" else frozenset()
    found = {language: name for language, text in back.items() if (name := connective(text)) and name not in weak}
    if not found:
        return "not_explicit"
    readings = tuple(
        Reading(language=language, connective=name, sense=_CONTRAST.get(label, label) if merge_contrast else label)
        for language, name in found.items()
        if (label := sense(name))
    )
    return (
        Instance(first=first, second=second, readings=readings, has_alternative=has_phrase) if readings else "no_sense"
    )


def vote(readings: Sequence[Reading], minimum: int) -> str | None:
    """Return the sense that most languages agree on, or None if fewer than `minimum` do or two senses are level."""
    ranked = Counter(reading.sense for reading in readings).most_common(2)
    if not ranked or ranked[0][1] < minimum or (len(ranked) == 2 and ranked[1][1] == ranked[0][1]):
        return None
    return ranked[0][0]


def variants(instance: Instance, languages: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the senses of an instance in each data set of the paper's Table 1.

    A data set per language, `all` with one label per reading (they may differ), and `2-votes` to `n-votes` with the one
    sense that so many of the n languages agree on.
    """
    labels = {language: tuple(r.sense for r in instance.readings if r.language == language) for language in languages}
    labels["all"] = tuple(reading.sense for reading in instance.readings)
    for minimum in range(2, len(languages) + 1):
        label = vote(instance.readings, minimum)
        labels[f"{minimum}-votes"] = () if label is None else (label,)
    return labels
