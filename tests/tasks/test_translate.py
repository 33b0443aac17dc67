"""Translating a shard: what is stored, and that rows and shards of earlier versions are not read."""

from pathlib import Path
from typing import Any

import pytest
from factories import alignment

from bitext_pivot.core.records import Alignment
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.translation.engine import EchoEngine

ECHO = PivotBitext(pivot="fr", corpora=["Tiny/v1"], translation={"engine": "echo"}).processing()


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    path = tmp_path / "fr-en" / "alignments-01234567" / "Tiny-v1-00000.parquet"
    shards.write(path, Alignment, [alignment("Il pleut et je reste.", "It rains.", "I stay.")])
    return path


def test_rows_of_earlier_versions_are_not_read(
    shard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.translate import translate

    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path))
    RowStore(tmp_path / "store" / "translations", EchoEngine.signature).put(
        {"Il pleut et je reste.": "It rains and I stay."}
    )
    alignments = list(shards.read(shard, Alignment))
    facts: dict[str, Any] = {}
    run = translate(ECHO, Site()).run
    assert run is not None
    (pair,), skips = run(alignments, "Tiny", facts)
    assert (pair.long, pair.confidences, not skips, facts) == (
        "Il pleut et je reste.",
        (),
        True,
        {},
    )


def test_pairs_of_earlier_versions_are_not_reused(shard: Path) -> None:
    from bitext_pivot.tasks.run.targets import Stage
    from bitext_pivot.tasks.translate import translate

    earlier = Stage(
        "translate", "pairs", {"language": "en", "engine": EchoEngine.signature}
    ).target(shard)
    assert translate(ECHO, Site()).target(shard).path != earlier.path
