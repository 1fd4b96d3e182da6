"""A proxy between a program and a server that can be slow, or stop forwarding without closing anything."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

_HOST = "127.0.0.1"
_PACKET_BYTES = 65536


class StallingProxy:
    """Forwards connections to a port of this computer.

    stalled: when set, connections are still accepted, but nothing is forwarded. delay_s: the time that each
    packet takes.
    """

    def __init__(self, port: int, delay_s: float = 0.0) -> None:
        self.stalled = Event()
        self._server_port, self._delay_s = port, delay_s
        self._listening = socket.create_server((_HOST, 0))
        self._sockets: list[socket.socket] = []
        self.port = int(self._listening.getsockname()[1])
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Close all connections."""
        for each in (self._listening, *self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection((_HOST, self._server_port))
                self._sockets += [client, server]
                for source, target in ((client, server), (server, client)):
                    Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while packet := source.recv(_PACKET_BYTES):
                time.sleep(self._delay_s)
                if self.stalled.is_set():
                    return
                target.sendall(packet)
            target.shutdown(socket.SHUT_WR)


@contextmanager
def stalling_proxy(port: int, delay_s: float = 0.0) -> Iterator[StallingProxy]:
    """Run a proxy, and close its connections at the end."""
    proxy = StallingProxy(port, delay_s)
    try:
        yield proxy
    finally:
        proxy.close()
