"""Self-check of models that score pairs, on sentences of known meaning (probe.toml).

A model can load without an error and still not work: without tokenizer files every word is unknown, and two unrelated
sentences get an F of 0.99. Such a model cannot find the paraphrases among sentences that share no words.

Measured on 2026-11-22 with all-MiniLM-L6-v2, English: 1.00 of the comparisons are right at its last layer and 0.96 at
its first. Broken variants: 0.44 without tokenizer files, 0.51 with a shuffled vocabulary, at most 0.69 (0.81 in German)
with its word vectors shuffled in 60 ways, at most 0.56 with random weights.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filters.neural.checkpoint import Checkpoint
from pairs.data import read_toml
from pairs.errors import SettingsError

if TYPE_CHECKING:
    from filters.neural.encoder import Encoder

_TABLE = read_toml(Path(__file__).with_suffix(".toml"))
_LEAST_ORDER = 0.85
_MOST_UNKNOWN = 0.2
_NAMES = {"en": "English", "fr": "French", "de": "German", "es": "Spanish"}


def check_encoder(encoder: "Encoder", checkpoint: Checkpoint) -> None:
    """Raise SettingsError unless an encoder knows the words and finds the paraphrases of at least one language."""
    unknown = min(_unknown(encoder.tokenizer, pairs) for pairs in _TABLE["paraphrases"].values())
    shares: dict[str, float] = {}
    for language in _NAMES if unknown <= _MOST_UNKNOWN else ():
        shares[language] = order(encoder, language)
        if shares[language] >= _LEAST_ORDER:
            return
    best = max(shares, key=lambda language: shares[language], default="")
    seen = (
        f"at layer {checkpoint.layer} it scores paraphrases above unrelated sentences in {shares[best]:.0%} of the "
        f"comparisons in {_NAMES[best]}, and fewer in the other languages of this check ({', '.join(_NAMES.values())}; "
        f"expected: at least {_LEAST_ORDER:.0%} in one)"
        if best
        else f"its tokenizer does not know {unknown:.0%} of the words of plain sentences (expected: at most "
        f"{_MOST_UNKNOWN:.0%})"
    )
    raise SettingsError(
        f"{checkpoint.setting} is {checkpoint.name!r}, which loads but does not work: {seen}. {_files(checkpoint)} "
        "Complete them from where the model comes from, or name another model."
    )


def doubt(encoder: "Encoder", checkpoint: Checkpoint, language: str) -> str:
    """Return a warning if an encoder does not find the paraphrases of a language; "" if it does or none are at hand."""
    share = order(encoder, language) if language in _NAMES else 1.0
    if share >= _LEAST_ORDER:
        return ""
    return (
        f"{checkpoint.setting} is {checkpoint.name!r}, which is weak in {_NAMES[language]}: it scores paraphrases "
        f"above unrelated sentences in {share:.0%} of the comparisons (expected: {_LEAST_ORDER:.0%}). Its scores "
        "reject fewer wrong pairs than in English; a multilingual encoder does better."
    )


def check_inference(probability: Callable[[str, str], float], checkpoint: Checkpoint) -> None:
    """Raise SettingsError unless a model distinguishes sentences that follow from a premise from others.

    `probability` returns the probability of entailment for a premise and a hypothesis.
    """
    examples = _TABLE["inference"]["en"]
    follows = [probability(premise, hypothesis) for premise, hypothesis, _ in examples]
    others = [probability(premise, hypothesis) for premise, _, hypothesis in examples]
    share = _share_above(follows, others)
    if share < _LEAST_ORDER:
        raise SettingsError(
            f"{checkpoint.setting} is {checkpoint.name!r}, which loads but does not work: it finds sentences that "
            f"follow more probable than sentences that do not in {share:.0%} of the comparisons (expected: at least "
            f"{_LEAST_ORDER:.0%}). {_files(checkpoint)} Complete them, or name another model."
        )


def order(encoder: "Encoder", language: str) -> float:
    """Return the share of comparisons, from 0 to 1, in which a paraphrase scores above an unrelated sentence."""
    pairs = _TABLE["paraphrases"][language]
    candidates = [(first, second) for first, _ in pairs for _, second in pairs]
    scores = [comparison.f1 for comparison in encoder.compare(candidates, 1)]
    related = scores[:: len(pairs) + 1]
    return _share_above(related, [score for number, score in enumerate(scores) if number % (len(pairs) + 1)])


def _share_above(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Return how often a score is above one of the others (the area under the ROC curve; a tie counts half)."""
    above = sum((positive > negative) + (positive == negative) / 2 for positive in positives for negative in negatives)
    return float(above / (len(positives) * len(negatives)))


def _unknown(tokenizer: Any, pairs: Sequence[Sequence[str]]) -> float:
    """Return the share of unknown tokens; 1 where a text has no tokens at all."""
    try:
        tokens = [tokenizer.encode(text, add_special_tokens=False) for pair in pairs for text in pair]
    except Exception:  # noqa: BLE001 -- tokenizers raises it bare: no entry for unknown words
        return 1.0
    every = [token for text in tokens for token in text]
    return every.count(tokenizer.unk_token_id) / len(every) if all(tokens) else 1.0


def _files(checkpoint: Checkpoint) -> str:
    names = sorted(path.name for path in checkpoint.folder.iterdir() if path.is_file())
    return f"{checkpoint.folder} has {', '.join(names)}."
