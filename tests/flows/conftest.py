"""One Prefect server for all flow tests, a tiny corpus, and a way to run a build in a process that can be killed."""

import gzip
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL
from prefect.testing.utilities import prefect_test_harness

ROOT = Path(__file__).parents[2]
QUICKSTART = ROOT / "quickstart"


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a Prefect server that lives as long as the tests."""
    with prefect_test_harness(server_startup_timeout=180):
        yield str(PREFECT_API_URL.value())


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for this test, with the quickstart's corpus as OPUS; returns the folder."""
    home = tmp_path / "home"
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(home))
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(QUICKSTART / "opus"))
    monkeypatch.chdir(ROOT)
    return home


@pytest.fixture
def build(server: str, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a build of the quickstart corpus in a process of its own; `kill` names a call at which it is killed."""

    def run(home: Path, kill: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        values = {
            "PREFECT_API_URL": server, "BITEXT_PIVOT_HOME": str(home), "BITEXT_PIVOT_OPUS": str(QUICKSTART / "opus"),
            "KILL_AT": kill, **environment,
        }  # fmt: skip
        script = Path(__file__).with_name("run_build.py")
        return subprocess.run(
            [sys.executable, str(script)],
            env=os.environ | values,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
        )

    return run


@pytest.fixture
def opus(tmp_path: Path) -> Callable[[dict[str, tuple[list[str], list[str]]]], Path]:
    """Write a corpus Tiny/v1 en-fr with one link a document, from the sentences of both sides by document."""

    def write(documents: dict[str, tuple[list[str], list[str]]]) -> Path:
        root = tmp_path / "opus" / "OPUS-Tiny" / "v1"
        (root / "xml").mkdir(parents=True)
        (root / "raw").mkdir()
        groups = []
        for name, sides in documents.items():
            targets = ";".join(" ".join(str(n) for n, _ in enumerate(side, 1)) for side in sides)
            head = f'<linkGrp fromDoc="en/{name}.xml.gz" toDoc="fr/{name}.xml.gz">'
            groups.append(f'{head}\n<link xtargets="{targets}" />\n</linkGrp>')
        body = (
            '<?xml version="1.0" encoding="utf-8"?>\n<cesAlign version="1.0">\n' + "\n".join(groups) + "\n</cesAlign>\n"
        )
        (root / "xml" / "en-fr.xml.gz").write_bytes(gzip.compress(body.encode()))
        for place, language in enumerate(("en", "fr")):
            with zipfile.ZipFile(root / "raw" / f"{language}.zip", "w") as archive:
                for name, sides in documents.items():
                    inner = "".join(f'<s id="{n}">{text}</s>' for n, text in enumerate(sides[place], 1))
                    archive.writestr(f"Tiny/raw/{language}/{name}.xml", f"<document>{inner}</document>")
        return tmp_path / "opus"

    return write
