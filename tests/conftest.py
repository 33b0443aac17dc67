"""Shared by all tests: ../shared, a parser, a database, one Hypothesis profile, the order of the files."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: on a busy machine two threads wait for each other
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # tests of the hub start a hub of their own

import pytest
from filelock import FileLock
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
WITHOUT_SHARED = "needs the developers' folder ../shared, which is not here"

settings.register_profile("everywhere", deadline=None, derandomize=True, print_blob=False)
settings.load_profile("everywhere")

LONGEST = (
    "test_documents.py", "test_readme.py", "test_fault_injection.py", "test_browser.py", "test_resume.py",
    "test_interrupt.py", "test_secrets.py",
)  # fmt: skip
"""Files of minutes, much of it waiting: they come first, in this order, so that all processes end at the same time."""
# Prefect leaves threads behind, so tests of flows and deployments come last in each process.
ORDER = ("pairs", "corpus", "alignments", "filters", "translation", "tasks", "flows", "deployments")
_skipped: list[str] = []


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(ROOT / "tests").parts[0]


def _position(item: pytest.Item) -> tuple[int, bool, int]:
    name, folder, is_system = item.path.name, _folder(item), item.get_closest_marker("system") is not None
    first = LONGEST.index(name) if name in LONGEST else len(LONGEST)
    return first, is_system, ORDER.index(folder) if folder in ORDER else -1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first and other system tests last, and skip tests that need a missing ../shared."""
    items.sort(key=_position)
    for item in items:
        if item.get_closest_marker("shared") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason=WITHOUT_SHARED))


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their number: compressed data differ between the processes, and names of tests may not."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember a test that needs ../shared and was skipped although ../shared exists."""
    if report.skipped and "shared" in report.keywords and SHARED.is_dir():
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the session for such tests: they would hide a broken check."""
    if _skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print their names."""
    for name in _skipped:
        terminalreporter.write_line(f"FAILED {name}: skipped although ../shared exists")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The developers' folder of real data."""
    if not SHARED.is_dir():
        pytest.skip(WITHOUT_SHARED)
    return SHARED


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with Prefect's tables, made once for all processes: each would take seconds. Tests start from copies.

    A user's first command makes it: test_documents.py has that.
    """
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "migrated"
    with FileLock(f"{home}.lock"):
        if not home.exists():
            command = [sys.executable, "-m", "prefect", "server", "database", "upgrade", "--yes"]
            environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
            subprocess.run(command, env=environment | {"PREFECT_HOME": str(home)}, check=True, capture_output=True)
    return home / "prefect.db"


@pytest.fixture(scope="session")
def pipeline() -> Any:
    """The quickstart's English parser, loaded once."""
    from pairs.syntax.parsing import Parser, load

    return load(Parser(pipeline=str(ROOT / "quickstart" / "models" / "spacy-en-ud")), "en")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A fresh clone, set up, with mirrors."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, so there is nothing to clone")
    from fresh_clone import fresh
    from served import free_port

    with fresh(tmp_path_factory.mktemp("clone"), BITEXT_PIVOT_SERVE_PORT=str(free_port())) as clone:
        yield clone
