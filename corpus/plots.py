"""Plots of a data set as PNG, by matplotlib.

They can be read in greyscale (hatches, one dark and one light tone) and at a width of 360 pixels. Equal counts give
equal bytes.
"""

import io
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import CATEGORIES
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.pair_counts import SCORE_BINS, bins

Thresholds = Mapping[str, Mapping[str, float]]
"""Thresholds by score and setting: `{"overlap": {"min_overlap": 0.25}}`."""

_DARK, _LIGHT = "#1f5f46", "#dddddd"
_STYLE: Any = {
    "font.size": 10.5,
    "font.family": "DejaVu Sans",
    "hatch.linewidth": 0.6,
}
_WIDTH = 4.8  # inches: at 360 pixels, letters of 10.5 points are 11 pixels high


@rc_context(_STYLE)
def plots(facts: BuildFacts) -> dict[str, bytes]:
    """Return all plots by the names of their files, `plots/` included."""
    logging.getLogger("matplotlib").setLevel(
        logging.WARNING
    )  # when it is imported, it reports its cache of fonts
    counts, thresholds = facts.counts, facts.signature.get("thresholds", {})
    pivot = facts.signature["settings"].get("pivot", "any")
    figures = {
        "funnel": funnel(facts.funnel),
        "categories": categories(counts, pivot),
        "scores": scores(counts, thresholds),
    }
    return {f"plots/{name}.png": drawn(figure) for name, figure in figures.items()}


def drawn(figure: Figure) -> bytes:
    """Return a figure as PNG."""
    target = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(target, format="png", dpi=150, metadata={"Software": None})
    return target.getvalue()


def funnel(stages: Sequence[FunnelStage]) -> Figure:
    """Plot the pairs that entered and left each stage, with the numbers above the bar.

    Stages without losses are left out, except for the first and the last. Extraction drops most links, because they
    have another shape, and would dwarf all other bars: it has numbers only.
    """
    shown = [
        stage for stage in stages if stage.entered > stage.rows or stage in (stages[0], stages[-1])
    ]
    of_links = [" links" if stage.name == "extract" else "" for stage in shown]
    rows = [
        0.0,
        *accumulate(0.5 if unit else 1.0 for unit in of_links),
    ]  # half a row where there is no bar
    figure, axes = _bars(rows[-1] + 0.5)
    for row, stage, unit in zip(rows, shown, of_links, strict=False):
        lost = stage.entered - stage.rows
        _above(
            axes,
            row,
            f"{stage.name}: {stage.entered:,}{unit}"
            + (f" − {lost:,} = {stage.rows:,}" if lost else ""),
        )
        if not unit:
            axes.barh(row, stage.rows, height=0.4, color=_DARK)
            axes.barh(
                row,
                lost,
                left=stage.rows,
                height=0.4,
                color=_LIGHT,
                edgecolor="black",
                hatch="////",
            )
    _above(axes, rows[-1], f"{len(stages) - len(shown)} other stages and filters lost nothing")
    return figure


def categories(counts: Counts, pivot: str) -> Figure:
    """Plot the shares of the categories for each corpus, and for all that came through the pivot language."""
    rows = [(corpus, counts.below("categories", corpus)) for corpus in counts.below("categories")]
    rows.append((f"all, pivot {pivot}", sum((numbers for _, numbers in rows), Counter())))
    figure, axes = _bars(len(rows) + 2)
    looks: tuple[dict[str, Any], ...] = (
        {"color": _DARK},
        {"color": "white", "hatch": "////"},
        {"color": _LIGHT},
    )
    for row, (corpus, by_category) in enumerate(rows):
        pairs = by_category.total()
        shares = [by_category[name] / max(pairs, 1) for name in CATEGORIES]
        percents = " / ".join(f"{share:.0%}" for share in shares)
        _above(axes, row, f"{corpus}: {pairs:,} pairs, {percents}")
        for left, share, look in zip(accumulate([0.0, *shares]), shares, looks, strict=False):
            axes.barh(row, share, left=left, height=0.4, edgecolor="black", **look)
    keys = [axes.barh(0, 0, edgecolor="black", **look) for look in looks]
    axes.legend(keys, CATEGORIES, loc="lower left", frameon=False, borderpad=0)
    return figure


def scores(counts: Counts, thresholds: Thresholds) -> Figure:
    """Plot one histogram per score, rejected pairs stacked on kept ones, with thresholds as dashed lines.

    Scores with two values only, or with a threshold above 1, are left out: the bins say nothing about them. A pair
    counts as rejected whichever filter rejected it.
    """
    shown = {}
    for name in counts.below("scores"):
        kept = bins(counts, SCORE_BINS, "scores", name, "kept")
        totals = np.add(kept, bins(counts, SCORE_BINS, "scores", name, "rejected"))
        highest = max(thresholds.get(name, {}).values(), default=0)
        if highest <= 1 and np.count_nonzero(totals) > 2:
            shown[name] = (kept, totals)
    rows = max(len(shown), 1)
    height = 1.6 * rows + 0.3
    figure = Figure(figsize=(_WIDTH, height))  # a computed layout takes three times as long to draw
    figure.subplots_adjust(
        left=0.2, right=0.97, bottom=0.3 / height, top=1 - 0.65 / height, hspace=0.8
    )
    edges = np.arange(SCORE_BINS + 1) / SCORE_BINS
    for row, (name, (kept, totals)) in enumerate(shown.items(), 1):
        axes = figure.add_subplot(rows, 1, row)
        axes.set_ylabel("pairs")
        axes.spines[["top", "right"]].set_visible(False)
        axes.yaxis.set_major_locator(MaxNLocator(nbins=3, integer=True))
        axes.stairs(kept, edges, fill=True, color=_DARK, label="kept")
        axes.stairs(
            totals,
            edges,
            baseline=kept,
            fill=True,
            facecolor=_LIGHT,
            edgecolor="black",
            hatch="////",
            label="rejected",
        )
        limits = thresholds.get(name, {})
        for limit in limits.values():
            axes.axvline(limit, color="black", linestyle="--", linewidth=1.2)
        axes.set_xlim(0, 1)
        words = [f"{setting.partition('_')[0]} {limit:.3g}" for setting, limit in limits.items()]
        numbers = f"{sum(kept):,} kept, {sum(totals) - sum(kept):,} rejected"
        axes.set_title(
            "\n".join([f"{name} ({', '.join(words)})" if words else name, numbers]),
            loc="left",
            fontsize=10,
        )
    if shown:
        figure.legend(
            *axes.get_legend_handles_labels(), loc="upper right", frameon=False, fontsize=10
        )
    return figure


def _bars(rows: float) -> tuple[Figure, Axes]:
    """Return a figure for horizontal bars over the whole width, each with a line of text above it."""
    figure = Figure(figsize=(_WIDTH, 0.5 * rows + 0.1))
    axes = figure.add_axes((0.01, 0, 0.98, 1))
    axes.set_axis_off()
    axes.set_ylim(rows - 0.4, -0.7)
    return figure, axes


def _above(axes: Axes, row: float, text: str) -> None:
    axes.text(0, row - 0.25, text, transform=axes.get_yaxis_transform(), va="bottom")
