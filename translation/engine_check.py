"""Self-check of a loaded translation model: it must translate a few everyday sentences of its source language.

It detects models that load but cannot work: a SentencePiece model or vocabulary of another model or script, weights
that ignore their input, decoders that never end. It does not rate translations: a fluent wrong one passes.
"""

from pathlib import Path

from bitext_pivot.core.data import read_toml
from bitext_pivot.core.model_check import check_model
from bitext_pivot.translation.checkpoint import SETTING, Checkpoint, vocabularies
from bitext_pivot.translation.directions import three_letters
from bitext_pivot.translation.engine import Engine
from bitext_pivot.translation.pieces import Pieces

_LEAST_KNOWN = 0.8  # share of source pieces; 1.00 in every sentence for a model of its language
_LEAST_TRANSLATED = 0.5  # share of sentences: a small model may fail on one, a broken one fails on all
_ADVICE = f"Download the model again, or name another one with {SETTING}."


def check_engine(engine: Engine, checkpoint: Checkpoint, pieces: Pieces, *, language: str, limit: int) -> None:
    """Translate the sentences of `language` and raise SettingsError if the model cannot work.

    Sentences of more than `limit` pieces are left out.
    """
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
    outputs = [output.text for output in engine.translate(texts)]
    usable = [any(map(str.isalnum, output)) and output not in outputs[:n] for n, output in enumerate(outputs)]
    check_model(
        model, usable, _LEAST_TRANSLATED,
        f"sentences in {language!r} get a translation of their own",
        f"{texts} became {outputs}; an empty one found no end. The weights or the vocabulary do not belong together, "
        f"or are not trained. {_ADVICE}",
    )  # fmt: skip


def sentences(language: str) -> list[str]:
    """Return the sentences of a language, or names and numbers for a language without an entry."""
    table: dict[str, list[str]] = read_toml(Path(__file__).with_suffix(".toml"))
    return table.get(three_letters(language), table["und"])
