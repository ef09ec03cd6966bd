"""sluicectl erase: nothing of a person is left in our tables, whatever else is there stays, and no event is applied again."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml

from tests.support.commands import RERUN, expect_answer, send
from tests.support.effects import parks_without_a_wallet
from tests.support.events import Event, fresh_id, paid_invoice, payment, snapshot
from tests.support.lanes import expect_lane, expect_no_debt, key_of, lane_key_of
from tests.support.pipeline import Pipeline
from tests.support.program import TREE
from tests.support.records import put, put_again, put_records, record_of
from tests.support.trouble import dedup_key_of
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

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
        expect_no_debt(self.pipeline)
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


def dump(pipeline: Pipeline, without: tuple[str, ...] = ("applied_offset", "sluice_meta")) -> dict[str, list[tuple]]:
    """Every row of every table."""
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


def test_nothing_of_a_person_is_left_and_others_are_as_they_were(site: Pipeline) -> None:
    anna = Person(site)
    otto = Person(site, unit=anna.unit + "1")  # keys that begin alike
    for person in (anna, otto):
        person.live()
    assert places_of(site, anna.name) == places_of(site, otto.name) == LIFE
    before = dump(site)
    done = erase(site, "--object", anna.key, *APPLY)
    assert done["finished"] and done["erased"] == {"event_payload": 2, "inbox": 1, "dead_letter": 2, "operator_action": 2}
    assert places_of(site, anna.name) == Counter()
    after = dump(site)
    assert [row for row in after["inbox"] if anna.key.encode() in row] and len(after["inbox"]) == len(before["inbox"])
    for table, rows in before.items():
        assert [row for row in rows if row not in after[table] and anna.key.encode() not in row and table != "event_payload"] == [], table
    assert places_of(site, otto.name) == LIFE
    site.ledger.expect_balance(anna.customer, 1)


def test_audit_holds_who_why_and_how_many_and_nothing_of_what_went(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    erase(site, "--object", anna.key, *APPLY)
    [row] = site.ledger.query("SELECT lane_key, operator, reason, finished_at IS NOT NULL, payloads, inbox_rows, dead_letters, actions"
                              " FROM erasure")
    assert row == (lane_key_of(anna.paid), b"ada", b"request 2026-17", 1, 2, 1, 2, 2)
    [whole] = site.ledger.query("SELECT * FROM erasure")
    held = repr(whole)
    assert not [word for word in (anna.name, anna.customer, anna.unit, anna.paid.id, anna.odd.id) if word in held], held


def test_plan_names_what_goes_and_what_stays_and_changes_nothing(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    before = dump(site)
    plan = erase(site, "--object", anna.key)
    assert rows_in(plan) == {"event_payload": 2, "inbox": 1, "dead_letter": 2, "operator_action": 2}
    stays = {line["where"]: line for line in plan["stays"]}
    assert "a redelivery would be applied again" in stays["inbox, 2 rows"]["why"]
    assert "wants-a-row wrote for 1 events" in stays["wallet, wallet_entry"]["holds"]
    for topic in (site.topic, site.quarantine, site.dlq, site.commands):
        assert "retention is" in stays[f"Kafka {topic}"]["why"] and "unknown" not in stays[f"Kafka {topic}"]["why"]
    assert {"Redis", "undated_key", "lane", "erasure", "backups, binary logs"} <= stays.keys()
    said = site.ctl("erase", "--object", anna.key).stdout
    assert "Nothing was erased. --apply" in said and anna.name not in said
    assert dump(site) == before
    for wrong in (("--apply", "--operator", "ada"), ("--apply", "--reason", "x"), ("--entry", "1")):
        assert site.ctl("erase", "--object", anna.key, *wrong).returncode == 2
    assert site.ctl("erase").returncode == 2
    unknown = site.ctl("erase", "--object", anna.key[:-1], *APPLY)
    assert unknown.returncode == 1 and "nothing is known of" in unknown.stderr and dump(site) == before


def test_redelivery_is_neither_applied_nor_stored_again(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    erase(site, "--object", anna.key, *APPLY)
    put_again(site, anna.paid)
    put_again(site, anna.odd)
    site.expect_caught_up()
    assert places_of(site, anna.name) == Counter()
    assert [event for event, _, _ in site.ledger.entries()] == [anna.paid.id]
    site.ledger.expect_balance(anna.customer, 1)
    later = anna._named(paid_invoice(anna.customer, unit=anna.unit))
    anna.put(later)
    site.ledger.expect_status(later, "done")
    site.ledger.expect_balance(anna.customer, 2)
    assert places_of(site, anna.name) == Counter(event_payload=2), "a new event is archived as ever"
    shown = json.loads(site.ctl("event", "show", later.id, "--json", "--no-kafka").stdout)["events"][0]
    assert shown["erased"] is None and shown["payload_bytes"]


def test_what_is_erased_says_so(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    [entry] = [number for (number,) in site.ledger.query("SELECT id FROM dead_letter WHERE kind = 'conflict'")]
    assert "erased" not in site.ctl("event", "show", anna.paid.id, "--no-kafka").stdout
    erase(site, "--object", anna.key, *APPLY)
    shown = site.ctl("event", "show", anna.paid.id, "--no-kafka").stdout
    assert "request   erased 20" in shown and " by ada\n" in shown
    for name in (anna.odd.id, str(entry)):
        shown = site.ctl("dlq", "show", name).stdout
        assert "payload   erased 20" in shown and " by ada\n" in shown
    answer = json.loads(site.ctl("dlq", "show", str(entry), "--json").stdout)["entries"][0]
    assert answer["erased"]["operator"] == "ada" and answer["erased"]["finished"] and answer["payload"] is None
    saved = site.ctl("dlq", "show", str(entry), "--save-body", "-")
    assert saved.returncode == 1 and "nobody has its body any more: erased 20" in saved.stderr
    for order in ("retry", "close"):
        refused = site.ctl("dlq", order, str(entry), *APPLY, "--wait", "0")
        assert refused.returncode == 1 and f"it is erased: sluicectl dlq show {entry}" in refused.stderr + refused.stdout
    plan = json.loads(site.ctl("event", "rerun", "--object", anna.key, "--json").stdout)
    assert (plan["total"], plan["left_alone"]) == (0, {"erased": 1})
    expect_answer(site, send(site, RERUN, anna.paid), "refused", "erased")


def test_refused_while_events_wait_and_says_what_ends_them(site: Pipeline) -> None:
    anna = Person(site)
    anna.put(anna.paid)
    site.ledger.expect_status(anna.paid, "done")
    entry = anna.die()
    behind = anna._named(paid_invoice(anna.customer, unit=anna.unit))
    anna.put(behind)
    expect_lane(site, anna.odd, "dead", "parked")
    before = dump(site)
    for arguments in ((), APPLY):
        refused = erase(site, "--object", anna.key, *arguments, code=1)
        assert {line["what"] for line in refused["waiting"]} == {f"event {anna.odd.id}", f"event {behind.id}", f"entry {entry}"}
    assert f"sluicectl dlq retry {entry}, or dlq skip {entry}" in site.ctl("erase", "--object", anna.key, *APPLY).stdout
    assert dump(site) == before
    anna.operate("skip", entry)
    site.ledger.expect_status(behind, "done")
    assert erase(site, "--object", anna.key, *APPLY)["finished"]
    assert places_of(site, anna.name) == Counter()


def test_open_entry_without_a_lane_refuses_too(site: Pipeline) -> None:
    anna = Person(site)
    anna.put(anna.paid)
    site.ledger.expect_status(anna.paid, "done")
    anna.put(anna.paid.with_content(currency="usd"))
    [entry] = wait_for(lambda: anna.entries("kind = 'conflict'"), "the conflict")
    refused = erase(site, "--object", anna.key, *APPLY, code=1)
    assert [line["ends_with"] for line in refused["waiting"]] == [f"sluicectl dlq retry {entry}, or dlq close {entry}"]
    assert places_of(site, anna.name) == Counter(event_payload=2, dead_letter=2)


@pytest.mark.parametrize(("step", "hit"), [("before_erasure_commit", 1), ("before_erasure_commit", 2), *(("erased_chunk", hit) for hit in (1, 2, 3))])
def test_killed_at_any_step_the_same_order_goes_on(site: Pipeline, step: str, hit: int) -> None:
    anna = Person(site)
    anna.live()
    killed = site.ctl("erase", "--object", anna.key, *APPLY, environment={"SLUICE_FAILPOINTS": f"ctl.{step}=kill@{hit}"})
    assert killed.returncode == -signal.SIGKILL
    left = places_of(site, anna.name)
    gone = hit if step == "erased_chunk" else hit - 1
    assert (left == LIFE) == (gone == 0) and (left == Counter()) == (gone == 3), left
    said = site.ctl("event", "show", anna.paid.id, "--no-kafka").stdout
    assert ("(begun then, not finished)" in said) == (gone > 0)
    assert erase(site, "--object", anna.key, *APPLY)["finished"]
    assert places_of(site, anna.name) == Counter()
    rows = site.ledger.query("SELECT finished_at IS NOT NULL, payloads, inbox_rows, dead_letters, actions FROM erasure ORDER BY id")
    assert [finished for finished, *_ in rows] == [0, 1]
    assert [sum(counts) for counts in zip(*(counts for _, *counts in rows), strict=True)] == [2, 1, 2, 2]
    assert rows_in(erase(site, "--object", anna.key)) == dict.fromkeys(LIFE, 0)


def test_event_that_comes_meanwhile_is_named_and_the_same_order_goes_on(site: Pipeline) -> None:
    """It is dead beside us: what its lane holds is not erased, and nobody is told that it was."""
    anna = Person(site)
    anna.put(anna.paid)
    site.ledger.expect_status(anna.paid, "done")
    tool = site.start_ctl("erase", "--object", anna.key, *APPLY, "--json", environment={"SLUICE_FAILPOINTS": "ctl.erased_chunk=stop"})
    wait_for(lambda: places_of(site, anna.name) == Counter() or None, "the first chunk to be gone")
    entry = anna.die()
    tool.send_signal(signal.SIGCONT)
    out, _ = tool.communicate(timeout=30)
    answer = json.loads(out)
    assert tool.returncode == 1 and not answer["finished"]
    assert site.ledger.query("SELECT finished_at FROM erasure") == [(None,)]
    assert places_of(site, anna.name)["lane_event"] == 2
    anna.operate("skip", entry)
    assert erase(site, "--object", anna.key, *APPLY)["finished"]
    assert places_of(site, anna.name) == Counter()


def stopped_at(tool: subprocess.Popen[str]) -> None:
    wait_for(lambda: Path(f"/proc/{tool.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T", "the tool to stand at its step")


def test_object_goes_on_while_a_chunk_is_not_committed(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    tool = site.start_ctl("erase", "--object", anna.key, *APPLY, environment={"SLUICE_FAILPOINTS": "ctl.before_erasure_commit=stop@1"})
    stopped_at(tool)
    later, failing = paid_invoice(anna.customer, unit=anna.unit), paid_invoice(fresh_id("nobody"), unit=anna.unit)
    put(site, later, failing)
    site.ledger.expect_status(later, "done")
    expect_lane(site, failing, "dead")
    tool.send_signal(signal.SIGCONT)
    tool.communicate(timeout=30)
    assert tool.returncode == 1 and places_of(site, anna.name) == Counter()


def two_ignored_events(site: Pipeline) -> list[Event]:
    """Of one object and two days, so of two chunks; one that is run again is dead at once."""
    unit, today = fresh_id("in"), int(time.time())
    events = [snapshot("invoice.created", {"id": unit, "object": "invoice"}, created=created) for created in (today - 2 * 86_400, today)]
    put(site, *events)
    for event in events:
        site.ledger.expect_status(event, "ignored")
    site.end_programs()
    site.config["effects"].append({"name": "late", "when": {"source": "stripe-eu", "type": "invoice.created"},
                                   "sql": [{"run": "UPDATE wallet SET balance = 0 WHERE customer = 'nobody'", "rows": {1: "done", 0: "park"}}]})
    site.consumer(role="both")
    return events


def rerun_before_its_chunk(site: Pipeline, events: list[Event], failpoints: str) -> subprocess.Popen[str]:
    tool = site.start_ctl("erase", "--object", key_of(events[0]), *APPLY, "--json", environment={"SLUICE_FAILPOINTS": failpoints})
    stopped_at(tool)
    send(site, RERUN, events[1])
    expect_lane(site, events[1], "dead")
    tool.send_signal(signal.SIGCONT)
    return tool


def expect_unfinished(site: Pipeline, tool: subprocess.Popen[str], keeps: Event) -> None:
    out, _ = tool.communicate(timeout=30)
    assert tool.returncode == 1 and not json.loads(out)["finished"]
    left = site.ledger.query("SELECT event_id FROM event_payload JOIN inbox USING (event_day, dedup_key)")
    assert left == [(keeps.id.encode(),)]
    assert site.ledger.query("SELECT finished_at FROM erasure") == [(None,)]


def test_event_that_is_rerun_meanwhile_keeps_its_request(site: Pipeline) -> None:
    events = two_ignored_events(site)
    tool = rerun_before_its_chunk(site, events, "ctl.erased_chunk=stop@1")
    expect_unfinished(site, tool, keeps=events[1])


def test_event_that_is_rerun_and_finished_meanwhile_is_not_said_to_be_erased(site: Pipeline) -> None:
    """It was unfinished when its chunk came, and waits no more at the end: its request is still there."""
    events = two_ignored_events(site)
    tool = rerun_before_its_chunk(site, events, "ctl.erased_chunk=stop@1;ctl.erased_chunk=stop@2")
    stopped_at(tool)
    [(entry,)] = site.ledger.query("SELECT id FROM dead_letter WHERE closed_at IS NULL")
    assert site.ctl("dlq", "skip", str(entry), *SIGNED, "--apply").returncode == 0
    tool.send_signal(signal.SIGCONT)
    expect_unfinished(site, tool, keeps=events[1])
    assert erase(site, "--object", key_of(events[0]), *APPLY)["finished"]
    assert not site.ledger.query("SELECT 1 FROM event_payload")


def test_rerun_of_what_is_erased_at_that_moment_is_refused(site: Pipeline) -> None:
    """It has read the archive and waits for the inbox row: what it has read must not come back."""
    anna = Person(site)
    anna.put(anna.paid)
    site.ledger.expect_status(anna.paid, "done")
    site.ledger.run(f"UPDATE inbox SET had_effects = '[]' WHERE event_id = '{anna.paid.id}'")
    with site.ledger.session() as session, session.cursor() as cursor:
        cursor.execute("SELECT 1 FROM inbox WHERE event_id = %s FOR UPDATE", (anna.paid.id.encode(),))
        command = send(site, RERUN, anna.paid)
        wait_for(lambda: int(site.ledger.query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")[0][1]), "the rerun to wait")
        cursor.execute("DELETE FROM event_payload")
        cursor.execute("INSERT INTO erasure (lane_key, operator, reason, database_user, host, begun_at, finished_at)"
                       " VALUES (%s, 'ada', 'request 17', '', '', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))", (lane_key_of(anna.paid),))
        session.commit()
    expect_answer(site, command, "refused", "erased")
    assert places_of(site, anna.name) == Counter()


def use_recipe(pipeline: Pipeline, event_id: list[str]) -> None:
    [recipe] = yaml.safe_load((TREE / "ingress/recipes/stripe.yaml").read_text())["recipes"]
    recipe |= {"name": "stripe-own", "extract": recipe["extract"] | {"id": event_id}}
    pipeline.config["recipes"] = [recipe]
    pipeline.config["sources"][0]["recipe"] = "stripe-own"


def unreadable(pipeline: Pipeline) -> tuple[str, Event, int]:
    """A name, the event that it stands in, and the open entry of its request."""
    name, customer = fresh_id("anna"), fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    use_recipe(pipeline, ["/event_id"])
    event = payment(customer, 7).with_content(name=name)
    provider = pipeline.provider(pipeline.ingress())
    assert provider.post(event.body, provider.headers(event.body)).status == 200
    pipeline.retry_role()
    [(entry,)] = wait_for(lambda: pipeline.ledger.query("SELECT id FROM dead_letter"), "the entry")
    return name, event, entry


def test_request_that_could_not_be_read_goes_by_its_entry(pipeline: Pipeline) -> None:
    name, event, entry = unreadable(pipeline)
    assert places_of(pipeline, name) == Counter(dead_letter=1)
    refused = erase(pipeline, "--entry", str(entry), *APPLY, code=1)
    assert refused["waiting"][0]["ends_with"] == f"sluicectl dlq retry {entry}, or dlq close {entry}"
    assert pipeline.ctl("dlq", "close", str(entry), *SIGNED, "--apply").returncode == 0
    known = Person(pipeline)
    pipeline.consumer()
    known.put(known.paid)
    pipeline.ledger.expect_status(known.paid, "ignored")
    stays = erase(pipeline, "--object", known.key)["stays"]
    assert [line["why"] for line in stays if line["where"] == "dead_letter, 1 rows" and "erase --entry ID" in line["why"]]
    assert erase(pipeline, "--entry", str(entry), *APPLY)["finished"]
    assert places_of(pipeline, name) == Counter()
    assert "payload   erased 20" in pipeline.ctl("dlq", "show", str(entry)).stdout
    assert places_of(pipeline, known.name) == Counter(event_payload=2)
    assert pipeline.ctl("erase", "--entry", "4711", *APPLY).returncode == 1


def test_request_whose_events_were_read_later_goes_with_their_object(pipeline: Pipeline) -> None:
    name, event, entry = unreadable(pipeline)
    pipeline.end_programs()
    use_recipe(pipeline, ["/event_id", "/id"])
    pipeline.consumer(role="both")
    assert pipeline.ctl("dlq", "retry", str(entry), *SIGNED, "--apply").returncode == 0
    pipeline.ledger.expect_status(event, "done")
    assert places_of(pipeline, name) == Counter(event_payload=1, dead_letter=1)
    assert erase(pipeline, "--object", key_of(event), *APPLY)["finished"]
    assert places_of(pipeline, name) == Counter()


def test_rights_that_are_documented_are_enough(site: Pipeline) -> None:
    """SECURITY.md, as it stands there."""
    anna = Person(site)
    anna.live()
    said = [line for line in (TREE / "SECURITY.md").read_text().splitlines() if line.startswith("GRANT") and "eraser" in line]
    user = f"{site.name}e"
    site.ledger.run(f"CREATE USER '{user}'@'%' IDENTIFIED BY 'eraser'",
                    *(line.rstrip(";").replace("payments.", f"{site.name}.").replace("'eraser'", f"'{user}'") for line in said))
    site.config["mysql"] |= {"user": user, "password": {"env": "TEST_ERASER"}}
    site.secrets["TEST_ERASER"] = "eraser"
    assert erase(site, "--object", anna.key, *APPLY)["finished"]
    assert places_of(site, anna.name) == Counter()
    assert "erased 20" in site.ctl("event", "show", anna.paid.id, "--no-kafka").stdout
