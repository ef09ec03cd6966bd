"""What MySQL and MariaDB have in common."""

from __future__ import annotations

import os
import sys
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path

import pymysql

from deploy.stack import cached
from deploy.stack.server import Server

DATABASE = "payments"
ER_NO_SUCH_THREAD = 1094
ACCOUNTS = [
    f"CREATE DATABASE {DATABASE}",
    "CREATE USER 'sluice'@'%' IDENTIFIED BY 'sluice'",
    f"GRANT ALL ON {DATABASE}.* TO 'sluice'@'%'",
    "CREATE USER 'admin'@'%' IDENTIFIED BY 'admin'",
    "GRANT ALL ON *.* TO 'admin'@'%' WITH GRANT OPTION",
]


class SqlServer(Server):
    """A database server with an empty database `payments` and two accounts, reachable over TCP.

    `sluice` (password `sluice`) has all rights on that database, `admin` (password `admin`) on everything.
    Commits are durable (innodb_flush_log_at_trx_commit=1); there is no binary log and no performance schema unless
    `options` say so: they are server options without their dashes, {"performance_schema": "ON"}, and win over ours.
    """

    database, user, password = DATABASE, "sluice", "sluice"
    admin, admin_password = "admin", "admin"

    def __init__(self, folder: Path | str, port: int | None = None, options: Mapping[str, str] | None = None) -> None:
        super().__init__(folder, port)
        self.options = dict(options or {})

    def connect(self, *, admin: bool = False, database: str | None = DATABASE, **settings: object) -> pymysql.Connection:
        """A connection with autocommit, owned by the caller; `settings` go to pymysql.connect."""
        user, password = (self.admin, self.admin_password) if admin else (self.user, self.password)
        return pymysql.connect(host="127.0.0.1", port=self.port, user=user, password=password, database=database,
                               **{"autocommit": True, "connect_timeout": 5, "charset": "utf8mb4", **settings})

    def end_session(self, number: int) -> None:
        """Nothing where it has ended by itself, which may be between a look at the list and this."""
        with self.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            try:
                cursor.execute(f"KILL {number}")
            except pymysql.err.OperationalError as error:
                if error.args[0] != ER_NO_SUCH_THREAD:
                    raise

    @property
    def version(self) -> str:
        with self.connect() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT VERSION()")
            return cursor.fetchone()[0]

    @abstractmethod
    def _base_command(self, data: Path) -> list[str]:
        """Program and the options without which it finds nothing of its own."""

    @abstractmethod
    def _initialise(self, data: Path) -> None:
        """Makes a data folder with ACCOUNTS in it."""

    def _prepare(self) -> None:
        if not self.data_dir.exists():
            command = self._base_command(Path("data"))
            made = cached.template(self.name.lower(), [*command, *ACCOUNTS], self._initialise)
            cached.copy(made, self.data_dir)
        self._own_temporary.mkdir(parents=True, exist_ok=True)

    @property
    def _own_temporary(self) -> Path:
        """Servers that share /tmp can take each other's temporary tables for their own."""
        return self.folder / "tmp"

    def _command(self) -> list[str]:
        options = {
            "port": str(self.port), "bind_address": "127.0.0.1", "socket": "server.sock", "skip_name_resolve": "ON",
            "pid_file": "server.pid", "tmpdir": str(self._own_temporary),
            "innodb_flush_log_at_trx_commit": "1", "innodb_buffer_pool_size": "128M",
            "performance_schema": "OFF", "max_connections": "200", **self.options}
        return [*self._base_command(self.data_dir), *(f"--{name}={value}" for name, value in options.items())]

    def _answers(self) -> bool:
        try:
            with self.connect(connect_timeout=2) as connection, connection.cursor() as cursor:
                return cursor.execute("SELECT 1") == 1
        except pymysql.MySQLError:
            return False


def run_as() -> list[str]:
    """Both servers refuse to be root unless told."""
    return ["--user=root"] if os.geteuid() == 0 else []


def mysql_or_mariadb(folder: Path | str, port: int | None = None) -> SqlServer:
    """MySQL, or MariaDB where MySQL could not be had, which is said on standard error."""
    from deploy.stack.mariadb import MariaDB
    from deploy.stack.mysql import MySQL

    if MySQL.available():
        return MySQL(folder, port)
    print("NO MySQL on this machine: MariaDB takes its place", file=sys.stderr)
    return MariaDB(folder, port)
