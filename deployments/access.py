"""Who may reach the server: this machine only, unless a password is set."""

import errno
import ipaddress
import socket
from collections.abc import Mapping

from bitext_pivot.core.errors import SettingsError

PASSWORD = "PREFECT_SERVER_API_AUTH_STRING"


def check_host(host: str, environment: Mapping[str, str]) -> None:
    """Raise SettingsError if `host` can be reached from other machines and no password is set."""
    try:
        is_local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_local = host == "localhost"
    if not is_local and not all(environment.get(PASSWORD, "").partition(":")):
        raise SettingsError(
            f"The server would listen on {host}, where other machines reach it, and anyone who reaches it can run code "
            f"here. Set {PASSWORD} to user:password (docs/security.md), or leave the address at 127.0.0.1."
        )


def check_port(host: str, port: int) -> None:
    """Raise SettingsError if the server could not listen on `port` of `host`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(
                socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
            )  # as the server: closing connections are fine
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
