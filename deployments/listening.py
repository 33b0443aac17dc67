"""Where the server may listen: on this machine, or with a password; and on a port that is free."""

import errno
import ipaddress
import socket
from collections.abc import Mapping

from pairs.errors import SettingsError

LOCK = "PREFECT_SERVER_API_AUTH_STRING"


def refuse_an_open_door(host: str, environment: Mapping[str, str]) -> None:
    """Raise SettingsError when `host` can be reached from other machines and no password is set."""
    try:
        closed = ipaddress.ip_address(host).is_loopback
    except ValueError:
        closed = host == "localhost"
    if not closed and not all(environment.get(LOCK, "").partition(":")):
        raise SettingsError(
            f"The server would listen on {host}, where other machines reach it, and whoever reaches it can run code "
            f"here. Set {LOCK} to user:password (docs/security.md), or leave the address at 127.0.0.1."
        )


def refuse_a_busy_port(host: str, port: int) -> None:
    """Raise SettingsError when the server could not listen on `port` of `host`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server: closing connections are fine
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SettingsError(
                f"Port {port} is in use by another program. Set BITEXT_PIVOT_SERVE_PORT to a free port: "
                f"BITEXT_PIVOT_SERVE_PORT={port + 1 if port < 65535 else port - 1} make serve"
            ) from None
        raise SettingsError(
            f"The server cannot listen on {host}, port {port} ({error.strerror}). Set BITEXT_PIVOT_SERVE_HOST to an "
            f"address of this machine and BITEXT_PIVOT_SERVE_PORT to a port that you may use."
        ) from None
