"""Reject pairs whose BERTScore, with a length penalty, is too low (BiSECT, section 3.1).

    score = exp(-lambda * |1 - n_split / n_long|) * F(long, s1 + " " + s2)     n: number of tokens separated by spaces

BiSECT requires at least 0.4. It takes the penalty from Maddela et al. (NAACL 2021), but states neither how it
applies to (long, s1, s2) nor the model, layer or rescaling, and no code was published. This is the natural
interpretation, but the published pairs do not fully satisfy it: 2 of the 583 test pairs are below 0.4 by their
length alone, with any model. A raw threshold depends on the model (unrelated sentences score 0.35 with
bert-base-uncased, 0.83 with roberta-large). Each known model therefore has its own threshold (encoders.toml); any
other model needs one in the settings.

Precision, recall and F are stored by model, layer, mode and number format, so a new penalty or threshold
compares no pair again. In mode `fast`, the number format depends on the processor. It is part of the store's
name and of the keys of shards: results may differ between two processors, but never within one folder.
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

_DIGITS = 8  # results agree with bert_score to 1e-6


class BertscoreFilter(EncoderFilter):
    """BERTScore's F of the long sentence against both halves, multiplied by a length penalty."""

    IN_PAPER: ClassVar = True
    MEANING_ROLE: ClassVar = "compared"
    IN_EXAMPLES: ClassVar = True
    PARTS: ClassVar = ("precision", "recall", "f1", "ratio", "penalty")

    rescale: bool = False
    """Rescale scores by the baseline for the model in the bert_score package (mode `reference` only)."""
    length_penalty: float = Field(default=1.0, ge=0, le=100)
    """Factor lambda of the length penalty; 0 switches the penalty off."""
    min_score: float | None = Field(default=None, title="Minimum score", ge=-1, le=1)
    """Minimum score of a pair, length penalty included. If it is empty, the threshold that was measured for the
    encoder is used."""
    mode: Literal["fast", "reference"] = "fast"
    """`reference`: the bert_score package computes the scores, in float32 on every device. `fast`: our own code
    computes them, in float16 on a GPU, in bfloat16 on processors that support it (accurate to about 1e-3), and in
    float32 otherwise."""
    idf: Path | None = Field(default=None, title="IDF")
    """Text file with one sentence per line, from which token weights (IDF) are computed: rare tokens get larger
    weights (mode `reference` only). If it is empty, all tokens have the same weight."""
    baseline: Path | None = None
    """File with a table LAYER,P,R,F of baseline scores, used instead of the baseline in the bert_score package."""

    @model_validator(mode="after")
    def _check_threshold(self) -> Self:
        """Raise ValueError if the threshold is missing, or a setting does not fit the mode."""
        is_plain = not self.rescale and self.idf is None
        if self.min_score is None and not (
            is_plain and self._uses_default_layer and "min_score" in self._defaults
        ):
            raise ValueError(
                f"There is no measured threshold for the encoder {self.model!r} with this layer, rescaling and IDF. "
                "Set `min_score`. To measure it on good pairs, run in a clone: python "
                f"benchmarks/calibrate_encoder.py PAIRS.tsv --model {self.model} --layer {self.compared_layer}"
            )
        if self.baseline and not self.rescale:
            raise ValueError(
                f"`baseline` is {str(self.baseline)!r}, but `rescale` is off. Switch `rescale` on, or leave `baseline` "
                "empty."
            )
        if self.mode == "fast" and not is_plain:
            raise ValueError(
                "`mode` is 'fast', which supports neither IDF nor rescaling. Set `mode` to reference, or leave `idf` "
                "empty and `rescale` off."
            )
        return self

    @property
    def threshold(self) -> float:
        """The minimum score: from the settings, otherwise as measured for the encoder."""
        return float(self._defaults["min_score"]) if self.min_score is None else self.min_score

    def thresholds(self) -> dict[str, Any]:
        """Return the minimum score: from the settings, otherwise as measured for the encoder."""
        return {"min_score": self.threshold}

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the score of a pair and its parts: precision, recall, F, length ratio and penalty.

        All are rounded to eight decimals.
        """
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
        """Return BERTScore's precision, recall and F for each key, which contains a pair's texts.

        `language` selects the baseline in the bert_score package.
        """
        compared = [compared_texts(key) for key in keys]
        if self.mode == "reference":
            results = reference.score_pairs(self._load_scorer(language, runtime), compared)
        else:
            results = self.encoder(runtime).compare(compared, runtime.threads)
        return [[round(part, _DIGITS) for part in result] for result in results]

    def load(self, language: str, runtime: Runtime) -> str:
        """Load the encoder and, in mode `reference`, bert_score. Return a warning, or "" for none.

        Raises SettingsError if the model cannot be loaded or fails its self-check, or if there is no baseline for
        the language.
        """
        if self.mode == "reference":
            self._load_scorer(language, runtime)
        return super().load(language, runtime)

    def _load_scorer(self, language: str, runtime: Runtime) -> Any:
        """Check the encoder, and return a scorer of the bert_score package that uses it."""
        longest, options = self.encoder(runtime).longest, self._options(language)
        return reference.load_scorer(
            self.checkpoint(), longest, runtime.device, options, options.signature
        )

    def _options(self, language: str) -> reference.ReferenceOptions:
        """Return the options for the bert_score package. `language` selects its baseline."""
        return reference.ReferenceOptions(
            language=language, rescale=self.rescale, idf=self.idf, baseline=self.baseline
        )

    def precision(self, device: Device) -> Precision:
        """Return the number format in which the encoder multiplies matrices on a device."""
        return "float32" if self.mode == "reference" else super().precision(device)

    def _store_name(self, language: str, runtime: Runtime) -> str:
        """Return the name of the store of results, which covers everything that can change a result.

        Raises the same errors as `signature`.
        """
        checkpoint = self.checkpoint()
        computed = f"{self.mode} {self.precision(runtime.device)} {library_version(runtime.device)}"
        options = f" {self._options(language).signature}" if self.mode == "reference" else ""
        return f"bertscore {checkpoint.name} {checkpoint.digest} layer={checkpoint.layer} {computed}{options}"

    def signature(self, runtime: Runtime) -> str:
        """Return a string of everything that can change a result, such as the model, layer and mode.

        It also contains the model's digest, the number format, the library, and the options for IDF and rescaling.
        Raises SettingsError if the model, the IDF file or the baseline cannot be read.
        """
        return self._store_name("", runtime)

    def citation(self, runtime: Runtime) -> str:
        """Return the signature with the penalty and the threshold, for the README of a data set.

        The penalty and the threshold are not part of the signature, because they do not change the stored results.
        """
        return (
            f"{self.signature(runtime)} lambda={self.length_penalty:g} threshold={self.threshold:g}"
        )


def compared_texts(key: str) -> tuple[str, str]:
    """Return the two texts that BERTScore compares: the long sentence, and both halves joined."""
    long, first, second = json.loads(key)
    return long, f"{first} {second}"
