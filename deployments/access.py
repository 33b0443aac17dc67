"""Checks of the address on which the server listens: other machines reach it only with a password."""

import errno
import ipaddress
import socket
from collections.abc import Mapping

from bitext_pivot.core.errors import SettingsError

PASSWORD = "PREFECT_SERVER_API_AUTH_STRING"


def check_host(host: str, environment: Mapping[str, str]) -> None:
    """Raise SettingsError if other machines can reach `host` and no password is set."""
    try:
        is_local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_local = host == "localhost"
    if not is_local and not all(environment.get(PASSWORD, "").partition(":")):
        raise SettingsError(
            f"The server would listen on {host}, which other machines can reach, and anyone who reaches it can run "
            f"code here. Set {PASSWORD} to user:password (docs/security.md), or leave the address at 127.0.0.1."
        )


def check_port(host: str, port: int) -> None:
    """Raise SettingsError if the server cannot listen on `port` of `host`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            # The server sets this option, too, so connections that are being closed do not matter.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SettingsError(
                f"Port {port} is in use by another program. Set BITEXT_PIVOT_SERVE_PORT to a free port: "
                f"BITEXT_PIVOT_SERVE_PORT={port + 1 if port < 65535 else port - 1} bitext-pivot serve"
            ) from None
        raise SettingsError(
            f"The server cannot listen on {host}, port {port} ({error.strerror}). Set BITEXT_PIVOT_SERVE_HOST to an "
            f"address of this machine and BITEXT_PIVOT_SERVE_PORT to a port that you may use."
        ) from None
