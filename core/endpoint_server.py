"""Where a server of OpenAI's protocol is; `core/endpoint.py` asks it, and imports `openai`, which is slow."""

from dataclasses import dataclass
from typing import Self

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where an endpoint is, and how it is asked; nothing here changes an answer."""

    address: str
    """Base address of the protocol, such as http://127.0.0.1:8000/v1."""
    key: str = ""
    """Key of the service; empty for a server that needs none."""
    requests: int = 8
    """Requests at the same time."""
    timeout: float = 60.0
    """Seconds without a byte after which a request is given up."""
    patience: float = 600.0
    """Seconds for a whole answer, with all attempts and however slowly it comes."""

    @classmethod
    def of(cls, site: Site) -> Self | None:
        """Return the server of a site; None if it has none."""
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


def required(server: Server | None, what: str) -> Server:
    """Return a server. Raises SettingsError without one, or without its client.

    `what` is the setting that needs it, as a clause.
    """
    if server is None:
        raise SettingsError(
            f"{what}, but BITEXT_PIVOT_ENDPOINT is not set. Expected the address of a server of OpenAI's "
            "protocol, such as http://127.0.0.1:8000/v1; set it where the build runs."
        )
    optional_packages.require("openai", "llm", f"A server of language models ({what})")
    return server
