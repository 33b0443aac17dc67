"""A shortlist: the pieces that a Marian model may write, where scoring its whole vocabulary takes too long.

At opus-mt's size the product with some 60,000 entries takes half of a search's time. A shortlist leaves most of them
out, so the model may have to say something in other words: it is part of the engine's signature, and off by default.

It is one list for all texts. CTranslate2's vocabulary maps can also name candidates by source words, but it joins them
over a batch, so that a translation would depend on the texts beside it.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pairs.errors import SettingsError
from translation.checkpoint import Checkpoint, target_vocabulary
from translation.pieces import END


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Pieces of one model's vocabulary, each once, `</s>` among them."""

    pieces: tuple[str, ...]

    @property
    def signature(self) -> str:
        """How many pieces they are, and eight hexadecimal digits of them; their order does not count."""
        return f"{len(self.pieces)}@{hashlib.sha256(' '.join(sorted(self.pieces)).encode()).hexdigest()[:8]}"

    @property
    def vmap(self) -> bytes:
        """The file `vmap.txt` of CTranslate2: one line, nothing before the tab, so it holds for every text."""
        return f"\t{' '.join(self.pieces)}\n".encode()


def choose(seen: Counter[str], target: Sequence[str], known: Iterable[str], size: int) -> Shortlist:
    """Choose `size` pieces of the `known` ones, the model's vocabulary; fewer when there are no more.

    The order of preference: `</s>` and all single characters, so that everything can still be spelt; what was seen in
    texts of the target language, by count; then the pieces of the target side in their own order, that of frequency.
    """
    fit = {piece for piece in known if not any(character.isspace() for character in piece)}
    letters = [piece for piece in target if len(piece.removeprefix("▁")) <= 1]
    ranked = dict.fromkeys([END, *letters, *(piece for piece, _ in seen.most_common()), *target])
    return Shortlist(tuple([piece for piece in ranked if piece in fit][:size]))


def write(shortlist: Shortlist, checkpoint: Checkpoint, path: Path) -> None:
    """Write a shortlist for a checkpoint as JSON, in place of what is there."""
    content = {"model": checkpoint.name, "digest": checkpoint.digest, "pieces": shortlist.pieces}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=0), encoding="utf-8")


def read(path: Path, checkpoint: Checkpoint) -> Shortlist:
    """Read the shortlist of a checkpoint.

    Raises SettingsError when it is no shortlist, is for another model, or names what the model does not have.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        digest, pieces = content["digest"], tuple(map(str, content["pieces"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SettingsError(
            f"translation.shortlist is {str(path)!r}, which is not a shortlist ({type(error).__name__}: {error}). "
            "Expected a file that benchmarks/shortlist.py wrote; make one for this model, or leave the setting empty."
        ) from error
    if digest != checkpoint.digest:
        raise SettingsError(
            f"translation.shortlist is {str(path)!r}, made for {content.get('model')}@{digest}, and the model is "
            f"{checkpoint.name}@{checkpoint.digest}. Make one for this model with benchmarks/shortlist.py."
        )
    vocabulary = target_vocabulary(checkpoint.folder)
    if strange := [piece for piece in dict.fromkeys([*pieces, END]) if piece not in vocabulary]:
        raise SettingsError(
            f"translation.shortlist is {str(path)!r}, and {len(strange)} of its pieces are not in the vocabulary of "
            f"{checkpoint.name}, {strange[0]!r} the first. Make it anew with benchmarks/shortlist.py."
        )
    return Shortlist(tuple(dict.fromkeys([*pieces, END])))
