"""Which web pages may use the server: those of its own address, by every name of it, and those of the settings.

Those that open a web socket of a served page: test_secrets.py.
"""

import asyncio
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from starlette.applications import Starlette

PUBLIC = "https://page.example.org"
CASES = [
    ("127.0.0.1:4200", None, True),  # a program
    ("127.0.0.1:4200", "http://127.0.0.1:4200", True),
    ("localhost:5000", "http://localhost:5000", True),  # an SSH tunnel from another port
    ("[::1]:4200", "http://[::1]:4200", True),
    ("127.0.0.1:4200", PUBLIC, True),  # a reverse proxy
    ("page.example.org", PUBLIC, True),
    ("127.0.0.1:4200", "http://evil.example", False),
    ("127.0.0.1:4200", "http://127.0.0.1:8000", False),
    ("127.0.0.1:4200", "http://127.0.0.1:4200.evil.example", False),
    ("127.0.0.1:4200", "null", False),
    ("127.0.0.1:4200", "", False),
    ("evil.example:4200", "http://evil.example:4200", False),  # DNS rebinding
    ("evil.example:4200", None, False),
    ("prefect-in-memory", None, False),  # the name of the server for itself, over a connection
]

NOT_OURS = ("evil.example:4200", "prefect-in-memory")
"""Names of no server of ours, which are refused before the page is looked at."""


@pytest.mark.parametrize(("host", "origin", "passes"), CASES)
def test_pages_of_other_addresses_are_refused(host: str, origin: str | None, passes: bool) -> None:
    from starlette.testclient import TestClient, WebSocketDenialResponse

    client = TestClient(application(has_password=False))
    headers = {"Host": host} | ({} if origin is None else {"Origin": origin})
    assert client.get("/", headers=headers).is_success == passes
    try:
        with client.websocket_connect("/", headers=headers) as socket:
            assert (socket.receive_text(), passes) == ("accepted", True)
    except WebSocketDenialResponse as refused:
        assert (refused.status_code, passes) == (400 if host in NOT_OURS else 403, False)


def test_the_server_may_ask_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prefect's automations do so, such as the one that marks a run whose machine is gone."""
    from prefect.server.api import server
    from prefect.server.api.clients import OrchestrationClient

    monkeypatch.setattr(server, "create_app", lambda: application(has_password=False))

    async def ask() -> int:
        async with OrchestrationClient() as client:
            return (await client.read_flow_run_raw(uuid4())).status_code

    assert asyncio.run(ask()) == 404  # of the application, which has no such page: it was asked


@pytest.mark.parametrize(
    ("origin", "passes"), [("http://server:4200", True), ("http://evil.example", False)]
)
def test_with_a_password_the_server_may_have_any_name(origin: str, passes: bool) -> None:
    from starlette.testclient import TestClient

    client = TestClient(application(has_password=True))
    assert client.get("/", headers={"Host": "server:4200", "Origin": origin}).is_success == passes


def application(*, has_password: bool) -> "Starlette":
    """Return an application that answers everything, protected."""
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket

    from bitext_pivot.deployments.protected_pages import protect

    async def accept(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("accepted")

    routes = [Route("/", lambda _: PlainTextResponse("")), WebSocketRoute("/", accept)]
    app = Starlette(routes=routes)
    protect(
        app, ["http://127.0.0.1:4200", "http://localhost:4200", PUBLIC], has_password=has_password
    )
    return app
