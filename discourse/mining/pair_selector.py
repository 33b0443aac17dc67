"""Decide which variants of a Discovery data set (Base, Hard, Big, Adv) contain a pair of sentences.

The decision depends on how many pairs each discourse marker has, and on how well markers can be predicted.
"""

from array import array
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import MarkedPair, SelectedPair
from bitext_pivot.core.sampling import rank
from bitext_pivot.discourse.mining.ngram_classifier import FeatureRow
from bitext_pivot.discourse.mining.predictability import predict_markers
from bitext_pivot.discourse.mining.selection import SelectionSettings, count_and_bound_markers
from bitext_pivot.discourse.mining.variants import VARIANTS, Array, SampledPairs, variant_masks


class PairSelector:
    """Decides which variants of a Discovery data set contain a pair of adjacent sentences.

    `read` returns all pairs; it is called several times and must return the same order each time. `progress` is called
    with 1 after each fold of the prediction of markers. Memory use is 8 bytes per pair while markers are counted, then
    20 bytes per sampled pair and one prediction model.

    Raises SettingsError if no variant has a pair.
    """

    def __init__(
        self,
        read: Callable[[], Iterator[MarkedPair]],
        selection: SelectionSettings,
        progress: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._read, self._selection = read, selection
        fit = (pair for pair in read() if pair.rejected_by is None)
        self._counts, self._limits = count_and_bound_markers(
            ((pair.marker, pair.id) for pair in fit), selection
        )
        if not self._limits:
            most = max(self._counts.values(), default=0)
            raise self._too_few(
                f"{selection.min_count:,} pairs (selection.min_count)",
                "selection.min_count and selection.per_marker",
                most,
            )
        self._prediction = predict_markers(self._rows, selection.control, progress)
        self._drawn = self._columns()
        self._masks = variant_masks(
            self._drawn, per_marker=selection.per_marker, top=selection.control.top
        )
        if not self._masks["base"].any():
            hidden = f"whose marker is not among the first {selection.control.top} predicted (selection.control.top)"
            left = self._drawn.marker[self._drawn.rank > selection.control.top]
            raise self._too_few(
                f"{selection.per_marker:,} pairs (selection.per_marker) {hidden}",
                "selection.per_marker",
                int(np.bincount(left, minlength=1).max()),
            )

    def decide(self, pair: MarkedPair) -> SelectedPair:
        """Return a pair with the variants that contain it, or with the reason why none does."""
        reason = pair.rejected_by or self._left_out(pair)
        if reason:
            return SelectedPair(pair=pair, rank=None, variants=(), rejected_by=reason)
        place = self._place(pair)
        variants = tuple(name for name in VARIANTS if self._masks[name][place])
        return SelectedPair(
            pair=pair,
            rank=int(self._drawn.rank[place]),
            variants=variants,
            rejected_by=None if variants else "in no variant",
        )

    def report(self) -> dict[str, Any]:
        """Return how well discourse markers are predicted, and the number of pairs of each marker.

        For each marker, this is the number of all pairs, of sampled pairs (`drawn`), of pairs whose marker is predicted
        correctly, and of pairs in each variant.
        """
        drawn, top = self._drawn, self._selection.control.top
        masks: dict[str, Array] = {
            "drawn": drawn.rank > 0,
            "predicted": drawn.rank == 1,
            **self._masks,
        }
        columns = {
            name: np.bincount(drawn.marker[mask], minlength=len(drawn.names))
            for name, mask in masks.items()
        }
        markers: dict[str, dict[str, int]] = {
            name: {"pairs": pairs} for name, pairs in self._counts.most_common()
        }
        for place, marker in enumerate(drawn.names):
            markers[marker] |= {name: int(column[place]) for name, column in columns.items()}
        control = {
            "pairs": len(drawn.rank),
            "top": top,
            "majority": self._prediction.majority,
            "accuracy": self._prediction.accuracy(),
            "accuracy_top": self._prediction.accuracy(top),
        }
        return {"control": control, "markers": markers}

    def _left_out(self, pair: MarkedPair) -> str | None:
        limit = self._limits.get(pair.marker)
        if limit is None:
            return "rare marker"
        return "frequent marker, not drawn" if rank(pair.id, self._selection.seed) > limit else None

    def _pairs(self) -> Iterator[MarkedPair]:
        """Yield the pairs that are in the sample of their discourse marker, in order."""
        return (
            pair
            for pair in self._read()
            if pair.rejected_by is None and self._left_out(pair) is None
        )

    def _rows(self) -> Iterator[FeatureRow]:
        return (
            (f"{pair.source.corpus}/{pair.source.document}", pair.first, pair.second, pair.marker)
            for pair in self._pairs()
        )

    def _columns(self) -> SampledPairs:
        """Return the sampled pairs as columns, sorted by the hash of their ids."""
        names = {name: number for number, name in enumerate(sorted(self._limits))}
        markers, order, listed = array("H"), array("Q"), set[str]()
        for pair in self._pairs():
            markers.append(names[pair.marker])
            order.append(rank(pair.id, self._selection.seed))
            if pair.found == "list":
                listed.add(pair.marker)
        by_order = np.argsort(np.array(order))
        columns = (
            np.array(column)[by_order] for column in (markers, order, self._prediction.ranks)
        )
        return SampledPairs([*names], frozenset(listed), *columns)

    def _place(self, pair: MarkedPair) -> int:
        """Return the index of a sampled pair in the columns."""
        return int(
            np.searchsorted(self._drawn.order, np.uint64(rank(pair.id, self._selection.seed)))
        )

    def _too_few(self, what: str, settings: str, most: int) -> SettingsError:
        """Return the error for settings that no discourse marker satisfies.

        `what` is the requirement that no marker meets, and `most` the highest value of `settings` that would work.
        """
        markers = self._counts.most_common(3)
        frequent = ", ".join(f"{name!r} ({pairs:,})" for name, pairs in markers)
        advice = "Lower these settings or name more documents"
        if most:
            advice = f"Set {settings} to {most} or less, or name more documents"
        return SettingsError(
            f"No marker has {what}. The most frequent markers: {frequent or 'none'}. {advice}."
        )
