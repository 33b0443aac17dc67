"""What all tests share: where ../shared is, one Hypothesis profile, and no silent skips where ../shared exists."""

import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: on a busy machine two threads wait for each other
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no test asks the real hub; those of the loader have a hub of their own

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile("everywhere", deadline=None, derandomize=True, print_blob=False)
settings.load_profile("everywhere")


# Prefect leaves threads behind, so its floors come last: what runs before them has the process for itself.
FLOORS = ("pairs", "alignments", "filters", "translation", "tasks", "flows", "deployments", "ui")


def _floor(item: pytest.Item) -> int:
    top = item.path.relative_to(ROOT / "tests").parts[0]
    return FLOORS.index(top) if top in FLOORS else len(FLOORS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the ground floor, and skip tests that need ../shared where there is none."""
    items.sort(key=_floor)
    if not SHARED.is_dir():
        reason = pytest.mark.skip(reason="needs the developers' folder ../shared, which is not here")
        for item in items:
            if item.get_closest_marker("shared"):
                item.add_marker(reason)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember a test that needs ../shared and was skipped although ../shared is here."""
    if report.skipped and "shared" in report.keywords and SHARED.is_dir():
        _skipped.append(report.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Begin the report of a group of exceptions with those it is made of: Hypothesis shows them after long examples."""
    report = yield
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, BaseExceptionGroup):
        leaves = "\n".join(f"{type(leaf).__name__}: {str(leaf)[:300]}" for leaf in _leaves(error))
        report.longrepr = f"{leaves}\n\n{report.longreprtext}"
    return report


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _leaves(one)
    else:
        yield error
    if error.__cause__ or error.__context__:
        yield from _leaves(error.__cause__ or error.__context__)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run for such tests: they would hide a broken check."""
    if _skipped:
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name them."""
    for name in _skipped:
        terminalreporter.write_line(f"FAILED {name}: skipped although ../shared is here")


_skipped: list[str] = []


@pytest.fixture(scope="session")
def shared() -> Path:
    """The developers' folder of real data."""
    if not SHARED.is_dir():
        pytest.skip("needs the developers' folder ../shared, which is not here")
    return SHARED
