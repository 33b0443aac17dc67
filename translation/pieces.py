"""Convert between texts and the SentencePiece pieces that a Marian model reads and writes, for both Marian engines.

The pieces are those of transformers' MarianTokenizer (a test compares them), except that a special token inside a text,
`</s>` or `>>fr<<`, is split into pieces like any other characters.
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
from bitext_pivot.translation.engine import NOTHING, TranslatedText

END = "</s>"
UNKNOWN = "<unk>"
PADDING = "<pad>"
Punctuation = Literal["moses", "kept"]
Written = Literal["all", "target"]
"""Which pieces of its vocabulary a converted model can write."""
PieceRow = list[str]
"""The pieces of one text."""
Hypothesis = tuple[PieceRow, float]
"""The pieces of a translation, and the mean of their log-probabilities."""

LIBRARIES = " ".join(
    f"{name}={'.'.join(importlib.metadata.version(name).split('.')[:2])}"
    for name in ("sentencepiece", "sacremoses")
)
"""Versions for the signature: both libraries can change every output."""
_SPACE = "\u2581"  # what SentencePiece writes for a space
_BREAKING = re.compile(r"[^\S\u00a0]+")
_LONGEST_PIECE = 32  # characters; a longer text than max_tokens of these need not be encoded
_SPARE = 10  # pieces that an output may have beyond the ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Beam size and length limits of the search; all lengths are in pieces, `</s>` included."""

    beam_size: int
    max_tokens: int
    """A text of more pieces, prefix included, is not translated."""
    max_ratio: float
    """A translation that has not ended after this many times the text's pieces, plus ten, is discarded."""
    positions: int
    """Number of positions of the model, the limit of all lengths."""

    def longest_output(self, pieces: int) -> int:
        """Return how many pieces the translation of a text of `pieces` pieces may have."""
        return min(math.ceil(self.max_ratio * pieces) + _SPARE, self.positions)


class Pieces:
    """Encodes the source texts of a checkpoint and decodes the model's output."""

    def __init__(
        self, folder: Path, *, prefix: str, punctuation: Punctuation, language: str
    ) -> None:
        """Read `source.spm` and `target.spm`; `prefix` ("" for none) precedes each text, as one piece.

        Raises SourceError if one of them is damaged.

        Moses punctuation normalisation is applied to the source text, once, before SentencePiece, as the OPUS-MT
        models had it in training; transformers' own tokenizer carries the normaliser but never calls it.
        """
        import sacremoses  # takes half a second, which settings and messages do not need

        self._source = _processor(folder / "source.spm")
        self._target = _processor(folder / "target.spm")
        self._prefix = [prefix] if prefix else []
        self._normalise: Callable[[str], str] = (
            sacremoses.MosesPunctNormalizer(language).normalize if punctuation == "moses" else str
        )

    def encode(self, text: str, limit: int) -> PieceRow:
        """Return the pieces of a text with the prefix and `</s>`; none if they exceed the limit.

        Marian's encoder is trained with `</s>`; without it a translation may never end. No-break spaces are left to the
        normaliser, which has rules for them (`vrai\u00a0?` becomes `vrai?`).
        """
        plain = _BREAKING.sub(" ", text).strip()
        if len(plain) > limit * _LONGEST_PIECE:
            return []
        body: PieceRow = self._source.encode(squeezed(self._normalise(plain)), out_type=str)
        pieces = [*self._prefix, *body, END]
        return pieces if body and len(pieces) <= limit else []

    def decode(self, pieces: Sequence[str]) -> str:
        """Return the text of target pieces, without special ones."""
        text: str = self._target.decode_pieces(
            [piece for piece in pieces if piece not in {END, UNKNOWN, PADDING}]
        )
        return " ".join(text.split())


def foreign_pieces(folder: Path) -> set[str]:
    """Return the pieces of `source.spm` that no text of the target language has.

    A name in such a text may have any character: single characters are not among them, nor are special ones.
    Raises SourceError if a file is damaged.
    """
    source, target = (
        _inventory(_processor(folder / name)) for name in ("source.spm", "target.spm")
    )
    longer = {piece for piece in source - target if len(piece.removeprefix(_SPACE)) > 1}
    return longer - {END, UNKNOWN, PADDING}


def _inventory(processor: sentencepiece.SentencePieceProcessor) -> set[str]:
    """Return all pieces of a SentencePiece model."""
    return {processor.id_to_piece(number) for number in range(len(processor))}


def _processor(path: Path) -> sentencepiece.SentencePieceProcessor:
    """Return the SentencePiece model of a file. Raises SourceError if it is none."""
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (RuntimeError, OSError, ValueError) as error:
        raise SourceError(
            f"{path} is no SentencePiece model, or damaged ({shown(error)}). Download it again, from where the model "
            "comes from."
        ) from error


def translate_pieces(
    texts: Sequence[str],
    pieces: Pieces,
    limits: Limits,
    search: Callable[[list[PieceRow]], list[Hypothesis]],
) -> list[TranslatedText]:
    """Encode, search, decode: one translation per text, in order, "" for a text that cannot be translated completely.

    `search` gets the encoded texts and returns a hypothesis for each; one that does not end in `</s>` reached its limit
    (usually an endless repetition) and counts as none.
    """
    rows = [pieces.encode(text, limits.max_tokens) for text in texts]
    hypotheses = iter(search([row for row in rows if row]))
    return [_translated(pieces, *next(hypotheses)) if row else NOTHING for row in rows]


def _translated(pieces: Pieces, output: PieceRow, score: float) -> TranslatedText:
    text = pieces.decode(output) if END in output else ""
    return TranslatedText(text=text, confidence=math.exp(score)) if text else NOTHING


def equal_lengths(rows: Sequence[PieceRow], size: int) -> Iterator[list[int]]:
    """Yield the indices of up to `size` rows of equal length, the longest first; every index once.

    Without padding a row's numbers do not depend on the rows beside it: padded batches of CTranslate2 int8 changed
    scores by 1e-3, batches of equal length not by a bit.
    """
    indices: defaultdict[int, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        indices[len(row)].append(index)
    for length in sorted(indices, reverse=True):
        for start in range(0, len(indices[length]), size):
            yield indices[length][start : start + size]
