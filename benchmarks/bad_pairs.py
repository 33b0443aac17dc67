"""Bad pairs made of good ones: common faults of bitext and machine translation, one function per kind.

A kind gets a good pair, another good pair and a random generator, and returns the three sentences of a bad pair, or
None if the pair has no such variant.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bitext_pivot.core.records import Pair

Sentences = tuple[str, str, str]
"""`long` and the two sentences of `split`."""
TAGS = (
    "(ES)",
    "(DE)",
    "(FR)",
    "- (IT)",
    "(NL) -",
    "– (PT)",
    "(EN)",
    "- (SV)",
    "<SPEAKER>",
    "in writing. - (PL)",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodPair:
    """A good pair, and other sentences that belong to it; None if unknown."""

    pair: Pair
    foreign_long: str | None = None
    """What `long` was translated from."""
    foreign_split: tuple[str, str] | None = None
    """What the halves were translated from."""
    stranger: str | None = None
    """The same text in a third language."""
    variant_long: str | None = None
    """`long` by another system."""
    variant_first: str | None = None
    """The first half by another system."""
    neighbour: str | None = None
    """The sentence before or after in the document."""

    @property
    def long(self) -> str:
        """The long sentence."""
        return self.pair.long

    @property
    def split(self) -> tuple[str, str]:
        """The two sentences."""
        return self.pair.split


Kind = Callable[[GoodPair, GoodPair, random.Random], Sentences | None]


def _half_changed(source: GoodPair, place: int, text: str) -> Sentences:
    return (
        (source.long, text, source.split[1]) if place == 0 else (source.long, source.split[0], text)
    )


def _half(text: str) -> str:
    words = text.split()
    return " ".join(words[: max(1, len(words) // 2)])


def _half_closed(text: str) -> str:
    return _half(text).rstrip(" ,;:") + " ."


def _pasted(source: GoodPair) -> Sentences:
    """Join the two sentences with their final punctuation between two words."""
    first, second = source.split
    stem = first.rstrip(" .?!;:…")
    return f"{stem}{first[len(stem) :].strip()[:1] or '.'}{second}", first, second


def _looped(text: str, dice: random.Random) -> str:
    """Repeat one to five words of a text three to eight times more, where they stand."""
    words = text.split()
    size = min(dice.randint(1, 5), len(words))
    end = dice.randint(size, len(words))
    return " ".join([*words[:end], *words[end - size : end] * dice.randint(3, 8), *words[end:]])


def _half_looped(source: GoodPair, _: GoodPair, dice: random.Random) -> Sentences:
    place = dice.randrange(2)
    return _half_changed(source, place, _looped(source.split[place], dice))


def _half_twice(source: GoodPair, _: GoodPair, dice: random.Random) -> Sentences:
    place = dice.randrange(2)
    return _half_changed(source, place, f"{source.split[place]} {source.split[place]}")


def _untranslated_half(source: GoodPair, _: GoodPair, dice: random.Random) -> Sentences | None:
    if not source.foreign_split:
        return None
    place = dice.randrange(2)
    return _half_changed(source, place, source.foreign_split[place])


def _untranslated_part(source: GoodPair, _: GoodPair, __: random.Random) -> Sentences | None:
    if not source.foreign_long:
        return None
    words = source.foreign_long.split()
    return f"{_half(source.long)} {' '.join(words[len(words) // 2 :])}", *source.split


def _tagged_half(source: GoodPair, _: GoodPair, dice: random.Random) -> Sentences:
    place = dice.randrange(2)
    return _half_changed(source, place, f"{dice.choice(TAGS)} {source.split[place]}")


def _tagged_both_sides(source: GoodPair, _: GoodPair, dice: random.Random) -> Sentences:
    tag = dice.choice(TAGS)
    return f"{tag} {source.long}", f"{tag} {source.split[0]}", source.split[1]


KINDS: dict[str, Kind] = {
    "other halves": lambda source, donor, _: (source.long, *donor.split),
    "other first": lambda source, donor, _: _half_changed(source, 0, donor.split[0]),
    "other second": lambda source, donor, _: _half_changed(source, 1, donor.split[1]),
    "copied first": lambda source, _, __: _half_changed(source, 0, source.long),
    "copied second": lambda source, _, __: _half_changed(source, 1, source.long),
    "copied and other": lambda source, donor, _: (source.long, source.long, donor.split[1]),
    "pasted with space": lambda source, _, __: (" ".join(source.split), *source.split),
    "pasted without space": lambda source, _, __: _pasted(source),
    "pasted as it is": lambda source, _, __: ("".join(source.split), *source.split),
    "long cut": lambda source, _, __: (_half(source.long), *source.split),
    "long cut and closed": lambda source, _, __: (_half_closed(source.long), *source.split),
    "first cut": lambda source, _, __: _half_changed(source, 0, _half(source.split[0])),
    "second cut": lambda source, _, __: _half_changed(source, 1, _half(source.split[1])),
    "first cut and closed": lambda source, _, __: _half_changed(
        source, 0, _half_closed(source.split[0])
    ),
    "second cut and closed": lambda source, _, __: _half_changed(
        source, 1, _half_closed(source.split[1])
    ),
    "long looped": lambda source, _, dice: (_looped(source.long, dice), *source.split),
    "half looped": _half_looped,
    "half twice": _half_twice,
    "untranslated long": lambda source, _, __: (
        (source.foreign_long, *source.split) if source.foreign_long else None
    ),
    "untranslated halves": lambda source, _, __: (
        (source.long, *source.foreign_split) if source.foreign_split else None
    ),
    "untranslated half": _untranslated_half,
    "untranslated part": _untranslated_part,
    "wrong language": lambda source, _, __: (
        (source.stranger, *source.split) if source.stranger else None
    ),
    "tagged long": lambda source, _, dice: (f"{dice.choice(TAGS)} {source.long}", *source.split),
    "tagged half": _tagged_half,
    "tagged both sides": _tagged_both_sides,
}


def build(name: str, kind: Kind, sources: Sequence[GoodPair], seed: int) -> Iterator[Pair]:
    """Yield the bad pairs of a kind; the other pair is at least a quarter of the file away."""
    dice = random.Random(f"{seed} {name.replace(' ', '_')}")
    for place, source in enumerate(sources):
        donor = sources[
            (place + dice.randint(len(sources) // 4, 3 * len(sources) // 4)) % len(sources)
        ]
        sentences = kind(source, donor, dice)
        if sentences and sentences != (source.long, *source.split):
            yield replace(source.pair, long=sentences[0], split=sentences[1:])
