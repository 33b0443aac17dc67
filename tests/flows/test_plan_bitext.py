"""The plan as a flow: what it shows, that it builds nothing, and that it refuses what the build would refuse."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from builds import tiny

from bitext_pivot.core.hub.preview import Preview
from bitext_pivot.flows.pivot_settings import PivotBitext


def settings(**changes: Any) -> PivotBitext:
    """Return the settings of a build of the tiny corpus."""
    return PivotBitext.model_validate(tiny(**changes))


@pytest.fixture
def artifact(server: str) -> Callable[[str], str]:
    """Read what the latest artifact of a name holds."""

    def read(name: str) -> str:
        body = {"artifacts": {"key": {"like_": f"{name}-%"}}, "sort": "CREATED_DESC", "limit": 1}
        answer = httpx.post(f"{server}/artifacts/filter", json=body, timeout=60, trust_env=False)
        return str(answer.json()[0]["data"])

    return read


@pytest.fixture
def plan(artifact: Callable[[str], str]) -> Callable[..., list[str]]:
    """Plan a build and return the lines that the page shows."""
    from bitext_pivot.flows.plan_bitext import plan_bitext

    def run(**changes: Any) -> list[str]:
        plan_bitext(settings(**changes))
        return artifact("report").splitlines()

    return run


def row(lines: list[str], corpus: str = "Tiny/v1") -> list[str]:
    """What is built of a corpus, a stage a cell."""
    (line,) = [line for line in lines if line.startswith(f"| {corpus} |")]
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_a_plan_shows_what_is_to_come_and_writes_nothing(
    home: Path, plan: Callable[..., list[str]]
) -> None:
    lines = plan()
    assert lines[0] == "# fr-en: Tiny/v1"
    assert lines[2] == "fetch: nothing; alignments: unknown for Tiny/v1"
    assert "| translate | echo |  |  |" in lines
    assert row(lines) == ["there", "unknown", "-", "-", "-", "-"]
    assert not home.exists()


CHANGES: list[tuple[str, dict[str, Any], str]] = [
    ("", {}, "there there there there there there"),
    ("", {"filters": {"preset": "paper"}}, "there there there there - -"),
    ("", {"shard_rows": 2}, "there unknown - - - -"),
    ("", {"filters": {"preset": "checked"}}, "there there there there unknown unknown"),
    (
        "scored-*/Tiny-v1-00001.parquet",
        {},
        "there there there there 2 of 3 there",
    ),
    ("alignments-*/Tiny-v1-00002.parquet", {}, "there unknown - - - -"),
]
"""A file that is deleted, other settings, and the row of the corpus after a build."""


@pytest.mark.usefixtures("built")
def test_after_a_build_its_stages_are_there_but_what_is_changed(
    home: Path, plan: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.core.hub import hub

    missing = Preview(commit="c" * 40, sizes={"a.safetensors": 1}, missing=["a.safetensors"])
    for deleted, changes, expected in CHANGES:
        if deleted:
            next(home.glob(f"fr-en/{deleted}")).unlink()
        with monkeypatch.context() as patch:
            if "unknown unknown" in expected:
                patch.setattr(hub, "preview", lambda *_, **__: missing)
            lines = plan(**changes)
        assert " ".join(row(lines)) == expected, (deleted, changes)
        is_finished = not changes
        assert (row(lines, "data set")[-1] == "there") == is_finished
        assert (lines[2] == "nothing is to be done") == is_finished


@pytest.mark.parametrize(("changes", "words"), [
    ({"parser": {"pipeline": "en_core_nowhere"}}, "python -m spacy download en_core_nowhere"),
    ({"translation": {"model": "quickstart/models/spacy-en-ud"}}, "is not a model in Hugging Face's format"),
    ({"translation": {"model": "quickstart/models/marian-frdees-en"}, "language": "fr", "pivot": "en"},
     "is a model for other languages"),
])  # fmt: skip
def test_what_the_build_would_refuse_is_the_first_table_of_a_completed_plan(
    changes: dict[str, Any], words: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.flows.plan_bitext import plan_bitext

    pages: list[str] = []
    monkeypatch.setattr(
        "bitext_pivot.flows.prefect_run.PrefectRun.publish",
        lambda run, key, content, description: pages.append(content),
    )
    state = plan_bitext(settings(**changes), return_state=True)
    assert state.is_completed() and words in str(state.message)
    (page,) = pages
    assert (
        words
        in page[
            page.index("## The build would stop") : page.index("## Finished and remaining stages")
        ]
        and not home.exists()
    )


def test_a_build_has_two_artifacts_and_a_report_of_losses(
    home: Path, server: str, artifact: Callable[[str], str]
) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    folder = pivot_bitext(
        settings(filters={"preset": "rules", "advanced": {"overlap": {"min_overlap": 1.0}}})
    )
    report = artifact("report")
    assert report.startswith("**0 rows** of ") and f"`{folder}`" in report.partition("\n")[0]
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in report.splitlines()
        if line.startswith("| ")
    ]
    funnel = {stage: cells for stage, *cells in rows if len(cells) == 2}
    assert funnel["extract"] == ["3", "1 shape 1-1"]
    assert funnel["score"][0] == "3"
    corpora = [line for line in report.splitlines() if line.startswith("| Tiny/v1 |")]
    assert corpora[0].startswith("| Tiny/v1 | 3 | 0 | ")
    runs = httpx.post(
        f"{server}/flow_runs/filter", json={"sort": "START_TIME_DESC", "limit": 1}, trust_env=False
    )
    body = {"artifacts": {"flow_run_id": {"any_": [runs.json()[0]["id"]]}}}
    artifacts = httpx.post(
        f"{server}/artifacts/filter", json=body, timeout=60, trust_env=False
    ).json()
    assert sorted(one["key"].partition("-")[0] for one in artifacts) == ["report", "trial"]
