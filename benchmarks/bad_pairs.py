"""Bad pairs out of good ones: what goes wrong in bitext and in machine translation, one function a kind.

Every function takes a good pair, another good pair and a random generator and returns the three sentences of a bad
pair, or None where the pair gives none of this kind. Nothing marks a sentence as bad but what was done to it.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pairs.records import Pair

Sentences = tuple[str, str, str]
"""`long` and the two halves."""
MARKS = ".?!;:…"
TAGS = ("(ES)", "(DE)", "(FR)", "- (IT)", "(NL) -", "– (PT)", "(EN)", "- (SV)", "<SPEAKER>", "in writing. - (PL)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A good pair and what it was translated from: the text behind `long` or the two behind the halves, or None."""

    pair: Pair
    foreign_long: str | None = None
    foreign_split: tuple[str, str] | None = None
    stranger: str | None = None
    """The same text in a third language, where there is one."""


Kind = Callable[[Source, Source, random.Random], Sentences | None]


def _sides(source: Source) -> Sentences:
    return source.pair.long, *source.pair.split


def other_halves(one: Source, other: Source, _: random.Random) -> Sentences:
    """Both halves are another pair's."""
    return one.pair.long, *other.pair.split


def other_first(one: Source, other: Source, _: random.Random) -> Sentences:
    """The first half is another pair's first."""
    return one.pair.long, other.pair.split[0], one.pair.split[1]


def other_second(one: Source, other: Source, _: random.Random) -> Sentences:
    """The second half is another pair's second."""
    return one.pair.long, one.pair.split[0], other.pair.split[1]


def copied_first(one: Source, _: Source, __: random.Random) -> Sentences:
    """The first half is `long`."""
    return one.pair.long, one.pair.long, one.pair.split[1]


def copied_second(one: Source, _: Source, __: random.Random) -> Sentences:
    """The second half is `long`."""
    return one.pair.long, one.pair.split[0], one.pair.long


def copied_and_other(one: Source, other: Source, _: random.Random) -> Sentences:
    """The first half is `long`, the second another pair's."""
    return one.pair.long, one.pair.long, other.pair.split[1]


def pasted_with_space(one: Source, _: Source, __: random.Random) -> Sentences:
    """`long` is both halves, a blank between."""
    first, second = one.pair.split
    return f"{first} {second}", first, second


def pasted_without_space(one: Source, _: Source, __: random.Random) -> Sentences:
    """`long` is both halves, the mark glued to the words on both sides."""
    first, second = one.pair.split
    stem = first.rstrip(f" {MARKS}")
    mark = first[len(stem) :].strip()[:1] or "."
    return f"{stem}{mark}{second}", first, second


def pasted_as_it_is(one: Source, _: Source, __: random.Random) -> Sentences:
    """`long` is both halves, nothing between and nothing changed."""
    first, second = one.pair.split
    return first + second, first, second


def _cut(text: str, share: float) -> str:
    words = text.split()
    return " ".join(words[: max(1, int(len(words) * share))])


def long_cut(one: Source, _: Source, __: random.Random) -> Sentences:
    """`long` ends in its middle."""
    return _cut(one.pair.long, 0.5), *one.pair.split


def long_cut_and_closed(one: Source, _: Source, __: random.Random) -> Sentences:
    """`long` ends in its middle, with a full stop."""
    return _cut(one.pair.long, 0.5).rstrip(" ,;:") + " .", *one.pair.split


def first_cut(one: Source, _: Source, __: random.Random) -> Sentences:
    """The first half ends in its middle."""
    first, second = one.pair.split
    return one.pair.long, _cut(first, 0.5), second


def second_cut(one: Source, _: Source, __: random.Random) -> Sentences:
    """The second half ends in its middle."""
    first, second = one.pair.split
    return one.pair.long, first, _cut(second, 0.5)


def second_cut_and_closed(one: Source, _: Source, __: random.Random) -> Sentences:
    """The second half ends in its middle, with a full stop."""
    first, second = one.pair.split
    return one.pair.long, first, _cut(second, 0.5).rstrip(" ,;:") + " ."


def first_cut_and_closed(one: Source, _: Source, __: random.Random) -> Sentences:
    """The first half ends in its middle, with a full stop."""
    first, second = one.pair.split
    return one.pair.long, _cut(first, 0.5).rstrip(" ,;:") + " .", second


def _looped(text: str, dice: random.Random) -> str:
    """Repeat one to five words of a text three to eight times more, where they stand."""
    words = text.split()
    size = min(dice.randint(1, 5), len(words))
    end = dice.randint(size, len(words))
    return " ".join([*words[:end], *words[end - size : end] * dice.randint(3, 8), *words[end:]])


def long_looped(one: Source, _: Source, dice: random.Random) -> Sentences:
    """Words of `long` are repeated over and over."""
    return _looped(one.pair.long, dice), *one.pair.split


def half_looped(one: Source, _: Source, dice: random.Random) -> Sentences:
    """Words of one half are repeated over and over."""
    halves = list(one.pair.split)
    place = dice.randrange(2)
    halves[place] = _looped(halves[place], dice)
    return one.pair.long, halves[0], halves[1]


def half_twice(one: Source, _: Source, dice: random.Random) -> Sentences:
    """One half stands there twice."""
    halves = list(one.pair.split)
    place = dice.randrange(2)
    halves[place] = f"{halves[place]} {halves[place]}"
    return one.pair.long, halves[0], halves[1]


def untranslated_long(one: Source, _: Source, __: random.Random) -> Sentences | None:
    """`long` was left in the language it was to be translated from."""
    return (one.foreign_long, *one.pair.split) if one.foreign_long else None


def untranslated_halves(one: Source, _: Source, __: random.Random) -> Sentences | None:
    """Both halves were left in the language they were to be translated from."""
    return (one.pair.long, *one.foreign_split) if one.foreign_split else None


def untranslated_half(one: Source, _: Source, dice: random.Random) -> Sentences | None:
    """One half was left in the language it was to be translated from."""
    if not one.foreign_split:
        return None
    halves = list(one.pair.split)
    place = dice.randrange(2)
    halves[place] = one.foreign_split[place]
    return one.pair.long, halves[0], halves[1]


def untranslated_part(one: Source, _: Source, __: random.Random) -> Sentences | None:
    """The second half of `long` was left in the language it was to be translated from."""
    if not one.foreign_long:
        return None
    words = one.foreign_long.split()
    return f"{_cut(one.pair.long, 0.5)} {' '.join(words[len(words) // 2 :])}", *one.pair.split


def wrong_language(one: Source, _: Source, __: random.Random) -> Sentences | None:
    """`long` is in a third language."""
    return (one.stranger, *one.pair.split) if one.stranger else None


def tagged_long(one: Source, _: Source, dice: random.Random) -> Sentences:
    """A speaker's or a language's tag stands before `long`."""
    return f"{dice.choice(TAGS)} {one.pair.long}", *one.pair.split


def tagged_half(one: Source, _: Source, dice: random.Random) -> Sentences:
    """A speaker's or a language's tag stands before one half."""
    halves = list(one.pair.split)
    place = dice.randrange(2)
    halves[place] = f"{dice.choice(TAGS)} {halves[place]}"
    return one.pair.long, halves[0], halves[1]


def tagged_both_sides(one: Source, _: Source, dice: random.Random) -> Sentences:
    """The same tag stands before `long` and before the first half."""
    tag = dice.choice(TAGS)
    return f"{tag} {one.pair.long}", f"{tag} {one.pair.split[0]}", one.pair.split[1]


KINDS: tuple[Kind, ...] = (
    other_halves,
    other_first,
    other_second,
    copied_first,
    copied_second,
    copied_and_other,
    pasted_with_space,
    pasted_without_space,
    pasted_as_it_is,
    long_cut,
    long_cut_and_closed,
    first_cut,
    second_cut,
    first_cut_and_closed,
    second_cut_and_closed,
    long_looped,
    half_looped,
    half_twice,
    untranslated_long,
    untranslated_halves,
    untranslated_half,
    untranslated_part,
    wrong_language,
    tagged_long,
    tagged_half,
    tagged_both_sides,
)


def build(kind: Kind, sources: Sequence[Source], seed: int) -> Iterator[Pair]:
    """Yield the bad pairs of a kind; the other pair stands at least a quarter of the file away."""
    dice = random.Random(f"{seed} {kind.__name__}")
    for place, one in enumerate(sources):
        other = sources[(place + dice.randint(len(sources) // 4, 3 * len(sources) // 4)) % len(sources)]
        made = kind(one, other, dice)
        if made and made != _sides(one):
            yield replace(one.pair, long=made[0], split=made[1:])
