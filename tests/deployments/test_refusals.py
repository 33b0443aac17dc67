"""With SQLite, the default: the server refuses no request that creates or deletes a run, idle or during a build."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fault_injection import SETTINGS
from served import ENDED, Page, token

pytestmark = pytest.mark.system
NUMBER = 100
LATER = {"type": "SCHEDULED", "state_details": {"scheduled_time": "2099-01-01T00:00:00Z"}}
"""Far away, so that no worker starts the run: what is measured is the request that Submit sends."""


class Visitor:
    """A browser's requests: each is sent once and never repeated."""

    def __init__(self, page: Page) -> None:
        self.client = httpx.Client(base_url=f"{page.address}/api/", timeout=120, trust_env=False)
        self.client.headers.update(token(page.address))
        self.deployment = page.ask("GET", "deployments/name/plan-bitext/plan")["id"]
        self.answers: Counter[tuple[str, int]] = Counter()

    def create(self) -> str | None:
        """Press Submit; return the run's id, None when the request is refused."""
        body = {"parameters": {"settings": {"pivot": "fr", "corpora": ["Europarl/v8"]}}, "state": LATER}
        answer = self.client.post(f"deployments/{self.deployment}/create_flow_run", json=body)
        self.answers["create", answer.status_code] += 1
        return str(answer.json()["id"]) if answer.is_success else None

    def delete(self, run: str) -> None:
        """Delete a run."""
        self.answers["delete", self.client.delete(f"flow_runs/{run}").status_code] += 1


@pytest.fixture
def visitor(page: Page) -> Iterator[Visitor]:
    """A visitor of the page."""
    visitor = Visitor(page)
    yield visitor
    visitor.client.close()


def test_an_idle_server_refuses_no_run_and_no_deletion(visitor: Visitor) -> None:
    runs = [visitor.create() for _ in range(NUMBER)]
    for run in filter(None, runs):
        visitor.delete(run)
    assert visitor.answers == {("create", 201): NUMBER, ("delete", 204): NUMBER}


def test_a_server_with_a_build_refuses_less_than_one_in_a_hundred(page: Page, visitor: Visitor, calm: Path) -> None:
    build = page.run("fr-en", SETTINGS, calm)  # all is built before, so task runs follow each other without a pause
    builds = 1
    while visitor.answers.total() < NUMBER or builds < 2:
        if page.state(build)[0] in ENDED:
            build, builds = page.run("fr-en", SETTINGS, calm), builds + 1
        if run := visitor.create():
            visitor.delete(run)
    page.completes(build)
    refused = sum(number for (_, status), number in visitor.answers.items() if status not in {201, 204})
    assert refused <= visitor.answers.total() / 100, visitor.answers
