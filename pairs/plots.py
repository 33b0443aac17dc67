"""Pictures of a build, as addresses that hold the picture itself; the only file that imports matplotlib."""

import base64
import io
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pairs.card import Stage

_KEPT, _LOST = "#2f7d5d", "#c9c9c9"


def funnel(stages: Sequence[Stage]) -> str:
    """Return a bar a stage, what left it against what came in, as a `data:` address of a PNG."""
    shown = [
        stage for stage in stages if stage.name != "extract"
    ]  # most links have another shape: they would hide the rest
    figure = Figure(figsize=(7, 0.38 * len(shown) + 0.7), layout="constrained")
    axes = figure.add_subplot()
    places, names = range(len(shown)), [stage.name for stage in shown]
    axes.barh(places, [stage.entered for stage in shown], color=_LOST, label="in")
    axes.barh(places, [stage.left for stage in shown], color=_KEPT, label="out")
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    _plain(axes, "pairs")
    return _address(figure)


def distributions(counts: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """Return a histogram a score, rejected above kept, as a `data:` address of a PNG; `counts` as in stats.json.

    Scores that only say yes or no are not shown.
    """
    shown = {
        name: verdicts for name, verdicts in counts.items() if sum(map(any, zip(*verdicts.values(), strict=True))) > 2
    }
    figure = Figure(figsize=(7, 1.5 * max(len(shown), 1)), layout="constrained")
    for place, (name, verdicts) in enumerate(shown.items(), 1):
        axes = figure.add_subplot(len(shown), 1, place)
        kept, rejected = verdicts["kept"], verdicts["rejected"]
        edges = [bin / len(kept) for bin in range(len(kept))]
        width = 1 / max(len(kept), 1)
        axes.bar(edges, kept, width, align="edge", color=_KEPT, label="kept")
        axes.bar(edges, rejected, width, bottom=kept, align="edge", color=_LOST, label="rejected")
        _plain(axes, name)
    return _address(figure)


def _bins_used(verdicts: Mapping[str, Sequence[int]]) -> int:
    return sum(any(numbers) for numbers in zip(*verdicts.values(), strict=True))


def _plain(axes: Axes, label: str) -> None:
    axes.set_xlabel(label, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)


def _address(figure: Figure) -> str:
    target = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(target, format="png", dpi=100, metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(target.getvalue()).decode("ascii")
