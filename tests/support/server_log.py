"""What a database server was asked, by its own log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.support.pipeline import Pipeline


@contextmanager
def statements_logged(pipeline: Pipeline, like: str) -> Iterator[Callable[[], list[str]]]:
    """Those that look `like` (SQL) this, in turn, of whoever is connected."""
    def found() -> list[str]:
        rows = pipeline.ledger.query("SELECT argument FROM mysql.general_log WHERE argument LIKE %s ORDER BY event_time", like)
        return [text.decode() if isinstance(text, bytes) else str(text) for (text,) in rows]
    pipeline.ledger.run("SET GLOBAL log_output = 'TABLE'", "TRUNCATE mysql.general_log", "SET GLOBAL general_log = ON")
    try:
        yield found
    finally:
        pipeline.ledger.run("SET GLOBAL general_log = OFF", "SET GLOBAL log_output = 'FILE'")
