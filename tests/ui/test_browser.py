"""The page in a real browser: a form is refused, filled in, run and looked at; a run fails, and Retry mends it.

The pictures of docs/from-the-ui.md are taken on the way: `make screenshots` keeps them. Nothing but this machine is
asked, by the browser neither.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from served import Page, data_set, served, shards_of

playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.page,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install --no-install-recommends chromium"),
]
FLAGS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-default-apps", "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip
ELSEWHERE = re.compile(r"^https?://(?!127\.0\.0\.1[:/])")
PATIENCE = 120_000  # milliseconds
LIGHT = 150_000  # bytes of a picture at most
ALL, THE_REST = Counter(Completed=5), Counter(Completed=1, Reused=4)


class Browser:
    """A browser's page on the served page, and the pictures it takes."""

    def __init__(self, page: playwright.Page, served_page: Page, pictures: Path) -> None:
        self.page, self.served, self.pictures = page, served_page, pictures
        pictures.mkdir(parents=True, exist_ok=True)

    def open(self, path: str) -> None:
        """Open a path of the page."""
        self.page.goto(f"{self.served.address}/v2/{path}")

    def picture(self, name: str) -> None:
        """Keep what is to be seen."""
        file = self.pictures / f"ui-{name}.png"
        self.page.wait_for_timeout(1_000)  # menus and messages slide in
        self.page.screenshot(path=file, animations="disabled")
        assert file.stat().st_size < LIGHT, f"{file} is too heavy"

    def form(self, deployment: str) -> None:
        """Open the form of a deployment as a visitor does."""
        self.open("deployments")
        self.page.get_by_role("link", name=deployment, exact=True).click()
        self.page.get_by_role("button", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Custom run").click()
        self.page.get_by_label("Rows a shard").wait_for()

    def submit(self) -> str:
        """Press Submit until it helps, and return the path of the run's page.

        A form that was refused once checks every change with the server and does not hear a click meanwhile; and the
        server may be too busy to answer (SQLite).
        """
        created = self.page.get_by_role("link", name="View run")
        refused = self.page.get_by_text("Unknown error while creating flow run")
        for _ in range(5):
            self.page.wait_for_load_state("networkidle")
            self.page.get_by_role("button", name="Submit").click()
            with suppress(playwright.TimeoutError):
                created.or_(refused).first.wait_for(timeout=20_000)
            if created.is_visible():
                return str(created.get_attribute("href"))
        pytest.fail("pressed five times, and no run was made")

    def follow(self, path: str, state: str) -> str:
        """Go to the page of a run and wait there until it has ended so; return its id."""
        run = path.partition("/flow-run/")[2][:36]
        self.open(f"runs/flow-run/{run}")
        self.ends(run, state)
        return run

    def ends(self, run: str, state: str) -> None:
        """Wait until the run's page shows that it ended so."""
        assert self.served.ends(run)[0] == state
        self.page.get_by_text(state, exact=True).first.wait_for()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with served(tmp_path_factory.mktemp("page"), PREFECT_WORKER_QUERY_SECONDS="1") as page:
        yield page


@pytest.fixture
def browser(page: Page, tmp_path: Path) -> Iterator[Browser]:
    with playwright.sync_playwright() as library:
        chromium = library.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = chromium.new_context(
            viewport={"width": 1100, "height": 760}, color_scheme="light", timezone_id="UTC", locale="en-US"
        )
        context.route(ELSEWHERE, lambda route: route.abort())
        context.set_default_timeout(PATIENCE)
        pictures = Path(os.environ.get("BITEXT_PIVOT_SCREENSHOTS") or tmp_path / "pictures")
        yield Browser(context.new_page(), page, pictures)
        chromium.close()


def test_from_the_form_to_the_data_set_and_back_from_a_failure(browser: Browser, page: Page) -> None:
    looked_at(browser, refused_then_built(browser))
    failed_and_retried(browser, page)


def refused_then_built(browser: Browser) -> str:
    """A form that cannot work is refused with the reason beside the field; mended, it makes a run: its path."""
    view = browser.page
    browser.open("deployments")
    view.get_by_role("link", name="demo-fr-en", exact=True).wait_for()
    browser.picture("1-deployments")
    browser.form("demo-fr-en")
    assert view.get_by_role("button", name="Select Pivot language").inner_text() == "fr"
    corpus = view.locator("textarea, input").filter(visible=True)
    corpus = next(one for one in corpus.all() if one.input_value() == "Everyday/v1")
    corpus.fill("Everyday v1")
    view.get_by_role("button", name="Submit").click()
    view.get_by_text("'Everyday v1' does not match").first.wait_for()
    corpus.evaluate("one => one.scrollIntoView({block: 'center'})")
    browser.picture("2-refused")
    assert browser.served.ask("POST", "flow_runs/count", {}) == 0
    corpus.fill("Everyday/v1")
    view.get_by_label("Rows a shard").fill("15")
    view.get_by_label("Run Name").fill("first")
    run = browser.submit()
    browser.picture("3-submitted")
    return run


def looked_at(browser: Browser, path: str) -> None:
    """The run's page tells the story of the build."""
    view = browser.page
    run = browser.follow(path, "Completed")
    browser.served.shows(run, 1, translate=ALL, judge=ALL)
    browser.picture("4-completed")
    view.get_by_role("tab", name="Artifacts").click()
    view.get_by_role("link", name="funnel-fr-en").click()
    view.get_by_role("link", name=re.compile("^[0-9a-f]{8}$")).first.click()
    view.get_by_text("translate", exact=True).wait_for()
    browser.picture("5-funnel")


def failed_and_retried(browser: Browser, page: Page) -> None:
    """A damaged file fails one shard, which is named; without the file Retry builds that shard alone."""
    view, home = browser.page, page.home
    whole = {name: (home / name).read_bytes() for name in shards_of(home) if "/export-" in name}
    damaged = next(home.glob("*/pairs-*/*-00002.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:100])
    for later in [*home.glob("*/[pjs]*-*/*-00002.parquet*"), *home.glob("*/export-*/README.md")]:
        if later.parent != damaged.parent:
            later.unlink()
    before = shards_of(home)
    browser.form("demo-fr-en")
    view.get_by_label("Rows a shard").fill("15")
    run = browser.follow(browser.submit(), "Failed")
    view.get_by_role("tab", name="Details").click()
    reason = view.get_by_text("Delete it and run again: it alone will be built anew").first
    reason.evaluate("one => one.scrollIntoView({block: 'end'})")
    browser.picture("6-failed")
    damaged.unlink()
    view.get_by_role("button", name="Open menu").click()
    view.get_by_role("menuitem", name="Retry").click()
    view.get_by_role("dialog").or_(view.get_by_role("alertdialog")).wait_for()
    browser.picture("7-retry")
    view.get_by_role("button", name="Retry", exact=True).click()
    browser.ends(run, "Completed")
    page.shows(run, 2, translate=THE_REST, parse=THE_REST, score=THE_REST, judge=THE_REST)
    view.get_by_role("tab", name="Task Runs").click()
    view.get_by_text("Reused", exact=True).first.evaluate("one => one.scrollIntoView({block: 'center'})")
    browser.picture("8-only-what-was-missing")
    after = shards_of(home)
    untouched = [name for name in before if "-00002" not in name and "/export-" not in name]
    assert len(untouched) == 41
    assert {name: after[name] for name in untouched} == {name: before[name] for name in untouched}
    assert {name: (home / name).read_bytes() for name in whole} == whole
    assert data_set(home).name in next(iter(whole))
