"""What a release prepares on our tables, as MySQL and MariaDB were told alike; each form once, without the length of its lists."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterable
from pathlib import Path

from deploy.stack import SqlServer
from tests.support import servers

FILE = Path(__file__).with_suffix(".sql")
OUR_TABLES = re.compile(r"\b(sluice_meta|sluice_migration|inbox|event_payload|applied_offset|lane|lane_event|dead_letter|operator_action)\b")
_ROWS = re.compile(r"(\((?:[^()]|\([^()]*\))*\?(?:[^()]|\([^()]*\))*\))(?:, ?\1)+")
_MEMBERS = re.compile(r"IN \(\?(?:, ?\?)+\)")


def form_of(statement: str) -> str:
    """With two rows, or members, at most in each list."""
    return _MEMBERS.sub("IN (?, ?)", _ROWS.sub(r"\1, \1", " ".join(statement.split())))


def listen() -> None:
    """Servers that are started from now on keep what they are told, and it is recorded before they stop."""
    servers.SQL |= {"general_log": "ON", "log_output": "TABLE"}
    end = servers.Servers.stop

    def stop(running: servers.Servers) -> None:
        record(running.databases.values())
        end(running)
    servers.Servers.stop = stop  # type: ignore[method-assign]


def record(told_to: Iterable[SqlServer]) -> None:
    """Adds what these servers were told."""
    for server in told_to:
        with server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE command_type = 'Prepare'")
            told = {form_of(text) for (text,) in cursor.fetchall() if OUR_TABLES.search(text)}
        with Path(__file__).open() as lock:  # runs side by side share the file
            fcntl.flock(lock, fcntl.LOCK_EX)
            FILE.write_text("".join(f"{form}\n" for form in sorted(told.union(recorded()))))


def recorded() -> list[str]:
    return FILE.read_text().splitlines() if FILE.exists() else []
