"""`make serve` with passwords: what it starts and `make stop` ends, and no password in what is written or logged.

The passwords are those of a mirror, a proxy, the page and the hub.
"""

import base64
import gzip
import json
import logging
import stat
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
import web
from served import PATIENCE, Page, served, until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

pytestmark = pytest.mark.system
PREFECT = Subprotocol("prefect")
SECRETS = {name: f"{name}-pw-7Kq9xZ" for name in ("mirror", "proxy", "page", "hub")}
AUTH = ("user", SECRETS["page"])
DOCUMENT = '<document><s id="1">{}</s><s id="2">{}</s></document>'


def basic(user: str, password: str) -> str:
    """What a header says of a name and a password."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Mirror:
    """A proxy with a password to a mirror with a password; `Locked` wants another one."""

    def __init__(self, folder: Path) -> None:
        self.files, self.opened, self.address = web.files(folder), 0, ""

    def __call__(self, request: web.Request) -> web.Answer:
        if request.headers.get("Proxy-Authorization") != basic("me", SECRETS["proxy"]):
            return web.Answer(407)
        if (
            request.headers.get("Authorization") != basic("me", SECRETS["mirror"])
            or "Locked" in request.path
        ):
            return web.Answer(401)
        answer = self.files(request)
        self.opened += answer.status == 200
        return answer


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mirror]:
    """Such a mirror, with a corpus Tiny/v1."""
    folder = tmp_path_factory.mktemp("mirror")
    top = folder / "OPUS-Tiny" / "v1"
    for form in ("xml", "raw"):
        (top / form).mkdir(parents=True)
    group = '<linkGrp fromDoc="en/a.xml" toDoc="fr/a.xml"><link xtargets="1 2;1" /></linkGrp>'
    (top / "xml" / "en-fr.xml.gz").write_bytes(
        gzip.compress(f"<cesAlign>{group}</cesAlign>".encode())
    )
    for language in ("en", "fr"):
        with zipfile.ZipFile(top / "raw" / f"{language}.zip", "w") as archive:
            text = DOCUMENT.format("The gardener planted a tree.", "Then he watered the roses.")
            archive.writestr(f"Tiny/raw/{language}/a.xml", text)
    mirror = Mirror(folder)
    with web.serve(mirror) as mirror.address:
        yield mirror


@pytest.fixture(scope="module")
def page(mirror: Mirror, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page whose environment is full of passwords, with a build that went well and one that did not."""
    with served(
        tmp_path_factory.mktemp("home"), PREFECT_SERVER_API_AUTH_STRING=":".join(AUTH),
        BITEXT_PIVOT_OPUS=f"http://me:{SECRETS['mirror']}@opus.invalid",
        # the server is reached without the proxy
        HTTP_PROXY=f"http://me:{SECRETS['proxy']}@{mirror.address.removeprefix('http://')}",
        HF_TOKEN=SECRETS["hub"],
    ) as page:  # fmt: skip
        yield page


def build(page: Page, corpus: str) -> str:
    """Build a corpus with the deployment of the first run, and return how it ended and what was said."""
    settings = {
        "corpora": [corpus], "translation": {"engine": "echo"}, "parser": {"pipeline": "quickstart/models/spacy-en-ud"},
        "filters": {"preset": "rules"}, "screening": {"language": {"enabled": False}},
    }  # fmt: skip
    return ": ".join(page.ends(page.submit("pivot-bitext/first-fr-en", settings)))


def leaks(folder: Path) -> list[tuple[str, str]]:
    """Which secret stands in which file, in clear or as a header has it."""
    forms = {
        name: [value.encode(), basic("me", value)[6:].encode()] for name, value in SECRETS.items()
    }
    forms["page"].append(basic(*AUTH)[6:].encode())
    files = [(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]
    return [(name, str(path.relative_to(folder))) for path, text in files
            for name, all_forms in forms.items() if any(form in text for form in all_forms)]  # fmt: skip


def refusals(page: Page) -> list[str]:
    """Return the errors in the logs of the server that speak of the mirror's refusal."""
    errors = page.ask("POST", "logs/filter", {"logs": {"level": {"ge_": logging.ERROR}}})
    return [error["message"] for error in errors if "answered with status 401" in error["message"]]


def test_no_secret_is_in_files_or_logs_of_a_build(page: Page, mirror: Mirror) -> None:
    assert build(page, "Tiny/v1").startswith("Completed") and mirror.opened >= 3
    assert "answered with status 401" in build(page, "Locked/v1")
    until(lambda: refusals(page))  # logs reach the server in batches of two seconds
    database = (page.home / "prefect" / "prefect.db").read_bytes()
    logs = b"".join(path.read_bytes() for path in (page.home / "prefect").glob("prefect.db*"))
    # The search works: these files contain text that is not secret.
    assert b"Tiny-v1-00000" in logs and b"first-fr-en" in database
    assert list(page.home.glob("fr-en/export-*/README.md"))
    assert leaks(page.home) == []


def test_the_api_shows_no_secret_either(page: Page) -> None:
    answers = [page.request("GET", "admin/settings"), page.request("POST", "flow_runs/filter", json={}),
               page.request("POST", "logs/filter", json={}), page.request("POST", "artifacts/filter", json={}),
               page.request("POST", "work_pools/filter", json={})]  # fmt: skip
    assert [answer.status_code for answer in answers] == [200] * 5
    assert [
        name for name, secret in SECRETS.items() for answer in answers if secret in answer.text
    ] == []


def test_no_secret_is_on_a_command_line(page: Page) -> None:
    words = " ".join(page.command_lines())
    assert "bitext_pivot.deployments.server" in words and "prefect worker start" in words
    assert not any(secret in words for secret in SECRETS.values())


def test_another_web_page_may_not_read_the_api(page: Page) -> None:
    for origin, status in (("http://evil.example", 403), (page.address, 200)):
        assert (
            page.request("GET", "admin/version", headers={"Origin": origin}).status_code == status
        )


@pytest.mark.parametrize(
    "path", ["events/in", "events/out", "logs/out", "work_pools/local/workers/connect"]
)
def test_another_web_page_opens_no_websocket(page: Page, path: str) -> None:
    opened = partial(
        connect, f"ws://127.0.0.1:{page.port}/api/{path}", proxy=None, open_timeout=PATIENCE
    )
    for origin in ("http://evil.example", "null"):
        with pytest.raises(InvalidStatus) as refused, opened(additional_headers={"Origin": origin}):
            pass
        assert refused.value.response.status_code == 403
    for headers in ({"Origin": page.address}, {}):
        with opened(additional_headers=headers, subprotocols=[PREFECT]) as socket:
            socket.send(json.dumps({"type": "auth", "token": ":".join(AUTH)}))
            assert json.loads(socket.recv(PATIENCE))["type"] in ("auth_success", "ready")


@pytest.mark.parametrize("kind", ["text/plain", "application/json", None])
def test_another_web_page_may_not_change_anything_unread(page: Page, kind: str | None) -> None:
    """A browser sends some requests without asking first. Should one have no Origin, it has no token either."""
    headers = {"Content-Type": kind} if kind else {}
    for origin, refusal in (
        ({"Origin": "http://evil.example"}, "Pages from other addresses"),
        ({}, "Missing CSRF token."),
    ):
        answer = page.request(
            "POST", "flows/", content=b'{"name": "forged"}', headers=headers | origin
        )
        assert answer.status_code == 403 and refusal in answer.text
    assert page.request("POST", "flows/", json={"name": "honest"}).is_success


def test_database_and_logs_are_of_this_user_only(page: Page) -> None:
    folder = page.home / "prefect"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("*.*")}
    private = ("prefect.db", "prefect.db-wal", "prefect.db-shm", "server.log", "worker.log")
    assert [modes[name] for name in private] == [0o600] * 5


def test_start_registers_all_deployments(page: Page) -> None:
    from bitext_pivot.deployments import definitions

    page.command("status")
    found = page.request("POST", "deployments/filter", json={}).json()
    assert {one["name"] for one in found} == {one.name for one in definitions.deployments()}
    automations = page.request("POST", "automations/filter", json={}).json()
    assert [one["name"] for one in automations] == ["Mark runs without a heartbeat as crashed"]
    recorder = page.request("GET", "admin/settings").json()["server"]["services"][
        "task_run_recorder"
    ]
    assert (recorder["batch_size"], recorder["flush_interval"]) == (200, 1)


def test_without_the_password_the_api_answers_nothing(page: Page) -> None:
    assert page.request("GET", "admin/settings", auth=None).status_code == 401
    assert page.request("GET", "csrf-token?client=stranger", auth=None).status_code == 401
    # a request that changes something needs a token first, and the token needs the password
    assert (
        page.request("POST", "deployments/filter", json={}, headers={}, auth=None).status_code
        == 403
    )


def test_only_loopback_is_listened_on(page: Page) -> None:
    server = page.part("server")
    listening = set()
    for process in (server, *server.children(recursive=True)):  # on macOS only root may ask of all
        with suppress(psutil.NoSuchProcess):  # it ended meanwhile
            for one in process.net_connections("tcp"):
                if one.laddr and one.laddr.port == page.port and one.status == "LISTEN":
                    listening.add(one.laddr.ip)
    assert listening == {"127.0.0.1"}


def test_stop_ends_all_that_start_began(page: Page) -> None:
    page.command("stop")
    processes = psutil.process_iter(["environ"])
    home = str(page.home / "prefect")
    assert [
        one.pid for one in processes if (one.info["environ"] or {}).get("PREFECT_HOME") == home
    ] == []
    page.command("status", fails=True)
