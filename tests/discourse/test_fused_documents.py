"""Fused pairs of documents: which texts are neighbours, what is rejected, which control pairs are drawn."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from factories import source

from bitext_pivot.core.records import FusedPair, ParsedSentence, Sentence
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.coreference import resolve_persons
from bitext_pivot.discourse.fusion.fused_documents import FusionSettings, unfuse_documents
from bitext_pivot.syntax.parsing import SpacyPipeline, parse_sentences

MODEL = Path(__file__).parents[2] / "quickstart/models/spacy-en-ud"
pytestmark = pytest.mark.quickstart


def parsed(pipeline: SpacyPipeline, *rows: tuple[str, int, int, str]) -> list[ParsedSentence]:
    """Sentences by document, paragraph, position and text."""
    sentences = [
        Sentence(
            id=f"Days/v1/en/{document}:{position}", source=source("Days", document), language="en",
            paragraph=paragraph, position=position, text=text,
        )
        for document, paragraph, position, text in rows
    ]  # fmt: skip
    return parse_sentences(sentences, pipeline)[0]


def run(sentences: list[ParsedSentence], **settings: Any) -> tuple[list[FusedPair], Counter[str]]:
    skips = Counter[str]()
    return list(
        unfuse_documents(sentences, FusionSettings(**settings), resolve_persons, skips)
    ), skips


def test_the_coreference_is_the_profiles_unless_one_is_chosen() -> None:
    assert [FusionSettings(profile=profile).backend for profile in ("strict", "faithful")] == [
        "rules",
        "subjects",
    ]
    assert FusionSettings(profile="faithful", coreference="none").backend == "none"


PLAIN = "The shop in our street is small ."


@pytest.mark.parametrize(
    ("place", "in_document", "in_paragraph"),
    [
        (("a", 1, 2), True, True),
        (("b", 1, 2), False, False),
        (("a", 2, 2), True, False),
        (("a", 1, 3), False, False),  # a sentence between the two was skipped
    ],
)
def test_neighbours_follow_each_other(
    pipeline: SpacyPipeline, place: tuple[str, int, int], in_document: bool, in_paragraph: bool
) -> None:
    sentences = parsed(pipeline, ("a", 1, 1, PLAIN), (*place, "However , the prices are low ."))
    for neighbours, expected in (("document", in_document), ("paragraph", in_paragraph)):
        pairs, skips = run(sentences, controls=1, neighbours=neighbours)
        assert [pair.id for pair in pairs] == ["Days/v1/en/a:1-2"] * expected
        assert skips == {"sentence without a phenomenon": 2}


def test_a_pair_has_text_sentences_and_source(pipeline: SpacyPipeline) -> None:
    (pair,), _ = run(parsed(pipeline, ("a", 1, 4, "We stayed at home because it rained again .")))
    assert pair == FusedPair(
        id="Days/v1/en/a:4", language="en", discourse_type="SINGLE_CONN_INNER", connective="because",
        has_pronoun=False, text=("We stayed at home because it rained again .",),
        first="We stayed at home .", second="It rained again .",
        source=source("Days", "a"), positions=(4,),
        rejected_by=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "settings", "reason"),
    [
        ("We left because it rained .", {}, "length of the text"),
        ("We stayed at home because it rained .", {"shortest": 8, "longest": 8}, None),
        ("We stayed at home because it rained .", {"shortest": 9}, "length of the text"),
        ("We stayed at home because it rained .", {"longest": 7}, "length of the text"),
        (
            "We stayed at the café because it rained .",
            {"is_ascii": True},
            "characters outside ASCII",
        ),
        ("We stayed at the café because it rained .", {}, None),
        ("The agreement , which was signed in May , will last for two years .", {}, None),
        ("Did you stay at home because it rained ?", {}, "question"),
    ],
)
def test_what_must_not_be_used_is_kept_with_its_reason(
    pipeline: SpacyPipeline, text: str, settings: dict[str, Any], reason: str | None
) -> None:
    (pair,), skips = run(parsed(pipeline, ("a", 1, 1, text)), **settings)
    assert pair.rejected_by == reason
    assert skips == {}


def test_a_shard_counts_what_gives_nothing(
    pipeline: SpacyPipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.discourse.tasks.unfuse import unfuse_stage
    from bitext_pivot.tasks.run.stages import build_shard

    shard = tmp_path / "parsed-0" / "Days-v1-00000.parquet"
    sentences = parsed(
        pipeline, ("a", 1, 1, PLAIN), ("a", 1, 2, "We stayed at home because it rained again .")
    )
    shards.write(shard, ParsedSentence, sentences, {"skips": {}, "before": {}})
    path: Any = build_shard(shard, partial(unfuse_stage, FusionSettings(controls=0), "en")).output
    assert [pair.id for pair in shards.read(path, FusedPair)] == ["Days/v1/en/a:2"]
    assert shards.read_manifest(path)["skips"] == {
        "control pair not drawn": 1,
        "sentence without a phenomenon": 1,
    }
