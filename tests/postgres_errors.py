"""A server of PostgreSQL's protocol on 127.0.0.1 that refuses every user, and repeats the password that it got."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, cast

_SSL = 80877103
_CLEARTEXT = b"R" + struct.pack("!ii", 8, 3)


@contextmanager
def refusing() -> Iterator[int]:
    """Yield the port of such a server."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_serve, args=[server], daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


def _serve(server: socket.socket) -> None:
    with suppress(OSError):
        while True:
            connection, _ = server.accept()
            with connection, connection.makefile("rwb") as stream, suppress(OSError, struct.error):
                _refuse(cast(BinaryIO, stream))


def _refuse(stream: BinaryIO) -> None:
    length, code = struct.unpack("!ii", stream.read(8))
    if code == _SSL:
        _send(stream, b"N")
        length, _ = struct.unpack("!ii", stream.read(8))
    stream.read(length - 8)
    _send(stream, _CLEARTEXT)
    _, length = struct.unpack("!ci", stream.read(5))
    password = stream.read(length - 4).rstrip(b"\0")
    fields = b"SFATAL\0C28P01\0Mwrong password: " + password + b" \x1b[31m\0\0"
    _send(stream, b"E" + struct.pack("!i", len(fields) + 4) + fields)


def _send(stream: BinaryIO, data: bytes) -> None:
    stream.write(data)
    stream.flush()
