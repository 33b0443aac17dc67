"""Length-penalised BERTScore of `long` and its two halves (BiSECT, section 3.2: at least 0.4).

    score = exp(-lambda · |1 - n_split / n_long|) · F(long, s1 + " " + s2)        n: tokens between blanks

BiSECT takes the penalty from Maddela et al. (NAACL 2021) without saying how it maps onto (long, s1, s2), nor with which
model, layer or rescaling; no code of it is published. This is the natural reading, and the published pairs do not
quite obey it: 2 of the 583 test pairs lie below 0.4 by their length alone, whatever the model. A raw threshold means
something else with every model (chance is 0.35 with bert-base-uncased, 0.83 with roberta-large), so each known model
brings its own (encoders.toml) and an unknown one must be given one.

IDF is counted over a file of references, where the bert_score package counts it over those it is given: a pair's score
must not depend on which other pairs are compared.

Raw precision, recall and F are kept in a row store by model, layer, precision and IDF: a pair compared once is not
compared again when the penalty, the rescaling or the threshold change. The precision that mode `fast` found on this
processor is part of that name and so of the shards' key: two processors may disagree, but never within one folder.
"""

import functools
import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from filters.neural import baseline as baselines
from filters.neural.encoded import Encoded, pair_key
from filters.neural.encoder import Encoder, Precision, fastest, library
from filters.neural.matching import Comparison, Rarity
from pairs.errors import SettingsError
from pairs.records import ParsedPair
from pairs.site import Site
from pairs.store import RowStore

_DIGITS = 8  # rescaling multiplies an error by six with roberta-large, and 1e-6 is promised


class Bertscore(Encoded):
    """Compares what `long` and both halves mean, token by token, in the vectors of an encoder."""

    thresholds: ClassVar = frozenset({"min_score"})

    rescale: bool = Field(
        default=False, title="Rescale", description="Rescale by the baseline that bert_score ships for the model."
    )
    length_penalty: float = Field(
        default=1.0, title="Length penalty", ge=0, le=100, description="Lambda of the penalty; 0 for none."
    )
    min_score: float | None = Field(
        default=None,
        title="Least score",
        ge=-1,
        le=1,
        description="Penalised F that a pair must reach. Empty: the model's own, where it was measured.",
    )
    mode: Literal["fast", "reference"] = Field(
        default="fast",
        title="Mode",
        description="`reference`: the numbers of the bert_score package (to 1e-6), in float32 on every device; "
        "`fast`: in float16 on a GPU, in bfloat16 where the processor has it (to about 1e-3), in float32 elsewhere.",
    )
    idf: Path | None = Field(
        default=None,
        title="IDF",
        description="Text file, a reference a line: rare tokens count for more, as bert_score weighs them over its "
        "references. Empty: every token counts the same.",
    )
    baseline: Path | None = Field(
        default=None,
        title="Baseline",
        description="Rescale by this table (LAYER,P,R,F) in place of the one that bert_score ships.",
    )

    @model_validator(mode="after")
    def _is_decided(self) -> Self:
        """Refuse a threshold that would be a guess, and a baseline that is absent or unused; raises SettingsError."""
        is_usual = not self.rescale and self.idf is None and self._layer_is_usual
        if self.min_score is None and not (is_usual and "min_score" in self._known):
            raise SettingsError(
                f"No threshold is known for the encoder {self.model!r} with this layer, rescaling and IDF, and that of "
                "another says nothing here. Give `min_score`; to find one: python benchmarks/calibrate_bertscore.py "
                f"--model {self.model} --layer {self.compared_layer} --eval FOLDER."
            )
        if self.baseline and not self.rescale:
            raise SettingsError(
                f"`baseline` is {str(self.baseline)!r} and `rescale` is off. Switch it on, or leave it."
            )
        if self.rescale and not (self.baseline or baselines.is_shipped(self.model)):
            raise SettingsError(
                f"bert_score ships no baseline for {self.model!r}. Switch `rescale` off, or give `baseline`."
            )
        return self

    @property
    def threshold(self) -> float:
        """The least score that passes."""
        return float(self._known["min_score"]) if self.min_score is None else self.min_score

    def accepts(self, score: float) -> bool:
        """Accept from the threshold on."""
        return score >= self.threshold

    def parts(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return score, precision, recall, f1, length ratio and penalty of each pair, rounded to six decimals.

        Raises SettingsError when the model cannot be had or has no baseline for a pair's language.
        """
        compared = self._compared([pair_key(pair) for pair in pairs])
        return [self._penalised(pair, compared[pair_key(pair)]) for pair in pairs]

    def _penalised(self, pair: ParsedPair, raw: Comparison) -> dict[str, float]:
        found = Comparison(*self._rescaled(raw, pair.pair.language))
        ratio = sum(len(half.split()) for half in pair.pair.split) / max(1, len(pair.pair.long.split()))
        penalty = math.exp(-self.length_penalty * abs(1 - ratio))
        parts = {**found._asdict(), "ratio": ratio, "penalty": penalty, "score": penalty * found.f1}
        return {name: round(number, _DIGITS) for name, number in parts.items()}

    def _rescaled(self, raw: Comparison, language: str) -> Iterator[float]:
        chance = Comparison(0, 0, 0)
        if self.rescale:
            chance = baselines.read(self.baseline or baselines.shipped(self.model, language), self.compared_layer)
        return ((number - low) / (1 - low) for number, low in zip(raw, chance, strict=True))

    def _compared(self, keys: Sequence[str]) -> dict[str, Comparison]:
        """Return the raw comparison of each key, out of the store or new."""
        rows = RowStore(Site().store_folder, self._arithmetic()).numbers(keys, self._compare, self.at_once)
        return {key: Comparison(*row) for key, row in rows.items()}

    def _compare(self, keys: Sequence[str]) -> list[list[float]]:
        """Return precision, recall and F for each key."""
        loaded = self.encoder()
        weigh = _rarity(loaded, self.idf, _digest(self.idf)) if self.idf else None
        found = loaded.compare([texts(key) for key in keys], Site().encoding, weigh)
        return [[round(part, _DIGITS) for part in one] for one in found]

    @property
    def precision(self) -> Precision:
        """What the encoder's products are computed in on this machine."""
        if self.mode == "reference":
            return "float32"
        return "float16" if self.device == "cuda" else fastest()

    def _arithmetic(self) -> str:
        """Tell all that raw numbers depend on, the row store's name; raises SettingsError without model or IDF file."""
        found = self.checkpoint()
        idf = f" idf={_digest(self.idf)}" if self.idf else ""
        computed = f"{self.mode} {self.precision} {library(self.device)}"
        return f"bertscore {found.name} {found.digest} layer={found.layer} {computed}{idf}"

    def signature(self) -> str:
        """Tell what computes the score: model, digest, layer, mode, precision, engine, and IDF and rescaling if any.

        Raises SettingsError when the model, the file for IDF or the baseline cannot be had.
        """
        rescaled = f" rescale={baselines.signature(self.baseline)}" if self.rescale else ""
        return self._arithmetic() + rescaled

    def full_signature(self) -> str:
        """Tell what decides as well, for the data set's card: penalty and threshold, which keys must not hold."""
        return f"{self.signature()} lambda={self.length_penalty:g} threshold={self.threshold:g}"


def texts(key: str) -> tuple[str, str]:
    """Return the two texts that are compared: `long`, and the halves joined by a blank."""
    long, first, second = json.loads(key)
    return long, f"{first} {second}"


@functools.cache
def _rarity(loaded: Encoder, path: Path, _: str) -> Rarity:
    """Count once a file's contents, which the digest stands for."""
    return loaded.rarity(_references(path))


def _digest(path: Path) -> str:
    return hashlib.sha256("\n".join(_references(path)).encode()).hexdigest()[:12]


def _references(path: Path) -> list[str]:
    """Read the references of a file, a line each, blank lines left out; raises SettingsError when there are none."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"`idf` {str(path)!r} cannot be read ({error}). Name a UTF-8 text file.") from error
    found = [line.strip() for line in lines if line.strip()]
    if not found:
        raise SettingsError(f"`idf` {str(path)!r} has no text. Name a file with a reference on each line.")
    return found
