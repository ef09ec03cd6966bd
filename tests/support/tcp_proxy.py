"""A TCP proxy that stands between a program and a server and can lose what the server answers."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable


class TcpProxy:
    """Forwards connections to 127.0.0.1:`target`.

    `on_request(bytes)` sees everything a client sends, before the server does; when it is true, those bytes are still
    forwarded, and both directions of that connection are cut as soon as the server has answered: the answer is lost.
    """

    def __init__(self, target: int, on_request: Callable[[bytes], bool] | None = None) -> None:
        self.target = target
        self.on_request = on_request
        self.lost = 0  # answers that were dropped
        self._held = threading.Event()
        self._closing = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def hold_answers(self) -> None:
        """From now on requests go through and answers do not."""
        self._held.set()

    def let_go(self) -> None:
        """Connections whose answers were held are cut; new ones work."""
        self._held.clear()

    def close(self) -> None:
        self._closing = True
        self._listener.close()

    def __enter__(self) -> TcpProxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                continue
            threading.Thread(target=self._carry, args=(client, server), daemon=True).start()

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        lose = False
        tainted = False
        try:
            while not self._closing:
                readable, _, _ = select.select([client, server], [], [], 0.1)
                if tainted and not self._held.is_set():
                    return
                if client in readable:
                    data = client.recv(65536)
                    if not data:
                        return
                    lose = lose or bool(self.on_request and self.on_request(data))
                    server.sendall(data)
                if server in readable:
                    data = server.recv(65536)
                    if not data:
                        return
                    if lose:
                        self.lost += 1
                        return
                    if self._held.is_set():
                        self.lost += 1
                        tainted = True
                        continue
                    client.sendall(data)
        except OSError:
            pass
        finally:
            client.close()
            server.close()
