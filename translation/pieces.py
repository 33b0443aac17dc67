"""Convert texts to the SentencePiece pieces of a Marian model, and its output back to texts.

The pieces are the same as in transformers' MarianTokenizer (a test compares them), with one exception: a special token
inside a text, such as `</s>` or `>>fr<<`, is split into pieces like any other characters.
"""

import importlib.metadata
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import sentencepiece

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.untrusted import shown
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.translation.engine import NO_TRANSLATION, TranslatedText

END = "</s>"
UNKNOWN = "<unk>"
PADDING = "<pad>"
Punctuation = Literal["moses", "kept"]
OutputVocabulary = Literal["all", "target"]
"""Which vocabulary pieces a converted model can write: all, or only the pieces of the target language."""
PieceRow = list[str]
"""The vocabulary pieces of one text."""
Hypothesis = tuple[PieceRow, float]
"""The pieces of a translation, and the mean of their log-probabilities."""

LIBRARIES = " ".join(
    f"{name}={'.'.join(importlib.metadata.version(name).split('.')[:2])}"
    for name in ("sentencepiece", "sacremoses")
)
"""Library versions for the engine's signature: a new version of either library can change every translation."""
_SPACE = "\u2581"  # SentencePiece's character for a space
_BREAKING_SPACES = re.compile(r"[^\S\u00a0]+")
_LONGEST_PIECE = 32  # characters; texts over max_tokens times this length are not even encoded
_SPARE = 10  # pieces that any output may have in addition to the ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """Beam size and length limits of the search for a translation.

    All lengths are in vocabulary pieces and include the end token `</s>`.
    """

    beam_size: int
    max_tokens: int
    """Maximum pieces of a text, including the target token. Longer texts are not translated."""
    max_ratio: float
    """Maximum pieces of a translation per piece of the text, plus ten. A translation that has not ended by then is
    discarded."""
    positions: int
    """Maximum length that the model itself supports, which limits both texts and translations."""

    def longest_output(self, pieces: int) -> int:
        """Return the maximum length of a translation, in pieces, for a text with `pieces` pieces."""
        return min(math.ceil(self.max_ratio * pieces) + _SPARE, self.positions)


class PieceTokenizer:
    """Encodes source texts for a Marian model and decodes its output."""

    def __init__(
        self, folder: Path, *, prefix: str, punctuation: Punctuation, language: str
    ) -> None:
        """Load `source.spm` and `target.spm`.

        `prefix` is the token for the target language, which precedes each text as one piece, or "". With `moses`,
        Moses punctuation normalisation is applied to the source text before SentencePiece, as in the training of
        OPUS-MT models. (transformers' own tokenizer creates the normaliser but never calls it.)

        Raises SourceError if one of the files is damaged.
        """
        import sacremoses  # takes half a second, and settings and messages do not need it

        self._source = _load_sentencepiece(folder / "source.spm")
        self._target = _load_sentencepiece(folder / "target.spm")
        self._prefix = [prefix] if prefix else []
        self._normalise: Callable[[str], str] = (
            sacremoses.MosesPunctNormalizer(language).normalize if punctuation == "moses" else str
        )

    def encode(self, text: str, limit: int) -> PieceRow:
        """Return the pieces of a text, with prefix and `</s>`; empty if there are more than `limit`.

        Marian's encoder is trained with `</s>`, and without `</s>` a translation may never end. No-break spaces are
        left to the normaliser, which has rules for them: `"vrai\u00a0?" -> "vrai?"`.
        """
        plain = _BREAKING_SPACES.sub(" ", text).strip()
        if len(plain) > limit * _LONGEST_PIECE:
            return []
        body: PieceRow = self._source.encode(squeezed(self._normalise(plain)), out_type=str)
        pieces = [*self._prefix, *body, END]
        return pieces if body and len(pieces) <= limit else []

    def decode(self, pieces: Sequence[str]) -> str:
        """Return the text that the output pieces of a model spell, without special tokens."""
        text: str = self._target.decode_pieces(
            [piece for piece in pieces if piece not in {END, UNKNOWN, PADDING}]
        )
        return " ".join(text.split())


def find_source_only_pieces(folder: Path) -> set[str]:
    """Return the pieces of `source.spm`, the source vocabulary, that translations do not need.

    These are the pieces that are not in `target.spm`, except special tokens and single characters: a name may contain
    any character. Raises SourceError if a file is damaged.
    """
    source, target = (
        _list_pieces(_load_sentencepiece(folder / name)) for name in ("source.spm", "target.spm")
    )
    longer = {piece for piece in source - target if len(piece.removeprefix(_SPACE)) > 1}
    return longer - {END, UNKNOWN, PADDING}


def _list_pieces(processor: sentencepiece.SentencePieceProcessor) -> set[str]:
    """Return all pieces of a SentencePiece model."""
    return {processor.id_to_piece(number) for number in range(len(processor))}


def _load_sentencepiece(path: Path) -> sentencepiece.SentencePieceProcessor:
    """Load a SentencePiece model. Raises SourceError if the file is damaged."""
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (RuntimeError, OSError, ValueError) as error:
        raise SourceError(
            f"{path} is not a SentencePiece model, or it is damaged ({shown(error)}). Download the files of the model "
            "again."
        ) from error


def encode_search_decode(
    texts: Sequence[str],
    pieces: PieceTokenizer,
    limits: SearchLimits,
    search: Callable[[list[PieceRow]], list[Hypothesis]],
) -> list[TranslatedText]:
    """Return one translation per text, in order; empty if the model did not complete it.

    `search` takes the encoded texts and returns a hypothesis (the pieces of a translation) for each. A hypothesis
    that does not end in `</s>` has reached its length limit, usually in an endless repetition, and is discarded.
    """
    rows = [pieces.encode(text, limits.max_tokens) for text in texts]
    hypotheses = iter(search([row for row in rows if row]))
    return [
        _decode_hypothesis(pieces, *next(hypotheses)) if row else NO_TRANSLATION for row in rows
    ]


def _decode_hypothesis(pieces: PieceTokenizer, output: PieceRow, score: float) -> TranslatedText:
    text = pieces.decode(output) if END in output else ""
    return TranslatedText(text=text, confidence=math.exp(score)) if text else NO_TRANSLATION


def batch_equal_lengths(rows: Sequence[PieceRow], size: int) -> Iterator[list[int]]:
    """Yield batches of up to `size` indices of rows with equal length, the longest rows first.

    Without padding, the scores of a row do not depend on the other rows: with int8 in CTranslate2, padded batches
    changed scores by 1e-3, and batches of equal length changed no bit.
    """
    indices: defaultdict[int, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        indices[len(row)].append(index)
    for length in sorted(indices, reverse=True):
        for start in range(0, len(indices[length]), size):
            yield indices[length][start : start + size]
