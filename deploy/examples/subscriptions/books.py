"""What the tables and the mail service have at the end."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.examples.receiver import Receiver
from deploy.examples.sql import inbox, rows
from deploy.stack import SqlServer


@dataclass(frozen=True)
class Mail:
    key: str
    customer: str
    invoice: str
    attempt: int


@dataclass(frozen=True)
class Books:
    """Lists, not maps, wherever a row could be there twice."""

    inbox: list[tuple[str, str]]          # event, by account and id; status
    subscriptions: dict[str, str]         # status by id
    customers: dict[str, str]             # "there" or "deleted" by id
    invoices: dict[str, str]              # status by id
    balances: dict[str, int]              # by customer
    entries: list[tuple[str, str, int]]   # invoice, customer, amount
    mails: list[Mail]


def look(server: SqlServer, mail: Receiver) -> Books:
    return Books(inbox=inbox(server),
                 subscriptions=dict(rows(server, "SELECT id, status FROM stripe_subscription")),
                 customers=dict(rows(server, "SELECT id, IF(deleted_at IS NULL, 'there', 'deleted') FROM stripe_customer")),
                 invoices=dict(rows(server, "SELECT id, status FROM stripe_invoice")),
                 balances=dict(rows(server, "SELECT customer, balance FROM credit")),
                 entries=rows(server, "SELECT invoice, customer, amount FROM credit_entry"),
                 mails=[Mail(key, body["customer"], body["invoice"], body.get("attempt", 0)) for key, body in mail.work()])
