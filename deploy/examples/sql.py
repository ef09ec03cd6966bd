"""Questions to the database, with text instead of bytes."""

from __future__ import annotations

from deploy.stack.sql_server import SqlServer


def rows(server: SqlServer, statement: str) -> list[tuple]:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return [tuple(value.decode() if isinstance(value, bytes) else value for value in row) for row in cursor]


def inbox(server: SqlServer) -> list[tuple[str, str]]:
    """Each event, by account and id (an event is known by both), and its status."""
    return rows(server, "SELECT CONCAT(SUBSTRING_INDEX(SUBSTRING_INDEX(object_key, '/', 2), '/', -1), '/', event_id), status FROM inbox")


def number(server: SqlServer, statement: str) -> int:
    [(count,)] = rows(server, statement)
    return int(count)
