"""Refuse requests with text that Prefect's server stores but cannot read again.

Prefect 3.8 stores a flow run with a lone surrogate in its parameters. Every later request for a list of runs then fails
with status 500, and the worker ends. PostgreSQL cannot store the character NUL.
"""

import re

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NUL = re.compile(rb"(?<!\\)(\\\\)*\\u0000")
_SURROGATE = re.compile(rb"\\ud", re.IGNORECASE)


class StoredTextCheck:
    """ASGI middleware that answers 400 to requests whose JSON has a NUL or a lone surrogate."""

    def __init__(self, app: ASGIApp) -> None:
        """Pass all other requests to `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        if not _can_be_stored(body):
            refusal = PlainTextResponse("The text has a NUL or a lone surrogate. Remove it.", 400)
            await refusal(scope, receive, send)
            return
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_again() -> Message:
            return messages.pop() if messages else await receive()

        await self._app(scope, receive_again, send)


def _can_be_stored(body: bytes) -> bool:
    if _NUL.search(body):
        return False
    if _SURROGATE.search(body):
        try:
            orjson.loads(body)
        except ValueError:
            return False
    return True
