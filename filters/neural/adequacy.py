"""Translations unlike their source, and links whose sides differ, by a multilingual sentence encoder.

Not a filter of the paper. Off until an encoder is named; existing pairs have no source and pass. It is the judge of
translations that does not depend on the engine's own confidence, and the only one for an engine without a measured
threshold. The encoder runs before translation, too, and leaves out two kinds of links:

* the sides differ: their similarity is below `least_link`;
* a sentence has no counterpart, as in crawled news: the two sentences together are less similar to the one sentence
  than the better one of them alone, by more than `least_gain` allows.

Similarities depend on the encoder and on the direction of translation (Ibrahim et al. 2026, arXiv
2606.00285). Each known encoder has thresholds (sentence_encoders.toml), which `by_direction` replaces.
What it finds, and what it costs: benchmarks/results/README.md.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from bitext_pivot.core.data import read_toml
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import Alignment, Pair, ParsedPair
from bitext_pivot.filters.base import Runtime, ScreeningFilter
from bitext_pivot.filters.neural.checkpoint import EncoderCheckpoint, checkpoint
from bitext_pivot.filters.neural.precision import library
from bitext_pivot.filters.neural.sentence_encoder import Pooling, SentenceEncoder, sentence_encoder

SENTENCE_ENCODERS: dict[str, dict[str, Any]] = read_toml(
    Path(__file__).with_name("sentence_encoders.toml")
)
"""Pooling, prefix and thresholds of each known sentence encoder."""
_DIGITS = 6
_SCREENING = frozenset({"least_link", "least_gain"})
Direction = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}-[a-z]{2}$")]
Threshold = Literal["min_similarity", "least_link", "least_gain"]
Similarity = Annotated[float, Field(ge=-1, le=1)]


class Adequacy(ScreeningFilter):
    """Similarity of each translated text to its source; the text with the lowest one counts."""

    IN_PAPER: ClassVar = True
    TRANSLATION: ClassVar = "similarity"
    PARTS: ClassVar = ("human",)

    model: str | None = Field(default=None, title="Sentence encoder", min_length=1)
    """A multilingual sentence encoder, such as intfloat/multilingual-e5-small: a name on the Hugging Face hub, or a
    folder. Empty: this filter is off."""
    revision: str | None = Field(default=None, title="Revision of the encoder", min_length=1)
    """Branch, tag or commit of a hub model. Empty: the newest."""
    pooling: Pooling | None = None
    """How the vectors of tokens become one: their mean, the first one, or the model's pooler. Empty: as the encoder
    was trained, if it is known."""
    prefix: str | None = None
    """What precedes every text, such as "query: ". Empty: as the encoder was trained; none if it is not known."""
    min_similarity: float | None = Field(default=None, title="Minimum similarity", ge=-1, le=1)
    """Minimum similarity of a translated text and its source. Empty: the threshold measured for the encoder."""
    least_link: float | None = Field(
        default=None, title="Minimum similarity of a link", ge=-1, le=1
    )
    """Before translation: minimum similarity of both sides of a link. Empty: the one measured, if any."""
    least_gain: float | None = Field(default=None, title="Minimum gain of a link", ge=-1, le=1)
    """Before translation: minimum of what the weaker one of two sentences adds to the similarity. Empty: the one
    measured, if any."""
    by_direction: dict[Direction, dict[Threshold, Similarity]] = {}
    """Thresholds of directions, which replace those above: `{"fr-en": {"min_similarity": 0.88}}`."""

    @model_validator(mode="after")
    def _is_decided(self) -> Self:
        """Raise ValueError for an encoder without pooling or threshold."""
        if self.is_on and (
            missing := [
                name for name in ("pooling", "min_similarity") if self._setting(name) is None
            ]
        ):
            measured = ", ".join(
                name for name, entry in SENTENCE_ENCODERS.items() if "min_similarity" in entry
            )
            raise ValueError(
                f"No {' and no '.join(missing)} is known for the sentence encoder {self.model!r}. Give "
                f"{' and '.join(f'adequacy.{name}' for name in missing)}, or choose {measured}."
            )
        return self

    def _setting(self, name: str) -> Any:
        """Return a setting, or where it is empty what is known of the encoder; None for neither."""
        value = getattr(self, name)
        return SENTENCE_ENCODERS.get(self.model or "", {}).get(name) if value is None else value

    def thresholds(self) -> dict[str, Any]:
        """Return the minimum similarity, also where it is the measured one; nothing without an encoder."""
        return (
            {"min_similarity": self._setting("min_similarity")}
            if self.is_on
            else super().thresholds()
        )

    def measuring(self) -> dict[str, Any]:
        """Return the settings that the numbers depend on: no thresholds."""
        settings = super().measuring()
        return {name: settings[name] for name in ("model", "pooling", "prefix")}

    def screening(self, runtime: Runtime) -> dict[str, Any]:
        """Return all that `skip_reasons` depends on, for the key of what is translated."""
        return {
            "encoder": self.signature(runtime),
            **{name: self._setting(name) for name in sorted(_SCREENING)},
        }

    def skip_reasons(self, alignments: Sequence[Alignment], runtime: Runtime) -> list[str | None]:
        """Return for each alignment the reason to leave it out before translation, None for none."""
        compared = [texts for alignment in alignments for texts in _link(alignment)]
        numbers = iter(self.similarities(compared, runtime))
        return [
            self._skip_reason(*similar) for similar in zip(numbers, numbers, numbers, strict=True)
        ]

    def _skip_reason(self, link: float, first: float, second: float) -> str | None:
        """Return the reason to leave out a link with these similarities of `one` to both sentences and to each."""
        least_link, least_gain = self._setting("least_link"), self._setting("least_gain")
        if least_link is not None and link < least_link:
            return "sides differ"
        gain = link - max(first, second)
        return (
            "sentence without counterpart" if least_gain is not None and gain < least_gain else None
        )

    def keys_of(self, parsed: ParsedPair) -> list[str]:
        """Return the sides of the link, then each source and its translation; nothing for existing pairs."""
        return [json.dumps(texts) for texts in _translations(parsed.pair)]

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the score of a pair, and as `human` the similarity of the link; nothing for existing pairs."""
        if not numbers:
            return {}
        human, *translations = numbers
        return {"score": min(translations), "human": human}

    def similarities(self, compared: Sequence[tuple[str, str]], runtime: Runtime) -> list[float]:
        """Return the similarity of two texts each, to 1e-6; what was compared before is read from the row store."""
        keys = [json.dumps(texts) for texts in compared]
        rows = self._numbers(keys, "", runtime)
        return [rows[key][0] for key in keys]

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the similarity of the two texts of each key."""
        texts = [(first, second) for first, second in map(json.loads, keys)]
        return [
            [round(number, _DIGITS)]
            for number in self.encoder(runtime).similarity(texts, runtime.threads)
        ]

    def load(self, language: str, runtime: Runtime) -> str:
        """Load the encoder and return "". Raises SettingsError for one that cannot work or is not multilingual."""
        self.encoder(runtime)
        return ""

    def encoder(self, runtime: Runtime) -> SentenceEncoder:
        """Return the encoder, loaded once and checked."""
        pooling, prefix = self._setting("pooling"), self._setting("prefix") or ""
        return sentence_encoder(self.checkpoint(), pooling, prefix, runtime.device)

    def checkpoint(self) -> EncoderCheckpoint:
        """Return the encoder's files, downloaded if they are missing. Raises SettingsError and SourceError."""
        if self.model is None:
            raise SettingsError(
                "The filter `adequacy` has no encoder. Give `adequacy.model`, or leave the filter off."
            )
        return checkpoint(self.model, None, revision=self.revision, setting=self.setting)

    def signature(self, runtime: Runtime) -> str:
        """Return model, digest, pooling, prefix and library. Raises SettingsError without the model."""
        files = self.checkpoint()
        pooled = f"pooling={self._setting('pooling')} prefix={self._setting('prefix') or ''!r}"
        return f"adequacy {files.name} {files.digest} {pooled} float32 {library(runtime.device)}"


def _link(alignment: Alignment) -> list[tuple[str, str]]:
    """Return the sides of a link: the one sentence beside the two together, and beside each of them."""
    return [(alignment.one, text) for text in (" ".join(alignment.two), *alignment.two)]


def _translations(pair: Pair) -> list[tuple[str, str]]:
    """Return the sides of the link, then each source and its translation; nothing for an existing pair."""
    if pair.alignment is None:
        return []
    link, is_split = pair.alignment, pair.translated == "split"
    translated = zip(link.two, pair.split, strict=True) if is_split else [(link.one, pair.long)]
    return [_link(link)[0], *translated]
