"""The real servers of one test run. Tests share them; what a test breaks for others is a server of its own."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from deploy.stack import Kafka, MariaDB, MySQL, Redis, Server, SqlServer, start_all

# Consumers that are killed shall be out of their group within seconds, not within the 45 s of production.
BROKER = {"group.min.session.timeout.ms": "500", "log.retention.check.interval.ms": "1000",
          "unstable.api.versions.enable": "false"}
# A server that is killed loses nothing that the operating system has, so none waits for the disk: most of the time that it takes
# to make a database was that. In SQL, 1 would be for power cuts.
NO_SYNC = {"LD_PRELOAD": "libeatmydata.so"}
SQL = {"innodb_flush_log_at_trx_commit": "2", "max_connections": "300"}


class Servers:
    """Kafka, Redis and the wanted databases, side by side below `folder`, started at construction."""

    def __init__(self, folder: Path, databases: list[str]) -> None:
        self.folder = folder
        self.kafka = Kafka(folder / "kafka", overrides=BROKER)
        self.redis = Redis(folder / "redis")
        self.databases = {name: new_database(name, folder / name) for name in databases}
        self._own: list[Server] = []
        start_hurried([self.kafka, self.redis, *self.databases.values()])

    def own(self, server: Server) -> Server:
        """A server for one test, started here and stopped with the others at the latest."""
        self._own.append(server)
        start_hurried([server])
        return server

    def own_redis(self, name: str, **options: str) -> Redis:
        return self.own(Redis(self.folder / name, options=options))

    def own_database(self, kind: str, name: str, **options: str) -> SqlServer:
        return self.own(new_database(kind, self.folder / name, options))

    def own_kafka(self, name: str, **overrides: str) -> Kafka:
        return self.own(Kafka(self.folder / name, overrides={**BROKER, **overrides}))

    def drop(self, server: Server) -> None:
        """Ends a server of one test and removes its data."""
        end(server)
        shutil.rmtree(server.folder, ignore_errors=True)

    def stop(self) -> None:
        for server in [*self._own, *self.databases.values(), self.redis, self.kafka]:
            end(server)


def start_hurried(servers: list[Server]) -> None:
    for server in servers:
        server.environment |= NO_SYNC
    start_all(servers)


def end(server: Server) -> None:
    """Without good-byes: nobody wants its data any more."""
    if server.running:
        server.kill()


def new_database(kind: str, folder: Path, options: dict[str, str] | None = None) -> SqlServer:
    """`kind` is mysql or mariadb; MariaDB in the place of a MySQL that could not be had, said loudly."""
    if kind == "mysql" and not MySQL.available():
        print("NO MySQL on this machine: MariaDB takes its place in these tests", file=sys.stderr)
        kind = "mariadb"
    return {"mysql": MySQL, "mariadb": MariaDB}[kind](folder, options={**SQL, **(options or {})})
