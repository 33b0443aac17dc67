"""Adequacy: sentence vectors as transformers computes them, translations against sources, links left out."""

import functools
from pathlib import Path
from typing import Any

import pytest
from factories import alignment, unparsed
from messages import Golden
from pydantic import ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import Pair, ParsedPair
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.neural import adequacy as module
from bitext_pivot.filters.neural import encoder_check
from bitext_pivot.filters.neural.adequacy import Adequacy
from bitext_pivot.filters.neural.checkpoint import checkpoint
from bitext_pivot.filters.neural.sentence_encoder import Pooling, sentence_encoder
from bitext_pivot.flows.pivot_settings import PivotBitext

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "query",
    ":",
    "we",
    "left",
    "and",
    "it",
    "rained",
    "then",
    ".",
]
TEXTS = ["we left .", "it rained and we left then .", "then", "rained it left we . . and"]
POOLINGS: list[Pooling] = ["mean", "cls", "pooler"]
E5 = "intfloat/multilingual-e5-small"


def save(folder: Path) -> str:
    """Write a small BERT of random weights."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    BertTokenizer(str(folder / "vocab.txt"), model_max_length=32).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=32, initializer_range=1.0,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No self-check: these models are random."""
    monkeypatch.setattr(encoder_check, "check_encoder", lambda *_: None)
    monkeypatch.setattr(encoder_check, "check_languages", lambda *_: None)


@functools.cache
def reference(folder: str, text: str, pooling: Pooling) -> Any:
    """The vector of a text by transformers alone, as sentence-transformers pools."""
    import torch
    from transformers import BertModel, BertTokenizer

    model: Any = BertModel.from_pretrained(folder)
    inputs = BertTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.no_grad():
        output = model.eval()(**inputs)
    states = output.last_hidden_state[0]
    vector = {"mean": states.mean(0), "cls": states[0], "pooler": output.pooler_output[0]}[pooling]
    return vector / vector.norm()


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("pooling", POOLINGS)
@pytest.mark.parametrize("prefix", ["", "query: "])
def test_vectors_are_those_of_transformers_in_any_company(
    tmp_path: Path, pooling: Pooling, prefix: str
) -> None:
    folder = save(tmp_path / "model")
    encoder = sentence_encoder(checkpoint(folder, None), pooling, prefix)
    pairs = [(one, two) for one in TEXTS for two in TEXTS]
    together = encoder.similarity(pairs, threads=2)
    vectors = {text: reference(folder, prefix + text, pooling) for text in TEXTS}
    assert together == pytest.approx(
        [float(vectors[one] @ vectors[two]) for one, two in pairs], abs=1e-5
    )
    assert [encoder.similarity([pair])[0] for pair in pairs] == together


@pytest.mark.usefixtures("unchecked")
def test_a_pooler_without_weights_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = Path(save(tmp_path / "model"))
    tensors = {
        name: tensor
        for name, tensor in load_file(folder / "model.safetensors").items()
        if "pooler" not in name
    }
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    sentence_encoder(checkpoint(str(folder), None), "mean", "")
    with pytest.raises(SettingsError, match=r"lacks 2 tensors .*pooler\.dense"):
        sentence_encoder(checkpoint(str(folder), None), "pooler", "")


def test_an_encoder_of_one_language_is_refused(runtime: Runtime) -> None:
    adequacy = Adequacy(model="all-MiniLM-L6-v2", pooling="mean", min_similarity=0.5)
    with pytest.raises(
        SettingsError, match=r"adequacy\.model .*above other sentences.*multilingual"
    ):
        adequacy.load("en", runtime)


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({"model": "some/encoder"}, "pooling and no min_similarity"),
        ({"model": "some/encoder", "pooling": "cls"}, "min_similarity"),
        ({"model": "sentence-transformers/LaBSE"}, "min_similarity"),
    ],
)
def test_an_unknown_encoder_needs_its_pooling_and_a_threshold(
    settings: dict[str, Any], missing: str
) -> None:
    with pytest.raises(ValidationError, match=f"No {missing} is known"):
        Adequacy(**settings)


def test_a_known_encoder_has_its_own() -> None:
    known = Adequacy(model=E5)
    assert known.is_on and not Adequacy().is_on
    assert known.accepts(known.thresholds()["min_similarity"]) and not known.accepts(0.5)
    assert Adequacy(model=E5, min_similarity=0.2).accepts(0.5)
    assert (
        Adequacy(model=E5, min_similarity=0.2).measuring()
        == Adequacy(model=E5, least_link=0.1).measuring()
    )


BY_DIRECTION = {"fr-en": {"min_similarity": 0.8, "least_gain": -0.1}, "de-en": {"least_link": 0.5}}


@pytest.mark.parametrize(("pivot", "limits"), [
    ("fr", (0.8, 0.86, -0.1)), ("de", (0.9, 0.5, -0.03)), ("es", (0.9, 0.86, -0.03)),
])  # fmt: skip
def test_thresholds_are_those_of_the_direction_and_otherwise_of_the_encoder(
    pivot: str, limits: tuple[float, float, float]
) -> None:
    settings = {"model": E5, "by_direction": BY_DIRECTION}
    filters = {"advanced": {"adequacy": settings}}
    form = PivotBitext.model_validate({"pivot": pivot, "language": "en", "filters": filters})
    adequacy = form.processing("cpu").filters.advanced.adequacy
    names = ("min_similarity", "least_link", "least_gain")
    assert tuple(adequacy._setting(name) for name in names) == limits
    assert adequacy.thresholds() == {"min_similarity": limits[0]}
    assert adequacy.measuring() == Adequacy(model=E5).measuring()
    # the settings of builds with several pivots stay the same, so that they can be joined
    assert form.filters.for_language("en", "cpu") == form.filters


@pytest.mark.parametrize(
    "by_direction",
    [{"French": {"least_link": 0}}, {"fr-en": {"min_score": 0}}, {"fr-en": {"least_link": 2}}],
)
def test_wrong_thresholds_of_a_direction_are_refused(
    by_direction: dict[str, dict[str, float]], golden: Golden
) -> None:
    with pytest.raises(ValidationError) as refused:
        Adequacy.model_validate({"by_direction": by_direction})
    golden.same("\n".join(refused_values.problems(refused.value)))


class Words:
    """A sentence encoder whose similarity is the share of common words, with upper case as the other language."""

    def __init__(self) -> None:
        self.compared: list[tuple[str, str]] = []

    def similarity(self, pairs: Any, threads: int) -> list[float]:
        self.compared += pairs
        sides = [(set(one.lower().split()), set(two.lower().split())) for one, two in pairs]
        return [len(one & two) / len(one | two) for one, two in sides]


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Words:
    encoder = Words()
    monkeypatch.setattr(module, "sentence_encoder", lambda *_: encoder)
    monkeypatch.setattr(Adequacy, "signature", lambda *_: "words")
    monkeypatch.setattr(Adequacy, "checkpoint", lambda _: None)
    return encoder


FILTER = Adequacy(model=E5, min_similarity=0.6, least_link=0.3, least_gain=-0.2)
LINKS = [
    (alignment("A B C D", "a b", "c d"), None),
    (alignment("A B C D", "a b c d", "x y z v w"), "sentence without counterpart"),
    (alignment("A B C D", "x y", "z"), "sides differ"),
]


def test_links_are_left_out_by_reason(words: Words, runtime: Runtime) -> None:
    links = [link for link, _ in LINKS]
    assert FILTER.skip_reasons(links, runtime) == [reason for _, reason in LINKS]
    compared = len(words.compared)
    assert FILTER.skip_reasons(links, runtime) == [reason for _, reason in LINKS]
    assert len(words.compared) == compared
    off = Adequacy(model="x/y", pooling="cls", min_similarity=0.5)
    assert off.skip_reasons(links, runtime) == [None] * 3


def translated(side: str, long: str, first: str, second: str) -> ParsedPair:
    parsed = unparsed(long, first, second)
    link = alignment("A B C", "D", "E F") if side == "split" else alignment("A B C", first, second)
    pair = Pair(
        id="x", language="en", long=long, split=(first, second), pivot="fr", translated=side,  # type: ignore[arg-type]
        engine="e", alignment=link,
    )  # fmt: skip
    return ParsedPair(pair=pair, long=parsed.long, split=parsed.split)


@pytest.mark.usefixtures("words")
def test_each_translation_is_compared_with_its_source(runtime: Runtime) -> None:
    pairs = [
        translated("long", "a b c", "a b", "c"), translated("long", "a x y", "a b", "c"),
        translated("split", "a b c", "d", "e f"), translated("split", "a b c", "d", "e x"),
        unparsed("a b", "a", "b"),
    ]  # fmt: skip
    parts = FILTER.scores_by_name(pairs, runtime)
    assert [part.get("score") for part in parts] == [
        1,
        0.2,
        1,
        pytest.approx(1 / 3, abs=1e-6),
        None,
    ]
    assert [part.get("human") for part in parts] == [1, 1, 0, 0, None]


@pytest.mark.usefixtures("words")
def test_existing_pairs_have_no_score_and_pass(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters = Filters()
    monkeypatch.setattr(Filters, "active", lambda _: {"adequacy": FILTER})
    existing, bad = filters.score(
        [unparsed("a b", "a", "b"), translated("long", "x y", "a b", "c")], runtime
    )
    assert (existing.scores, filters.verdict(existing)) == ({}, None)
    assert (bad.scores, filters.verdict(bad)) == ({"adequacy": 0, "adequacy.human": 1}, "adequacy")
