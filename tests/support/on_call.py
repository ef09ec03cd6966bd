"""What people on call do about events in trouble, one story after the other, each with sluicectl and to its end."""

from __future__ import annotations

import json

from tests.support.commands import RERUN, expect_answer, send
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, expect_nothing_owed, key_of
from tests.support.pipeline import Pipeline
from tests.support.records import put_records, record_of
from tests.support.trouble import dedup_key_of
from tests.support.wait import wait_for

SIGNED = ("--operator", "ada", "--reason", "a test", "--apply")


class OnCall:
    """Effects of `pipeline` park a paid invoice as long as its customer has no wallet."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline, self.ledger = pipeline, pipeline.ledger

    def put(self, event: Event) -> Event:
        put_records(self.pipeline, record_of(event, secret=self.pipeline.secret, sluice_dedup_key=dedup_key_of(event.id).hex()))
        return event

    def entry(self, event: Event) -> str:
        """Open, and nothing is owed for it."""
        wanted = ("SELECT id FROM dead_letter WHERE event_id = %s AND closed_at IS NULL", event.id.encode())
        [(number,)] = wait_for(lambda: self.ledger.query(*wanted), f"the entry of {event.id}")
        expect_nothing_owed(self.pipeline)
        return str(number)

    def order(self, *arguments: str) -> None:
        done = self.pipeline.ctl(*arguments, *SIGNED, "--json")
        assert json.loads(done.stdout)["carried_out"] == 1, done.stdout + done.stderr

    def dies(self) -> Event:
        event = self.put(paid_invoice(fresh_id("nobody")))
        expect_lane(self.pipeline, event, "dead")
        return event

    # the stories

    def waits_for_its_wallet(self) -> None:
        event = self.put(payment(fresh_id("late"), 3))
        expect_lane(self.pipeline, event, "deferred")
        self.ledger.open_wallet(event.customer)
        self.ledger.expect_applied(event)

    def is_retried_twice(self) -> Event:
        event = self.dies()
        entry = self.entry(event)
        self.order("dlq", "retry", entry)
        wait_for(lambda: self.entry(event) != entry, "its second death")
        self.ledger.open_wallet(event.customer)
        self.order("dlq", "retry", self.entry(event))
        self.ledger.expect_applied(event)
        return event

    def is_skipped(self) -> None:
        event = self.dies()
        self.order("dlq", "skip", self.entry(event))
        self.ledger.expect_status(event, "skipped")

    def is_edited(self) -> None:
        """What the provider signed is kept now at the latest."""
        event = self.dies()
        self.ledger.run("DELETE FROM event_payload")
        self.ledger.open_wallet(name := fresh_id("cus"))
        (body := self.pipeline.folder / "mended.json").write_bytes(event.body.replace(event.customer.encode(), name.encode()))
        self.order("dlq", "edit", self.entry(event), "--body", str(body))
        self.ledger.expect_status(event, "done")

    def comes_with_another_content(self, event: Event, *, let_in: bool) -> None:
        """Let in, it has an inbox row of its own beside the other: the last of these stories."""
        self.put(event.with_content(currency="usd" if let_in else "gbp"))
        entry = self.entry(event)
        self.order("dlq", *(("retry", "--unverified") if let_in else ("close",)), entry)
        self.ledger.expect_ledger_rows(2 if let_in else 1, event)

    def had_no_effect(self) -> None:
        event = payment(fresh_id("cus"), 5)
        self.ledger.open_wallet(event.customer)
        self.ledger.expect_applied(self.put(event))
        self.ledger.run(f"UPDATE inbox SET had_effects = '[]' WHERE event_id = '{event.id}'")
        self.order("event", "rerun", event.id)
        self.ledger.expect_ledger_rows(2, event)
        self.ledger.run("DELETE FROM event_payload")  # as an erasure that came in between
        expect_answer(self.pipeline, send(self.pipeline, RERUN, event), "refused", "no_payload")

    def look(self, event: Event) -> None:
        """At everything there is to see."""
        dead = self.dies()
        commands = ["dlq list", f"dlq show {self.entry(dead)}", "lane list", f"lane show {key_of(dead)}", f"event show {event.id} --no-kafka",
                    "event rerun --type none", "keys list", "keys accept", "effects", "migrate", f"erase --object {key_of(event)}"]
        for command in commands:
            seen = self.pipeline.ctl(*command.split())
            assert seen.returncode == 0 and "denied" not in seen.stdout + seen.stderr, f"{command}: {seen.stdout}{seen.stderr}"
