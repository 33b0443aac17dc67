"""Where the minimum confidence of a build comes from: the form, the model's own, or a quantile of the build."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from factories import pair
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Pair
from bitext_pivot.core.storage import shards
from bitext_pivot.filters.chain import FilterChain
from bitext_pivot.tasks.calibrate import calibrated
from bitext_pivot.translation.models import Translation

UNKNOWN = "marian some-model@0123456789abcdef direction=fr-en"
QUICKSTART = "marian copied@371e9f1f1faf56f1 direction=fr-en"


def chain(**confidence: Any) -> FilterChain:
    return FilterChain.model_validate({"advanced": {"confidence": confidence}})


def write(folder: Path, *parts: list[tuple[float, ...]]) -> list[Path]:
    """One shard of pairs with these confidences for each part."""
    paths = [folder / f"{number}.parquet" for number in range(len(parts))]
    for path, confidences in zip(paths, parts, strict=True):
        fields = {name: getattr(pair("a b", "a", "b"), name) for name in Pair.__slots__}
        shards.write(path, Pair, [Pair(**fields | {"confidences": some}) for some in confidences])
    return paths


def ready() -> list[Path]:
    pytest.fail("waits for all shards")


@pytest.mark.parametrize(
    ("filters", "translation", "engine", "minimum", "origin"),
    [
        (chain(min_confidence=0.25), {}, UNKNOWN, 0.25, "0.25: set"),
        (chain(min_confidence=0.25), {}, QUICKSTART, 0.25, "0.25: set"),
        (chain(), {}, QUICKSTART, 0.6, "0.6: measured for the model"),
        (chain(), {"engine": "apertium"}, "apertium 3.8", None, "not filtered: apertium gives no confidence"),
        (FilterChain(preset="paper"), {}, UNKNOWN, None, "not filtered"),
    ],
)
def test_a_threshold_that_is_known_waits_for_nothing(
    filters: FilterChain, translation: dict[str, Any], engine: str, minimum: float | None, origin: str
) -> None:
    decided, stated = calibrated(filters, Translation(**translation), engine, ready)
    assert (decided.advanced.confidence.min_confidence, stated) == (minimum, origin)
    assert decided == chain(min_confidence=minimum).model_copy(update={"preset": filters.preset})


def test_a_quantile_is_that_of_all_shards(tmp_path: Path) -> None:
    paths = write(tmp_path, [(n / 100,) for n in range(50, 60)], [], [(0.9, n / 100) for n in range(40, 50)], [()])
    decided, origin = calibrated(chain(quantile=0.25), Translation(), UNKNOWN, lambda: paths)
    assert decided.advanced.confidence.min_confidence == 0.45
    assert origin == "0.45: 25 % quantile of the 20 pairs of this build"


def test_a_build_without_pairs_has_nothing_to_reject(tmp_path: Path) -> None:
    decided, _ = calibrated(chain(), Translation(), UNKNOWN, lambda: write(tmp_path, []))
    assert decided.advanced.confidence.min_confidence == 0


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=60), st.sampled_from([0.0, 0.05, 0.3, 0.9]), st.randoms())
def test_a_quantile_rejects_that_share_whatever_the_shards(confidences: list[float], share: float, random: Any) -> None:
    decided = []
    for order in (confidences, random.sample(confidences, len(confidences))):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shards, "part", lambda path, *_: path)
            cut = random.randint(0, len(order))
            parts: Any = [[(one,) for one in order[:cut]], [(one,) for one in order[cut:]]]
            decided.append(calibrated(chain(quantile=share), Translation(), UNKNOWN, partial(list, parts))[0])
    assert decided[0] == decided[1]
    accepts = decided[0].advanced.confidence.accepts
    rejected = sum(not accepts(one) for one in confidences)
    assert rejected <= share * len(confidences)
    assert len(set(confidences)) < len(confidences) or rejected == int(share * len(confidences))
