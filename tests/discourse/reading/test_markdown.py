"""Paragraphs of Markdown."""

import pytest

from bitext_pivot.discourse.reading.markdown import paragraphs

RAIN = "It rained. We stayed."


@pytest.mark.parametrize(
    "text",
    [
        RAIN,
        "It rained.[^1] We stayed.\n\n[^1]: See the note.",
        "It rained.[^1]We stayed.\n\n[^1]: http://example.org\n",
        "[^a-b]: See the note,\nand its end.\n\n    And *more*.\n\nIt rained.[^a-b] We stayed.",
        "It rained.^[In May.] We stayed.",
        "It rained.![a wet cat](c.png) We stayed.",
        "It rained.![a wet cat][c]We stayed.\n\n[c]: c.png",
        "It rained.[![a *wet* cat](c.png)](d) We stayed.",
        "It ~~snowed~~rained. ~~We *left*.~~ We stayed.",
        "- [ ] It rained. We stayed.",
        "* [x] It rained. We stayed.",
        "!!! note\n    It rained. We stayed.",
        '??? tip "A title"\n\n    It rained.\n    We stayed.\n\n## Head',
        "???+ tip\n\tIt rained. We stayed.",
        "::: tip\nIt rained. We stayed.\n:::",
        ":::: {.note}\n\nIt rained. We stayed.\n\n::::",
        "> [!NOTE]\n> It rained. We stayed.",
        "+++\ntitle = 'x'\n\ndraft = true\n+++\nIt rained. We stayed.",
        "---\ntitle: x\n\ntags: [y]\n---\n\nIt rained. We stayed.",
    ],
)
def test_what_is_no_prose_is_dropped(text: str) -> None:
    assert [" ".join(paragraph.split()) for paragraph in paragraphs(text)] == [RAIN]


@pytest.mark.parametrize(
    "text",
    [
        "Use `[^abc]` and `~~x~~` here.",
        "It cost 5 [euros] !!! and more.",
        "See [the page](a.md) ~ 5 km.",
        "What a day!!! note it.",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert paragraphs(text) == [text.replace("`", "").replace("[the page](a.md)", "the page")]


def test_text_between_two_lines_stays() -> None:
    assert paragraphs("---\n\nIt rained.\n\n---\n\nWe left.") == ["It rained.", "We left."]
