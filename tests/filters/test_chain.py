"""The filter chain: order, presets, model-based filters on survivors only, keys."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from factories import flat, parsed, tree
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.records import ParsedPair, ScoredPair
from bitext_pivot.filters.base import RuleFilter, Runtime
from bitext_pivot.filters.chain import Filters, FilterSettings
from bitext_pivot.filters.length import LengthFilter
from bitext_pivot.filters.neural.bertscore import BertscoreFilter
from bitext_pivot.filters.neural.encoder import Encoder
from bitext_pivot.filters.neural.meaning import MeaningFilter
from bitext_pivot.filters.numbers import NumbersFilter
from bitext_pivot.filters.overlap import OverlapFilter
from bitext_pivot.filters.verbs import VerbsFilter

GOLDEN = Path(__file__).parents[1] / "golden" / "filters.json"


def sentences(long: str, first: str, second: str) -> ParsedPair:
    """A pair of three sentences written as `word/POS`."""
    return parsed(flat(long), flat(first), flat(second))


PAPER = ["pasted", "components", "verbs", "overlap", "bertscore"]
STRICT = [
    "pasted", "components", "verbs", "overlap", "length", "final_punctuation", "joint", "fragments", "tags", "language",
    "untranslated", "invented", "repetition", "copies", "content_overlap", "uncovered", "truncated", "numbers",
    "names", "confidence", "bertscore", "meaning",
]  # fmt: skip
CAT, DOGS = "cat/NOUN slept/VERB", "dogs/NOUN ran/VERB"
GOOD = sentences(f"the/DET {CAT} and/CCONJ {DOGS}", CAT, DOGS)
BAD = {
    "pasted": sentences("cat/NOUN slept.Then/VERB dogs/NOUN ran/VERB", CAT, DOGS),
    "verbs": sentences(f"{CAT} and/CCONJ dogs/NOUN", CAT, "dogs/NOUN"),
    "overlap": sentences(CAT, "birds/NOUN sang/VERB", DOGS),
    "length": sentences(f"{CAT} and/CCONJ {DOGS}", CAT, f"{DOGS} {'far/ADV and/CCONJ ' * 5}"),
    "final_punctuation": sentences(f"{CAT} and/CCONJ {DOGS} ./PUNCT", f"{CAT} ./PUNCT", DOGS),
    "joint": sentences(
        "cat/NOUN slept/VERB Dogs/NOUN ran/VERB", "cat/NOUN slept/VERB", "Dogs/NOUN ran/VERB"
    ),
    "fragments": parsed(
        flat(f"{CAT} and/CCONJ {DOGS}"), tree("cat/NOUN/nsubj/2 sleeping/VERB~/root/0"), flat(DOGS)
    ),
    "tags": sentences(f"(FR)/X {CAT} and/CCONJ {DOGS}", CAT, DOGS),
    "language": sentences(f"{CAT} and/CCONJ {DOGS} und/X nicht/X", CAT, DOGS),
    "untranslated": sentences(f"{CAT} und/CCONJ {DOGS}", CAT, DOGS),
    "repetition": sentences(f"{CAT} and/CCONJ {DOGS} ran/VERB ran/VERB ran/VERB", CAT, DOGS),
    "copies": sentences(f"{CAT} and/CCONJ {DOGS}", f"{CAT} {DOGS}", DOGS),
    "content_overlap": sentences(
        f"{CAT} and/CCONJ the/DET {DOGS}", CAT, "the/DET birds/NOUN sang/VERB and/CCONJ"
    ),
    "uncovered": sentences(
        f"big/ADJ {CAT} here/ADV while/SCONJ {DOGS} home/ADV quite/ADV fast/ADV today/ADV",
        f"big/ADJ {CAT} here/ADV",
        "it/PRON slept/VERB here/ADV",
    ),
    "truncated": sentences(
        f"{CAT} far/ADV through/ADP the/DET garden/NOUN and/CCONJ the/DET {DOGS}",
        f"{CAT} the/DET",
        DOGS,
    ),
    "numbers": sentences(f"{CAT} 1/NUM 2/NUM {DOGS}", f"{CAT} 3/NUM", f"{DOGS} 4/NUM"),
    "names": sentences(
        f"{CAT} Anna/PROPN Paul/PROPN Zoe/PROPN {DOGS}",
        f"{CAT} Maria/PROPN Peter/PROPN",
        f"{DOGS} Kim/PROPN",
    ),
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[ParsedPair]:
    """Pairs that BERTScore is asked about; it finds all of them worth 0.34, too little, and their halves worth 0.9."""
    seen: list[ParsedPair] = []

    def scores_by_name(
        _: BertscoreFilter, pairs: Sequence[ParsedPair], runtime: Runtime
    ) -> list[dict[str, float]]:
        seen.extend(pairs)
        return [{"score": 0.34, "recall": 0.5} for _ in pairs]

    monkeypatch.setattr(BertscoreFilter, "PARTS", ("recall",))
    monkeypatch.setattr(MeaningFilter, "PARTS", ())
    monkeypatch.setattr(BertscoreFilter, "scores_by_name", scores_by_name)
    monkeypatch.setattr(
        MeaningFilter, "scores_by_name", lambda _, pairs, runtime: [{"score": 0.9} for _ in pairs]
    )
    return seen


def test_names_order_and_defaults_are_the_golden_ones() -> None:
    """The golden file is `Filters().model_dump_json(indent=1)`: a change of it makes all users judge anew."""
    assert Filters().model_dump(mode="json") == json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert list(Filters().model_dump()) == list(json.loads(GOLDEN.read_text(encoding="utf-8")))


LIMITS: dict[str, tuple[list[float], list[float]]] = {
    "pasted": ([0], [1]), "components": ([0, 1], [2]), "verbs": ([1, 2], [0]), "overlap": ([0.25, 1], [0.2499]),
    "length": ([0.5, 1.7], [0, 0.49, 1.71]), "final_punctuation": ([0], [1]), "joint": ([0], [1]),
    "fragments": ([0], [1]), "tags": ([0], [1]),
    "language": ([0, 0.08], [0.09]), "untranslated": ([0], [1]), "invented": ([0], [1]), "repetition": ([0, 2], [3]),
    "copies": ([0.9], [0.91]), "content_overlap": ([0.15], [0.14]),
    "uncovered": ([0, 1], [2]), "truncated": ([-9, 4.4], [4.5]), "numbers": ([0], [1]), "names": ([0, 1], [2]),
    "confidence": ([0, 1], []),
    "bertscore": ([0.35, 1], [0.349999]), "meaning": ([0.3], [0.29]), "entailment": ([-1, 1], []),
    "judge": ([0.5, 1], [0]),
}  # fmt: skip
"""Scores that each filter accepts and rejects by default."""


@pytest.mark.parametrize("name", LIMITS)
def test_a_score_at_the_threshold_passes(name: str) -> None:
    accepts, (passing, failing) = getattr(FilterSettings(), name).accepts, LIMITS[name]
    assert all(map(accepts, passing)) and not any(map(accepts, failing))


def test_every_filter_has_limits_and_extreme_sentences_never_pass() -> None:
    assert LIMITS.keys() == FilterSettings.model_fields.keys()
    assert not LengthFilter(min_ratio=0).accepts(0)


def test_thresholds_are_those_in_effect_also_where_they_were_measured() -> None:
    thresholds = Filters().thresholds()
    assert thresholds["length"] == {"min_ratio": 0.5, "max_ratio": 1.7}
    assert thresholds["bertscore"] == {"min_score": FilterSettings().bertscore.threshold}
    assert 0 < thresholds["meaning"]["min_similarity"] < 1
    assert thresholds["confidence"] == {}  # known when the build has been translated


def test_presets_run_their_filters_in_order() -> None:
    assert list(Filters(preset="paper").active()) == PAPER
    assert list(Filters(preset="strict").active()) == STRICT
    assert Filters().active() == Filters(preset="strict").active()
    assert list(Filters(preset="rules").active()) == [
        name for name in STRICT if name not in ("bertscore", "meaning")
    ]
    on = Filters.model_validate(
        {"preset": "paper", "advanced": {"entailment": {"model": "somewhere"}}}
    )
    assert list(on.active()) == [*PAPER, "entailment"]


@pytest.mark.parametrize("name", sorted(BAD.keys() - {"content_overlap"}))
def test_a_rejected_pair_names_its_filter_and_is_not_compared(
    name: str, asked: list[ParsedPair], runtime: Runtime
) -> None:
    filters = Filters(preset="strict")
    (scored,) = filters.score([BAD[name]], runtime)
    assert filters.verdict(scored) == name
    assert "bertscore" not in scored.scores
    assert asked == []


def test_model_based_filters_see_survivors_only_and_order_is_kept(
    asked: list[ParsedPair], runtime: Runtime
) -> None:
    pairs = [BAD["verbs"], GOOD, BAD["overlap"], GOOD]
    scored = Filters(preset="paper").score(pairs, runtime)
    assert [one.parsed for one in scored] == pairs
    assert asked == [GOOD, GOOD]
    assert scored[1].scores == {
        "pasted": 0, "components": 1, "verbs": 1, "overlap": 1.0, "bertscore": 0.34, "bertscore.recall": 0.5,
    }  # fmt: skip
    assert [Filters().verdict(one) for one in scored] == [
        "verbs",
        "bertscore",
        "overlap",
        "bertscore",
    ]


def test_filters_with_one_encoder_encode_a_text_once(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sentences(f"the/DET {DOGS} and/CCONJ {CAT}", DOGS, CAT)
    Filters().score([other], runtime)  # loads and checks the encoder
    encode, encoded = Encoder._encode_pack, list[int]()

    def counted(self: Encoder, texts: Sequence[Sequence[int]]) -> list[object]:
        encoded.extend(map(len, texts))
        return encode(self, texts)

    monkeypatch.setattr(Encoder, "_encode_pack", counted)
    (scored,) = Filters().score([GOOD], runtime)
    assert {"bertscore", "meaning"} <= scored.scores.keys()
    assert len(encoded) == 4  # long, both halves together, each half


def test_the_first_filter_in_order_rejects() -> None:
    both = ScoredPair(parsed=GOOD, scores={"overlap": 0.1, "verbs": 0.0})
    assert Filters().verdict(both) == "verbs"


def test_a_strict_score_does_not_reject_under_the_papers_preset() -> None:
    scored = ScoredPair(parsed=GOOD, scores={"copies": 1.0})
    assert [Filters(preset=preset).verdict(scored) for preset in ("paper", "strict")] == [
        None,
        "copies",
    ]


def test_only_model_based_thresholds_leave_the_scoring_key_alone() -> None:
    key = Filters().scoring_key()
    assert (
        Filters(
            advanced=FilterSettings(
                bertscore=BertscoreFilter(min_score=0.9), meaning=MeaningFilter(min_similarity=0.9)
            )
        ).scoring_key()
        == key
    )
    for changed in (
        Filters(advanced=FilterSettings(bertscore=BertscoreFilter(length_penalty=0.5))),
        Filters(advanced=FilterSettings(overlap=OverlapFilter(min_overlap=0.3))),
        Filters(advanced=FilterSettings(verbs=VerbsFilter(min_verbs=2))),
        Filters(preset="paper"),
    ):
        assert changed.scoring_key() != key
    json.dumps(key)


def test_the_signature_names_every_filter_that_runs(runtime: Runtime) -> None:
    signature = Filters().signature(runtime)
    assert list(signature) == list(Filters().active())
    assert (
        signature["length"] == "length"
        and signature["numbers"] == f"numbers {NumbersFilter.VERSION}"
    )
    assert signature["bertscore"].startswith("bertscore all-MiniLM-L6-v2 ")


WORDS = st.lists(
    st.sampled_from(["cat/NOUN", "slept/VERB", "a.b/X", "ab.cd/X", "./PUNCT", "the/DET"]),
    min_size=1,
    max_size=6,
)


@given(st.tuples(WORDS, WORDS, WORDS), st.sampled_from(["paper", "strict"]))
def test_every_pair_gets_a_verdict(
    sides: tuple[list[str], list[str], list[str]], preset: str
) -> None:
    filters = Filters.model_validate(
        {"preset": preset, "advanced": {"bertscore": {"min_score": -1}}}
    )
    one = parsed(*(flat(" ".join(words)) for words in sides))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BertscoreFilter, "PARTS", ())
        patch.setattr(MeaningFilter, "PARTS", ())
        patch.setattr(
            BertscoreFilter,
            "scores_by_name",
            lambda _, pairs, runtime: [{"score": 0.0} for _ in pairs],
        )
        patch.setattr(
            MeaningFilter,
            "scores_by_name",
            lambda _, pairs, runtime: [{"score": 0.9} for _ in pairs],
        )
        (scored,) = filters.score(
            [one], Runtime(device="cpu", threads=1, store=lambda _: pytest.fail("opened"))
        )
    verdict = filters.verdict(scored)
    assert verdict is None or verdict in filters.active()
    assert ("bertscore" in scored.scores) == (verdict is None)


@pytest.mark.parametrize("name", ["good", *BAD])
def test_rule_filters_that_share_a_view_score_as_each_alone(name: str) -> None:
    pair = BAD.get(name, GOOD)
    rules = {name: one for name, one in Filters().active().items() if isinstance(one, RuleFilter)}
    alone = {
        name: score for name, one in rules.items() if (score := one.score([pair])[0]) is not None
    }
    assert Filters().rule_scores([pair]) == [alone]
    unmeasured = {"invented", "confidence", "bertscore", "meaning"}  # of existing pairs
    assert list(alone) == [name for name in STRICT if name not in unmeasured]


@pytest.mark.parametrize(
    ("similarity", "verdict"), [(0.35, None), (0.34, "content_overlap"), (None, "content_overlap")]
)
def test_meaning_decides_on_few_shared_words(
    similarity: float | None, verdict: str | None, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None: a preset without `meaning`."""
    monkeypatch.setattr(
        BertscoreFilter,
        "scores_by_name",
        lambda _, pairs, runtime: [
            {"score": 0.9, **dict.fromkeys(BertscoreFilter.PARTS, 0)} for _ in pairs
        ],
    )
    monkeypatch.setattr(
        MeaningFilter,
        "scores_by_name",
        lambda _, pairs, runtime: [
            {"score": similarity, **dict.fromkeys(MeaningFilter.PARTS, 0)} for _ in pairs
        ],
    )
    filters = Filters(preset="rules" if similarity is None else "strict")
    (scored,) = filters.score([BAD["content_overlap"]], runtime)
    assert filters.verdict(scored) == verdict
    assert ("bertscore" in scored.scores) == (similarity is not None)


def test_a_setting_in_the_place_of_a_filter_is_refused_with_its_filter() -> None:
    with pytest.raises(ValidationError, match=r"write numbers\.max_changed"):
        Filters.model_validate({"advanced": {"max_changed": 0}})


UNUSED: list[tuple[str, dict[str, Any]]] = [
    ("rules", {"judge": {"model": "m"}}),
    ("rules", {"entailment": {"model": "m"}}),
    ("rules", {"bertscore": {"min_score": 0.5}}),
    ("rules", {"meaning": {"min_similarity": 0.5}}),
    ("paper", {"meaning": {"min_similarity": 0.5}}),
    ("paper", {"length": {"shortest": 3}}),
]
"""Settings of a filter that the preset does not have."""


@pytest.mark.parametrize(("preset", "advanced"), UNUSED)
def test_settings_of_a_filter_that_does_not_run_are_refused(
    preset: str, advanced: dict[str, Any]
) -> None:
    (name,) = advanced
    with pytest.raises(ValidationError, match=rf"advanced\.{name} is set, but .* {preset!r}"):
        Filters.model_validate({"preset": preset, "advanced": advanced})
    chosen = Filters.model_validate({"preset": "checked", "advanced": advanced})
    assert name in chosen.active()


def test_settings_of_a_filter_that_is_off_wait_for_its_model() -> None:
    advanced = {"entailment": {"min_margin": 0.5}, "judge": {"min_grade": 1}}
    chosen = Filters.model_validate({"preset": "strict", "advanced": advanced})
    assert chosen.active().keys().isdisjoint(advanced)


def test_all_problems_of_a_form_are_named_at_once() -> None:
    from bitext_pivot.flows.pivot_settings import PivotBitext

    advanced = {
        "judge": {"model": "", "min_grade": 2},
        "bertscore": {"model": "other"},
        "meaning": {"layer": 3},
        "numbers": {"max_changed": -1},
    }
    form = {"filters": {"advanced": advanced}, "translation": {"engine": "endpoint"}}
    with pytest.raises(ValidationError) as refused:
        PivotBitext.model_validate(form)
    places = [line.partition(": ")[0] for line in refused_values.problems(refused.value)]
    assert sorted(places) == [
        "filters.advanced.bertscore",
        "filters.advanced.judge.min_grade",
        "filters.advanced.judge.model",
        "filters.advanced.meaning",
        "filters.advanced.numbers.max_changed",
        "translation",
    ]
