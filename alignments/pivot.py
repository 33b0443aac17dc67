"""What must be translated of an alignment, and putting the translations back: the two are inverse to each other.

The foreign side goes through the engine sentence by sentence, each of two by itself, so the split point cannot be lost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pairs.errors import SettingsError, ShardError
from pairs.records import Alignment, Pair


def foreign_texts(alignments: Iterable[Alignment], language: str) -> list[str]:
    """Return the sentences that are not in `language`, in order: one or two of each alignment.

    Raises SettingsError when an alignment has no side in `language`.
    """
    return [text for alignment in alignments for text in _foreign(alignment, language)]


def to_pairs(
    alignments: Sequence[Alignment], language: str, translations: Sequence[str], engine: str
) -> tuple[list[Pair], Counter[str]]:
    """Put translations, in the order of `foreign_texts`, in their places; return the pairs and the skips by reason.

    `engine` is the signature of what translated. An alignment with a translation of white space only is counted as
    `empty translation` and left out. Raises ShardError when there are not as many translations as texts, SettingsError
    when an alignment has no side in `language`.
    """
    expected = sum(len(_foreign(alignment, language)) for alignment in alignments)
    if len(translations) != expected:
        raise ShardError(
            f"The engine {engine} returned {len(translations)} translations for {expected} texts; "
            "expected one for each. Check the engine, then run again."
        )
    pairs: list[Pair] = []
    skips: Counter[str] = Counter()
    rest = iter(translations)
    for alignment in alignments:
        translated = _take(rest, len(_foreign(alignment, language)))
        if all(text.strip() for text in translated):
            pairs.append(_pair(alignment, language, translated, engine))
        else:
            skips["empty translation"] += 1
    return pairs, skips


def _foreign(alignment: Alignment, language: str) -> tuple[str, ...]:
    if language == alignment.one_language:
        return alignment.two
    if language == alignment.two_language:
        return (alignment.one,)
    raise SettingsError(
        f"{alignment.id} aligns {alignment.one_language} with {alignment.two_language}; pairs in {language!r} "
        "cannot come of it. Set the language to one of the two."
    )


def _take(texts: Iterator[str], count: int) -> tuple[str, ...]:
    return tuple(next(texts) for _ in range(count))


def _pair(alignment: Alignment, language: str, translated: tuple[str, ...], engine: str) -> Pair:
    split_is_foreign = language == alignment.one_language
    first, second = translated if split_is_foreign else alignment.two
    return Pair(
        id=alignment.id,
        language=language,
        long=alignment.one if split_is_foreign else translated[0],
        split=(first, second),
        pivot=alignment.two_language if split_is_foreign else alignment.one_language,
        translated="split" if split_is_foreign else "long",
        engine=engine,
        alignment=alignment,
    )
