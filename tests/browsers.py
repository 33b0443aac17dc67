"""A real browser on a served page: what a visitor does there, and the pictures of docs/from-the-ui.md."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from served import Page

pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
from playwright import sync_api as playwright

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip
ELSEWHERE = re.compile(r"^https?://(?!127\.0\.0\.1[:/])")
PATIENCE = 600_000  # milliseconds
playwright.expect.set_options(timeout=PATIENCE)
WIDTH, HEIGHT = 1100, 900
MENU = 256  # pixels at the left that every page has; without them a picture is as wide as a page of text
LIGHT = 120_000  # bytes of a picture at most
SLOWLY = """
window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 500);
window.cancelAnimationFrame = clearTimeout;
"""
"""Draw the graph of a run twice a second: sixty times, as by default, keep a core busy where there is no GPU."""
NO_MESSAGES = "[data-sonner-toaster] { visibility: hidden }"  # they lie over what they are about


MARKS = [
    pytest.mark.system,
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None, reason="needs Chromium: apt-get install --no-install-recommends chromium"
    ),
]


class Browser:
    """A browser's page on the served page, and the pictures it takes."""

    def __init__(self, page: playwright.Page, served: Page, pictures: Path, still: float) -> None:
        self.page, self.served, self.pictures, self.still = page, served, pictures, still
        self.strangers: list[str] = []
        """Every address on other machines that was asked for something; none of them got the question."""
        page.context.route(ELSEWHERE, self._refuse)
        pictures.mkdir(parents=True, exist_ok=True)

    def _refuse(self, route: playwright.Route) -> None:
        self.strangers.append(route.request.url)
        route.abort()

    def open(self, path: str) -> None:
        """Open a path of the page."""
        self.page.goto(f"{self.served.address}/v2/{path}")

    def picture(
        self,
        name: str,
        top: playwright.Locator | int,
        bottom: playwright.Locator | int,
        left: int = 0,
    ) -> None:
        """Keep what lies between two things (or heights in pixels) of the page; by default with the menu at the left.

        A bottom that is a thing is in the picture.
        """
        file = self.pictures / f"ui-{name}.png"
        self.page.evaluate("window.scrollTo(0, 0)")
        self.page.wait_for_timeout(self.still)
        above = top if isinstance(top, int) else self.box(top)["y"] - 12
        below = (
            bottom
            if isinstance(bottom, int)
            else self.box(bottom)["y"] + self.box(bottom)["height"] + 12
        )
        clip = playwright.FloatRect(x=left, y=above, width=WIDTH - left, height=below - above)
        self.page.screenshot(
            path=file, clip=clip, full_page=True, animations="disabled", style=NO_MESSAGES
        )
        assert file.stat().st_size < LIGHT, f"{file} is too heavy"

    @contextmanager
    def wide(self) -> Iterator[None]:
        """Make the window so wide that an artifact without what stands at its right is as wide as other pictures."""
        self.page.set_viewport_size({"width": 1650, "height": HEIGHT})
        yield
        self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})

    def box(self, thing: playwright.Locator) -> playwright.FloatRect:
        """Where a thing is on the page, in pixels.

        A page that hears news draws itself anew, and a thing that was seen is nowhere for a moment.
        """
        for _ in range(10):
            thing.wait_for()
            if box := thing.bounding_box():
                return box
        pytest.fail(f"{thing} is not to be seen")

    def form(self, deployment: str) -> None:
        """Open the form of a deployment from its page."""
        named = {"deployments": {"name": {"any_": [deployment]}}}
        self.open(
            f"deployments/deployment/{self.served.ask('POST', 'deployments/filter', named)[0]['id']}"
        )
        self.page.get_by_role("button", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Custom run").click()
        self.page.get_by_role("button", name="Submit").wait_for()

    def submit(self) -> str:
        """Press Submit until the form hears it, and return the run's id; fails when the server refuses the run.

        A form that was refused once checks every change with the server and does not hear a click meanwhile.
        """
        created = self.page.get_by_role("link", name="View run")
        refused = self.page.get_by_text("Unknown error while creating flow run")
        for _ in range(10):
            self.page.wait_for_load_state("networkidle")
            self.page.get_by_role("button", name="Submit").click()
            self.page.mouse.move(0, 0)  # a message stays while it is pointed at
            with suppress(playwright.TimeoutError):
                created.or_(refused).first.wait_for(timeout=30_000)
            assert not refused.is_visible(), "the server refused to create the run"
            if created.is_visible():
                return str(created.get_attribute("href")).partition("/flow-run/")[2][:36]
        pytest.fail("pressed ten times, and no run was made")

    def look_at(self, run: str) -> None:
        """Open the page of a run."""
        self.open(f"runs/flow-run/{run}")
        self.page.get_by_role("tab", name="Details").wait_for()

    def leave(self) -> None:
        """Show nothing: the page of a working run draws itself anew all the time, which takes the processor from it."""
        self.page.goto("about:blank")

    def ends(self, run: str, state: str) -> None:
        """Wait elsewhere until the run ended so, and open its page, which shows it."""
        self.leave()
        assert self.served.ends(run)[0] == state
        self.look_at(run)
        self.shows(state)

    def completes(self, run: str) -> None:
        """Wait elsewhere until the run has completed, and open its page, which shows it."""
        self.leave()
        self.served.completes(run)
        self.look_at(run)
        self.shows("Completed")

    def shows(self, state: str) -> None:
        """Wait until the run's page shows this state."""
        self.page.get_by_text(state, exact=True).first.wait_for()

    def choose(self, item: str) -> None:
        """Choose an item of the run's menu and say yes to the question that follows."""
        self.page.get_by_role("button", name="Open menu").click()
        self.page.get_by_role("menuitem", name=item, exact=True).click()
        self.question().wait_for()

    def question(self) -> playwright.Locator:
        """The question that the page asks before it does something."""
        return self.page.get_by_role("dialog").or_(self.page.get_by_role("alertdialog"))

    def confirm(self, answer: str) -> None:
        """Answer the question, and wait until the server has heard it."""
        with self.page.expect_response(re.compile("/flow_runs/.*/set_state$")) as heard:
            self.question().get_by_role("button", name=answer).last.click()
        assert heard.value.ok

    def artifact(self, run: str, name: str) -> None:
        """Open an artifact of a run from the run's page."""
        self.look_at(run)
        self.page.get_by_role("tab", name="Artifacts").click()
        self.page.get_by_role("tabpanel").get_by_role("link", name=name).first.click()
        self.page.get_by_role("link", name=re.compile("^[0-9a-f]{8}$")).first.click()
        self.page.get_by_role("tab", name="Raw").wait_for()


@contextmanager
def chromium() -> Iterator[playwright.Browser]:
    """Chromium that reaches nothing but this machine."""
    with playwright.sync_playwright() as library:
        launched = library.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
        yield launched
        launched.close()


@contextmanager
def checked(
    launched: playwright.Browser, *allowed: str, **options: Any
) -> Iterator[playwright.BrowserContext]:
    """Yield a context, and fail on any error or dialog of a page's script, and on a request but those `allowed`."""
    context, problems = launched.new_context(color_scheme="light", **options), list[str]()
    context.set_default_timeout(PATIENCE)

    def refuse(dialog: playwright.Dialog) -> None:
        problems.append(dialog.message)
        dialog.dismiss()

    context.on("dialog", refuse)
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on(
        "request",
        lambda request: None if request.url.startswith(allowed) else problems.append(request.url),
    )
    yield context
    context.close()
    assert problems == []


@contextmanager
def browser_on(page: Page, pictures: Path, *, still: float = 0) -> Iterator[Browser]:
    """Chromium with the page's address as the whole of its world.

    `still`: milliseconds before a picture, for what moves: a run's bars find their places, menus slide in.
    """
    with chromium() as launched:
        context = launched.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            color_scheme="light",
            timezone_id="UTC",
            locale="en-US",
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(SLOWLY)
        yield Browser(context.new_page(), page, pictures, still)
