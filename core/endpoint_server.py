"""The address and limits of an OpenAI-compatible server.

`core/endpoint_client.py` sends the requests. It imports `openai`, which is slow.
"""

from dataclasses import dataclass
from typing import Self

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointServer:
    """The address of an OpenAI-compatible server and the limits of requests. None of them changes a response."""

    address: str
    """Base URL of the API, such as http://127.0.0.1:8000/v1."""
    key: str = ""
    """API key; empty for a server that needs none."""
    requests: int = 8
    """Maximum number of concurrent requests."""
    timeout: float = 60.0
    """Seconds without a byte after which a request fails."""
    patience: float = 600.0
    """Maximum time for a complete response, in seconds, including all attempts."""

    @classmethod
    def from_site(cls, site: Site) -> Self | None:
        """Return the server that BITEXT_PIVOT_ENDPOINT names, with the limits of `site`, or None."""
        if not site.endpoint:
            return None
        key = ""
        if site.endpoint_key:
            key = site.endpoint_key.get_secret_value()
        return cls(
            address=site.endpoint,
            key=key,
            requests=site.endpoint_requests,
            timeout=site.timeout,
            patience=10 * site.timeout,
        )


def require_server(server: EndpointServer | None, what: str) -> EndpointServer:
    """Return the server. Raises SettingsError if there is none, or if the package `openai` is not installed.

    `what` is a clause for the message; it names the setting that needs a server.
    """
    if server is None:
        raise SettingsError(
            f"{what}, but BITEXT_PIVOT_ENDPOINT is not set. Set it to the address of an OpenAI-compatible "
            "server, such as http://127.0.0.1:8000/v1, on the machine where the build runs."
        )
    optional_packages.require("openai", "llm", f"A server of language models ({what})")
    return server
