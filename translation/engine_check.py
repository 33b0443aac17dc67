"""Self-check of a loaded translation model: it must translate a few everyday sentences of its source language.

It detects models that load but cannot work: a SentencePiece model or vocabulary of another model or script, the
SentencePiece model of the wrong side, a vocabulary with the numbers of another model, weights that ignore their input,
decoders that never end. It does not rate translations: a fluent wrong one with a right word passes.
"""

import re
from collections.abc import Sequence

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import section
from bitext_pivot.core.model_check import check_model
from bitext_pivot.translation.checkpoint import SETTING, Checkpoint, vocabularies
from bitext_pivot.translation.directions import two_letters
from bitext_pivot.translation.engine import Engine
from bitext_pivot.translation.pieces import Pieces

_LEAST_KNOWN = 0.8  # share of source pieces; 1.00 in every sentence for a model of its language
_LEAST_OWN = 0.7
"""Share of a vocabulary that its SentencePiece models have.

One model in the place of both has 0.54 to 0.57 of a vocabulary of both sides, also of Spanish and French, and 0.16 to
0.24 of that of the other side (2,000 and 8,000 pieces each of 7,500 sentences of WMT-News, 2026-11-25). A model with
joint pieces has one SentencePiece model twice, and all pieces.
"""
_MOST_PIECES = 1.25  # pieces of source.spm per piece of target.spm, in texts of the source language
_LEAST_TRANSLATED = (
    0.5  # share of sentences: a small model may fail on one, a broken one fails on all
)
_UNSPACED = 0x2E7F  # characters above it are of scripts without spaces: CJK, kana
_NAMES_AND_NUMBERS = ["Maria 25.", "Paris, 1998.", "Anna, Peter: 7, 12.", "Berlin 3000."]
"""Sentences for languages that have none (section `engine_check`); most vocabularies have these."""
_ADVICE = f"Download the model again, or name another one with {SETTING}."


def check_engine(
    engine: Engine,
    checkpoint: Checkpoint,
    pieces: Pieces,
    direction: tuple[str, str],
    *,
    limit: int,
) -> None:
    """Translate the sentences of a language into another one; raise SettingsError if the model cannot work.

    Sentences of more than `limit` pieces are left out. `direction` has both languages, that of the sentences first.
    """
    language, target = direction
    model = f"{checkpoint.name!r} in {checkpoint.folder}"
    rows = {text: pieces.encode(text, limit) for text in sentences(language)}
    texts = [text for text, row in rows.items() if row]
    if not texts:
        return
    vocabulary, _ = vocabularies(checkpoint.folder)
    used = [piece for text in texts for piece in rows[text]]
    unknown = next((piece for piece in used if piece not in vocabulary), "")
    check_model(
        model, [piece in vocabulary for piece in used], _LEAST_KNOWN,
        f"pieces of {texts[0]!r} and other sentences in {language!r} are in vocab.json",
        f"{unknown!r} is not. Expected source.spm and vocab.json of one model for that language. {_ADVICE}",
    )  # fmt: skip
    _check_inventories(model, checkpoint, pieces)
    if texts[0] not in _NAMES_AND_NUMBERS:
        _check_sides(model, pieces, texts, language)
    advice = f"The weights or the vocabulary do not belong together, or are not trained. {_ADVICE}"
    check_outputs(engine, texts, model, direction, advice=advice)


def check_outputs(
    engine: Engine, texts: Sequence[str], model: str, direction: tuple[str, str], *, advice: str
) -> None:
    """Translate some of the `sentences` of a language; raise SettingsError unless most get a translation of their own.

    If there are sentences in both languages of the `direction`, half of the outputs must have an expected word.
    """
    language, target = direction
    outputs = [output.text for output in engine.translate(texts)]
    usable = [
        any(map(str.isalnum, output)) and output not in outputs[:n]
        for n, output in enumerate(outputs)
    ]
    check_model(
        model, usable, _LEAST_TRANSLATED,
        f"sentences in {language!r} get a translation of their own",
        f"{texts} became {outputs}; an empty output is a sentence that the model did not end. {advice}",
    )  # fmt: skip
    names = _NAMES_AND_NUMBERS
    if names in (sentences(language), sentences(target)):
        return
    expected = dict(zip(sentences(language), sentences(target), strict=True))
    check_model(
        model, [_shares_word(output, (expected[text], text)) for text, output in zip(texts, outputs, strict=True)],
        _LEAST_TRANSLATED,
        f"sentences in {language!r} get a translation with a word that is expected in {target!r}",
        f"{texts} became {outputs}. {advice}",
    )  # fmt: skip


def _shares_word(output: str, expected: Sequence[str]) -> bool:
    """Return whether an output has the beginning of a word of an expected text; a copied word counts, too."""
    return any(_beginnings(output) & _beginnings(text) for text in expected)


def _beginnings(text: str) -> set[str]:
    """Return the first four letters of longer words; of Chinese and Japanese all pairs of characters."""
    words = re.findall(r"\w+", text.casefold())
    pairs = {
        word[n : n + 2] for word in words for n in range(len(word) - 1) if ord(word[n]) > _UNSPACED
    }
    return {word[:4] for word in words if len(word) >= 4} | pairs


def _check_inventories(model: str, checkpoint: Checkpoint, pieces: Pieces) -> None:
    """Raise SettingsError unless the SentencePiece models have most pieces of the vocabularies.

    A vocabulary of both sides is made of the pieces of both, and of characters that neither has.
    """
    source, target = vocabularies(checkpoint.folder)
    of_source, of_target = pieces.inventories()
    for name, vocabulary, inventory in (
        ("vocab.json", source, of_source if target is not source else of_source | of_target),
        ("target_vocab.json", target, of_target if target is not source else of_source | of_target),
    ):
        check_model(
            model, [piece in inventory for piece in vocabulary], _LEAST_OWN,
            f"pieces of {name} are in source.spm or target.spm",
            f"Expected source.spm, target.spm and {name} of one model. {_ADVICE}",
        )  # fmt: skip


def _check_sides(model: str, pieces: Pieces, texts: Sequence[str], language: str) -> None:
    """Raise SettingsError if `target.spm` divides texts of the source language into clearly fewer pieces."""
    source, target = pieces.counts(texts)
    if source > _MOST_PIECES * target:
        raise SettingsError(
            f"{model} loads but does not work: source.spm divides sentences in {language!r} into {source} pieces, "
            f"target.spm into {target}. Expected the smaller number from source.spm: the two seem to be exchanged. "
            f"{_ADVICE}"
        )


def sentences(language: str) -> list[str]:
    """Return the sentences of a language, or names and numbers for a language without an entry."""
    data = section(two_letters(language), "engine_check")
    listed: list[str] = data.get("sentences", _NAMES_AND_NUMBERS)
    return listed
