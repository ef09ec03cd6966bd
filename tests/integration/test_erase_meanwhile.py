"""sluicectl erase beside what goes on: killed at any step, and events that come, run again or end while it runs."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.commands import RERUN, expect_answer, send
from tests.support.erasure import APPLY, LIFE, SIGNED, Person, erase, places_of, rows_in, site  # noqa: F401
from tests.support.events import Event, fresh_id, paid_invoice, snapshot
from tests.support.lanes import expect_lane, key_of, lane_key_of
from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)


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
    assert rows_in(erase(site, "--object", anna.key)) == dict.fromkeys([*LIFE, "outbox", "callback"], 0)


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
