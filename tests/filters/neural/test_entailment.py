"""Entailment: small models in the layouts of published ones, against transformers' own pipeline."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import nli_models
import pytest
from factories import unparsed
from messages import Golden

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.languages import languages_with
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.neural import entailment as module
from bitext_pivot.filters.neural import entailment_check
from bitext_pivot.filters.neural.classifier import EntailmentResult, TextClassifier, load_classifier
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.neural.entailment import EntailmentFilter, default_model
from bitext_pivot.filters.neural.known_good import read_known_good

LONG = "The king died and his son was crowned."
FIRST = "The king died."
SECOND = "His son received a crown in London."
PAIR = unparsed(LONG, FIRST, SECOND)
TEXTS = [
    (LONG, FIRST),
    (LONG, SECOND),
    (FIRST, LONG),
    ("Il a plu.", "Es hat geregnet, und wir blieben zu Hause."),
    ("a", "b"),
]
Models = Callable[..., str]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Save a model, once for the same arguments."""
    saved: dict[tuple[Any, ...], str] = {}

    def save(layout: str = "XLM-R", *, trained: str = "", **options: Any) -> str:
        key = (layout, trained, *map(str, options.items()))
        if key not in saved:
            items = nli_models.probes(trained) if trained else ()
            folder = tmp_path_factory.mktemp("nli") / "model"
            saved[key] = nli_models.save(folder, layout, items=items, **options)
        return saved[key]

    return save


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No self-check: the models are random."""
    monkeypatch.setattr(entailment_check, "_MIN_RIGHT", 0)


def loaded(folder: str, label: int | None = None) -> TextClassifier:
    return load_classifier(fetch_checkpoint(folder, 1, setting="model"), label)


@pytest.mark.parametrize("trained", ["", "en"], ids=["random", "trained"])
@pytest.mark.parametrize("layout", nli_models.LAYOUTS)
def test_labels_and_probabilities_are_those_of_transformers(
    layout: str, trained: str, models: Models
) -> None:
    from transformers import pipeline

    folder = models(layout, trained=trained)
    pairs = [*TEXTS, *((premise, hypothesis) for premise, hypothesis, _ in nli_models.probes()[:6])]
    classify: Any = pipeline("text-classification", model=folder, device="cpu")
    results = classify([{"text": text, "text_pair": other} for text, other in pairs], top_k=None)
    for result, (entailment, other) in zip(results, loaded(folder).infer(pairs, 2), strict=True):
        shares = {one["label"]: one["score"] for one in result}
        assert (entailment >= other) == (result[0]["label"] == "ENTAILMENT")
        assert entailment == pytest.approx(shares.pop("ENTAILMENT"), abs=1e-5)
        assert other == pytest.approx(max(shares.values()), abs=1e-5)


@pytest.mark.parametrize("layout", nli_models.LAYOUTS)
def test_a_trained_model_passes_in_its_language_and_a_random_one_is_refused(
    layout: str, models: Models, runtime: Runtime
) -> None:
    assert EntailmentFilter(model=models(layout, trained="en")).load("en", runtime) == ""
    with pytest.raises(
        SettingsError,
        match=r"^filters\.advanced\.entailment\.model is [^\n]* of 24 answers in 'en' are",
    ):
        EntailmentFilter(model=models(layout)).load("en", runtime)


def test_a_model_is_checked_in_the_language_of_the_pairs(models: Models, runtime: Runtime) -> None:
    english = EntailmentFilter(model=models(trained="en"))
    with pytest.raises(
        SettingsError,
        match=r"of 24 answers in 'fr' are right .*: paraphrases \d of 8, negations \d of 8",
    ):
        english.load("fr", runtime)
    assert (
        "was checked in 'en' only: there are no sentences with known answers in 'it'"
        in english.load("it", runtime)
    )
    with pytest.raises(SettingsError, match="answers in 'en' are right"):
        EntailmentFilter(model=models()).load("it", runtime)


def test_a_model_that_is_blind_to_negations_is_refused() -> None:
    known = fetch_checkpoint("all-MiniLM-L6-v2", 6, setting="model")
    negations = {text for _, _, text, _ in entailment_check.probes("de")}
    right = {(premise, text): answer for premise, text, answer in nli_models.probes("de")}

    def follows(pairs: Sequence[tuple[str, str]]) -> list[bool]:
        return [right[pair] or pair[1] in negations for pair in pairs]

    assert (
        entailment_check.check_entailment(
            lambda pairs: [right[pair] for pair in pairs], known, "de"
        )
        == ""
    )
    with pytest.raises(
        SettingsError,
        match=r"16 of 24 .*67%, expected at least 80%.* negations 0 of 8, other objects 8",
    ):
        entailment_check.check_entailment(follows, known, "de")


def test_every_language_has_three_answers_to_eight_premises() -> None:
    languages = languages_with("entailment_check")
    assert set(languages) >= {"en", "fr", "de", "es"}
    for language in languages:
        questions = nli_models.probes(language)
        assert len({(premise, text) for premise, text, _ in questions}) == len(questions) == 24
        assert sum(answer for *_, answer in questions) == 8


@pytest.mark.parametrize(("labels", "label", "number"), [
    (("contradiction", "entailment", "neutral"), None, 1), (("Entailment", "neutral", "contradiction"), None, 0),
    (None, 2, 2), (("entailment", "neutral", "contradiction"), 1, 1), (("entailment", "not_entailment"), None, 0),
])  # fmt: skip
def test_the_class_is_found_by_its_name_unless_it_is_given(
    labels: Sequence[str] | None, label: int | None, number: int, models: Models
) -> None:
    assert loaded(models(labels=labels), label).label == number


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        (None, None),
        (("happy", "sad"), None),
        (("entailment",), None),
        (("entailment", "ENTAILMENT", "neutral"), None),
        (None, 3),
    ],
)
def test_a_model_that_does_not_name_the_class_is_refused(
    labels: Sequence[str] | None, label: int | None, models: Models, golden: Golden
) -> None:
    with golden.refused(SettingsError):
        loaded(models(labels=labels), label)


def test_a_wrong_number_of_the_class_is_found_by_the_check(
    models: Models, runtime: Runtime
) -> None:
    folder = models(labels=None, trained="en", entailment=1)
    assert EntailmentFilter(model=folder, label=1).load("en", runtime) == ""
    with pytest.raises(SettingsError, match="does not work"):
        EntailmentFilter(model=folder, label=2).load("en", runtime)


@pytest.mark.usefixtures("unchecked")
def test_both_directions_are_columns_and_a_setting_chooses_which_decide(
    models: Models, runtime: Runtime
) -> None:
    folder = models()
    compared = loaded(folder).infer([(LONG, FIRST), (LONG, SECOND), (f"{FIRST} {SECOND}", LONG)], 1)
    margins = [result.entailment - result.other for result in compared]
    for must_follow, margin in {
        "halves": min(margins[:2]),
        "long": margins[2],
        "both": min(margins),
    }.items():
        chosen = EntailmentFilter.model_validate({"model": folder, "must_follow": must_follow})
        (parts,) = chosen.scores_by_name([PAIR], runtime)
        assert parts["score"] == pytest.approx(margin, abs=2e-4)
        assert chosen.accepts(parts["score"]) == (margin >= 0)
        columns = dict(
            zip(EntailmentFilter.PARTS, (result.entailment for result in compared), strict=True)
        )
        assert parts == pytest.approx({"score": parts["score"], **columns}, abs=1e-4)


@pytest.mark.usefixtures("unchecked")
def test_order_is_kept_and_batches_change_nothing(models: Models, runtime: Runtime) -> None:
    model = loaded(models())
    pairs = [(LONG[:n], SECOND[n:]) for n in range(35)] + TEXTS
    together = model.infer(pairs, 2)
    alone = [row for pair in pairs for row in model.infer([pair], 1)]
    assert [tuple(row) for row in together] == [
        pytest.approx(tuple(row), abs=1e-5) for row in alone
    ]
    assert len({round(row.entailment, 4) for row in together}) > 10
    assert model.infer([], 1) == []


@pytest.mark.usefixtures("unchecked")
def test_a_text_too_long_for_the_model_is_cut(models: Models, runtime: Runtime) -> None:
    (parts,) = EntailmentFilter(model=models()).scores_by_name(
        [unparsed(f"{LONG} " * 40, FIRST, SECOND)], runtime
    )
    assert all(0 <= parts[name] <= 1 for name in EntailmentFilter.PARTS)


def test_it_is_off_until_a_model_is_named_or_the_preset_needs_one(runtime: Runtime) -> None:
    assert [EntailmentFilter().is_on, EntailmentFilter(model="x").is_on] == [False, True]
    with pytest.raises(
        SettingsError, match=r"`entailment` has no model\. Set filters\.advanced\.entailment\.model"
    ):
        EntailmentFilter().signature(runtime)
    checked = Filters(preset="checked")
    assert list(checked.active()) == [*Filters().active(), "entailment"]
    for language, name in {
        "en": "cross-encoder/nli-deberta-v3-xsmall",
        "fr": default_model("it", "cpu"),
    }.items():
        assert checked.for_language(language, "cpu").advanced.entailment.model == name
    named = Filters.model_validate(
        {"preset": "checked", "advanced": {"entailment": {"model": "x"}}}
    )
    assert named.for_language("en", "cpu") == named
    assert Filters().for_language("en", "cpu") == Filters()


def test_the_model_is_small_on_a_cpu_and_of_base_size_on_a_gpu_and_stays_once_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "torch_device", lambda choice: choice)
    on_cpu, on_gpu = (EntailmentFilter().for_language("en", device) for device in ("cpu", "cuda"))
    assert [on_cpu.model, on_gpu.model] == [
        "cross-encoder/nli-deberta-v3-xsmall",
        "cross-encoder/nli-deberta-v3-base",
    ]
    assert on_cpu.for_language("en", "cuda") == on_cpu
    # The shards of one setting are not used for the other.
    assert on_cpu.score_settings() != on_gpu.score_settings()


def test_a_judge_that_is_named_takes_its_place_and_reads_after_a_model_that_is_named() -> None:
    judge = {"model": "a"}
    checked = Filters.model_validate({"preset": "checked", "advanced": {"judge": judge}})
    assert list(checked.active()) == [*Filters().active(), "judge"]
    assert checked.for_language("en", "cpu") == checked
    both = Filters.model_validate(
        {"preset": "checked", "advanced": {"judge": judge, "entailment": {"model": "x"}}}
    )
    assert list(both.active())[-2:] == ["entailment", "judge"]
    stricter = both.with_settings(entailment={"min_margin": 0.4})
    assert stricter.scoring_key() != both.scoring_key()  # it decides what the judge reads


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_the_minimum_margin_loses_few_of_the_known_good_pairs(
    language: str, models: Models, monkeypatch: pytest.MonkeyPatch, runtime: Runtime
) -> None:
    settings = {"model": models(), "known_good_lost": 0.1}
    filters = Filters.model_validate({"advanced": {"entailment": settings}})
    decided = filters.with_measured_thresholds(language, runtime)
    entailment = decided.advanced.entailment
    pairs = [unparsed(*pair) for pair in read_known_good(language)]
    accepted = [entailment.accepts(score) for score in entailment.score(pairs, runtime)]
    assert 0.9 * len(pairs) <= sum(accepted) < len(pairs)
    assert entailment.score_settings() == filters.advanced.entailment.score_settings()
    assert decided.thresholds()["entailment"] == {"min_margin": entailment.min_margin}
    monkeypatch.setattr(TextClassifier, "infer", lambda *_: pytest.fail("compared again"))
    assert filters.with_measured_thresholds(language, runtime) == decided
    assert decided.with_measured_thresholds(language, runtime) == decided


def test_a_minimum_margin_is_measured_only_where_a_model_decides(runtime: Runtime) -> None:
    for filters in (Filters(), Filters(preset="paper"), Filters(preset="rules")):
        assert filters.with_measured_thresholds("en", runtime) == filters
    given = {"preset": "checked", "advanced": {"entailment": {"model": "x", "min_margin": 0.5}}}
    chain = Filters.model_validate(given)
    assert chain.with_measured_thresholds("en", runtime) == chain


def test_the_signature_has_what_changes_the_numbers(
    models: Models, tmp_path: Path, runtime: Runtime
) -> None:
    plain = EntailmentFilter(model=models())
    other = Path(nli_models.save(tmp_path / "other"))
    weights = other / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0")
    digests = {
        EntailmentFilter(model=folder).signature(runtime).split()[2]
        for folder in (models(), str(other))
    }
    assert len(digests) == 2
    signatures = {plain.signature(runtime), plain.signature(replace(runtime, device="cuda"))}
    on_gpu = plain.signature(replace(runtime, device="cuda"))
    assert on_gpu.endswith(":cuda bfloat16") and "bfloat16" not in plain.signature(runtime)
    assert len(signatures | {EntailmentFilter(model=models(), label=2).signature(runtime)}) == 3
    for same in (
        EntailmentFilter(model=models(), min_margin=0.9),
        EntailmentFilter(model=models(), revision="v1"),
        EntailmentFilter(model=models(), known_good_lost=0.1),
    ):
        assert same.score_settings() == plain.score_settings()
    assert (
        EntailmentFilter(model=models(), must_follow="both").score_settings()
        != plain.score_settings()
    )


class _Stub:
    """Has memory for `room` pairs; its second class is as probable as `share` says."""

    class config:
        max_position_embeddings, model_type = 512, "bert"

    def __init__(self, room: int = 100, logit: float = 1.0) -> None:
        self.room, self.logit, self.sizes = room, logit, list[int]()

    def __call__(self, input_ids: Any, **_: Any) -> Any:
        import torch

        self.sizes.append(len(input_ids))
        if len(input_ids) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        logits = torch.tensor([[0.0, self.logit]]).repeat(len(input_ids), 1)
        return type("Output", (), {"logits": logits})


def test_a_full_device_gets_smaller_batches_and_a_broken_model_is_refused(models: Models) -> None:
    tokenizer = loaded(models()).tokenizer
    stub = _Stub(room=3)
    results = TextClassifier(stub, tokenizer, 1).infer([(LONG, FIRST)] * 8, 1)
    assert results == [pytest.approx(EntailmentResult(0.731, 0.269), abs=1e-3)] * 8
    assert max(stub.sizes) > 3 >= stub.sizes[-1]
    with pytest.raises(
        ShardError, match=r"failed on the cpu .*out of memory.*BITEXT_PIVOT_DEVICE=cpu"
    ):
        TextClassifier(_Stub(room=0), tokenizer, 1).infer([(LONG, FIRST)], 1)
    with pytest.raises(SettingsError, match="probabilities that are not numbers"):
        TextClassifier(_Stub(logit=float("nan")), tokenizer, 1).infer([(LONG, FIRST)], 1)
