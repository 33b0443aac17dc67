"""Mining as tasks: two passes over shards, what is kept of each pair, and what is built again."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from factories import flat, source

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.records import ParsedSentence, SelectedPair, Sentence
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.mining.candidates import CandidateSettings
from bitext_pivot.discourse.mining.selection import SelectionSettings

SENTENCES = [
    "The lamp went/VERB out .",
    "However , nobody in the house had/AUX noticed/VERB it .",
    "Sadly/ADV , we went home ( late .",
]
SELECTION = SelectionSettings(min_count=3, per_marker=2, control={"folds": 2, "top": 1})


def parsed(document: str) -> list[ParsedSentence]:
    rows = []
    for position, words in enumerate(SENTENCES, 1):
        parse = flat(words)
        sentence = Sentence(
            id=f"C/v1/en/{document}:{position}", source=source("C", document), language="en",
            paragraph=1, position=position, text=" ".join(parse.tokens),
        )  # fmt: skip
        rows.append(ParsedSentence(sentence=sentence, parse=parse))
    return rows


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    from bitext_pivot.discourse.tasks.mine import mine_stage
    from bitext_pivot.tasks.run.stages import build_shard

    paths = [tmp_path / "parsed-1" / f"C-v1-{number:05d}.parquet" for number in range(2)]
    for number, path in enumerate(paths):
        rows = [row for n in range(2) for row in parsed(f"d{2 * number + n}")]
        shards.write(path, ParsedSentence, rows, {"skips": {}, "before": {}})
    states = [build_shard(path, partial(mine_stage, CandidateSettings(), "en")) for path in paths]
    return [state.output for state in states]


def test_every_candidate_is_kept_with_variants_or_a_reason(found: list[Path]) -> None:
    from bitext_pivot.discourse.tasks import select as selecting

    outs = selecting.select_pairs(found, SELECTION)
    rows = [row for out in outs for row in shards.read(out, SelectedPair)]
    counts = Counter((row.pair.marker, row.rejected_by) for row in rows)
    assert counts["sadly,", "brackets or quotation marks left open"] == 4
    assert sum(number for (marker, _), number in counts.items() if marker == "however") == 4
    assert sum("base" in row.variants for row in rows) == 2
    assert {row.pair.id for row in rows if row.pair.marker == "however"} == {
        f"C/v1/en/d{n}:1-2" for n in range(4)
    }
    assert selecting.read_marker_report(outs)["markers"]["however"]["pairs"] == 4
    assert {*shards.read_manifest(outs[0])["before"]} == {"parsed", "candidates"}


def test_only_what_is_missing_is_written_again(found: list[Path]) -> None:
    from bitext_pivot.discourse.tasks import select as selecting

    outs = selecting.select_pairs(found, SELECTION)
    rows = [*shards.read(outs[0], SelectedPair)]
    before = [out.stat().st_mtime_ns for out in outs]
    assert selecting.select_pairs(found, SELECTION) == outs
    assert [out.stat().st_mtime_ns for out in outs] == before
    outs[0].unlink()
    assert selecting.select_pairs(found, SELECTION) == outs
    assert [*shards.read(outs[0], SelectedPair)] == rows and outs[1].stat().st_mtime_ns == before[1]
    assert (
        selecting.select_pairs(found, SELECTION.model_copy(update={"seed": 1}))[0].parent
        != outs[0].parent
    )


def test_no_documents_at_all() -> None:
    from bitext_pivot.discourse.tasks import select as selecting

    with pytest.raises(SourceError, match="There are no documents to read"):
        selecting.select_pairs([], SELECTION)
