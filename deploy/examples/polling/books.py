"""What MySQL and Kafka have at the end."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.demo.topic import Record, read_all
from deploy.examples.installation import ExampleInstallation
from deploy.examples.sql import inbox, rows


@dataclass(frozen=True)
class Books:
    """Lists, not maps, wherever a row could be there twice."""

    inbox: list[tuple[str, str]]            # event, by account and id; status
    customers: dict[str, str]               # "there" or "deleted" by id
    subscriptions: dict[str, str]           # status by id
    income: list[tuple[str, str, int]]      # invoice, customer, amount
    sums: dict[str, int]                    # by customer, added up by MySQL
    by_list: set[str]                       # events of which Kafka has what the list says
    by_webhook: set[str]


def look(installation: ExampleInstallation) -> Books:
    server, kafka = installation.stack.mysql, installation.settings()["kafka"]
    records, _ = read_all(installation.stack.kafka.bootstrap, kafka["topic"])
    sums = rows(server, "SELECT customer, SUM(amount) FROM income GROUP BY customer")
    return Books(inbox=inbox(server),
                 customers=dict(rows(server, "SELECT id, IF(deleted_at IS NULL, 'there', 'deleted') FROM stripe_customer")),
                 subscriptions=dict(rows(server, "SELECT id, status FROM stripe_subscription")),
                 income=rows(server, "SELECT invoice, customer, amount FROM income"),
                 sums={customer: int(amount) for customer, amount in sums},
                 by_list={one.id for one in records if is_listed(one)},
                 by_webhook={one.id for one in records if not is_listed(one)})


def is_listed(record: Record) -> bool:
    return record.headers.get("sluice-trust") == "api"
