"""What the tables and the service that tells sellers have at the end."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.examples.marketplace.plan import Entry
from deploy.examples.receiver import Receiver
from deploy.examples.sql import inbox, rows
from deploy.stack import SqlServer


@dataclass(frozen=True)
class Books:
    """Lists, not maps, wherever a row could be there twice."""

    inbox: list[tuple[str, str]]        # event, by account and id; status
    balances: dict[str, int]            # by seller
    entries: list[Entry]                # in the order of the ledger
    messages: list[tuple[str, Entry]]   # idempotency key; in the order in which they were worked on


def look(server: SqlServer, sellers: Receiver) -> Books:
    return Books(inbox=inbox(server), balances=dict(rows(server, "SELECT seller, balance FROM seller")),
                 entries=[Entry(*row) for row in rows(server, "SELECT seller, kind, number, payment, amount FROM ledger ORDER BY seq")],
                 messages=[(key, _told(body)) for key, body in sellers.work()])


def _told(body: dict) -> Entry:
    amount = body["amount"] if body["type"] == "sale" else -body["amount"]
    return Entry(body["seller"], body["type"], body["number"], body.get("payment"), amount)
