"""Shared by all tests: ../shared, a parser, one Hypothesis profile, order and groups of the tests."""

import gc
import json
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

# Set before torch is imported: on a busy machine two threads wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["TERM"] = "xterm"  # not that of cron or Emacs, which has no bars
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # tests of the hub start a hub of their own

# Folders of the tests' own: what a user's home, caches, servers and data have must not decide how a test ends.
USERS_HOME = os.environ.setdefault("USERS_HOME", str(Path.home()))  # has pip's files
HOME = Path(__file__).parents[1] / "build" / "home"
for name in [name for name in os.environ if name.startswith(("HF_", "XDG_", "PREFECT_API_"))]:
    if name != "HF_HUB_OFFLINE":
        del os.environ[name]
os.environ |= {
    "HOME": str(HOME), "PREFECT_HOME": str(HOME / ".prefect"), "BITEXT_PIVOT_HOME": str(HOME / "data"),
    "BITEXT_PIVOT_CACHE": str(HOME / ".cache" / "bitext-pivot"),
}  # fmt: skip
(HOME / ".prefect").mkdir(parents=True, exist_ok=True)

import pytest
from hypothesis import HealthCheck, settings
from messages import Golden, Said

from bitext_pivot.core import garbage_collection

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
WITHOUT_SHARED = "needs the developers' folder ../shared, which is not here"

settings.register_profile(
    "everywhere",
    deadline=None,
    derandomize=True,
    print_blob=False,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no fault
)
settings.load_profile("everywhere")


HEAVY = (
    "torch",
    "transformers",
    "prefect",
    "spacy",
    "datasets",
    "matplotlib",
    "nltk",
    "sklearn",
    "scipy",
)
"""Libraries that take a second or more to import, as every process would do that collects the tests."""
IMPORTED = pytest.StashKey[dict[str, str]]()
GROUPS = {
    "tests/test_demo.py": "clone", "tests/test_readme.py": "clone",  # of one fresh clone
    "tests/flows/test_rebuild.py": "flows 2", "tests/flows/test_plan_bitext.py": "flows 2",  # of another Prefect server
    "tests/flows": "flows",  # of one Prefect server
    "tests/deployments/test_browser.py": "page",  # alone with its page
}  # fmt: skip
"""Files and folders whose tests share a fixture that takes long: one process runs a group. They come in this order."""


def group(test: str) -> tuple[int, str]:
    """Return the place and the name of the group of a test: by default the tests of its file."""
    path = PurePosixPath(test.partition("::")[0])
    for place, (shared, name) in enumerate(GROUPS.items()):
        if path.is_relative_to(shared):
            return place, name
    return len(GROUPS), str(path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return what gives the groups to processes where `--dist loadfile` would give files.

    The marks of `--dist loadgroup` do nothing with pytest 9.2 and xdist 3.8.
    """
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class LoadGroups(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)[1]

    return LoadGroups(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name short values of JSON by themselves, and compressed bytes by their argument.

    Compressed bytes have the second in which a process made them; processes that name a test differently run none.
    """
    if isinstance(val, bytes) and val.startswith(b"\x1f\x8b"):
        return argname
    if isinstance(val, dict | list | tuple):
        with suppress(TypeError, ValueError):
            return text if len(text := json.dumps(val)) <= 100 else None
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark and sort the tests, and skip those that need a missing ../shared."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "flows") and "server" in getattr(
            item, "fixturenames", ()
        ):
            item.add_marker(pytest.mark.system)  # `make test` starts no server
        if item.get_closest_marker("shared") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason=WITHOUT_SHARED))
    # system tests first, because they wait, and among them those that take longest
    items.sort(key=lambda item: (item.get_closest_marker("system") is None, group(item.nodeid)[0]))


def pytest_configure(config: pytest.Config) -> None:
    """Begin with no heavy library, and look for garbage as rarely as the commands do."""
    garbage_collection.collect_rarely()
    config.stash[IMPORTED] = {}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage meanwhile: that takes 6 of the 16 CPU seconds in which a process collects all tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Note the file that imported a heavy library first."""
    report = yield
    for name in HEAVY:
        if name in sys.modules:
            collector.config.stash[IMPORTED].setdefault(name, collector.nodeid)
    return report


@pytest.fixture
def imported(pytestconfig: pytest.Config) -> dict[str, str]:
    """The file that imported it while the tests were collected, by heavy library."""
    return pytestconfig.stash[IMPORTED]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that needs ../shared and skips although ../shared exists: it would hide a broken check."""
    report = yield
    if report.skipped and item.get_closest_marker("shared") and SHARED.is_dir():
        report.outcome = "failed"
    return report


@pytest.fixture
def golden(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Golden:
    """The messages of this test in the golden file."""
    return Golden(request.node.nodeid, tmp_path_factory.getbasetemp())


@pytest.fixture
def done(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command that ends well, and return its output."""

    def run(*arguments: str) -> str:
        from bitext_pivot.commands.main import main

        assert main([*arguments]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command that refuses what it is given, and return what it says."""

    def run(*arguments: str) -> str:
        from bitext_pivot.commands.main import main

        assert main([*arguments]) == 2
        return capsys.readouterr().err

    return run


@pytest.fixture(scope="session")
def shared() -> Path:
    """The developers' folder of real data."""
    if not SHARED.is_dir():
        pytest.skip(WITHOUT_SHARED)
    return SHARED


@pytest.fixture(scope="session")
def pipeline() -> Any:
    """The quickstart's English parser, loaded once."""
    from bitext_pivot.syntax.parsing import Parser, load_pipeline

    return load_pipeline(Parser(pipeline=str(ROOT / "quickstart" / "models" / "spacy-en-ud")), "en")


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A fresh clone, set up, with mirrors."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, so there is nothing to clone")
    from fresh_clone import fresh
    from served import free_port

    with fresh(tmp_path_factory.mktemp("clone"), BITEXT_PIVOT_SERVE_PORT=str(free_port())) as clone:
        yield clone


@pytest.fixture(scope="module")
def launched() -> Iterator[Any]:
    """A browser that reaches nothing but this machine."""
    from browsers import chromium

    with chromium() as launched:
        yield launched
