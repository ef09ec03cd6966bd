"""What the database says: the inbox, and the business tables that effects change."""

from __future__ import annotations

from collections import Counter

import pymysql

from deploy.stack import SqlServer
from tests.support.events import Event
from tests.support.wait import LONG_ENOUGH, expect_soon

# No unique key on purpose: an effect that ran twice shows as a second row.
BUSINESS_TABLES = [
    "CREATE TABLE wallet (customer VARBINARY(64) PRIMARY KEY, balance BIGINT NOT NULL, CHECK (balance > -1000000000))",
    "CREATE TABLE wallet_entry (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL,"
    " customer VARBINARY(64) NOT NULL, amount BIGINT NOT NULL)",
    "CREATE TABLE email_request (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL,"
    " customer VARBINARY(64) NOT NULL, address VARCHAR(64) NOT NULL)"]


class Ledger:
    """One database of one test. Each look is a fresh one; `expect_…` wait for what they assert."""

    def __init__(self, server: SqlServer, database: str) -> None:
        self.server = server
        self.database = database

    # looking

    def query(self, statement: str, *parameters: object) -> list[tuple]:
        """As the administrator, so that a refused application account does not blind the test."""
        with self.server.connect(admin=True, database=self.database) as connection, connection.cursor() as cursor:
            cursor.execute(statement, parameters)
            return list(cursor.fetchall())

    def run(self, *statements: str) -> None:
        with self.server.connect(admin=True, database=self.database) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def session(self) -> pymysql.Connection:
        """A session of the administrator with an open transaction; the caller closes it."""
        return self.server.connect(admin=True, database=self.database, autocommit=False)

    def statuses(self) -> dict[str, str]:
        """Inbox status by event id."""
        rows = self.query("SELECT event_id, status FROM inbox")
        assert len({row[0] for row in rows}) == len(rows), f"an event has two inbox rows: {rows}"
        return {event.decode(): status for event, status in rows}

    def status(self, event: Event) -> str | None:
        return self.statuses().get(event.id)

    def inbox_row(self, event: Event) -> dict | None:
        with self.server.connect(admin=True, database=self.database) as connection:
            with connection.cursor(pymysql.cursors.DictCursor) as cursor:
                cursor.execute("SELECT * FROM inbox WHERE event_id = %s", (event.id.encode(),))
                return cursor.fetchone()

    def balance(self, customer: str) -> int | None:
        rows = self.query("SELECT balance FROM wallet WHERE customer = %s", customer.encode())
        return rows[0][0] if rows else None

    def entries(self) -> list[tuple[str, str, int]]:
        """(event, customer, amount) in the order of their application."""
        rows = self.query("SELECT event, customer, amount FROM wallet_entry ORDER BY seq")
        return [(event.decode(), customer.decode(), amount) for event, customer, amount in rows]

    # setting up

    def open_wallet(self, *customers: str, balance: int = 0) -> None:
        for customer in customers:
            with self.server.connect(admin=True, database=self.database) as connection, connection.cursor() as cursor:
                cursor.execute("INSERT INTO wallet VALUES (%s, %s)", (customer.encode(), balance))

    def age_undated(self, days: int = 100) -> None:
        """Rows of undated events are so much older, and the next round of a consumer that starts sweeps them."""
        self.run(f"UPDATE inbox SET received_at = received_at - INTERVAL {days} DAY WHERE event_day = '1970-01-01'",
                 "DELETE FROM sluice_meta WHERE name = 'undated_swept'")

    # expecting

    def expect_undated_swept(self) -> None:
        def check() -> None:
            assert not self.query("SELECT event_id, status FROM inbox WHERE event_day = '1970-01-01'"), "undated rows are there"
        expect_soon(check)

    def expect_ledger_rows(self, count: int, event: Event | None = None, within: float = LONG_ENOUGH) -> None:
        """So many effects on wallets, of one event or in all."""
        def check() -> None:
            rows = [row for row in self.entries() if event is None or row[0] == event.id]
            assert len(rows) == count, f"{len(rows)} ledger rows, wanted {count}: {rows}"
        expect_soon(check, within)

    def expect_status(self, event: Event, status: str, within: float = LONG_ENOUGH) -> dict:
        def check() -> None:
            assert self.status(event) == status, f"{event.id} is {self.status(event)}, wanted {status}"
        expect_soon(check, within)
        row = self.inbox_row(event)
        assert row is not None
        return row

    def expect_balance(self, customer: str, balance: int, within: float = LONG_ENOUGH) -> None:
        def check() -> None:
            assert self.balance(customer) == balance, f"{customer} has {self.balance(customer)}, wanted {balance}"
        expect_soon(check, within)

    def expect_applied(self, *events: Event, within: float = LONG_ENOUGH) -> None:
        """Each of these once, whatever else is there; their customers had nothing but these."""
        wanted = {event.id: event for event in events}
        moving = [event for event in wanted.values() if event.effect]

        def check() -> None:
            statuses = self.statuses()
            unfinished = {event: statuses.get(event) for event in wanted
                          if statuses.get(event) not in ("done", "ignored")}
            assert not unfinished, f"{len(unfinished)} not applied: {dict(list(unfinished.items())[:5])}"
            times = Counter(event for event, _, _ in self.entries() if event in wanted)
            assert times == Counter(event.id for event in moving), f"effects per event: {times}"
            sums: Counter[str] = Counter()
            for event in moving:
                sums[event.customer] += event.effect
            balances = {customer: self.balance(customer) for customer in sums}
            assert balances == dict(sums), f"balances {balances}, wanted {dict(sums)}"
        expect_soon(check, within)

    def expect_each_objects_order(self, events: list[Event]) -> None:
        """The effects of each object's events happened in the order of `events`."""
        place = {event: number for number, (event, _, _) in enumerate(self.entries())}
        for unit in {event.object for event in events}:
            places = [place[event.id] for event in events if event.object == unit]
            assert places == sorted(places), f"{unit} out of order: {places}"

    def expect_applied_exactly_once(self, events: list[Event], within: float = LONG_ENOUGH) -> None:
        """The equality that everything is about: rows and sums are those of `events`, no more, no less."""
        wanted = {event.id: event for event in events}
        moving = [event for event in wanted.values() if event.effect]

        def check() -> None:
            statuses = self.statuses()
            missing = wanted.keys() - statuses.keys()
            assert not missing, f"{len(missing)} accepted events are not in the inbox: {sorted(missing)[:5]}"
            unfinished = {event: status for event, status in statuses.items() if status not in ("done", "ignored")}
            assert not unfinished, f"not applied: {unfinished}"
            times = Counter(event for event, _, _ in self.entries())
            assert times == Counter(event.id for event in moving), f"effects per event: {times}"
            sums: Counter[str] = Counter()
            for event in moving:
                sums[event.customer] += event.effect
            balances = {customer: self.balance(customer) for customer in sums}
            assert balances == dict(sums), f"balances {balances}, wanted {dict(sums)}"
        expect_soon(check, within)
