"""The inspector's page in Chromium: searching, counting, links, keys, hostile texts and 50,000 pairs."""

import io
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browsers import MARKS, checked
from factories import judged
from inspected import drawn, replace_pair
from PIL import Image
from playwright import sync_api as playwright

from bitext_pivot.core.records import JudgedPair, ScoredPair
from bitext_pivot.corpus.inspector import page
from bitext_pivot.corpus.recipe import RowView
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.presentation import slider_data
from bitext_pivot.flows import presets
from bitext_pivot.flows.pivot_settings import PivotBitext

pytestmark = MARKS
PAIRS = [
    judged(1, "The dog slept because it was cold .", "The dog slept .", "It was cold ."),
    judged(
        2, "A red CAR came and it stopped .", "A red car came .", "It stopped there .", "overlap"
    ),
    judged(3, "Nous étions là , donc il pleuvait .", "Nous étions là .", "Il pleuvait ."),
    replace(
        judged(4, "The cat ate a red fish .", "The cat ate .", "The fish was red ."),
        construction="gerund",
    ),
]
PICTURES = os.environ.get("BITEXT_PIVOT_SCREENSHOTS")
DEMO = Path("demo/fr-en/latest/inspector.html")
LIMITS = {
    "overlap": {"min_share": 0.25, "max_share": 0.5},
    "bertscore": {"min_score": 0.4},
}
Open = Callable[..., playwright.Page]


@pytest.fixture
def show(launched: playwright.Browser, tmp_path: Path) -> Iterator[Open]:
    """Write the page of some pairs, open it at a fragment, and fail on any error or dialog of its script."""
    with checked(launched, "file:", "data:", viewport={"width": 1400, "height": 800}) as context:

        def open_page(
            pairs: list[Any] | page.InspectorSample,
            fragment: str = "",
            title: str = "fr-en: Everyday/v1",
            view: RowView = BISECT.view,
            limits: dict[str, dict[str, float]] = LIMITS,
        ) -> playwright.Page:
            sample = (
                pairs if isinstance(pairs, page.InspectorSample) else drawn(pairs, page.LIMIT, view)
            )
            file = tmp_path / "inspector.html"
            file.write_text(page.inspector_page(title, sample, limits), encoding="utf-8")
            opened = context.new_page()
            opened.goto(f"{file.as_uri()}{fragment}")
            opened.locator(".row").first.wait_for()
            return opened

        yield open_page


def ids(view: playwright.Page) -> set[str]:
    """The numbers of the pairs in the list."""
    return {pair.rpartition(":")[2] for pair in view.evaluate("shown.map(pair => pair.id)")}


FOUND = [
    ("red", "24"), ("red car", "2"), ('"it was"', "1"), ('"was it"', ""), ("red -car", "4"), ("ÉTIONS", "3"),
    ("deux", "1234"), ("en-fr:4", "4"), (".*", ""), ("(", ""), ("", "1234"),
]  # fmt: skip
"""What is searched, and the numbers of the pairs that are found."""


def test_search_finds(show: Open) -> None:
    view = show(PAIRS)
    for query, found in FOUND:
        view.get_by_label("Search").fill(query)
        assert ids(view) == set(found), query
        assert view.get_by_role("status").inner_text() == f"{len(found)} of 4 pairs", query


def test_counts_say_what_a_filter_would_show(show: Open) -> None:
    view = show(PAIRS)
    view.get_by_label("kept 3").check()
    view.get_by_label("Search").fill("red")
    view.get_by_label("rejected 1").check()  # beside one of its own group, a value adds its pairs
    assert ids(view) == {"2", "4"}
    view.get_by_label("gerund 1").check()
    view.get_by_label("other 1").wait_for()
    view.get_by_label("rejected 0").wait_for()
    assert ids(view) == {"4"}
    view.get_by_role("button", name="Clear filters").click()
    assert ids(view) == set("1234")


def test_a_range_of_scores_is_chosen_by_number_or_drawing(show: Open) -> None:
    scores = [
        replace(pair, scored=replace(pair.scored, scores={"overlap": n / 4}))
        for n, pair in enumerate(PAIRS)
    ]
    view = show(scores)
    view.get_by_label("Score", exact=True).select_option("overlap")
    view.get_by_label("from").fill("0.5")
    assert ids(view) == {"3", "4"}
    box = view.locator("#bins").bounding_box()
    assert box is not None
    view.mouse.move(box["x"] + 1, box["y"] + 40)
    view.mouse.down()
    view.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    view.mouse.up()
    assert ids(view) == {"1", "2"}
    view.get_by_label("Order").select_option("-score")
    assert view.locator(".row").first.inner_text().startswith("A red CAR")


def test_the_address_restores_search_filters_and_pair(show: Open) -> None:
    view = show(PAIRS)
    view.get_by_label("Search").fill("red")
    view.get_by_label("kept", exact=False).first.check()
    view.locator(".row").first.click()
    view.wait_for_url(lambda url: "pair=" in url)
    again = show(PAIRS, "#" + view.url.partition("#")[2])
    assert ids(again) == {"4"}
    assert again.get_by_label("Search").input_value() == "red"
    assert again.locator("#pair .id").inner_text() == "Everyday/v1/en-fr:4"


def test_keys(show: Open) -> None:
    view = show(PAIRS)
    current = view.locator("#pair .id")
    for key, number in (("j", 2), ("j", 3), ("k", 2), ("k", 1), ("k", 1)):
        view.keyboard.press(key)
        assert current.inner_text().endswith(f":{number}"), key
    view.keyboard.press("/")
    view.keyboard.type("jk/?")
    assert view.get_by_label("Search").input_value() == "jk/?"
    view.get_by_label("Search").fill("red")
    view.keyboard.press("Escape")
    view.keyboard.press("End")  # the list has the focus
    assert current.inner_text().endswith(":4")
    view.keyboard.press("?")
    view.get_by_role("dialog").wait_for()
    view.keyboard.press("Escape")
    view.get_by_role("dialog").wait_for(state="hidden")


def test_differences_and_the_split_are_marked(show: Open) -> None:
    view = show([PAIRS[3], replace(PAIRS[0], split_at=3)])
    assert view.locator("#pair .moved").all_inner_texts() == ["red", "red"]
    assert view.locator("#pair del").all_inner_texts() == ["a"]
    assert view.locator("#pair ins").all_inner_texts() == ["The", "was"]
    view.keyboard.press("j")
    assert "The dog slept ‖because it was" in view.locator("#pair .sides p").first.inner_text()
    assert view.locator("#pair del").all_inner_texts() == ["because"]


def test_thresholds_stand_beside_scores_and_failing_scores_are_outlined(show: Open) -> None:
    view = show(PAIRS)
    scores = [
        text.replace("\n", " ") for text in view.locator("#pair .scores > div").all_inner_texts()
    ]
    assert scores == ["bertscore 0.9 ≥ 0.4", "overlap 0.5123 not ≥ 0.25, ≤ 0.5"]
    assert view.locator("#pair .scores .reason .link").all_inner_texts() == ["overlap"]


SETTINGS: dict[str, Any] = {
    "pivot": "fr",
    "language": "en",
    "corpora": ["Books/v1"],
    "filters": {"advanced": {"verbs": {"min_verbs": 0}}},
}
STRICT = Filters.model_validate(SETTINGS["filters"])
SLIDERS = replace(
    BISECT.view, sliders=slider_data(STRICT.active(), PivotBitext.model_validate(SETTINGS))
)


def scored(number: int, random: Random) -> JudgedPair:
    """A pair as a build judges it: scores around the thresholds, those of models unless a rule filter rejects it."""
    scores = {name: round(random.uniform(-0.1, 1), 2) for name in ("bertscore", "meaning")}
    rules = {
        "overlap": random.choice([0.24, 0.25, 0.6]), "length": random.choice([0, 0.5, 1.2, 1.7, 1.71]),
        "content_overlap": random.choice([0.1, 0.15, 0.9]), "names": float(random.randint(0, 2)),
    }  # fmt: skip
    pair = judged(number, "a b c", "a", "b")

    def with_scores(scores: dict[str, float]) -> ScoredPair:
        return replace(pair.scored, scores=scores)

    is_scored = STRICT.verdict(with_scores({**rules, "meaning": 1.0})) is None
    result = with_scores({**rules, **scores} if is_scored else rules)
    return replace(pair, scored=result, rejected_by=STRICT.verdict(result))


MOVED: list[dict[str, float]] = [
    {},
    {"overlap.min_overlap": 0.24},
    {"overlap.min_overlap": 0.6},
    {"length.min_ratio": 0},
    {"length.max_ratio": 1.2, "names.max_changed": 2},
    {"content_overlap.min_share": 0.5},
    {"bertscore.min_score": 0.5, "meaning.min_similarity": 0},
]


def test_moved_thresholds_judge_as_the_filters_do(show: Open, tmp_path: Path) -> None:
    """In one page, whose address changes."""
    random = Random(1)
    pairs = [scored(number, random) for number in range(300)]
    view = show(pairs, view=SLIDERS, limits=STRICT.thresholds())
    for changes in MOVED:
        address = "&".join(f"{name}={value}" for name, value in changes.items())
        view.evaluate("address => { location.hash = address; }", address)
        view.wait_for_function("address => state.toString() === address", arg=address)
        settings = copied(view, tmp_path / "build.toml")
        for name, value in changes.items():
            filter_name, setting = name.split(".")
            assert getattr(getattr(settings.filters.advanced, filter_name), setting) == value
        assert (settings.corpora, settings.filters.advanced.verbs.min_verbs) == (["Books/v1"], 0)
        judges_as(settings.filters, view, pairs)


def copied(view: playwright.Page, file: Path) -> PivotBitext:
    """The settings that the page copies as TOML."""
    view.get_by_role("button", name="Copy as TOML").click()
    file.write_text(view.get_by_label("Settings as TOML").input_value(), encoding="utf-8")
    return PivotBitext.model_validate(presets.load(str(file)))


def judges_as(filters: Filters, view: playwright.Page, pairs: list[JudgedPair]) -> None:
    """Assert that the page has the verdicts of the filters, and counts what they change."""
    verdicts = [filters.verdict(pair.scored) for pair in pairs]
    expected = [
        "unknown"
        if now is None and pair.rejected_by and "meaning" not in pair.scored.scores
        else now
        for pair, now in zip(pairs, verdicts, strict=True)
    ]
    assert view.evaluate("pairs.map(pair => pair.rejected_by)") == expected
    both = list(zip(pairs, expected, strict=True))
    new = sum(now is None and pair.rejected_by is not None for pair, now in both)
    lost = sum(pair.rejected_by is None and now not in {None, "unknown"} for pair, now in both)
    assert view.locator("#outcome").inner_text() == (
        f"{expected.count(None)} of the 300 pairs in this page are kept. Newly kept: {new}, newly rejected: {lost}, "
        f"unknown: {expected.count('unknown')}."
    )


def test_a_pair_that_the_judge_has_not_read_is_unknown_behind_moved_thresholds(show: Open) -> None:
    filters = Filters.model_validate({"advanced": {"judge": {"model": "a"}}})
    view = replace(
        BISECT.view, sliders=slider_data(filters.active(), PivotBitext.model_validate(SETTINGS))
    )
    scores: list[dict[str, float]] = [
        {"bertscore": 0.9, "meaning": 0.9, "judge": 1.0},
        {"bertscore": 0.9, "meaning": 0.1},
        {"bertscore": 0.9, "meaning": 0.9, "judge": 0.5},
    ]
    pairs = []
    for number, of_pair in enumerate(scores):
        pair = judged(number, "a b c", "a", "b")
        result = replace(pair.scored, scores=of_pair)
        pairs.append(replace(pair, scored=result, rejected_by=filters.verdict(result)))
    moved = "#meaning.min_similarity=0.1&judge.min_grade=1"
    opened = show(pairs, moved, view=view, limits=filters.thresholds())
    verdicts = opened.evaluate("pairs.map(pair => pair.rejected_by)")
    assert verdicts == [None, "unknown", "judge"]


def test_a_threshold_is_moved_by_keys_shown_filtered_and_reset(show: Open) -> None:
    pairs = [scored(number, Random(number)) for number in range(40)]
    view = show(pairs, view=SLIDERS, limits=STRICT.thresholds())
    before = view.locator("#outcome").inner_text()
    slider = view.get_by_label("overlap, at least")
    slider.press("ArrowRight")
    assert slider.input_value() == "0.26"
    view.get_by_label("newly rejected").check()
    assert "newly rejected" in view.locator(".row").first.inner_text()
    assert view.evaluate("shown.length > 0 && shown.every(pair => pair.scores.overlap === 0.25)")
    view.set_viewport_size({"width": 375, "height": 700})
    view.get_by_role("button", name="Filters").click()
    view.get_by_role("button", name="Copy as TOML").click()
    assert view.evaluate("[document.documentElement, document.getElementById('filters')]"
                         ".every(one => one.scrollWidth <= one.clientWidth)")  # fmt: skip
    view.get_by_role("button", name="Reset thresholds").click()
    assert view.locator("#outcome").inner_text() == before


def test_changes_are_undone_a_step_at_a_time(show: Open) -> None:
    view = show(PAIRS)
    undo = view.get_by_role("button", name="Undo")
    view.get_by_label("Search").press_sequentially("red")
    view.keyboard.press("Escape")
    view.get_by_label("rejected", exact=False).first.check()
    undo.click()
    assert ids(view) == {"2", "4"}
    undo.click()
    assert ids(view) == set("1234") and undo.is_disabled()


@pytest.mark.nightly
def test_fifty_thousand_pairs_are_searched_without_drawing_them_all(show: Open) -> None:
    random = Random(1)
    words = ["".join(random.choices("aeioulnrst", k=random.randint(2, 9))) for _ in range(5_000)]
    texts = [
        [" ".join(random.choices(words, k=size)) for size in (25, 12, 12)]
        for _ in range(page.LIMIT)
    ]
    pair = judged(0, "a b c .", "a .", "b .")
    view = show(
        [
            replace_pair(pair, id=f"C/v1/en-fr:{n}", long=long, split=tuple(split))
            for n, (long, *split) in enumerate(texts)
        ]
    )
    word = max(words, key=len)
    view.locator("#search").fill(word)
    found = sum(any(word in part for part in text) for text in texts)
    playwright.expect(view.locator("#count")).to_have_text(f"{found:,} of {page.LIMIT:,} pairs")
    assert 0 < view.locator(".row").count() < 40


def picture(view: playwright.Page, name: str) -> None:
    """Keep the window with 64 colours, a quarter of the bytes."""
    image = Image.open(io.BytesIO(view.screenshot())).convert("RGB").quantize(64)
    image.save(Path(PICTURES or "") / f"inspector-{name}.png", optimize=True)


@pytest.mark.skipif(not PICTURES, reason="takes pictures of the demo: make screenshots")
def test_pictures(launched: playwright.Browser) -> None:
    view = launched.new_page(viewport={"width": 1400, "height": 700})
    view.goto(DEMO.resolve().as_uri())
    view.locator(".row").nth(1).click()
    picture(view, "light")
    view.set_viewport_size({"width": 400, "height": 700})
    picture(view, "phone")
    view.set_viewport_size({"width": 1400, "height": 700})
    view.emulate_media(color_scheme="dark")
    view.get_by_label("Search").fill("because")
    view.locator(".row").nth(1).click()
    picture(view, "dark")
