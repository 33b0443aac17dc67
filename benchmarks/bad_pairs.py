"""Bad pairs made of good ones: common faults of bitext and machine translation, one function per kind.

A kind gets a good pair, another good pair and a random generator, and returns the three sentences of a bad pair, or
None if the pair has no such variant.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pairs.records import Pair

Sentences = tuple[str, str, str]
"""`long` and the two sentences of `split`."""
TAGS = ("(ES)", "(DE)", "(FR)", "- (IT)", "(NL) -", "– (PT)", "(EN)", "- (SV)", "<SPEAKER>", "in writing. - (PL)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
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


Kind = Callable[[Source, Source, random.Random], Sentences | None]


def _half_changed(one: Source, place: int, text: str) -> Sentences:
    return (one.long, text, one.split[1]) if place == 0 else (one.long, one.split[0], text)


def _half(text: str) -> str:
    words = text.split()
    return " ".join(words[: max(1, len(words) // 2)])


def _half_closed(text: str) -> str:
    return _half(text).rstrip(" ,;:") + " ."


def _pasted(one: Source) -> Sentences:
    """Join the two sentences with their final punctuation between two words."""
    first, second = one.split
    stem = first.rstrip(" .?!;:…")
    return f"{stem}{first[len(stem) :].strip()[:1] or '.'}{second}", first, second


def _looped(text: str, dice: random.Random) -> str:
    """Repeat one to five words of a text three to eight times more, where they stand."""
    words = text.split()
    size = min(dice.randint(1, 5), len(words))
    end = dice.randint(size, len(words))
    return " ".join([*words[:end], *words[end - size : end] * dice.randint(3, 8), *words[end:]])


def _half_looped(one: Source, _: Source, dice: random.Random) -> Sentences:
    place = dice.randrange(2)
    return _half_changed(one, place, _looped(one.split[place], dice))


def _half_twice(one: Source, _: Source, dice: random.Random) -> Sentences:
    place = dice.randrange(2)
    return _half_changed(one, place, f"{one.split[place]} {one.split[place]}")


def _untranslated_half(one: Source, _: Source, dice: random.Random) -> Sentences | None:
    if not one.foreign_split:
        return None
    place = dice.randrange(2)
    return _half_changed(one, place, one.foreign_split[place])


def _untranslated_part(one: Source, _: Source, __: random.Random) -> Sentences | None:
    if not one.foreign_long:
        return None
    words = one.foreign_long.split()
    return f"{_half(one.long)} {' '.join(words[len(words) // 2 :])}", *one.split


def _tagged_half(one: Source, _: Source, dice: random.Random) -> Sentences:
    place = dice.randrange(2)
    return _half_changed(one, place, f"{dice.choice(TAGS)} {one.split[place]}")


def _tagged_both_sides(one: Source, _: Source, dice: random.Random) -> Sentences:
    tag = dice.choice(TAGS)
    return f"{tag} {one.long}", f"{tag} {one.split[0]}", one.split[1]


KINDS: dict[str, Kind] = {
    "other halves": lambda one, other, _: (one.long, *other.split),
    "other first": lambda one, other, _: _half_changed(one, 0, other.split[0]),
    "other second": lambda one, other, _: _half_changed(one, 1, other.split[1]),
    "copied first": lambda one, _, __: _half_changed(one, 0, one.long),
    "copied second": lambda one, _, __: _half_changed(one, 1, one.long),
    "copied and other": lambda one, other, _: (one.long, one.long, other.split[1]),
    "pasted with space": lambda one, _, __: (" ".join(one.split), *one.split),
    "pasted without space": lambda one, _, __: _pasted(one),
    "pasted as it is": lambda one, _, __: ("".join(one.split), *one.split),
    "long cut": lambda one, _, __: (_half(one.long), *one.split),
    "long cut and closed": lambda one, _, __: (_half_closed(one.long), *one.split),
    "first cut": lambda one, _, __: _half_changed(one, 0, _half(one.split[0])),
    "second cut": lambda one, _, __: _half_changed(one, 1, _half(one.split[1])),
    "first cut and closed": lambda one, _, __: _half_changed(one, 0, _half_closed(one.split[0])),
    "second cut and closed": lambda one, _, __: _half_changed(one, 1, _half_closed(one.split[1])),
    "long looped": lambda one, _, dice: (_looped(one.long, dice), *one.split),
    "half looped": _half_looped,
    "half twice": _half_twice,
    "untranslated long": lambda one, _, __: (one.foreign_long, *one.split) if one.foreign_long else None,
    "untranslated halves": lambda one, _, __: (one.long, *one.foreign_split) if one.foreign_split else None,
    "untranslated half": _untranslated_half,
    "untranslated part": _untranslated_part,
    "wrong language": lambda one, _, __: (one.stranger, *one.split) if one.stranger else None,
    "tagged long": lambda one, _, dice: (f"{dice.choice(TAGS)} {one.long}", *one.split),
    "tagged half": _tagged_half,
    "tagged both sides": _tagged_both_sides,
}


def build(name: str, kind: Kind, sources: Sequence[Source], seed: int) -> Iterator[Pair]:
    """Yield the bad pairs of a kind; the other pair is at least a quarter of the file away."""
    dice = random.Random(f"{seed} {name.replace(' ', '_')}")
    for place, one in enumerate(sources):
        other = sources[(place + dice.randint(len(sources) // 4, 3 * len(sources) // 4)) % len(sources)]
        sentences = kind(one, other, dice)
        if sentences and sentences != (one.long, *one.split):
            yield replace(one.pair, long=sentences[0], split=sentences[1:])
