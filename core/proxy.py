"""Check the proxy and the certificates named by environment variables, and describe the proxy in messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from bitext_pivot.core.errors import SettingsError


@contextmanager
def checked_proxy(*errors: type[Exception]) -> Iterator[None]:
    """Turn the errors that httpx raises when a client is created into SettingsError.

    `errors` are further classes of errors for other HTTP clients.
    """
    refusals: tuple[type[Exception], ...] = (ValueError, httpx.InvalidURL, *errors)
    try:
        yield
    except ImportError:
        raise SettingsError(
            "A proxy address in the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) cannot be used: "
            "a SOCKS proxy needs the package socksio. Install it: pip install 'httpx[socks]', or name "
            "a proxy at http://host:port."
        ) from None
    except OSError as error:
        raise SettingsError(
            f"The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read ({error.strerror}). "
            "Expected a file or folder of certificates: correct the variable, or unset it."
        ) from error
    except refusals:
        # Raised without its cause, which may quote the password.
        raise SettingsError(
            "A proxy address in the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) cannot be used: expected "
            "http://host:port or https://host:port, perhaps with name:password@ before the host. Correct it."
        ) from None


def describe_proxy(address: str) -> str:
    """Return a clause about the proxy used for an address, to append to a message, or "" without a proxy."""
    parts = urlsplit(address)
    if proxy_bypass(parts.hostname or "") or not {parts.scheme, "all"} & getproxies().keys():
        return ""
    return f", through the proxy that {parts.scheme.upper()}_PROXY or ALL_PROXY names"
