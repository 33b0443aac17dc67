"""No secret leaves the process in an error: each one in each path on which a server could repeat it."""

import base64
import html
import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from urllib.parse import quote

import pytest
import web
from pydantic import SecretStr

from bitext_pivot.alignments.download.responses import RemoteVersion
from bitext_pivot.alignments.download.session import DownloadSession
from bitext_pivot.commands.command import refuse
from bitext_pivot.core import untrusted
from bitext_pivot.core.endpoint_server import EndpointServer
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.site import Site
from bitext_pivot.deployments import database
from bitext_pivot.translation.endpoint import EndpointEngine

SECRET = "pass+WORD/of-mine-98765"
CONTROL = "\x1b]0;owned\x07\x9b31m\u202e"
Action = Callable[[], object]


def repeated(request: web.Request) -> str:
    """What a server may say of a request: all it was sent, in some spellings, and control characters."""
    headers = dict(request.headers)
    sent = " ".join(headers.values())
    known = [value for value in sent.split() if len(value) > 8]
    basic = [
        base64.b64decode(value).decode("utf-8", "replace")
        for value in known
        if value.isascii() and "=" in value[-2:]
    ]
    key = request.headers.get("Authorization")
    return f"Wrong key: {key} {headers} {quote(sent)} {json.dumps(sent)} {html.escape(sent)} {basic} {CONTROL}"


@contextmanager
def refusing(status: int, shape: Callable[[str], bytes], header: str = "") -> Iterator[str]:
    """Serve a refusal of every request with what was sent in the body, or in a header."""

    def answer(request: web.Request) -> web.Answer:
        text = repeated(request)
        plain = text.encode("ascii", "replace").decode().replace("\x1b", "").replace("\x07", "")
        return web.Answer(status, shape(text), {header: plain} if header else {})

    with web.serve(answer) as address:
        yield address


SHAPES: dict[str, Callable[[str], bytes]] = {
    "JSON": lambda text: json.dumps({"error": {"message": text}}).encode(),
    "JSON of another form": lambda text: json.dumps({"detail": [text]}).encode(),
    "plain text": str.encode,
    "HTML": lambda text: f"<html><body>{html.escape(text)}</body></html>".encode(),
    "Latin-1": lambda text: text.encode("latin-1", "replace"),
}


def report(action: Action, capsys: pytest.CaptureFixture[str]) -> str:
    """Return all that a user sees of the error of an action: message, standard error, log with traceback and chain."""
    factory, stream = logging.getLogRecordFactory(), StringIO()
    handler, logger = logging.StreamHandler(stream), logging.getLogger("bitext_pivot")
    untrusted.guard_logs()
    logger.addHandler(handler)
    try:
        with pytest.raises(BuildError) as raised:
            action()
        logger.exception("failed: %s", raised.value, exc_info=raised.value)
        refuse(1, str(raised.value))
        untrusted.print_traceback(type(raised.value), raised.value, raised.value.__traceback__)
    finally:
        logger.removeHandler(handler)
        logging.setLogRecordFactory(factory)
    return f"{raised.value}\n{stream.getvalue()}\n{capsys.readouterr().err}"


def assert_hidden(text: str) -> None:
    """Assert that the secret is not in a text, plain or quoted, and no control character."""
    assert [form for form in (SECRET, quote(SECRET), quote(SECRET, safe="")) if form in text] == []
    assert not set("\x07\x1b\x9b\u202e") & set(text)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the secrets of other tests."""
    monkeypatch.setattr(untrusted, "_given", set())
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("bitext_pivot.core.endpoint_client._ATTEMPTS", 1)


def translate(address: str, **options: str) -> Action:
    server = EndpointServer(address=address, key=options.get("key", SECRET), timeout=60)
    return lambda: EndpointEngine(server, "tiny", "fr", "en", {}).translate(["Oui."])


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("status", [200, 400, 401, 404, 429, 500])
def test_of_an_endpoint(
    status: int, shape: Callable[[str], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    with refusing(status, shape) as address:
        text = report(translate(f"{address}/v1"), capsys)
    assert_hidden(text)
    assert "BITEXT_PIVOT_ENDPOINT" in text
    assert status == 200 or "Wrong key: Bearer ***" in text


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_of_an_endpoint_that_redirects(status: int, capsys: pytest.CaptureFixture[str]) -> None:
    with refusing(status, str.encode, "Location") as address:
        assert_hidden(report(translate(f"{address}/v1"), capsys))


@pytest.mark.parametrize("address", [
    f"http://me:{quote(SECRET, safe='')}@127.0.0.1:1/v1", f"http://me:{SECRET}@127.0.0.1:1/v1",
    f"http://me:{quote(SECRET, safe='')}@[::1/v1", f"gopher://me:{quote(SECRET, safe='')}@127.0.0.1/v1",
])  # fmt: skip
def test_of_an_endpoint_with_a_password_in_its_address(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_hidden(report(lambda: translate(str(Site(endpoint=address).endpoint), key="")(), capsys))


@pytest.mark.parametrize(
    "key", [f"{SECRET}\n", f" {SECRET}", f"{SECRET}\r\nHost: x", f"{SECRET}é", f"{SECRET}\0"]
)
def test_of_a_key_that_cannot_be_sent(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = report(lambda: Site(endpoint_key=SecretStr(key)), capsys)
    assert_hidden(text)
    assert "BITEXT_PIVOT_ENDPOINT_KEY: it contains a character" in text


HUB = """
import logging, sys
from bitext_pivot.core import untrusted
untrusted.guard_logs()
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
from bitext_pivot.core.hub import hub, hub_client
from bitext_pivot.core.errors import BuildError
hub_client.PAUSES = ()
try:
    hub.fetch("owner/tiny", choose=list, setting="translation.model")
except BuildError as error:
    logging.exception("failed: %s", error)
    print(error)
"""


@pytest.mark.parametrize("place", ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "file"])
@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_of_the_hub(status: int, place: str, tmp_path: Path) -> None:
    if status != 401 and place != "HF_TOKEN":
        pytest.skip("one answer shows for all that the token is known")
    environment = {
        "PATH": os.environ["PATH"],
        "HF_HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    if place == "file":
        (tmp_path / "token").write_text(f"{SECRET}\n", encoding="utf-8")
    else:
        environment[place] = SECRET
    with refusing(status, SHAPES["JSON"], "X-Error-Message") as address:
        environment |= {"HF_ENDPOINT": address, "NO_PROXY": "127.0.0.1"}
        done = subprocess.run(
            [sys.executable, "-c", HUB], env=environment, capture_output=True, text=True, check=True
        )
    assert "failed: " in done.stdout and "owner/tiny" in done.stdout
    assert_hidden(done.stdout + done.stderr)


@pytest.mark.parametrize("address", [f"s3://me:{SECRET}@bucket/x", f"sftp://me:{SECRET}@host/x"])
def test_of_an_address_of_builds(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_hidden(report(lambda: Site(builds=address).build_folder("fr-en"), capsys))


@pytest.mark.parametrize(
    "form", ["{user}:{password}@{host}/x", "{user}@{host}/x?password={password}"]
)
def test_of_a_database(form: str) -> None:
    place = form.format(user="me", password=quote(SECRET, safe=""), host="127.0.0.1:1")
    database.server_variables(SecretStr(f"postgresql://{place}"), {})
    assert_hidden(untrusted.shown(f"FATAL: wrong password: {SECRET} for {place}"))


@pytest.mark.parametrize("status", [301, 401, 404, 429, 500, 206, 416])
@pytest.mark.parametrize("header", ["", "Location", "ETag", "Content-Range"])
def test_of_a_mirror(status: int, header: str, capsys: pytest.CaptureFixture[str]) -> None:
    with refusing(status, str.encode, header) as address:
        base = address.replace("//", f"//me:{quote(SECRET, safe='')}@")

        def action() -> None:
            with (
                DownloadSession(Site(opus=base), "a corpus", logging.getLogger("test")) as session,
                session.get(f"{base}/en.zip", RemoteVersion(9, '"x"'), 2) as response,
            ):
                response.read()

        assert_hidden(report(action, capsys))


def test_the_paths_are_seen() -> None:
    """A check of the checks: what is not hidden is found."""
    for text in (f"key {SECRET}", quote(SECRET, safe="")):
        with pytest.raises(AssertionError):
            assert_hidden(text)
    with pytest.raises(AssertionError):
        assert_hidden("\x1b[31m")
    assert SECRET in "".join(traceback.format_exception(ValueError(SECRET)))
