"""The list of stages: what is added to it has a line of its own in the card, in its place."""

from pathlib import Path

import pytest

from bitext_pivot.core.site import Site
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.tasks import pairs
from bitext_pivot.tasks.run.targets import Stage


def test_an_added_stage_has_its_line_in_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"pairs": "translate", "lettered": "letters", "parsed": "parse", "judged": "judge"}
    made = {name: lambda n=name, w=writes: Stage(n, w, {}) for writes, name in names.items()}
    monkeypatch.setattr(pairs, "stages", lambda *_: made)
    form = PivotBitext(translation={"engine": "echo"})
    stages = pairs.recipe(form.processing(), form, Site(home=tmp_path)).records.stages
    assert [*stages.values()] == ["extract", "translate", "letters", "parse"]
    assert [*stages] == ["alignments", "pairs", "lettered", "parsed"]
