"""The three servers together, as the demonstration and work by hand use them."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from deploy.stack.kafka import Kafka
from deploy.stack.redis import Redis
from deploy.stack.server import READY_WITHIN, Server, start_all, stop_all
from deploy.stack.sql_server import mysql_or_mariadb


class Stack:
    """Kafka, MySQL (else MariaDB) and Redis, each in a folder of its own below `folder`.

    `ports` may fix some of "kafka", "mysql" and "redis". Data that is there already is kept.
    """

    def __init__(self, folder: Path, ports: dict[str, int] | None = None) -> None:
        wanted = ports or {}
        self.kafka = Kafka(folder / "kafka", wanted.get("kafka"))
        self.mysql = mysql_or_mariadb(folder / "mysql", wanted.get("mysql"))
        self.redis = Redis(folder / "redis", wanted.get("redis"))

    @property
    def servers(self) -> dict[str, Server]:
        return {"kafka": self.kafka, "mysql": self.mysql, "redis": self.redis}

    def start(self, within: float = READY_WITHIN) -> None:
        """Returns when all three answer; raises `ServerFailed` with all of them stopped."""
        start_all(list(self.servers.values()), within)

    def stop(self) -> None:
        stop_all(list(self.servers.values()))

    def addresses(self) -> list[str]:
        """Lines for people."""
        sql = self.mysql
        return [
            f"kafka  {self.kafka.bootstrap}",
            f"mysql  {sql.address}  database {sql.database}, user {sql.user}/{sql.password}, "
            f"admin {sql.admin}/{sql.admin_password}  ({sql.name})",
            f"redis  {self.redis.url}"]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
