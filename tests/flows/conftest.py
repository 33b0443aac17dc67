"""One Prefect server for all flow tests, one build of a tiny corpus, and builds in processes that can be killed."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builds import DOCUMENTS, QUICKSTART, quickstart, tiny, write_corpus

from bitext_pivot.flows.pivot_settings import PivotBitext

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The address of a Prefect server."""
    from prefect.settings import PREFECT_API_URL
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=600):
        yield str(PREFECT_API_URL.value())


@pytest.fixture(scope="package")
def opus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mirror of OPUS with the corpus Tiny/v1."""
    return write_corpus(tmp_path_factory.mktemp("opus"), DOCUMENTS)


@pytest.fixture
def home(server: str, opus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, in which builds read Tiny/v1."""
    folder = tmp_path / "home"
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(folder))
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(opus))
    monkeypatch.chdir(ROOT)
    return folder


@pytest.fixture(scope="package")
def tiny_build(server: str, opus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set of an undisturbed build of Tiny/v1."""
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BITEXT_PIVOT_HOME", str(tmp_path_factory.mktemp("tiny")))
        patch.setenv("BITEXT_PIVOT_OPUS", str(opus))
        return pivot_bitext(PivotBitext.model_validate(tiny()))


@pytest.fixture
def built(tiny_build: Path, home: Path) -> Path:
    """The data set of a copy of the undisturbed build in `home`."""
    original = tiny_build.parents[1]
    shutil.copytree(original, home, symlinks=True)
    return home / tiny_build.relative_to(original)


@pytest.fixture(scope="package")
def build() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Build in a process of its own, by default the quickstart corpus; `kill` names the call in which it is killed."""

    def run(
        home: Path, kill: str = "", settings: dict[str, Any] | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        few = quickstart(shard_rows=15, extraction={"max_links": 90})
        values = {
            "BITEXT_PIVOT_HOME": str(home), "BITEXT_PIVOT_OPUS": str(QUICKSTART / "opus"),
            "BUILD": json.dumps(settings or few), "KILL_AT": kill, **environment,
        }  # fmt: skip
        command = [sys.executable, str(Path(__file__).with_name("run_build.py"))]
        return subprocess.run(
            command, env=os.environ | values, cwd=ROOT, capture_output=True, text=True, timeout=600
        )

    return run
