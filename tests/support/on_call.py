"""What people on call do about events in trouble, one story after the other, each with sluicectl and to its end."""

from __future__ import annotations

import json
import subprocess
import uuid

from tests.support.commands import RERUN, expect_answer, send
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, expect_nothing_owed, key_of
from tests.support.pipeline import Pipeline
from tests.support.records import put_records, record_of
from tests.support.trouble import dedup_key_of
from tests.support.wait import wait_for

SIGNED = ("--operator", "ada", "--reason", "a test", "--apply")


def ends_by_hand(pipeline: Pipeline, *key: str) -> subprocess.CompletedProcess[str]:
    """A refund that somebody saw at the service."""
    response = pipeline.folder / "seen.json"
    response.write_text('{"seen": true}')
    return pipeline.ctl("command", "settle", "refund", *key, "--as", "executed", "--body", str(response), "--status", "201", *SIGNED)


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
        """Carried out, though sluicectl waits for less than that."""
        said = self.pipeline.ctl(*arguments, *SIGNED, "--wait", "0", "--json")
        assert said.stdout, said.stderr
        run = uuid.UUID(json.loads(said.stdout)["run"]).bytes
        answers = wait_for(lambda: self.ledger.query("SELECT answer, why FROM operator_action WHERE run = %s", run), "the answer")
        assert answers == [("carried_out", None)], answers

    def dies(self) -> Event:
        event = self.put(paid_invoice(fresh_id("nobody")))
        expect_lane(self.pipeline, event, "dead")
        return event

    def loses_its_request(self, event: Event) -> None:
        self.ledger.run("DELETE event_payload FROM event_payload JOIN inbox USING (event_day, dedup_key)"
                        f" WHERE event_id = '{event.id}'")

    # The stories, of an object each. They can be told side by side, but for the last two.

    def waits(self) -> None:
        event = self.put(payment(fresh_id("late"), 3))
        expect_lane(self.pipeline, event, "deferred")
        self.ledger.open_wallet(event.customer)
        self.ledger.expect_applied(event)

    def retries_twice(self, event: Event) -> None:
        """Too early, then in time. What comes afterwards under its id is looked at and closed."""
        early = self.entry(event)
        self.order("dlq", "retry", early)
        wait_for(lambda: self.entry(event) != early, "its second death")
        self.ledger.open_wallet(event.customer)
        self.order("dlq", "retry", self.entry(event))
        self.ledger.expect_applied(event)
        self.put(event.with_content(currency="gbp"))
        self.order("dlq", "close", self.entry(event))

    def skips(self) -> None:
        event = self.dies()
        self.order("dlq", "skip", self.entry(event))
        self.ledger.expect_status(event, "skipped")

    def ends_messages(self) -> None:
        """The topic takes none of them: the first is sent again, and refused again."""
        self.put(payment(customer := fresh_id("told"), 3))
        self.ledger.open_wallet(customer)
        wanted = "SELECT id FROM dead_letter WHERE kind = 'message' AND closed_at IS NULL"
        [(first,), *_] = wait_for(lambda: self.ledger.query(wanted), "a message to be refused")
        self.order("dlq", "retry", str(first))
        again = wait_for(lambda: [number for (number,) in self.ledger.query(wanted) if number != first], "it to be refused again")
        self.order("dlq", "skip", str(again[0]))

    def edits(self) -> None:
        """What the provider signed is kept now at the latest."""
        event = self.dies()
        self.loses_its_request(event)
        self.ledger.open_wallet(name := fresh_id("cus"))
        (body := self.pipeline.folder / "mended.json").write_bytes(event.body.replace(event.customer.encode(), name.encode()))
        self.order("dlq", "edit", self.entry(event), "--body", str(body))
        self.ledger.expect_status(event, "done")

    def reruns(self) -> None:
        """A second time its request is gone: an erasure came in between."""
        event = payment(fresh_id("cus"), 5)
        self.ledger.open_wallet(event.customer)
        self.ledger.expect_applied(self.put(event))
        self.ledger.run(f"UPDATE inbox SET had_effects = '[]' WHERE event_id = '{event.id}'")
        self.order("event", "rerun", event.id)
        self.ledger.expect_ledger_rows(2, event)
        self.loses_its_request(event)
        expect_answer(self.pipeline, send(self.pipeline, RERUN, event), "refused", "no_payload")

    def lets_in_as_well(self, event: Event) -> None:
        """Another content of the same id, as an event of its own."""
        self.put(event.with_content(currency="usd"))
        self.order("dlq", "retry", self.entry(event), "--unverified")
        self.ledger.expect_ledger_rows(2, event)

    def look(self, event: Event) -> None:
        """At everything there is to see."""
        dead = self.dies()
        commands = ["dlq list", f"dlq show {self.entry(dead)}", "lane list", f"lane show {key_of(dead)}", f"event show {event.id} --no-kafka",
                    "event rerun --type none", "keys list", "keys accept", "poll list", "command list", "callback list", "anomaly list", "source list", "effects", "migrate", f"erase --object {key_of(event)}"]
        for command in commands:
            seen = self.pipeline.ctl(*command.split())
            assert seen.returncode == 0 and "denied" not in seen.stdout + seen.stderr, f"{command}: {seen.stdout}{seen.stderr}"
