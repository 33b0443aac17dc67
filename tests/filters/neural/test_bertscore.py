"""BERTScore: the two modes, the penalty, IDF, rescaling, the store; what is refused."""

import importlib.metadata
import math
from pathlib import Path
from typing import Any

import encoders as encoders_on_disk
import pytest
from factories import unparsed
from messages import Golden
from pydantic import ValidationError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.filters.base import Runtime, pair_key
from bitext_pivot.filters.neural import bertscore
from bitext_pivot.filters.neural.bertscore import BertscoreFilter
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.neural.encoder_filter import ENCODERS

MINILM = "all-MiniLM-L6-v2"
PACKAGE = f"bert_score-{importlib.metadata.version('bert_score')}"
TRIPLES = [
    ("We left early and they came .", "We left early .", "They came ."),
    (
        "The baker , who is old , opened the window .",
        "The baker is old .",
        "He opened the window .",
    ),
    (
        "Although it rained , my sister sold 3 tickets .",
        "It rained .",
        "But my sister sold three tickets .",
    ),
    (
        "He forgot the naïve plan to go to Łódź .",
        "He had a naïve plan .",
        "It was to go to Łódź ; he forgot it .",
    ),
]
PAIRS = [unparsed(*triple) for triple in TRIPLES]
NUMBERS = ("precision", "recall", "f1")


def package(layers: int = 6, **options: Any) -> list[list[float]]:
    """Precision, recall and F of the four pairs as bert_score has them, a list each."""
    from bert_score import BERTScorer

    scorer = BERTScorer(
        model_type=str(fetch_checkpoint(MINILM, 6).folder),
        num_layers=layers,
        device="cpu",
        **options,
    )
    columns = scorer.score(
        [one for one, _, _ in TRIPLES], [f"{two} {three}" for _, two, three in TRIPLES]
    )
    return [column.tolist() for column in columns]


def ours(runtime: Runtime, **settings: Any) -> list[list[float]]:
    """The same of the filter."""
    found = BertscoreFilter(**settings).scores_by_name(PAIRS, runtime)
    return [[parts[name] for parts in found] for name in NUMBERS]


def near(expected: list[list[float]], *, within: float) -> list[Any]:
    return [pytest.approx(column, abs=within) for column in expected]


@pytest.mark.parametrize(
    ("halves", "ratio"), [(("a b c", "d e f"), 1.5), (("a", "b"), 0.5), (("a b", "c d"), 1.0)]
)
def test_the_penalty_is_that_of_the_formula(
    halves: tuple[str, str], ratio: float, runtime: Runtime
) -> None:
    (parts,) = BertscoreFilter(length_penalty=2).scores_by_name(
        [unparsed("a b c d", *halves)], runtime
    )
    assert parts.keys() == {"score", *BertscoreFilter.PARTS}
    assert parts["ratio"] == ratio
    assert parts["penalty"] == pytest.approx(math.exp(-2 * abs(1 - ratio)), abs=1e-6)
    assert parts["score"] == pytest.approx(parts["f1"] * parts["penalty"], abs=2e-6)
    assert parts["f1"] == pytest.approx(
        2 / (1 / parts["precision"] + 1 / parts["recall"]), abs=2e-6
    )


def test_the_two_sides_are_long_and_the_joined_halves(runtime: Runtime) -> None:
    (parts,) = BertscoreFilter().scores_by_name(
        [unparsed("We left and they came .", "We left .", "They came .")], runtime
    )
    (other,) = BertscoreFilter().scores_by_name(
        [unparsed("We left . They came .", "We left and", "they came .")], runtime
    )
    assert (parts["precision"], parts["recall"]) == (other["recall"], other["precision"])
    keys = {pair_key(unparsed("a b c", *halves)) for halves in (("a b", "c"), ("a", "b c"))}
    assert len(keys) == 2  # halves cut elsewhere are another pair
    assert {bertscore.compared_texts(key) for key in keys} == {("a b c", "a b c")}


def test_the_reference_has_the_numbers_of_the_package(runtime: Runtime) -> None:
    assert ours(runtime, mode="reference") == near(package(), within=1e-6)


def test_other_code_of_the_process_gets_the_models_that_it_names(runtime: Runtime) -> None:
    assert ours(runtime, mode="reference") != near(package(layers=2), within=0.01)


def test_fast_is_near_them(new_processor: None, runtime: Runtime) -> None:
    found = ours(runtime)
    assert found == near(package(), within=2e-3)
    assert found != near(package(), within=1e-6)


def test_without_bfloat16_fast_is_near_the_reference(old_processor: None, runtime: Runtime) -> None:
    assert ours(runtime) == near(ours(runtime, mode="reference"), within=1e-6)
    assert " fast float32 " in BertscoreFilter().signature(runtime)


def test_a_reference_score_does_not_depend_on_the_other_pairs(runtime: Runtime) -> None:
    pairs = [
        *PAIRS,
        unparsed("Rain .", "\u200b", "\u200b"),
        unparsed("The stock fell .", "Cats sleep .", "She sings ."),
    ]
    together = BertscoreFilter(mode="reference").scores_by_name(pairs, runtime)
    alone = [
        BertscoreFilter(mode="reference").compare([pair_key(one)], "en", runtime)[0]
        for one in pairs
    ]
    assert [[parts[name] for name in NUMBERS] for parts in together] == alone
    assert together[4]["score"] == 0


def test_the_signature_says_what_computes(new_processor: None, runtime: Runtime) -> None:
    import torch

    digest = fetch_checkpoint(MINILM, 6).digest
    version = "torch-" + ".".join(torch.__version__.split(".")[:2])
    assert (
        BertscoreFilter().signature(runtime)
        == f"bertscore {MINILM} {digest} layer=6 fast bfloat16 {version}"
    )
    reference = BertscoreFilter(mode="reference")
    assert (
        reference.signature(runtime)
        == f"bertscore {MINILM} {digest} layer=6 reference float32 {version} {PACKAGE}"
    )
    assert reference.citation(runtime) == f"{reference.signature(runtime)} lambda=1 threshold=0.35"
    assert BertscoreFilter(min_score=0.9, length_penalty=0).signature(
        runtime
    ) == BertscoreFilter().signature(runtime)


@pytest.fixture
def references(tmp_path: Path) -> Path:
    path = tmp_path / "references.txt"
    path.write_text(
        "\n".join(f"{two} {three}" for _, two, three in TRIPLES) + "\n\n", encoding="utf-8"
    )
    return path


def test_idf_is_that_of_the_package_over_the_references(references: Path, runtime: Runtime) -> None:
    expected = package(
        idf=True, idf_sents=references.read_text(encoding="utf-8").split("\n")[:4], nthreads=0
    )
    assert ours(runtime, mode="reference", idf=references, min_score=0.4) == near(
        expected, within=1e-6
    )
    assert expected != near(package(), within=1e-2)


def test_a_changed_idf_file_changes_signature_and_scores(
    references: Path, runtime: Runtime
) -> None:
    one = BertscoreFilter(mode="reference", idf=references, min_score=0.4)
    before, scores = one.signature(runtime), one.score(PAIRS, runtime)
    copy = references.with_name("copy.txt")
    copy.write_text(references.read_text(encoding="utf-8"), encoding="utf-8")
    assert BertscoreFilter(mode="reference", idf=copy, min_score=0.4).signature(runtime) == before
    references.write_text("They came .\nThey left early .\n", encoding="utf-8")
    assert one.signature(runtime) != before
    assert one.score(PAIRS, runtime) != scores


@pytest.mark.parametrize("contents", [None, b"\xff\xfe", b" \n\n"])
def test_a_file_without_references_is_refused(
    tmp_path: Path, contents: bytes | None, runtime: Runtime, golden: Golden
) -> None:
    path = tmp_path / "idf.txt"
    if contents is not None:
        path.write_bytes(contents)
    with golden.refused(SettingsError):
        BertscoreFilter(mode="reference", idf=path, min_score=0.4).signature(runtime)


def test_a_model_without_a_baseline_in_the_package_is_refused(runtime: Runtime) -> None:
    one = BertscoreFilter(mode="reference", rescale=True, min_score=0.2)
    assert one.signature(runtime).endswith(" rescale=shipped")
    with pytest.raises(SettingsError, match=r"no baseline for layer 6 of 'all-.*`rescale` off"):
        one.load("en", runtime)


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
def test_the_shipped_baseline_is_that_of_the_language(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "bert-base-uncased"  # a small model under a name that the package knows
    encoders_on_disk.bert(folder)
    monkeypatch.chdir(tmp_path)
    settings = {"model": folder.name, "layer": 6, "mode": "reference", "min_score": 0.2}
    plain = ours(runtime, **settings)
    assert all(map(float.__lt__, ours(runtime, **settings, rescale=True)[2], plain[2]))
    with pytest.raises(SettingsError, match="no baseline for layer 6"):
        BertscoreFilter(**settings, rescale=True).load("xx", runtime)


def rescaled(path: Path) -> dict[str, Any]:
    return {"mode": "reference", "rescale": True, "baseline": path, "min_score": 0.1}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    rows = "".join(f"{layer},.1{layer},.2{layer},.7{layer}\n" for layer in range(7))
    path.write_text("LAYER,P,R,F\n" + rows, encoding="utf-8")
    return path


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
def test_rescaling_by_a_file_is_that_of_the_package(table: Path, runtime: Runtime) -> None:
    expected = package(rescale_with_baseline=True, lang="en", baseline_path=str(table))
    assert ours(runtime, **rescaled(table)) == near(expected, within=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "LAYER,P,R\n" + "0,1,1\n" * 7,
        "LAYER,P,R,F\n" + "0,x,1,1\n" * 7,
        "LAYER,P,R,F\n0,1,1,1\n",
    ],
)
def test_another_table_is_refused(text: str, table: Path, runtime: Runtime) -> None:
    table.write_text(text, encoding="utf-8")
    with pytest.raises(
        SettingsError, match=r"table\.csv' has no baseline for layer 6.*LAYER,P,R,F"
    ):
        BertscoreFilter(**rescaled(table)).load("en", runtime)


def test_a_missing_or_changed_baseline_shows_in_the_signature(
    table: Path, runtime: Runtime
) -> None:
    one = BertscoreFilter(**rescaled(table))
    before = one.signature(runtime)
    assert before.startswith(BertscoreFilter(mode="reference").signature(runtime) + " rescale=")
    table.write_text(table.read_text(encoding="utf-8") + "7,.1,.1,.1\n", encoding="utf-8")
    assert one.signature(runtime) != before
    table.unlink()
    with pytest.raises(SettingsError, match=r"table\.csv cannot be read .*`baseline`"):
        one.signature(runtime)


NEEDS_REFERENCE = r"`mode` is 'fast', which supports neither IDF nor resc.*Set `mode` to ref"
NO_THRESHOLD = "There is no measured threshold for the encoder"
REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"mode": "reference", "baseline": "t.csv", "min_score": 0.1},
        "`baseline` is 't.csv', but `rescale` is off",
    ),
    ({"idf": "references.txt", "min_score": 0.1}, NEEDS_REFERENCE),
    ({"rescale": True, "baseline": "table.csv", "min_score": 0.1}, NEEDS_REFERENCE),
    (
        {"model": "other", "min_score": 0.4},
        r"no default layer for the encoder 'other'\. Set `layer`, or choose",
    ),
    (
        {"model": "other", "layer": 3},
        "no measured threshold .*'other'.*Set `min_score`. To measure .*calibrate_encoder.py PAIRS.* --layer 3",
    ),
    ({"model": "roberta-large"}, NO_THRESHOLD),
    ({"layer": 3}, NO_THRESHOLD),
    ({"model": "bert-base-uncased", "rescale": True}, NO_THRESHOLD),
    ({"idf": "references.txt"}, NO_THRESHOLD),
]


@pytest.mark.parametrize(("values", "message"), REFUSED)
def test_settings_that_cannot_work_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        BertscoreFilter.model_validate(values)


def test_each_threshold_says_where_it_comes_from() -> None:
    known = {name: entry for name, entry in ENCODERS.items() if "min_score" in entry}
    assert [name for name, entry in known.items() if not entry.get("calibrated")] == []
    models = (MINILM, f"sentence-transformers/{MINILM}", "bert-base-uncased")
    assert [BertscoreFilter(model=model).threshold for model in models] == [0.35, 0.35, 0.4]
    assert BertscoreFilter(model="other", layer=3, min_score=0.4).compared_layer == 3
