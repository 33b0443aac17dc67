"""Refuse a proxy address of the environment that no HTTP client can use."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from bitext_pivot.core.errors import SettingsError


@contextmanager
def checked_proxy(*errors: type[Exception]) -> Iterator[None]:
    """Raise SettingsError in place of what httpx, or `errors` of its successor, raises when a client is made."""
    refusals: tuple[type[Exception], ...] = (ValueError, httpx.InvalidURL, *errors)
    try:
        yield
    except ImportError:
        raise SettingsError(
            "A proxy address in the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) cannot be used: "
            "a SOCKS proxy needs the package socksio. Install it: pip install 'httpx[socks]', or name "
            "a proxy at http://host:port."
        ) from None
    except refusals:
        raise SettingsError(
            "A proxy address in the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) cannot be used: expected "
            "http://host:port or https://host:port, perhaps with name:password@ before the host. Correct it."
        ) from None  # the cause may quote the password
