"""Each recipe in this process and as a Prefect flow: the same bytes, the same counts, and the same error of a shard."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from builds import DOCUMENTS, tiny, tree, write_corpus
from learned import split_rows

from bitext_pivot import flows
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.flows import presets
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.flows.unfuse_settings import UnfuseText

ROOT = Path(__file__).parents[2]
QUICKSTART = str(ROOT / "quickstart" / "opus")
BUILDS: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "pivot_bitext": (PivotBitext, tiny()),
    "join_builds": (JoinBuilds, {"presets": ["fr.json", "es.json"]}),
    "unfuse_text": (UnfuseText, {**presets.load("demo", presets.FOLDER / "unfuse"), "shard_rows": 60}),
    "mine_markers": (MineMarkers, {**presets.load("demo", presets.FOLDER / "mine"), "shard_rows": 60}),
    "explicitate_bitext": (
        ExplicitateBitext, {**presets.load("demo", presets.FOLDER / "explicitate"), "shard_rows": 5},
    ),
    "train_model": (TrainModel, {
        "task": "split", "data": ["rows.jsonl"], "licence": "CC0-1.0", "model": {"start": "random"},
        "decoding": {"beams": 1}, "training": {"max_steps": 4, "batch": 8},
    }),
}  # fmt: skip
"""The settings of each recipe that builds something; files are in the working folder."""
FAILING = {
    "pivot_bitext": "parsed", "join_builds": "joined", "unfuse_text": "fused", "mine_markers": "candidates",
    "explicitate_bitext": "back",
}  # fmt: skip
"""The folder of the stage whose second shard fails."""
WAYS = ("local", "prefect")
COMMAND = """
import sys
from bitext_pivot.commands.main import main
status = main(sys.argv[1:])
print("prefect" in sys.modules)
sys.exit(status)
"""


@pytest.fixture
def environment(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The corpora, files and models of all recipes, and two workers."""
    opus = tmp_path / "opus"
    shutil.copytree(QUICKSTART, opus)
    for pivot in ("fr", "es"):
        write_corpus(opus, DOCUMENTS, pivot)
        settings = {"settings": tiny(pivot=pivot)}
        (tmp_path / f"{pivot}.json").write_text(json.dumps(settings), encoding="utf-8")
    rows = "".join(f"{json.dumps(row)}\n" for row in split_rows(40))
    (tmp_path / "rows.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "quickstart").symlink_to(ROOT / "quickstart")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(opus))
    monkeypatch.setenv("BITEXT_PIVOT_HOME", "")  # `run` sets it
    monkeypatch.setenv("BITEXT_PIVOT_THREADS", "1")
    return monkeypatch


def run(way: str, flow: str, *arguments: Any) -> Any:
    """Run a recipe in one of both ways, in a data folder of its own."""
    from bitext_pivot.tasks.run.current_run import local_run

    os.environ["BITEXT_PIVOT_HOME"] = str(Path(way).resolve())
    if way == "prefect":
        return flows.load(flow)(*arguments)
    with local_run(Site()):
        return flows.stages(flow)(*arguments)


def failing_write(folder: str) -> Callable[..., Any]:
    """Return a function that writes shards, except the second one of a stage."""
    write = shards.write

    def fail(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.parent.name.startswith(f"{folder}-") and "-00001" in path.name:
            raise RuntimeError("the disk is on fire")
        return write(path, *arguments, **options)

    return fail


def contents(home: Path, folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield the files of a data set or model, and the rows of all shards, without seconds."""
    for name, data in tree(folder).items():
        has_seconds = folder.parts[-3] == "trained" and name.endswith((".json", ".md", "SUMS"))
        yield name, None if has_seconds else data
    for path in sorted(home.rglob("*.parquet")):
        name = path.relative_to(home).as_posix()
        yield name, pq.read_table(path, partitioning=None).to_pylist()


@pytest.mark.system
@pytest.mark.quickstart
@pytest.mark.parametrize("flow", BUILDS)
def test_a_recipe_gives_the_same_bytes_counts_and_errors_both_ways(
    flow: str, environment: pytest.MonkeyPatch
) -> None:
    model, values = BUILDS[flow]
    errors, folders = [], {}
    for way in WAYS:
        settings = model.model_validate(values)
        if flow in FAILING:
            with (
                environment.context() as patch,
                pytest.raises((ShardError, RuntimeError)) as failed,
            ):
                patch.setattr(shards, "write", failing_write(FAILING[flow]))
                run(way, flow, settings)
            errors.append([str(failed.value), *getattr(failed.value, "__notes__", [])])
        folders[way] = run(way, flow, settings)
    assert errors == errors[:1] * len(errors)
    for error in errors:
        assert re.search(rf"{FAILING[flow]}-\w+/\S+-00001\b", " ".join(error))
    local, recorded = (dict(contents(Path(way).resolve(), folders[way])) for way in WAYS)
    assert len(local) > 5 and local.keys() == recorded.keys()
    assert [name for name in local if local[name] != recorded[name]] == []


@pytest.mark.system
@pytest.mark.quickstart
def test_a_plan_and_its_trial_are_the_same_both_ways(environment: pytest.MonkeyPatch) -> None:
    settings = PivotBitext.model_validate(tiny())
    for trial in (0, 2):
        pages = [run(way, "plan_bitext", settings, trial) for way in WAYS]
        tables = [
            [row for table in page.tables for row in table.rows if row[0] != "time for all"]
            for page in pages
        ]
        assert tables[0] and tables[0] == tables[1]


@pytest.mark.system
@pytest.mark.quickstart
@pytest.mark.parametrize("runner", ["threads", "dask"])
def test_a_local_command_imports_no_prefect_and_has_the_same_bytes(
    runner: str, environment: pytest.MonkeyPatch
) -> None:
    expected = run("prefect", "pivot_bitext", PivotBitext.model_validate(tiny()))
    home = Path("command").resolve()
    variables = {"BITEXT_PIVOT_HOME": str(home), "BITEXT_PIVOT_RUNNER": runner}
    command = [sys.executable, "-c", COMMAND, "build", "--preset", "fr.json"]
    done = subprocess.run(
        command, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    folder, has_prefect = done.stdout.split()
    assert has_prefect == "False"
    assert dict(contents(home, Path(folder))) == dict(contents(Path("prefect").resolve(), expected))
