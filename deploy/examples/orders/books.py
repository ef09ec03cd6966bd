"""What all who took part have in their books at the end."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.demo import topic
from deploy.examples.installation import ExampleInstallation
from deploy.examples.receiver import Receiver
from deploy.examples.sql import inbox, rows
from deploy.stack import SqlServer

TOPIC = "shop.order-paid.v1"


@dataclass(frozen=True)
class Message:
    key: str
    order: str
    amount: int
    currency: str


@dataclass(frozen=True)
class Row:
    no: str
    status: str
    amount: int
    currency: str
    paid_by: str | None
    refunded: int


@dataclass(frozen=True)
class Books:
    """Lists, not maps: what is there twice must show."""

    orders: list[Row]
    inbox: list[tuple[str, str]]  # event, by account and id; status
    cases: list[tuple[str, str]]  # class, order: those that are still open
    records: list[Message]        # of the topic, each as often as it lies there
    shipments: list[Message]      # what the receiver worked on
    received: dict[str, int]      # what else happened at the receiver

    @property
    def told(self) -> list[Message]:
        """Of the topic, without what came twice: the same message under the same idempotency key."""
        return list(dict.fromkeys(self.records))


def look(installation: ExampleInstallation, shipping: Receiver) -> Books:
    server = installation.stack.mysql
    records, _ = topic.read_all(installation.stack.kafka.bootstrap, TOPIC)
    return Books(orders=[Row(*row) for row in rows(server, "SELECT order_no, status, amount, currency, paid_by, refunded FROM orders")],
                 inbox=inbox(server),
                 cases=open_cases(server),
                 records=[_message(record.headers.get("idempotency-key", ""), record.body) for record in records],
                 shipments=[_message(key, body) for key, body in shipping.work()],
                 received=dict(shipping.counts))


def open_cases(server: SqlServer) -> list[tuple[str, str]]:
    return rows(server, "SELECT error_class, reference FROM dead_letter WHERE kind = 'case' AND closed_at IS NULL")


def _message(key: str, body: dict) -> Message:
    return Message(key, body["order"], body["amount"], body["currency"])
