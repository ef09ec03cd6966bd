"""A person whose data are to be erased, and where in the tables they stand."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.support.effects import parks_without_a_wallet
from tests.support.events import Event, fresh_id, paid_invoice
from tests.support.lanes import expect_lane, expect_nothing_owed, key_of
from tests.support.pipeline import Pipeline
from tests.support.records import put_records, record_of
from tests.support.trouble import dedup_key_of
from tests.support.wait import wait_for

SIGNED = ("--operator", "ada", "--reason", "request 2026-17")
APPLY = (*SIGNED, "--apply")


@pytest.fixture
def site(pipeline: Pipeline) -> Pipeline:
    """Both roles, in a database of its own: tests look at all of it."""
    pipeline.config["consumer"] = {"in_place": "0s"}
    pipeline.config["effects"].append(parks_without_a_wallet())
    pipeline.make_database()
    pipeline.consumer(role="both")
    return pipeline


class Person:
    """One object with all that sluice may hold of it; `name` stands in each place that can hold words."""

    def __init__(self, pipeline: Pipeline, *, unit: str = "") -> None:
        self.pipeline = pipeline
        self.name = fresh_id("anna")
        self.customer, self.unit = fresh_id("cus"), unit or fresh_id("in")
        pipeline.ledger.open_wallet(self.customer)
        self.paid = self._named(paid_invoice(self.customer, unit=self.unit))
        self.odd = self._named(paid_invoice(fresh_id("nobody"), unit=self.unit))
        self.key = key_of(self.paid)

    def _named(self, event: Event) -> Event:
        return event.with_content(name=self.name)

    def put(self, event: Event) -> None:
        put_records(self.pipeline, record_of(event, secret=self.pipeline.secret, http_user_agent=self.name,
                                             sluice_dedup_key=dedup_key_of(event.id).hex()))

    def die(self) -> int:
        """An event of the object is dead; its entry."""
        self.put(self.odd)
        expect_lane(self.pipeline, self.odd, "dead")
        expect_nothing_owed(self.pipeline)
        return self.entries("kind = 'dead'")[0]

    def entries(self, condition: str) -> list[int]:
        rows = self.pipeline.ledger.query(f"SELECT id FROM dead_letter WHERE object_key = %s AND closed_at IS NULL AND {condition}", self.key)
        return [number for (number,) in rows]

    def operate(self, order: str, entry: int) -> None:
        done = self.pipeline.ctl("dlq", order, str(entry), "--operator", "ada", "--reason", f"{self.name} called", "--apply")
        assert done.returncode == 0, done.stdout + done.stderr

    def live(self) -> None:
        """Applied; died and skipped; came again with another content, which was looked at and closed."""
        ledger = self.pipeline.ledger
        self.put(self.paid)
        ledger.expect_status(self.paid, "done")
        self.operate("skip", self.die())
        ledger.expect_status(self.odd, "skipped")
        self.put(self.paid.with_content(currency="usd"))
        self.operate("close", wait_for(lambda: self.entries("kind = 'conflict'"), "the conflict")[0])
        # What a server says of a statement may quote the row.
        ledger.run(f"UPDATE dead_letter SET error_text = 'Duplicate entry {self.name}' WHERE object_key = '{self.key}'",
                   f"UPDATE inbox SET error_text = 'Duplicate entry {self.name}' WHERE event_id = '{self.odd.id}'",
                   f"UPDATE operator_action SET approval_reason = reason WHERE object_key = '{self.key}' AND action = 'skip'")


def dump(pipeline: Pipeline, without: tuple[str, ...] = ("applied_offset", "sluice_meta", "source_traffic")) -> dict[str, list[tuple]]:
    """Every row of every table, but for those that the main role writes by itself."""
    tables = [name for (name,) in pipeline.ledger.query("SHOW TABLES") if name not in without]
    return {table: sorted(pipeline.ledger.query(f"SELECT * FROM {table}"), key=repr) for table in tables}


def places_of(pipeline: Pipeline, word: str) -> Counter[str]:
    """How many rows of each table hold it."""
    found = {table: sum(word.encode() in cell if isinstance(cell, bytes) else word in str(cell) for row in rows for cell in row)
             for table, rows in dump(pipeline, ()).items()}
    return Counter({table: count for table, count in found.items() if count})


LIFE = Counter(event_payload=4, inbox=1, dead_letter=4, operator_action=3)  # of a name: cells that hold it


def erase(pipeline: Pipeline, *arguments: str, code: int = 0, **more: dict) -> dict:
    result = pipeline.ctl("erase", *arguments, "--json", **more)
    assert result.returncode == code, result.stdout + result.stderr
    return json.loads(result.stdout)


def rows_in(plan: dict) -> dict[str, int]:
    return {line["table"]: line["rows"] for line in plan["goes"]}
