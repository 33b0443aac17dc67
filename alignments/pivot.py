"""Select the texts of alignments to translate, and build pairs from alignments and translations.

Each sentence is translated on its own, so the boundary between the two sentences of a split cannot be lost.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import Alignment, Pair


def texts_to_translate(alignments: Iterable[Alignment], language: str) -> list[str]:
    """Return the sentences that are not in `language`, in order: one or two per alignment.

    Raises SettingsError if an alignment has no side in `language`.
    """
    return [
        text for alignment in alignments for text in _sentences_to_translate(alignment, language)
    ]


def build_pairs(
    alignments: Iterable[Alignment],
    language: str,
    translations: Iterable[tuple[str, float | None]],
    engine: str,
) -> tuple[list[Pair], Counter[str]]:
    """Build pairs from alignments and translations. Returns the pairs and the skips by reason.

    `translations` holds text and confidence, in the order of `texts_to_translate`; `engine` is the engine's signature.
    An alignment whose translation is empty or only whitespace is skipped and counted as `empty translation`. Raises
    SettingsError if an alignment has no side in `language`.
    """
    pairs: list[Pair] = []
    skips: Counter[str] = Counter()
    remaining = iter(translations)
    for alignment in alignments:
        translated = tuple(islice(remaining, len(_sentences_to_translate(alignment, language))))
        if all(text.strip() for text, _ in translated):
            pairs.append(_build_pair(alignment, language, translated, engine))
        else:
            skips["empty translation"] += 1
    return pairs, skips


def _sentences_to_translate(alignment: Alignment, language: str) -> tuple[str, ...]:
    if language == alignment.one_language:
        return alignment.two
    if language == alignment.two_language:
        return (alignment.one,)
    raise SettingsError(
        f"{alignment.id} aligns {alignment.one_language} with {alignment.two_language}, so it cannot become a pair in "
        f"{language!r}. Set the language to one of the two."
    )


def _build_pair(
    alignment: Alignment, language: str, translated: Sequence[tuple[str, float | None]], engine: str
) -> Pair:
    split_is_foreign = language == alignment.one_language
    texts = [text for text, _ in translated]
    first, second = texts if split_is_foreign else alignment.two
    confidences = tuple(confidence for _, confidence in translated if confidence is not None)
    return Pair(
        id=alignment.id,
        language=language,
        long=alignment.one if split_is_foreign else texts[0],
        split=(first, second),
        pivot=alignment.two_language if split_is_foreign else alignment.one_language,
        translated="split" if split_is_foreign else "long",
        engine=engine,
        alignment=alignment,
        confidences=confidences if len(confidences) == len(translated) else (),
    )
