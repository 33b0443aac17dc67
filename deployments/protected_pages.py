"""Keep web pages of strangers away from Prefect's server, whose API and WebSockets ask no one where a page is from.

A browser that a person uses on this machine reaches 127.0.0.1 for every page that it shows. It names the page in the
header `Origin` of a WebSocket, and of every request that changes something (RFC 6455, section 10.2; Fetch, section
3.2). CORS does not cover WebSockets, and Prefect has no setting that does.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_IN_MEMORY = "prefect-in-memory"
"""The host in the addresses of Prefect's client for the application of its own process."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


class OriginCheck:
    """ASGI middleware that answers 403 to requests and WebSockets of pages from another address.

    Programs send no `Origin` and pass: workers, the command line, curl.
    """

    def __init__(self, app: ASGIApp, *, origins: Sequence[str]) -> None:
        """Let pages at `origins` pass, besides those at the address that the request itself is sent to."""
        self._app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "lifespan" or self._passes(Headers(scope=scope)):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("A page of another address may not use this server.", 403)(
                scope, receive, send
            )

    def _passes(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        return (
            origin is None
            or origin in self._origins
            or urlsplit(origin).netloc == headers.get("host")
        )


class HostCheck(TrustedHostMiddleware):
    """Answer 400 to requests for a name that is none of this server's, except for those of the server itself.

    Prefect's automations, such as the one that marks a run without a heartbeat as crashed, ask the application in
    memory, without a connection. Then the address that the request came to has this name, whatever its headers say;
    that of a connection is the socket's.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        address = scope.get("server") or ("", None)
        if address[0] == _IN_MEMORY:
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def protect(application: Starlette, origins: Sequence[str], *, has_password: bool) -> None:
    """Refuse pages from other addresses than `origins`, and, without a password, names that are none of this server's.

    A page may let its own name lead to this machine (DNS rebinding): then `Origin` and `Host` are equal. A password
    stops it, because a browser sends a password only to the name that it was given for.
    """
    names = [name for origin in origins if (name := urlsplit(origin).hostname)]
    allowed = ["*"] if has_password else [*_LOOPBACK, *names]
    application.add_middleware(OriginCheck, origins=origins)
    application.add_middleware(HostCheck, allowed_hosts=allowed, www_redirect=False)
