"""Redis of the platform."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.stack.server import Server


class Redis(Server):
    """Keeps nothing on disk: after `kill()` or `stop()` it starts empty, unless `options` ask for a log of its own.

    `password` is the default user's; `users` are ACL lines without the word `user`, such as "sluice on >secret ~wh:* +@all";
    `options` are configuration directives, {"maxmemory": "10mb"}.
    """

    name = "Redis"

    def __init__(self, folder: Path | str, port: int | None = None, password: str = "", users: Sequence[str] = (),
                 options: Mapping[str, str] | None = None) -> None:
        super().__init__(folder, port)
        self.password = password
        self.users = list(users)
        self.options = dict(options or {})

    @property
    def url(self) -> str:
        return f"redis://{self.address}/0"

    def _prepare(self) -> None:
        self.data_dir.mkdir(exist_ok=True)
        directives = {"port": str(self.port), "bind": "127.0.0.1", "dir": str(self.data_dir), "save": '""',
                      "daemonize": "no", **self.options}
        if self.password:
            directives["requirepass"] = self.password
        lines = [f"{name} {value}" for name, value in directives.items()] + [f"user {line}" for line in self.users]
        (self.folder / "redis.conf").write_text("\n".join(lines) + "\n")

    def _command(self) -> list[str]:
        return ["redis-server", str(self.folder / "redis.conf")]

    def _answers(self) -> bool:
        greeting = f"AUTH {self.password}\r\nPING\r\n" if self.password else "PING\r\n"
        with socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
            connection.sendall(greeting.encode())
            answer = b""
            while answer.count(b"\r\n") < greeting.count("\r\n"):
                piece = connection.recv(4096)
                if not piece:
                    return False
                answer += piece
        return b"PONG" in answer
