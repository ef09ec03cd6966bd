"""Questions to the database, with text instead of bytes."""

from __future__ import annotations

from deploy.stack.sql_server import SqlServer


def rows(server: SqlServer, statement: str) -> list[tuple]:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return [tuple(value.decode() if isinstance(value, bytes) else value for value in row) for row in cursor]


def number(server: SqlServer, statement: str) -> int:
    [(count,)] = rows(server, statement)
    return int(count)
