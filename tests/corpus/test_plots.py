"""Plots and what they are drawn from: every pair counted once, every number in the plot, equal bytes."""

import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from factories import judged

from corpus.card import PLOTS, Stage, Statistics
from corpus.distributions import distributions
from pairs.records import JudgedPair
from pairs.storage import arrow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEPT = judged(1, "It rained , so we stayed home .", "It rained .", "So we slept .")
REJECTED = judged(2, "No .", "A .", "B .", rejected_by="overlap")


def counted(*pairs: Any) -> dict[str, Any]:
    """Return the distributions of some pairs."""
    is_kept = np.array([pair.rejected_by is None for pair in pairs], bool)
    return distributions(arrow.batch(JudgedPair, pairs), is_kept)


def statistics(**distributions: Any) -> Statistics:
    """Return the statistics of a small data set."""
    return Statistics(
        signature={"settings": {"pivot": "fr"}},
        corpora={},
        funnel=[Stage(name="extract", entered=9, left=5), Stage(name="translate", entered=5, left=4)],
        subset={},
        category={},
        category_bisect={},
        construction={},
        distributions=distributions,
    )


def words(figure: "Figure") -> str:
    """Return all text of a figure."""
    from matplotlib.text import Text

    return "\n".join(text.get_text() for text in figure.findobj(Text))


def test_every_pair_is_counted_once_and_scores_outside_at_the_ends() -> None:
    far = replace(KEPT, scored=replace(KEPT.scored, scores={"truncated": 7.0, "meaning": -0.2, "meaning.first": 0.5}))
    plain = counted(KEPT, REJECTED, far)
    assert plain["scores"]["overlap"] == {"kept": [0] * 10 + [1] + [0] * 9, "rejected": [0] * 10 + [1] + [0] * 9}
    assert plain["scores"]["truncated"]["kept"] == [0] * 19 + [1]
    assert plain["scores"]["meaning"]["kept"] == [1] + [0] * 19
    assert "meaning.first" not in plain["scores"]


def test_lengths_ratio_and_categories_are_those_of_kept_pairs() -> None:
    long = judged(3, "so " * 150 + ".", "It rained .", "So we slept .")
    plain = counted(KEPT, REJECTED, long)
    assert {n: count for n, count in enumerate(plain["lengths"]["long"]) if count} == {8: 1, 100: 1}
    assert {n: count for n, count in enumerate(plain["lengths"]["split"]) if count} == {7: 2}
    assert {n: count for n, count in enumerate(plain["length_ratio"]) if count} == {0: 1, 8: 1}  # 7 / 151, 7 / 8
    (corpus,) = plain["categories"].values()
    assert corpus == {"Direct Insertion": 2, "Changes Near Split": 0, "Changes Across Sentence": 0}


def test_the_funnel_has_the_numbers_of_all_stages_that_lost_pairs() -> None:
    from corpus import plots

    stages = [
        Stage(name="extract", entered=9_000, left=4_000), Stage(name="translate", entered=4_000, left=4_000),
        Stage(name="filter verbs", entered=4_000, left=1_500), Stage(name="export", entered=1_500, left=1_500),
    ]  # fmt: skip
    assert words(plots.funnel(stages)).strip().splitlines()[:4] == [
        "extract: 9,000 links − 5,000 = 4,000", "filter verbs: 4,000 − 2,500 = 1,500", "export: 1,500",
        "1 other stages and filters lost nothing",
    ]  # fmt: skip


def test_categories_are_shown_by_corpus_and_for_the_pivot() -> None:
    from corpus import plots

    one = {"Direct Insertion": 1, "Changes Near Split": 3}
    text = words(plots.categories({"TED/v1": one, "EMEA/v3": {"Changes Across Sentence": 4}}, "fr"))
    assert "TED/v1: 4 pairs, 25% / 75% / 0%" in text
    assert "EMEA/v3: 4 pairs, 0% / 0% / 100%" in text
    assert "all, pivot fr: 8 pairs, 12% / 38% / 50%" in text


def test_lengths_have_their_medians() -> None:
    from corpus import plots

    text = words(plots.lengths({"long": [0, 0, 3, 1], "split": [0] * 100 + [5]}))
    assert "long: median 2" in text and "together: median 100" in text
    assert "3 pairs, median between 1.0 and 1.1" in words(plots.length_ratio([0] * 10 + [3] + [0] * 9, {}))


@pytest.mark.parametrize(("limits", "title", "lines"), [
    ({"min_overlap": 0.25}, "overlap (min 0.25)", [0.25]),
    ({"min_ratio": 0.5, "max_ratio": 0.9}, "overlap (min 0.5, max 0.9)", [0.5, 0.9]),
    ({}, "overlap", []),
])  # fmt: skip
def test_scores_have_their_thresholds_and_numbers(limits: dict[str, float], title: str, lines: list[float]) -> None:
    from corpus import plots

    counts = {"kept": [0, 1, 2, *[0] * 17], "rejected": [4, *[0] * 19]}
    figure = plots.scores({"overlap": counts}, {"overlap": limits})
    assert words(figure).count(f"{title}\n3 kept, 4 rejected") == 1
    drawn = [line.get_xdata()[0] for line in figure.axes[0].lines]
    assert drawn == lines


def test_scores_that_the_bins_cannot_show_are_left_out() -> None:
    from corpus import plots

    two = {"kept": [1, 1, *[0] * 18], "rejected": [0] * 20}
    three = {"kept": [1, 1, 1, *[0] * 17], "rejected": [0] * 20}
    figure = plots.scores({"verbs": two, "truncated": three}, {"truncated": {"max_odds": 4.0}})
    assert "kept" not in words(figure)


def test_plots_are_written_as_png_and_svg_with_the_same_bytes_every_time(tmp_path: Path) -> None:
    from corpus import plots

    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        names = plots.write(folder, statistics(**counted(KEPT, REJECTED)), {})
        assert sorted(names) == sorted(f"plots/{name}.{kind}" for name in PLOTS for kind in ("png", "svg"))
    one, two = ([(folder / name).read_bytes() for name in names] for folder in folders)
    assert one == two
    assert all(b"<svg" in content or content.startswith(b"\x89PNG") for content in one)


def test_a_data_set_without_pairs_has_plots_too(tmp_path: Path) -> None:
    from corpus import plots

    assert len(plots.write(tmp_path, statistics(**counted()), {})) == 10


def test_kept_and_rejected_differ_without_colour() -> None:
    from matplotlib.image import imread

    from corpus import plots

    counts = {"kept": [0, 9, 9, *[0] * 17], "rejected": [9, *[0] * 19]}
    picture = imread(io.BytesIO(plots.drawn(plots.scores({"x": counts}, {}), "png")))
    grey = picture[..., :3].mean(axis=2)
    assert (grey < 0.35).mean() > 0.02 and ((grey > 0.8) & (grey < 0.9)).mean() > 0.01
