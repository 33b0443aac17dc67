"""Plots and what they are drawn from: every pair counted once, every number in the plot, equal bytes."""

from typing import TYPE_CHECKING, Any

import pytest
from factories import judged

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.pair_counts import PLOTS, pair_counts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEPT = judged(1, "It rained , so we stayed home .", "It rained .", "So we slept .")
REJECTED = judged(2, "No .", "A .", "B .", rejected_by="overlap")


def facts(*pairs: JudgedPair) -> BuildFacts:
    """Return the facts of a small data set."""
    counts = sum((pair_counts(pair, pair.rejected_by) for pair in pairs), Counts())
    stages = [
        FunnelStage(name="extract", rows=5, lost={"shape 1-1": 4}),
        FunnelStage(name="translate", rows=4, lost={"empty": 1}),
    ]
    return BuildFacts(
        title="fr-en: Mine", signature={"settings": {"pivot": "fr"}}, counts=counts, funnel=stages
    )


def words(figure: "Figure") -> str:
    """Return all text of a figure."""
    from matplotlib.text import Text

    return "\n".join(text.get_text() for text in figure.findobj(Text))


def test_the_funnel_has_all_stages_that_lost_pairs() -> None:
    from bitext_pivot.corpus import plots

    stages = [
        FunnelStage(name="extract", rows=4_000, lost={"shape 1-1": 5_000}),
        FunnelStage(name="translate", rows=4_000, lost={}),
        FunnelStage(name="filter verbs", rows=1_500, lost={"verbs": 2_500}),
        FunnelStage(name="divide", rows=1_500, lost={}),
    ]  # fmt: skip
    assert words(plots.funnel(stages)).strip().splitlines()[:4] == [
        "extract: 9,000 links − 5,000 = 4,000", "filter verbs: 4,000 − 2,500 = 1,500", "divide: 1,500",
        "1 other stages and filters lost nothing",
    ]  # fmt: skip


def test_categories_are_shown_by_corpus_and_for_the_pivot() -> None:
    from bitext_pivot.corpus import plots

    one = {"Direct Insertion": 1, "Changes Near Split": 3}
    counts = Counts.read({"categories": {"TED/v1": one, "EMEA/v3": {"Changes Across Sentence": 4}}})
    text = words(plots.categories(counts, "fr"))
    assert "TED/v1: 4 pairs, 25% / 75% / 0%" in text
    assert "EMEA/v3: 4 pairs, 0% / 0% / 100%" in text
    assert "all, pivot fr: 8 pairs, 12% / 38% / 50%" in text


@pytest.mark.parametrize(("limits", "title", "lines"), [
    ({"min_overlap": 0.25}, "overlap (min 0.25)", [0.25]),
    ({"min_ratio": 0.5, "max_ratio": 0.9}, "overlap (min 0.5, max 0.9)", [0.5, 0.9]),
    ({}, "overlap", []),
])  # fmt: skip
def test_scores_have_their_thresholds_and_numbers(
    limits: dict[str, float], title: str, lines: list[float]
) -> None:
    from bitext_pivot.corpus import plots

    counts = {"kept": {"01": 1, "02": 2}, "rejected": {"00": 4}}
    figure = plots.scores(Counts.read({"scores": {"overlap": counts}}), {"overlap": limits})
    assert words(figure).count(f"{title}\n3 kept, 4 rejected") == 1
    assert figure.axes[0].get_ylabel() == "pairs"
    drawn: list[Any] = [line.get_xdata() for line in figure.axes[0].lines]
    assert [places[0] for places in drawn] == lines


def test_scores_that_the_bins_cannot_show_are_left_out() -> None:
    from bitext_pivot.corpus import plots

    two, three = {"00": 1, "01": 1}, {"00": 1, "01": 1, "02": 1}
    counts = Counts.read({"scores": {"verbs": {"kept": two}, "truncated": {"kept": three}}})
    figure = plots.scores(counts, {"truncated": {"max_odds": 4.0}})
    assert "kept" not in words(figure)


def test_plots_are_png_with_equal_bytes() -> None:
    from bitext_pivot.corpus import plots

    one, two = (plots.plots(facts(KEPT, REJECTED)) for _ in range(2))
    assert set(one) == {f"plots/{name}.png" for name in PLOTS}
    assert one == two
    assert all(content.startswith(b"\x89PNG") for content in one.values())


def test_a_data_set_without_pairs_has_plots_too() -> None:
    from bitext_pivot.corpus import plots

    assert len(plots.plots(facts())) == len(PLOTS)
