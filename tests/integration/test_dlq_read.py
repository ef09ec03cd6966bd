"""What people see of dead letters and lanes: sluicectl dlq list and show, lane list and show, event show."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.support.pipeline import Pipeline
from tests.support.trouble import CARD, write_action, write_dead, write_quarantined

BOTH = pytest.mark.databases("mysql", "mariadb")


def answer(pipeline: Pipeline, *arguments: str, code: int = 0) -> dict:
    result = pipeline.ctl(*arguments, "--json")
    assert result.returncode == code, result.stdout + result.stderr
    assert CARD not in result.stdout and "hush" not in result.stdout
    return json.loads(result.stdout)


def people(pipeline: Pipeline, *arguments: str) -> str:
    result = pipeline.ctl(*arguments)
    assert result.returncode == 0, result.stdout + result.stderr
    assert CARD not in result.stdout and "hush" not in result.stdout
    return result.stdout


@BOTH
def test_dlq_list_counts_first_and_takes_filters(pipeline: Pipeline) -> None:
    for number in (1, 2, 3):
        write_dead(pipeline.ledger, number)
    other = write_dead(pipeline.ledger, 4, error_class="park", source="adyen-live")
    pipeline.ledger.run(f"UPDATE dead_letter SET error_text = 'effect pay: no row' WHERE id = {other.dead_letter}")
    pipeline.ledger.run("UPDATE dead_letter SET error_text = 'effect pay-order: no effect pay: here' WHERE event_id = 'evt_3'")
    listed = answer(pipeline, "dlq", "list")
    assert listed["total"] == 4
    assert [(count["error_class"], count["source"], count["count"]) for count in listed["counts"]] == [
        ("data", "stripe-eu", 3), ("park", "adyen-live", 1)]
    assert [entry["event_id"] for entry in listed["entries"]] == ["evt_1", "evt_2", "evt_3", "evt_4"]
    for narrowed in (["--source", "adyen-live"], ["--error-class", "park"], ["--class", "park"], ["--effect", "pay"], ["--object", other.object_key],
                     ["--text", "EVT_4"], ["--since", "1h", "--source", "adyen-live"]):
        assert [entry["id"] for entry in answer(pipeline, "dlq", "list", *narrowed)["entries"]] == [other.dead_letter]
    page = people(pipeline, "dlq", "list", "--limit", "2")
    assert page.startswith("CLASS") and "Of 4. The next page: --after 2" in page
    assert "evt_3" in people(pipeline, "dlq", "list", "--after", "2") and "evt_3" not in page
    assert answer(pipeline, "dlq", "list", "--closed")["total"] == 0
    assert answer(pipeline, "dlq", "list", "--until", "1h")["entries"] == []
    assert pipeline.ctl("dlq", "list", "--since", "yesterday").returncode == 2


@BOTH
def test_dlq_show_tells_why_what_waits_and_what_was_done(pipeline: Pipeline) -> None:
    dead = write_dead(pipeline.ledger, 1, followers=2)
    write_action(pipeline.ledger, dead)
    for name in (str(dead.dead_letter), dead.event_id):
        [entry] = answer(pipeline, "dlq", "show", name)["entries"]
        assert entry["id"] == dead.dead_letter and entry["payload_from"] == "the lane"
        assert entry["waiting_behind"] == {"count": 2, "since": "2026-11-21T10:00:00.000000Z"}
        assert json.loads(entry["payload"]) == {"id": "evt_1", "client_secret": "***", "card": "411111******1111"}
        assert entry["history"]["actions"][0]["operator"] == "ada"
        assert ["ce_id", "evt_1"] in entry["headers"]
    shown = people(pipeline, "dlq", "show", dead.event_id)
    assert "behind it 2 since 2026-11-21 10:00:00" in shown and "retry by ada: wallets are there" in shown
    quarantined = write_quarantined(pipeline.ledger, 7)
    assert "<secret>***</secret>" in people(pipeline, "dlq", "show", str(quarantined))
    assert pipeline.ctl("dlq", "show", "evt_unknown").returncode == 1
    nowhere = pipeline.ctl("dlq", "show", "evt_unknown", "--save-body", "-")
    assert (nowhere.returncode, nowhere.stdout) == (1, "") and "evt_unknown" in nowhere.stderr


@BOTH
def test_lanes_are_listed_and_shown(pipeline: Pipeline) -> None:
    pipeline.make_database()
    assert "No lane" in people(pipeline, "lane", "list")
    dead = write_dead(pipeline.ledger, 1, followers=3)
    listed = answer(pipeline, "lane", "list")
    assert [(count["state"], count["lanes"], count["events"]) for count in listed["counts"]] == [("quarantined", 1, 4)]
    assert listed["lanes"][0]["object_key"] == dead.object_key
    assert answer(pipeline, "lane", "list", "--state", "waiting")["lanes"] == []
    shown = answer(pipeline, "lane", "show", dead.object_key, "--limit", "2", "--after", "1")
    assert shown["lane"]["lane_key"] == hashlib.sha256(dead.object_key.encode()).hexdigest()
    assert [(event["position"], event["status"], event["event_id"]) for event in shown["events"]] == [
        (2, "parked", "evt_1_2"), (3, "parked", "evt_1_3")]
    assert "dead, tried 3 times" in people(pipeline, "lane", "show", dead.object_key)
    assert pipeline.ctl("lane", "show", "stripe/acct_main/healthy").returncode == 1
    assert pipeline.ctl("lane", "list", "--state", "sad").returncode == 2


@BOTH
def test_event_show_goes_on_into_the_lane(pipeline: Pipeline) -> None:
    dead = write_dead(pipeline.ledger, 9, followers=1)
    [event] = answer(pipeline, "event", "show", dead.event_id, "--no-kafka")["events"]
    assert event["trouble"]["lane"]["state"] == "quarantined"
    assert event["trouble"]["row"]["attempts"] == 3
    assert [entry["id"] for entry in event["trouble"]["entries"]] == [dead.dead_letter]
    shown = people(pipeline, "event", "show", dead.event_id, "--no-kafka")
    assert "stands    at position 1: dead, tried 3 times" in shown and f"entry {dead.dead_letter}: given up after 3 attempts" in shown
