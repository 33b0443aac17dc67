"""Refuse requests of foreign web pages to Prefect's server, whose API and WebSockets do not check their origin.

Any page in a browser on this machine can send requests to 127.0.0.1. The browser names the page in the header `Origin`
of a WebSocket and of every request that changes something (RFC 6455, section 10.2; Fetch, section 3.2). CORS does not
cover WebSockets, and Prefect has no setting that does.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_IN_MEMORY = "prefect-in-memory"
"""The host name in requests that the Prefect server sends to itself, in memory."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


class OriginCheck:
    """ASGI middleware that answers 403 to requests and WebSockets of pages from other addresses.

    Programs such as workers, the command line and curl send no `Origin`, so their requests pass.
    """

    def __init__(self, app: ASGIApp, *, origins: Sequence[str]) -> None:
        """Allow pages at `origins`, and pages at the address to which the request is sent."""
        self._app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, or refuse it."""
        if scope["type"] == "lifespan" or self._passes(Headers(scope=scope)):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("Pages from other addresses may not use this server.", 403)(
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
    """Answer 400 to requests with an unknown name in the header `Host`, except the server's own.

    Prefect's automations, for instance the one that marks a run without a heartbeat as crashed, call the application in
    memory, without a connection. The server address of such a request is `prefect-in-memory`. A request over a
    connection cannot have this address, because its server address is that of the socket.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, or refuse it."""
        address = scope.get("server") or ("", None)
        if address[0] == _IN_MEMORY:
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def protect(application: Starlette, origins: Sequence[str], *, has_password: bool) -> None:
    """Refuse pages from addresses other than `origins` and, without a password, unknown host names.

    A foreign page can make its own name resolve to this machine (DNS rebinding), so that `Origin` and `Host` are equal.
    A password prevents that, because a browser sends it only to the host name for which it was entered.
    """
    names = [name for origin in origins if (name := urlsplit(origin).hostname)]
    allowed = ["*"] if has_password else [*_LOOPBACK, *names]
    application.add_middleware(OriginCheck, origins=origins)
    application.add_middleware(HostCheck, allowed_hosts=allowed, www_redirect=False)
