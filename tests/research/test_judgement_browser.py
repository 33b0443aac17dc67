"""The annotation page in Chromium: answering by keys and mouse, coming back, saving, hostile texts."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsers import MARKS, checked
from playwright import sync_api as playwright

from bitext_pivot.research.assessment import assessment_page
from bitext_pivot.research.assessment.report import AnswerFile
from bitext_pivot.research.assessment.sample_design import (
    Ask,
    AssessmentItem,
    SampleDesign,
    fingerprint,
)

pytestmark = MARKS
PICTURES = os.environ.get("BITEXT_PIVOT_SCREENSHOTS")
TEXTS = [
    ("The old mill, which had been closed for years, opened again in spring.",
     "The old mill had been closed for years.", "It opened again in autumn."),
    ("Il pleuvait, donc nous sommes restés.", "Il pleuvait.", "Nous sommes restés."),
    ("She paints and he cooks.", "She paints.", "He cooks."),
]  # fmt: skip
Open = Callable[..., playwright.Page]


def items(texts: list[tuple[str, str, str]]) -> list[AssessmentItem]:
    rows = [
        {"language": "en", "long": long, "split": [first, second]} for long, first, second in texts
    ]
    return [AssessmentItem(pair=row, is_control=False) for row in rows]


@pytest.fixture
def show(launched: playwright.Browser, tmp_path: Path) -> Iterator[Open]:
    """Write the page of some texts and open it; fail on any error, dialog or request of its script."""
    with checked(
        launched, "file:", "data:", "blob:", viewport={"width": 1100, "height": 700}
    ) as context:

        def open_page(
            texts: list[tuple[str, str, str]], title: str = "fr-en", ask: Ask = "errors"
        ) -> playwright.Page:
            file = tmp_path / "sample.html"
            assessment_page.write(
                file, title, items(texts), SampleDesign(pairs=len(texts), ask=ask)
            )
            view = context.new_page()
            view.goto(file.as_uri())
            view.get_by_text(f"of {len(texts)} answered").wait_for()
            return view

        yield open_page


def saved(view: playwright.Page) -> AnswerFile:
    with view.expect_download() as download:
        view.get_by_role("button", name="Save answers").click()
    return AnswerFile.model_validate_json(Path(download.value.path()).read_bytes())


def test_answers_by_keys_are_kept_and_saved(show: Open) -> None:
    view = show(TEXTS)
    for key in ("3", "c", "s", "Home", "ArrowRight", "j", "1", "s", "End"):
        view.keyboard.press(key)
    view.get_by_text("2 of 3 answered").wait_for()
    view.keyboard.press("k")
    if PICTURES:
        view.screenshot(path=Path(PICTURES) / "assessment.png")
    view.get_by_role("button", name="Save answers").click()  # nothing is saved without a name
    view.get_by_label("Your name").fill("Zoë 3")
    again = show(TEXTS)
    assert again.get_by_label("Your name").input_value() == "Zoë 3"
    again.keyboard.press("u")
    assert again.locator("#number").inner_text() == "Pair 3 of 3"
    answers = saved(again)
    assert (answers.annotator, answers.sha256) == ("Zoë 3", fingerprint(items(TEXTS)))
    expected = [(1, "significant", "changed", 1), (2, "perfect", None, 100)]
    assert [(one.item, one.verdict, one.kind, one.score) for one in answers.answers] == expected


def test_answers_by_mouse_and_a_verdict_that_is_changed(show: Open) -> None:
    view = show(TEXTS)
    view.get_by_label("Significant error").check()
    view.get_by_label("Something else").check()
    view.get_by_label("How good is the split").click()  # the middle, where the slider stands
    view.get_by_label("Minor issue").check()
    assert not view.get_by_label("Something else").is_visible()
    view.get_by_role("button", name="Next", exact=True).click()
    view.get_by_label("Perfect.").check()  # no number: not answered
    view.get_by_label("Your name").fill("Ana")
    answers = saved(view).answers
    assert [(one.item, one.verdict, one.kind) for one in answers] == [(1, "minor", None)]
    assert answers[0].score in range(45, 56)


@pytest.mark.parametrize(("ask", "keys", "expected"), [
    ("quality", ("4", "s", "End", "j", "3", "s", "Home"), [("several", 100), ("disfluency", 0)]),
    ("rating", ("1", "s", "End", "j", "s", "Home"), [(None, 100), (None, 0)]),
])  # fmt: skip
def test_other_questions(
    show: Open, ask: str, keys: tuple[str, ...], expected: list[tuple[str | None, int]]
) -> None:
    view = show(TEXTS, ask=ask)
    for key in keys:
        view.keyboard.press(key)
    view.get_by_text("2 of 3 answered").wait_for()
    view.get_by_label("Your name").fill("Ana")
    assert [(one.verdict, one.score) for one in saved(view).answers] == expected


def test_another_sample_has_its_own_answers(show: Open) -> None:
    show(TEXTS).keyboard.press("1")
    assert show(TEXTS[1:]).evaluate("answers.length") == 0
