"""What the database says: the inbox, and the application's own tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from deploy.stack import SqlServer


@dataclass(frozen=True)
class Ledger:
    """A consistent look at all of it. Lists, not maps: a row that is there twice must show."""

    inbox: list[tuple[str, str]]  # event id, status
    balances: dict[str, int]
    entries: list[tuple[str, str, int]]  # event id, customer, amount
    emails: list[str]  # event ids

    @property
    def statuses(self) -> Counter[str]:
        return Counter(status for _, status in self.inbox)


def look(server: SqlServer) -> Ledger:
    with server.connect(autocommit=False) as connection, connection.cursor() as cursor:
        cursor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT")

        def rows(statement: str) -> list[tuple]:
            cursor.execute(statement)
            return [tuple(value.decode() if isinstance(value, bytes) else value for value in row) for row in cursor]

        return Ledger(inbox=rows("SELECT event_id, status FROM inbox"),
                      balances=dict(rows("SELECT customer, balance FROM wallet")),
                      entries=rows("SELECT event, customer, amount FROM wallet_entry"),
                      emails=[event for (event,) in rows("SELECT event FROM email_request")])


def statuses(server: SqlServer) -> Counter[str]:
    """Inbox rows by status, now."""
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT status, COUNT(*) FROM inbox GROUP BY status")
        return Counter({_text(status): number for status, number in cursor})


def open_wallets(server: SqlServer, customers: list[str]) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.executemany("INSERT INTO wallet (customer, balance) VALUES (%s, 0)", [(name.encode(),) for name in customers])


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
