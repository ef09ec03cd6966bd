"""What MySQL has at the end."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.examples.sql import rows
from deploy.stack.sql_server import SqlServer

DONE = 1


@dataclass(frozen=True)
class Books:
    ledger: list[tuple[str, str, int]]             # merchant, click, price: a list, since a row could be there twice
    balances: dict[str, int]
    sums: dict[str, int]                           # of the ledger by merchant, added up by MySQL
    stored: dict[str, tuple[int, int, bytes]]      # by key: state, status and body of the first response


def look(server: SqlServer) -> Books:
    sums = rows(server, "SELECT merchant, SUM(price) FROM click_charge GROUP BY merchant")
    stored = rows(server, "SELECT caller_key, state, status, response FROM command_key")
    return Books(ledger=rows(server, "SELECT merchant, click, price FROM click_charge"),
                 balances=dict(rows(server, "SELECT merchant, balance FROM merchant_balance")),
                 sums={merchant: int(cost) for merchant, cost in sums},
                 stored={key: (state, status or 0, (response or "").encode()) for key, state, status, response in stored})
