"""The business table that the effects of these tests write: what was applied, how often, and in which order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection

from deploy.stack import SqlServer
from tests.support.wait import wait_for

# No unique key on purpose: an effect that ran twice shows as a second row.
TABLE = """CREATE TABLE booking (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL, object VARBINARY(255) NOT NULL,
           paid_back BIGINT NOT NULL, before_that BIGINT NOT NULL, pause TINYINT NOT NULL)"""


def effects(seconds: float = 0) -> list[dict]:
    """Payments and their refunds, each a row; `seconds` is how long the database takes for one."""
    row = f"INSERT INTO booking (event, object, paid_back, before_that, pause) VALUES (:event_id, :object, {{}}, SLEEP({seconds}))"
    before = "/data/previous_attributes/amount_refunded"
    return [
        {"name": "book-payment", "when": {"source": "shop", "type": "payment_intent.succeeded"}, "sql": [{"run": row.format("0, 0"), "rows": {1: "done"}}]},
        {"name": "book-refund", "when": {"source": "shop", "type": "charge.refunded"},
         "let": {"total": {"pointer": "/data/object/amount_refunded", "as": "int64"},
                 "before": {"pointer": before, "as": "int64"}},
         "sql": [{"run": row.format(":total, :before"), "rows": {1: "done"}}]}]


class Ledger:
    """One database on a server of this machine; looks as its administrator."""

    def __init__(self, server: SqlServer, database: str) -> None:
        self.server, self.database = server, database
        with server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {database}")
        self.run(TABLE)

    def run(self, statement: str) -> list[tuple]:
        with self.server.connect(admin=True, database=self.database) as connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())

    def drop(self) -> None:
        with self.server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {self.database}")

    def booked(self) -> int:
        return self.run("SELECT COUNT(*) FROM booking")[0][0]

    def expect_each_once_and_in_order(self, accepted: Collection[str], disordered: Collection[str], within: float) -> None:
        """Each accepted event has one row, no event has two, and every refund follows the one before it.

        `disordered`: objects whose events the provider itself sent in another order.
        """
        wait_for(lambda: self.booked() >= len(accepted), f"{len(accepted)} bookings", within, every=0.5)
        rows = [(event.decode(), unit.decode(), total, before) for event, unit, total, before in
                self.run("SELECT event, object, paid_back, before_that FROM booking ORDER BY seq")]
        times = Counter(event for event, *_ in rows)
        wrong = {event: times[event] for event in {*accepted, *times} if times[event] != 1}
        assert not wrong, f"{len(wrong)} of {len(accepted)} events not applied exactly once: {dict(list(wrong.items())[:5])}"
        expect_chains([row for row in rows if row[1] not in disordered])


def expect_chains(rows: list[tuple[str, str, int, int]]) -> None:
    paid_back: dict[str, int] = defaultdict(int)
    for event, unit, total, before in rows:
        assert before == paid_back[unit], f"{event} of {unit} follows {paid_back[unit]} and not {before}: out of order"
        paid_back[unit] = total
