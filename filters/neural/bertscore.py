"""Length-penalised BERTScore of `long` and its two halves (BiSECT, section 3.1: at least 0.4).

    score = exp(-lambda · |1 - n_split / n_long|) · F(long, s1 + " " + s2)        n: tokens separated by spaces

BiSECT takes the penalty from Maddela et al. (NAACL 2021) without stating how it maps onto (long, s1, s2), nor with
which model, layer or rescaling; no code of it is published. This is the natural reading, and the published pairs do not
fully satisfy it: 2 of the 583 test pairs are below 0.4 by their length alone, with any model. A raw threshold depends
on the model (chance is 0.35 with bert-base-uncased, 0.83 with roberta-large), so each known model has its own
(encoders.toml), and an unknown one must be given one.

Precision, recall and F are stored by model, layer, mode and number format: a pair compared once is not compared again
when the penalty or the threshold changes. The number format that mode `fast` selects for a processor is part of that
name and of the shards' key: two processors may disagree, but never within one folder.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural import reference
from bitext_pivot.filters.neural.encoder_filter import EncoderFilter
from bitext_pivot.filters.neural.precision import Precision, library_version

_DIGITS = 8  # the package is matched to 1e-6


class BertscoreFilter(EncoderFilter):
    """Penalised F of `long` against both halves, in the vectors of an encoder."""

    IN_PAPER: ClassVar = True
    MEANING_ROLE: ClassVar = "compared"
    IN_EXAMPLES: ClassVar = True
    PARTS: ClassVar = ("precision", "recall", "f1", "ratio", "penalty")

    rescale: bool = False
    """Rescale by the baseline that bert_score ships for the model (mode `reference` only)."""
    length_penalty: float = Field(default=1.0, ge=0, le=100)
    """Lambda of the penalty; 0 for none."""
    min_score: float | None = Field(default=None, title="Minimum score", ge=-1, le=1)
    """Minimum penalised F of a pair. Empty: the threshold measured for the encoder."""
    mode: Literal["fast", "reference"] = "fast"
    """`reference`: computed by the bert_score package, in float32 on every device; `fast`: in float16 on a GPU, in
    bfloat16 where the processor has it (to about 1e-3), in float32 elsewhere."""
    idf: Path | None = Field(default=None, title="IDF")
    """Text file with one reference per line; rare tokens count for more (mode `reference` only). Empty: every token
    counts the same."""
    baseline: Path | None = None
    """Rescale by this table (LAYER,P,R,F) instead of the one that bert_score ships."""

    @model_validator(mode="after")
    def _check_threshold(self) -> Self:
        """Raise ValueError for a missing threshold, an unused baseline, or a mode without weighting."""
        is_plain = not self.rescale and self.idf is None
        if self.min_score is None and not (
            is_plain and self._uses_default_layer and "min_score" in self._defaults
        ):
            raise ValueError(
                f"No threshold is known for the encoder {self.model!r} with this layer, rescaling and IDF, and that of "
                "another says nothing here. Give `min_score`; to find one by good pairs, in a clone: python "
                f"benchmarks/calibrate_encoder.py PAIRS.tsv --model {self.model} --layer {self.compared_layer}"
            )
        if self.baseline and not self.rescale:
            raise ValueError(
                f"`baseline` is {str(self.baseline)!r} and `rescale` is off. Switch it on, or leave `baseline` empty."
            )
        if self.mode == "fast" and not is_plain:
            raise ValueError(
                "`mode` is 'fast', which has neither IDF nor rescaling. Set it to reference, or leave `idf` empty and "
                "`rescale` off."
            )
        return self

    @property
    def threshold(self) -> float:
        """The minimum score."""
        return float(self._defaults["min_score"]) if self.min_score is None else self.min_score

    def thresholds(self) -> dict[str, Any]:
        """Return the minimum score, also where it is the measured one."""
        return {"min_score": self.threshold}

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return score, precision, recall, f1, length ratio and penalty, to eight decimals."""
        precision, recall, f1 = numbers
        long, first, second = (len(text.split()) for text in parsed.pair.texts)
        ratio = (first + second) / max(1, long)
        penalty = math.exp(-self.length_penalty * abs(1 - ratio))
        parts = {
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "ratio": ratio,
            "penalty": penalty,
            "score": penalty * f1,
        }
        return {name: round(number, _DIGITS) for name, number in parts.items()}

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return precision, recall and F for each key; `language` selects the baseline that bert_score ships."""
        compared = [compared_texts(key) for key in keys]
        if self.mode == "reference":
            results = reference.score_pairs(self._load_scorer(language, runtime), compared)
        else:
            results = self.encoder(runtime).compare(compared, runtime.threads)
        return [[round(part, _DIGITS) for part in result] for result in results]

    def load(self, language: str, runtime: Runtime) -> str:
        """Load the encoder, and the package's scorer if `mode` needs it; return a warning, or "".

        Raises SettingsError for a model that cannot be loaded or cannot work, and without a baseline for a language.
        """
        if self.mode == "reference":
            self._load_scorer(language, runtime)
        return super().load(language, runtime)

    def _load_scorer(self, language: str, runtime: Runtime) -> Any:
        """Return the package's scorer of the encoder, which our own loader has checked."""
        longest, options = self.encoder(runtime).longest, self._options(language)
        return reference.load_scorer(
            self.checkpoint(), longest, runtime.device, options, options.signature
        )

    def _options(self, language: str) -> reference.ReferenceOptions:
        """Return the package's options; `language` selects the baseline that it ships."""
        return reference.ReferenceOptions(
            language=language, rescale=self.rescale, idf=self.idf, baseline=self.baseline
        )

    def precision(self, device: Device) -> Precision:
        """Return the number format of the encoder's matrix products."""
        return "float32" if self.mode == "reference" else super().precision(device)

    def _store_name(self, language: str, runtime: Runtime) -> str:
        """Return the name of the store of the numbers: everything that they depend on. Raises as `signature` does."""
        checkpoint = self.checkpoint()
        computed = f"{self.mode} {self.precision(runtime.device)} {library_version(runtime.device)}"
        options = f" {self._options(language).signature}" if self.mode == "reference" else ""
        return f"bertscore {checkpoint.name} {checkpoint.digest} layer={checkpoint.layer} {computed}{options}"

    def signature(self, runtime: Runtime) -> str:
        """Return model, digest, layer, mode, number format and library, and IDF and rescaling if any.

        Raises SettingsError if the model, the IDF file or the baseline cannot be read.
        """
        return self._store_name("", runtime)

    def citation(self, runtime: Runtime) -> str:
        """Return the signature with penalty and threshold, for the data set's card; keys must not have these."""
        return (
            f"{self.signature(runtime)} lambda={self.length_penalty:g} threshold={self.threshold:g}"
        )


def compared_texts(key: str) -> tuple[str, str]:
    """Return the two texts that are compared: `long`, and the halves joined by a space."""
    long, first, second = json.loads(key)
    return long, f"{first} {second}"
