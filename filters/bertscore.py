"""Length-penalised BERTScore of `long` and its two halves (BiSECT, section 3.2: at least 0.4).

    score = exp(-lambda · |1 - n_split / n_long|) · F(long, s1 + " " + s2)        n: tokens between blanks

BiSECT takes the penalty from Maddela et al. (NAACL 2021) without saying how it maps onto (long, s1, s2), nor with which
model, layer or rescaling; no code of it is published. This is the natural reading, and the published pairs do not
quite obey it: 2 of the 583 test pairs lie below 0.4 by their length alone, whatever the model. A raw threshold means
something else with every model (chance is 0.35 with bert-base-uncased, 0.83 with roberta-large), so each known model
brings its own (encoders.toml) and an unknown one must be given one. There is no IDF weighting: it would make a
pair's score depend on which other pairs are compared.

Raw precision, recall and F are kept in a row store: a pair compared once is not compared again when the penalty, the
rescaling or the threshold change.
"""

import csv
import functools
import importlib.util
import json
import math
import threading
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from filters.base import Filter
from filters.encoder import Checkpoint, Comparison, checkpoint, encoder, quiet
from pairs.errors import SettingsError
from pairs.records import ParsedPair
from pairs.site import Site
from pairs.store import RowStore

_AT_ONCE = 256  # pairs stored together: what a kill may cost
_DIGITS = 6
_lock = threading.Lock()  # the package's tokenizer may not be used by two threads at once


class Bertscore(Filter):
    """Compares what `long` and both halves mean, token by token, in the vectors of an encoder."""

    thresholds: ClassVar = frozenset({"min_score"})
    dear: ClassVar = True

    model: str = Field(
        default="all-MiniLM-L6-v2",
        title="Encoder",
        min_length=1,
        description="all-MiniLM-L6-v2 (from its package), a name on the Hugging Face hub, or a folder.",
    )
    layer: int | None = Field(
        default=None, title="Layer", ge=1, le=100, description="Layer whose vectors are compared. Empty: the usual one."
    )
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
        description="`fast`: own arithmetic, each text by itself; `reference`: the bert_score package.",
    )

    @model_validator(mode="after")
    def _is_decided(self) -> Self:
        """Refuse a model of which layer or threshold would be a guess; raises SettingsError."""
        known = encoders().get(self.model, {})
        if self.layer is None and "layer" not in known:
            raise SettingsError(
                f"There is no default layer for the encoder {self.model!r}. Give `layer`, or choose one of "
                f"{', '.join(encoders())}."
            )
        is_usual = not self.rescale and self.layer in {None, known.get("layer")}
        if self.min_score is None and not (is_usual and "min_score" in known):
            raise SettingsError(
                f"No threshold is known for the encoder {self.model!r} with this layer and rescaling, and that of "
                "another says nothing here. Give `min_score`."
            )
        if self.rescale and not list(_baselines().glob(f"*/{self.model}.tsv")):
            raise SettingsError(f"bert_score ships no baseline for {self.model!r}. Switch `rescale` off.")
        return self

    @property
    def compared_layer(self) -> int:
        """The layer whose vectors are compared, counted from 1."""
        return self.layer or int(encoders()[self.model]["layer"])

    @property
    def threshold(self) -> float:
        """The least score that passes."""
        return float(encoders()[self.model]["min_score"]) if self.min_score is None else self.min_score

    def accepts(self, score: float) -> bool:
        """Accept from the threshold on."""
        return score >= self.threshold

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the penalised F, from -1 to 1."""
        return [parts["score"] for parts in self.parts(pairs)]

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
        chance = baseline(self.model, self.compared_layer, language) if self.rescale else Comparison(0, 0, 0)
        return ((number - low) / (1 - low) for number, low in zip(raw, chance, strict=True))

    def _compared(self, keys: Sequence[str]) -> dict[str, Comparison]:
        """Return the raw comparison of each key, from the store where it is there, and store the others."""
        site = Site()
        store = RowStore(site.store_folder, self.signature())
        rows = store.get(list(dict.fromkeys(keys)))
        missing = [key for key in dict.fromkeys(keys) if key not in rows]
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]
            found = self._compare([texts(key) for key in some], site.threads)
            new = {
                key: json.dumps([round(part, _DIGITS) for part in one]) for key, one in zip(some, found, strict=True)
            }
            store.put(new)
            rows.update(new)
        return {key: Comparison(*json.loads(row)) for key, row in rows.items()}

    def _compare(self, sides: Sequence[tuple[str, str]], threads: int) -> list[Comparison]:
        found = checkpoint(self.model, self.compared_layer)
        if self.mode == "fast":
            return encoder(found).compare(sides, threads)
        return [_reference(found, long, split) for long, split in sides]

    def signature(self) -> str:
        """Tell the model by its digest, the layer and the mode; raises SettingsError when the model cannot be had."""
        found = checkpoint(self.model, self.compared_layer)
        return f"bertscore {found.name} {found.digest} layer={found.layer} {self.mode}"


@functools.cache
def encoders() -> dict[str, dict[str, Any]]:
    """Return encoders.toml: layer and threshold of each known encoder."""
    return tomllib.loads(Path(__file__).with_name("encoders.toml").read_text(encoding="utf-8"))


def pair_key(pair: ParsedPair) -> str:
    """Return the text under which a pair's comparison is stored: its three sentences as a JSON array."""
    return json.dumps([pair.pair.long, *pair.pair.split])


def _rounded(raw: Comparison) -> str:
    return json.dumps([round(part, _DIGITS) for part in raw])


def texts(key: str) -> tuple[str, str]:
    """Return the two texts that are compared: `long`, and the halves joined by a blank."""
    long, first, second = json.loads(key)
    return long, f"{first} {second}"


@functools.cache
def baseline(model: str, layer: int, language: str) -> Comparison:
    """Return precision, recall and F of random pairs; raises SettingsError when bert_score ships none."""
    path = _baselines() / language / f"{model}.tsv"
    if not path.is_file():
        raise SettingsError(f"bert_score ships no baseline of {model!r} for {language!r}. Switch `rescale` off.")
    with path.open(encoding="utf-8", newline="") as file:
        rows = {int(row["LAYER"]): row for row in csv.DictReader(file)}
    return Comparison(*(float(rows[layer][name]) for name in ("P", "R", "F")))


def _baselines() -> Path:
    found = importlib.util.find_spec("bert_score")
    folders = found.submodule_search_locations if found else None
    return Path(folders[0] if folders else ".") / "rescale_baseline"


def _reference(found: Checkpoint, long: str, split: str) -> Comparison:
    """Ask the package about one pair alone: beside others its numbers change in the seventh decimal."""
    with _lock:
        columns = _scorer(str(found.folder), found.layer).score([long], [split])
    return Comparison(*(column.item() for column in columns))


@functools.cache
def _scorer(folder: str, layer: int) -> Any:
    from bert_score import BERTScorer

    with quiet():
        return BERTScorer(model_type=folder, num_layers=layer, device="cpu")
