"""The inspector's page: which pairs it has, and that no text of a corpus is read as HTML."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from typing import Any

import pytest
from factories import judged
from hypothesis import given
from hypothesis import strategies as st
from inspected import DRAWN, FUSED, HOSTILE, LABELLED, RECIPES, UNTRANSLATED, drawn, replace_pair

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.corpus.inspector import page
from bitext_pivot.corpus.recipe import RowView
from bitext_pivot.corpus.recipes.bisect import inspector_columns, row
from bitext_pivot.discourse.recipes import explicitation
from bitext_pivot.discourse.recipes.discofuse import DISCOFUSE
from bitext_pivot.discourse.recipes.discovery import DISCOVERY


def many(kept: int, rejected: int) -> list[JudgedPair]:
    reasons = [None] * kept + ["overlap"] * rejected
    return [
        judged(number, "It rained .", "It .", "So .", reason)
        for number, reason in enumerate(reasons)
    ]


@pytest.mark.parametrize(("view", "records"), RECIPES)
def test_a_row_of_any_recipe_has_what_the_page_reads(view: RowView, records: list[Any]) -> None:
    for record in records:
        row = json.loads(json.dumps(view.row(record)))
        assert row["id"] in {"a.txt:1", "b"} or row["id"].startswith("C/v1/en/a.txt:")
        assert [type(row[name]) for name in ("long", "split", "foreign", "scores")] == [
            str,
            list,
            list,
            dict,
        ]
        assert [type(text) for text in (*row["split"], *row["foreign"])] == [str] * (
            2 + len(row["foreign"])
        )
        assert {type(row[name]) for name in (*view.facets, *view.labels)} == {str}
        assert {
            "corpus",
            "release",
            "licence",
            "document",
            "sentence_ids",
            "language",
        } <= row.keys()


@pytest.mark.parametrize(
    ("view", "record", "long", "split"),
    [
        (DISCOFUSE.view, FUSED, "It rained , but we left .", ["It rained .", "We left ."]),
        (
            DISCOVERY.view,
            DRAWN,
            "The bus was late. In fact, it never came.",
            ["The bus was late.", "It never came."],
        ),
        (
            explicitation.explicitation_recipe(["2-votes"]).view,
            LABELLED,
            "It rained. We left.",
            ["It rained.", "But we left."],
        ),
        (
            explicitation.explicitation_recipe(["2-votes"]).view,
            UNTRANSLATED,
            "It rained. We left.",
            ["", ""],
        ),
    ],
)
def test_the_texts_side_by_side(view: RowView, record: Any, long: str, split: list[str]) -> None:
    row = view.row(record)
    assert (row["long"], row["split"]) == (long, split)


def ids(sample: page.InspectorSample) -> list[str]:
    return [json.loads(text)["id"] for text in sample.rows]


@pytest.mark.parametrize(("kept", "rejected", "expected"), [
    (3, 2, (3, 2)),
    (10, 0, (10, 0)),
    (50, 0, (10, 0)),
    (50, 2, (8, 2)),
    (2, 50, (2, 8)),
    (50, 50, (5, 5)),
])  # fmt: skip
def test_verdicts_share_the_places_of_the_inspector(
    kept: int, rejected: int, expected: tuple[int, int]
) -> None:
    verdicts = [json.loads(text)["rejected_by"] for text in drawn(many(kept, rejected), 10).rows]
    assert (verdicts.count(None), verdicts.count("overlap")) == expected


@given(st.permutations(many(14, 9)), st.sampled_from([2, 6, 10, 22, 40]))
def test_the_order_of_a_build_does_not_matter(pairs: list[JudgedPair], limit: int) -> None:
    sample = drawn(pairs, limit)
    assert sorted(ids(sample)) == sorted(ids(drawn(many(14, 9), limit)))
    # The rows are in the order of the build.
    assert ids(sample) == [judged.pair.id for judged in pairs if judged.pair.id in ids(sample)]


def test_the_note_counts_the_pairs_drawn_and_all() -> None:
    assert drawn(many(3, 2), 10).note() == "It contains all 5 pairs, kept and rejected."
    expected = "It contains a sample, which is the same in every build: 8 of 50 kept and 2 of 2 rejected pairs."
    assert drawn(many(50, 2), 10).note() == expected


def test_a_row_has_the_source_and_the_split_in_characters() -> None:
    pair = judged(7, "It rained , so we stayed .", "It rained .", "We stayed .")
    found = inspector_columns(pair)
    assert (found["foreign"], found["split_at"], found["scores"]["overlap"]) == (
        ["Un.", "Deux."],
        10,
        0.5123,
    )
    without = row(replace_pair(pair, alignment=None))
    assert (without["foreign"], without["corpus"], without["licence"]) == ([], None, None)
    assert row(replace_pair(pair, language="fr", pivot="en"))["foreign"] == [
        "It rained , so we stayed ."
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_reach_the_page_whole_and_none_is_html(text: str) -> None:
    pair = replace_pair(judged(1, "a b c", "a", "b"), long=text, split=(text, text))
    html = page.inspector_page(
        f"fr-en: {text}".encode("utf-8", "replace").decode(), drawn([pair], 10), {}
    )
    data = re.search(r'id="data">([A-Za-z0-9+/=]*)</script>', html)
    assert data is not None
    (found,) = json.loads(zlib.decompress(base64.b64decode(data[1])))["pairs"]
    assert found["long"] == text
    assert found["split"] == [text, text]
    tags = Tags()
    tags.feed(html)
    assert tags.scripts == 2  # the data and the page's own
    assert "img" not in tags.names


class Tags(HTMLParser):
    """The names of all elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.append(tag)

    @property
    def scripts(self) -> int:
        return self.names.count("script")


def test_equal_pairs_give_equal_bytes_and_the_page_loads_nothing() -> None:
    first, second = (page.inspector_page("fr-en", drawn(many(3, 2), 10), {}) for _ in range(2))
    assert first == second
    assert (
        re.findall(
            r'(?:src|href|url)\s*=\s*"|url\(|@import|https?://(?!www\.w3\.org/2000/svg)', first
        )
        == []
    )
