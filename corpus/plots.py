"""Plots of a build as `data:` URLs; the only file that imports matplotlib."""

import base64
import io
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from corpus.card import Stage

_KEPT, _LOST = "#2f7d5d", "#c9c9c9"


def funnel(stages: Sequence[Stage]) -> str:
    """Plot the rows that entered and left each stage; return a `data:` URL of a PNG."""
    # Extraction drops most links, because they have another shape: its bar would dwarf all others.
    shown = [stage for stage in stages if stage.name != "extract"]
    figure = Figure(figsize=(7, 0.38 * len(shown) + 0.7), layout="constrained")
    axes = figure.add_subplot()
    positions, names = range(len(shown)), [stage.name for stage in shown]
    axes.barh(positions, [stage.entered for stage in shown], color=_LOST, label="in")
    axes.barh(positions, [stage.left for stage in shown], color=_KEPT, label="out")
    axes.set_yticks(positions, names)
    axes.invert_yaxis()
    _plain(axes, "pairs")
    return _data_url(figure)


def distributions(counts: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """Plot one histogram per score, rejected pairs stacked on kept ones; return a `data:` URL of a PNG.

    `counts` is as in stats.json. Scores with two values only are left out.
    """
    shown = {name: verdicts for name, verdicts in counts.items() if _bins_used(verdicts) > 2}
    rows = max(len(shown), 1)
    figure = Figure(figsize=(7, 1.5 * rows))  # a computed layout takes three times as long to draw
    figure.subplots_adjust(left=0.08, right=0.98, bottom=0.3 / rows, top=1 - 0.1 / rows, hspace=0.6)
    for row, (name, verdicts) in enumerate(shown.items(), 1):
        axes = figure.add_subplot(rows, 1, row)
        kept, rejected = verdicts["kept"], verdicts["rejected"]
        edges = [bin / len(kept) for bin in range(len(kept) + 1)]
        both = [sum(numbers) for numbers in zip(kept, rejected, strict=True)]
        axes.stairs(kept, edges, fill=True, color=_KEPT, label="kept")
        axes.stairs(both, edges, baseline=kept, fill=True, color=_LOST, label="rejected")
        _plain(axes, name, legend=row == 1)
    return _data_url(figure)


def _bins_used(verdicts: Mapping[str, Sequence[int]]) -> int:
    return sum(any(numbers) for numbers in zip(*verdicts.values(), strict=True))


def _plain(axes: Axes, label: str, *, legend: bool = True) -> None:
    axes.set_xlabel(label, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    if legend:
        axes.legend(fontsize=8, frameon=False)


def _data_url(figure: Figure) -> str:
    target = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(target, format="png", dpi=100, metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(target.getvalue()).decode("ascii")
