"""The page in a real browser: a form is refused, filled in, run and looked at; a run is cancelled, one fails; Retry.

The pictures of docs/from-the-ui.md are taken on the way: `make screenshots` keeps them. Nothing but this machine is
asked, but for a configuration that Prefect's page wants.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from browsers import MARKS, MENU, Browser, browser_on
from builds import rows
from fault_injection import GATE, SETTINGS, Build, Open, arrives
from served import Page, data_set, shards_of

from bitext_pivot.deployments.serve import PrefectServer, start_page

pytestmark = MARKS
ALL, THE_REST = Counter(Completed=5), Counter(Completed=1, Reused=4)
STAGES = ("translate", "parse", "score", "judge")
DEMO = "demo-fr-en"
AMPLITUDE = "sr-client-cfg.amplitude.com"
"""Prefect's page asks it for a configuration, whatever is set (docs/security.md)."""


@pytest.fixture(scope="module")
def browser(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests; they do not depend on each other."""
    kept = os.environ.get("BITEXT_PIVOT_SCREENSHOTS")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("pictures")
    with browser_on(page, folder, still=2_000 if kept else 0) as browser:
        yield browser
        assert {httpx.URL(url).host for url in browser.strangers} <= {AMPLITUDE}, (
            "the page asked other machines"
        )


@pytest.fixture(autouse=True)
def _leave(browser: Browser) -> None:
    """Start without the page that the test before looked at last."""
    browser.leave()


def test_the_deployments_are_found_and_one_is_opened(browser: Browser) -> None:
    view = browser.page
    browser.open("deployments")
    view.get_by_placeholder("Search deployments").fill("fr-en")
    view.get_by_role("link", name="first-fr-en", exact=True).wait_for()
    view.get_by_role("link", name="ar-en", exact=True).wait_for(state="hidden")
    browser.picture("1-deployments", 0, 560)
    view.get_by_role("link", name=DEMO, exact=True).click()
    view.get_by_role("button", name="Run", exact=True).click()
    view.get_by_role("menuitem", name="Custom run").wait_for()
    browser.picture("2-run", 0, 150, MENU)


def test_the_address_to_begin_with_shows_those_with_its_tag(browser: Browser, page: Page) -> None:
    browser.page.goto(start_page(PrefectServer(port=page.port)))
    view = browser.page
    view.get_by_role("link", name="first-fr-en", exact=True).wait_for()
    view.get_by_role("link", name="ar-en", exact=True).wait_for(state="hidden")
    assert view.get_by_role("link", name="plan", exact=True).is_visible()


@pytest.mark.nightly
def test_a_plan_tells_what_a_build_would_do(browser: Browser, page: Page, tmp_path: Path) -> None:
    settings = {
        "pivot": "fr",
        "corpora": ["Europarl/v8"],
        "parser": {"pipeline": "quickstart/models/spacy-en-ud"},
        # The tests cannot reach the hub.
        "translation": {"model": "quickstart/models/marian-frdees-en"},
    }
    # No server answers at this address.
    run = page.run("plan", settings, tmp_path / "home", BITEXT_PIVOT_OPUS="http://127.0.0.1:9")
    browser.ends(run, "Completed")
    assert "Nothing was fetched or built" in page.state(run)[1]
    assert shards_of(tmp_path / "home") == {}
    with browser.wide():
        browser.artifact(run, "report-")
        # The number of alignments to translate, from the catalogue.
        browser.page.get_by_text("about 154,192").last.wait_for()
        title = browser.page.get_by_role("heading", name="fr-en: Europarl/v8")
        shards = browser.page.get_by_text("A build reuses all finished stages").first
        browser.picture("3-plan", title, shards, MENU)


def test_a_form_that_cannot_work_is_refused_beside_the_field(browser: Browser) -> None:
    refused(browser)


@pytest.mark.nightly
def test_a_form_is_refused_corrected_run_watched_and_read(browser: Browser, page: Page) -> None:
    refused(browser)
    run = watched(browser)
    page.shows(run, 1, **dict.fromkeys(STAGES, ALL))
    assert rows(data_set(page.home))
    browser.look_at(run)
    browser.picture("6-completed", 0, 512, MENU)
    artifacts(browser, run)


def refused(browser: Browser) -> None:
    """A form that cannot work is refused with the reason beside the field; it is corrected, with small shards."""
    view = browser.page
    before = browser.served.ask("POST", "flow_runs/count", {})
    browser.form(DEMO)
    assert view.get_by_role("button", name="Select Pivot language").inner_text() == "fr"
    texts = view.locator("textarea, input").filter(visible=True)
    corpus = next(one for one in texts.all() if one.input_value() == "Everyday/v1")
    corpus.fill("Everyday v1")
    view.get_by_role("button", name="Submit").click()
    view.get_by_text(
        "'Everyday v1' is not one of ['a corpus and its release, such as Europarl/v8']"
    ).first.wait_for()
    first = view.get_by_text("settings", exact=True).first
    last = view.get_by_role("button", name="Add item").first
    browser.picture("4-refused", first, last, MENU)
    assert browser.served.ask("POST", "flow_runs/count", {}) == before
    corpus.fill("Everyday/v1")
    view.get_by_label("Shard size").fill("15")


def watched(browser: Browser) -> str:
    """Press Submit, look at the run while it is stopped, and let it end; return its id."""
    run = browser.submit()
    browser.look_at(run)
    # The log has a line for each shard; the page shows only its first lines.
    browser.page.get_by_text("shards of alignments").first.wait_for()
    process = browser.served.process(run)
    process.suspend()
    browser.shows("Running")
    browser.picture("5-running", 0, 512, MENU)
    process.resume()
    browser.ends(run, "Completed")
    return run


def artifacts(browser: Browser, run: str) -> None:
    """The run's page tells the story of the build."""
    view = browser.page
    view.get_by_role("tab", name="Artifacts").click()
    view.get_by_role("link", name=f"report-{run[:8]}").first.wait_for()
    with browser.wide():
        browser.artifact(run, "report-")
        browser.picture("8-report", 0, 720, MENU)
        pairs = view.get_by_role("heading", name="Everyday/v1/en-fr:")
        assert pairs.count() == 10
        browser.picture(
            "9-examples", view.get_by_role("heading", name="Some rows"), pairs.nth(2), MENU
        )


@pytest.mark.nightly
def test_a_run_is_cancelled_on_its_page_and_retried(
    browser: Browser, page: Page, build: Build, gated: Open
) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    browser.look_at(run)
    browser.choose("Cancel")
    browser.confirm("Cancel")
    browser.ends(run, "Cancelled")
    gated()
    browser.choose("Retry")
    browser.confirm("Retry")
    browser.completes(run)
    build.is_whole()
    page.shows(run, 2, translate=THE_REST)


@pytest.mark.nightly
def test_a_shard_that_cannot_be_written_fails_alone_and_retry_builds_it_alone(
    browser: Browser, page: Page, build: Build
) -> None:
    view = browser.page
    obstacle = put_in_the_way(build)
    run = page.run("fr-en", SETTINGS, build.home)
    browser.ends(run, "Failed")
    page.shows(run, 1, translate=Counter(Failed=1, Reused=4))
    browser.look_at(run)
    browser.picture("10-failed", 0, 512, MENU)
    view.get_by_role("tab", name="Details").click()
    reason = view.get_by_text("Move it away and run again").first
    browser.picture("11-reason", view.get_by_text("State Message"), reason, MENU)
    obstacle.rmdir()
    browser.choose("Retry")
    browser.picture("12-retry", browser.question(), browser.question(), MENU)
    browser.confirm("Retry")
    browser.completes(run)
    build.is_whole()
    page.shows(run, 2, **dict.fromkeys(STAGES, THE_REST))
    browser.look_at(run)
    view.get_by_role("tab", name="Task Runs").click()
    view.get_by_text("Reused", exact=True).first.wait_for()
    browser.picture("13-only-what-was-missing", 560, 1260, MENU)


def put_in_the_way(build: Build) -> Path:
    """Leave of a whole build all but the data set, one shard of pairs and what was made of it; put a folder there."""
    shutil.copytree(build.calm, build.home, symlinks=True, dirs_exist_ok=True)
    shutil.rmtree(data_set(build.home))
    for later in build.home.glob("*/[!a]*-*/Tiny-v1-00002.parquet*"):
        if later.parent != build.gate.parent:
            later.unlink()
    build.remember()
    build.written = {
        name: when
        for name, when in build.written.items()
        if "/pairs-" not in name or GATE not in name
    }
    # five shards of alignments, four of each of five stages, and the held-out texts
    assert len(build.written) == 26
    build.gate.unlink()
    build.gate.mkdir()
    return build.gate
