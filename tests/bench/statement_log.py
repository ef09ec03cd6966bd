"""What a server's slow log says of each statement once it logs all: how long it took, and how many rows it looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.stack import SqlServer

_TIMES = re.compile(r"^# Query_time: ([\d.]+) .*Rows_examined: (\d+)")
_NUMBERS = re.compile(r"\b\d+\b|'[^']*'|0x[0-9a-fA-F]+")
_LISTS = re.compile(r"\(\s*\?(?:\s*,\s*\?)+\s*\)")
_SHORT = 60  # characters that tell our statements apart


@dataclass
class Statement:
    """All of one text."""

    count: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    most_rows: int = 0


@contextmanager
def logged(server: SqlServer, file: Path) -> Iterator[None]:
    """Statements of sessions that begin in this block are in `file`."""
    was = _set(server, f"SET GLOBAL slow_query_log_file = '{file}'", "SET GLOBAL long_query_time = 0", "SET GLOBAL slow_query_log = ON")
    try:
        yield was
    finally:
        _set(server, "SET GLOBAL slow_query_log = OFF", "SET GLOBAL long_query_time = 10")


def _set(server: SqlServer, *statements: str) -> None:
    with server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def by_text(lines: Iterator[str]) -> dict[str, Statement]:
    """Texts without their values, cut."""
    found: dict[str, Statement] = {}
    times: tuple[float, int] | None = None
    for line in lines:
        if match := _TIMES.match(line):
            times = float(match[1]), int(match[2])
        elif times and not line.startswith(("#", "SET timestamp", "use ")):
            _add(found.setdefault(text_of(line), Statement()), *times)
            times = None
    return found


def _add(to: Statement, seconds: float, rows: int) -> None:
    to.count += 1
    to.seconds += seconds
    to.longest = max(to.longest, seconds)
    to.most_rows = max(to.most_rows, rows)


def text_of(line: str) -> str:
    return _LISTS.sub("(…)", _NUMBERS.sub("?", line.strip().rstrip(";")))[:_SHORT]
