"""Between texts and the SentencePiece pieces that a Marian model reads and writes; both Marian engines share it.

This is the only file that imports sentencepiece and sacremoses. The pieces are those of transformers' MarianTokenizer
(a test compares them), save that a text cannot smuggle in a special token: `</s>` or `>>fr<<` inside a text is
spelt out in pieces like any other characters.
"""

import importlib.metadata
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import sentencepiece

from translation.engine import same_number, translate_sound

END = "</s>"
UNKNOWN = "<unk>"
PADDING = "<pad>"
Punctuation = Literal["moses", "kept"]
Row = list[str]
"""The pieces of one text."""

LIBRARIES = {
    name: ".".join(importlib.metadata.version(name).split(".")[:2]) for name in ("sentencepiece", "sacremoses")
}
"""Their versions, for the signature: both take part in every output."""
_LONGEST_PIECE = 32  # characters; a text of more than max_tokens of them is too long before anyone counts
_SPARE = 10  # pieces that even the shortest output may have beyond the ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How the search runs and where it gives up; all lengths are in pieces, `</s>` included."""

    beam_size: int
    max_tokens: int
    """A text of more pieces, prefix counted, is not translated."""
    max_ratio: float
    """A translation that has not ended after this many times the text's pieces, and ten more, is thrown away."""
    positions: int
    """How many positions the model knows; nothing is longer."""

    def longest_output(self, pieces: int) -> int:
        """Return how many pieces the translation of a text of so many pieces may have."""
        return min(math.ceil(self.max_ratio * pieces) + _SPARE, self.positions)


class Pieces:
    """Encodes the source texts of a checkpoint and decodes what the model wrote."""

    def __init__(self, folder: Path, *, prefix: str, punctuation: Punctuation, language: str) -> None:
        """Read `source.spm` and `target.spm`; `prefix` ("" for none) goes before each text, as one piece.

        Moses punctuation normalisation is applied to the source text, once, before SentencePiece, as the OPUS-MT
        models had it in training; transformers' own tokenizer carries the normaliser but never calls it.
        """
        import sacremoses  # takes half a second: settings and messages do without it

        self._source = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
        self._target = sentencepiece.SentencePieceProcessor(model_file=str(folder / "target.spm"))
        self._prefix = [prefix] if prefix else []
        self._normalise: Callable[[str], str] = (
            sacremoses.MosesPunctNormalizer(language).normalize if punctuation == "moses" else str
        )

    def encode(self, text: str, limit: int) -> Row:
        """Return the pieces of a text, the prefix before and `</s>` behind them; none when they exceed the limit.

        Marian's encoder is trained to see `</s>`; without it a translation may go on and on.
        """
        plain = " ".join(text.split())
        if len(plain) > limit * _LONGEST_PIECE:
            return []
        body: Row = self._source.encode(self._normalise(plain), out_type=str)
        pieces = [*self._prefix, *body, END]
        return pieces if body and len(pieces) <= limit else []

    @property
    def target(self) -> list[str]:
        """All pieces of the target side, the most frequent first, as SentencePiece ordered them in training."""
        return [self._target.id_to_piece(number) for number in range(len(self._target))]

    def count(self, texts: Iterable[str]) -> Counter[str]:
        """Count the pieces of texts in the target language."""
        return Counter(piece for text in texts for piece in self._target.encode(text, out_type=str))

    def decode(self, pieces: Sequence[str]) -> str:
        """Return the text that pieces of the target side spell, without special ones."""
        text: str = self._target.decode_pieces([piece for piece in pieces if piece not in {END, UNKNOWN, PADDING}])
        return " ".join(text.split())


def translate_pieces(
    texts: Sequence[str], pieces: Pieces, limits: Limits, *, name: str, search: Callable[[list[Row]], list[Row]]
) -> list[str]:
    """Encode, search, decode: one translation a text, in order, "" for a text that cannot be translated whole.

    `search` gets the encoded texts and returns the pieces of each translation; one that does not end in `</s>` ran
    into its limit (endless repetition, as a rule) and counts as none. Raises ShardError when rows are lost.
    """

    def translate(sound: list[str]) -> list[str]:
        encoded = [pieces.encode(text, limits.max_tokens) for text in sound]
        short = [row for row in encoded if row]
        outputs = iter(same_number(short, search(short) if short else [], name))
        return [_decode_whole(pieces, next(outputs)) if row else "" for row in encoded]

    return translate_sound(texts, translate, name)


def equal_lengths(rows: Sequence[Row], size: int) -> Iterator[list[int]]:
    """Yield the places of up to `size` rows of one and the same length, the longest first; every place once.

    Without padding a row's numbers do not depend on the rows beside it: padded batches of CTranslate2 int8 were seen
    to change scores by 1e-3, batches of equal length not by a bit.
    """
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        places[len(row)].append(place)
    for length in sorted(places, reverse=True):
        same = places[length]
        for start in range(0, len(same), size):
            yield same[start : start + size]


def _decode_whole(pieces: Pieces, row: Row) -> str:
    return pieces.decode(row) if END in row else ""
