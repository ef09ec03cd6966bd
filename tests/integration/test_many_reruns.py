"""An effect was forgotten and events went by without it: it is applied to all of them, over a killed tool and a killed
consumer, each effect once, the old ones never again, and each object's in order."""

from __future__ import annotations

import copy
import json
import os
import signal
import time

import pytest

from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import expect_nothing_owed
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

EVENTS = int(os.environ.get("SLUICE_RERUN_EVENTS", "300"))  # the bar is 100,000
EACH = 5                                                    # events of each object
WITHIN = 60 + EVENTS / 50                                   # seconds for each step
SIGNED = ("--operator", "ada", "--reason", "was forgotten", "--apply", "--json", "--stop-after", "0")
THANK = {"name": "thank", "when": {"source": "stripe-eu", "type": "payment_intent.succeeded"},
         "insert": {"table": "thanks", "row": {"event": ":event_id"}}}
EXTRA_TABLES = ["CREATE TABLE thanks (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL)"]
CONSUMER = {"in_place": "0s"}


def lines_of(customer: str) -> list[Event]:
    units = [fresh_id("pi") for _ in range(max(EVENTS // EACH, 1))]
    return [payment(customer, 1, intent=unit) for _ in range(EACH) for unit in units]


def count(pipeline: Pipeline, what: str) -> int:
    return pipeline.ledger.query(f"SELECT COUNT(*) FROM {what}")[0][0]


@pytest.mark.databases("mysql", "mariadb")
@pytest.mark.timeout(0 if EVENTS > 5000 else 300)
def test_forgotten_effect_is_applied_over_kills_of_the_tool_and_of_the_consumer(bench: Pipeline, record_property) -> None:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    past = lines_of(customer)
    put(bench, *past)
    forgetful = bench.consumer()
    wait_for(lambda: count(bench, "inbox WHERE status = 'done'") == len(past), "all to be applied", WITHIN, every=0.3)
    assert forgetful.stop() == 0
    bench.config["effects"].append(copy.deepcopy(THANK))

    bench.consumer()
    victim = bench.retry_role()
    tool = bench.start_ctl("event", "rerun", "--effect", "thank", *SIGNED, "--rate", f"{max(EVENTS // 8, 20)}/s")
    wait_for(lambda: count(bench, "operator_action") > EVENTS // 6 or None, "the rerun to be under way", WITHIN)
    tool.send_signal(signal.SIGKILL)
    _, said = tool.communicate()
    run = next(line.split()[1] for line in said.splitlines() if line.startswith("run "))
    victim.kill()
    assert count(bench, "operator_action") < EVENTS, "nothing was left to resume"
    meanwhile = [payment(customer, 1, intent=event.object) for event in past[:20]]
    put(bench, *meanwhile)

    bench.retry_role()
    started, before = time.monotonic(), count(bench, "thanks")
    done = bench.ctl_within(WITHIN, "event", "rerun", "--effect", "thank", *SIGNED, "--rate", "2000/s", "--run", run)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["ending"] == "answered"
    seconds = time.monotonic() - started
    bench.ledger.expect_applied(*past, *meanwhile, within=WITHIN)
    thanked = [event.decode() for (event,) in bench.ledger.query("SELECT event FROM thanks ORDER BY seq")]
    assert sorted(thanked) == sorted(event.id for event in [*past, *meanwhile]), "each once"
    place = {event: number for number, event in enumerate(thanked)}
    for unit in {event.object for event in past}:
        places = [place[event.id] for event in past if event.object == unit]
        assert places == sorted(places), f"{unit} out of order: {places}"
    assert count(bench, "operator_action WHERE answer = 'carried_out'") == count(bench, "operator_action") == len(past)
    assert count(bench, "inbox WHERE status <> 'done'") == count(bench, "lane_event") == 0
    expect_nothing_owed(bench)
    again = bench.ctl("event", "rerun", "--effect", "thank", "--json")
    assert json.loads(again.stdout)["total"] == 0 and json.loads(again.stdout)["left_alone"] == {"had_all": len(past) + len(meanwhile)}
    record_property("events_per_second", round((len(past) - before) / seconds))
    print(f"{(len(past) - before) / seconds:.0f} events/s")
