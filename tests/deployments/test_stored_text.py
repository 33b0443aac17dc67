"""Requests with text that the server cannot store are refused; all others arrive as they were sent."""

import json

import pytest

BACKSLASH = "\\"
CASES = [
    ("plain", True),
    ("élève 🙂", True),
    (f"{BACKSLASH}u0000 and {BACKSLASH}ud800 as letters", True),
    ("NUL \0", False),
    (f"{BACKSLASH}\0", False),
    ("lone \ud800", False),
    ("lone \udfff in \ud83d\ude42", False),
]


@pytest.mark.parametrize(("text", "passes"), CASES)
@pytest.mark.parametrize("shape", [{"name": "{}"}, {"parameters": {"a": ["{}"]}}, ["{}"]])
def test_text_that_cannot_be_stored_is_refused(text: str, passes: bool, shape: object) -> None:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.testclient import TestClient

    from bitext_pivot.deployments.stored_text import StoredTextCheck

    async def echo(request: Request) -> Response:
        return Response(await request.body())

    application = Starlette(routes=[Route("/", echo, methods=["POST", "GET"])])
    application.add_middleware(StoredTextCheck)
    body = json.dumps(shape).replace('"{}"', json.dumps(text)).encode()
    client = TestClient(application)
    answer = client.post("/", content=body)
    assert answer.status_code == (200 if passes else 400)
    assert not passes or answer.content == body
    assert client.get("/").is_success
