"""Self-check of a loaded translation model: it must translate a few everyday sentences of its source language.

It detects models that load but cannot work: a SentencePiece model or vocabulary of another model or script, weights
that ignore their input, decoders that never end. It does not rate translations: a fluent wrong one passes.
"""

from pathlib import Path

from pairs.data import read_toml
from pairs.errors import SettingsError
from translation.checkpoint import Checkpoint, vocabularies
from translation.directions import three_letters
from translation.engine import Engine
from translation.pieces import Pieces

_MAX_UNKNOWN = 0.2  # share of source pieces; 0.00 in every probe sentence for a model of its language
_MIN_TRANSLATED = 0.5  # share of sentences: a small model may fail on one, a broken one fails on all


def check(engine: Engine, checkpoint: Checkpoint, pieces: Pieces, *, language: str, limit: int) -> None:
    """Translate the probe sentences of `language` and raise SettingsError if the model cannot work.

    Sentences of more than `limit` pieces are left out.
    """
    rows = {text: pieces.encode(text, limit) for text in sentences(language)}
    texts = [text for text, row in rows.items() if row]
    if not texts:
        return
    vocabulary, _ = vocabularies(checkpoint.folder)
    used = [piece for text in texts for piece in rows[text]]
    unknown = [piece for piece in used if piece not in vocabulary]
    if len(unknown) > _MAX_UNKNOWN * len(used):
        raise _failure(
            checkpoint,
            f"{len(unknown)} of the {len(used)} pieces of {texts[0]!r} and other sentences in {language!r} are not in "
            f"vocab.json, {unknown[0]!r} the first. Expected source.spm and vocab.json of one model for that language",
        )
    outputs = [output.text for output in engine.translate(texts)]
    usable = {output for output in outputs if any(character.isalnum() for character in output)}
    if len(usable) < _MIN_TRANSLATED * len(texts):  # a broken model may give the same output for every text
        raise _failure(
            checkpoint,
            f"{texts[0]!r} and {len(texts) - 1} other sentences in {language!r} give {len(usable)} different "
            f"translations: {outputs}. An empty one found no end. Expected one each; the weights or the vocabulary "
            "do not belong together, or are not trained",
        )


def sentences(language: str) -> list[str]:
    """Return the probe sentences of a language, or names and numbers for a language without an entry."""
    probes: dict[str, list[str]] = read_toml(Path(__file__).with_name("probes.toml"))
    return probes.get(three_letters(language), probes["und"])


def _failure(checkpoint: Checkpoint, problem: str) -> SettingsError:
    return SettingsError(
        f"{checkpoint.name!r} in {checkpoint.folder} loads, but cannot translate: {problem}. "
        "Download the model again, or name another one with translation.model."
    )
