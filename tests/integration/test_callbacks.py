"""The record of callbacks: a row for each request that a provider sent, however it was answered."""

from __future__ import annotations

import json
import signal
from collections import Counter

import pytest

from tests.support.events import Event, payment
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

CARD = "4111111111111111"


@pytest.fixture
def recorded(pipeline: Pipeline) -> Pipeline:
    """Its programs record callbacks."""
    pipeline.record_callbacks()
    return pipeline


def rows(pipeline: Pipeline) -> list[dict]:
    found = pipeline.ledger.query("SELECT verdict, reason, status, client, requests, event_id, body IS NOT NULL, log, body FROM callback"
                                  " ORDER BY received_at")
    names = ("verdict", "reason", "status", "client", "requests", "event", "has_body", "log", "body")
    return [dict(zip(names, (value.decode() if isinstance(value, bytes) else value for value in row))) for row in found]


def counted(pipeline: Pipeline) -> Counter:
    """Requests by verdict."""
    total: Counter = Counter()
    for row in rows(pipeline):
        total[row["verdict"]] += row["requests"]
    return total


def expect_counted(pipeline: Pipeline, **verdicts: int) -> None:
    def is_so() -> bool:
        assert counted(pipeline) == Counter(verdicts)
        return True
    wait_for(is_so, f"rows of {verdicts}")


def end(program: Program) -> None:
    """What it has gathered leaves with it."""
    program.ask_to_stop()
    assert program.wait_end() == 0


def forge(provider: Provider, event: Event) -> int:
    return provider.start(event).attempt(secret="whsec_nobodys").status


def send_one_of_each(pipeline: Pipeline, ingress: Program) -> Event:
    """Accepted, twice a duplicate, forged, stale, unreadable, and to no address of ours."""
    provider = pipeline.provider(ingress)
    event = payment()
    provider.deliver(event).times(3).expect(200)
    assert forge(provider, payment()) == 400
    assert provider.start(payment()).attempt(at=1_700_000_000).status == 400
    unreadable = b'{"id": "evt_x", "id": "evt_y"}'
    assert provider.post(unreadable, provider.headers(unreadable)).status == 200
    assert provider.post(b"{}", [], path="/v1/nowhere").status == 404
    return event


def test_each_callback_has_its_row(recorded: Pipeline) -> None:
    recorded.consumer()
    recorded.retry_role()
    event = send_one_of_each(recorded, recorded.ingress(threads=1))
    expect_counted(recorded, accepted=1, duplicate=2, refused_signature=2, quarantined=1, gate_refused=1)
    by_verdict: dict[str, list[dict]] = {}
    for row in rows(recorded):
        by_verdict.setdefault(row["verdict"], []).append(row)
        assert row["client"] == "127.0.0.1"
    assert {row["event"] for row in by_verdict["accepted"] + by_verdict["duplicate"]} == {event.id}
    assert [row["status"] for row in by_verdict["accepted"] + by_verdict["duplicate"]] == [200, 200, 200]
    assert {row["reason"] for row in by_verdict["refused_signature"]} == {"signature_mismatch", "too_old"}
    assert [row["status"] for row in by_verdict["gate_refused"]] == [404]
    assert [row["has_body"] for row in by_verdict["duplicate"]] == [1, 0]
    expect_shown_with_its_event(recorded, event)


def expect_shown_with_its_event(pipeline: Pipeline, event: Event) -> None:
    def events() -> list[dict]:
        return json.loads(pipeline.ctl("event", "show", event.id, "--json", "--no-kafka").stdout)["events"]

    [shown] = wait_for(events, "the event to be in the inbox")
    assert [callback["verdict"] for callback in shown["callbacks"]] == ["accepted", "duplicate", "duplicate"]
    people = pipeline.ctl("event", "show", event.id, "--no-kafka").stdout
    assert "\ncallbacks\n" in people and people.count("127.0.0.1") == 3


def test_rows_are_as_many_as_the_metrics_say(recorded: Pipeline) -> None:
    recorded.retry_role()
    ingress = recorded.ingress(threads=2)
    provider = recorded.provider(ingress)
    for _ in range(20):
        provider.deliver(payment()).twice().expect(200)
    for _ in range(60):
        assert forge(provider, payment()) == 400
    end(ingress)
    expect_counted(recorded, accepted=20, duplicate=20, refused_signature=60)


def test_a_forger_fills_no_table(recorded: Pipeline) -> None:
    recorded.retry_role()
    ingress = recorded.ingress(threads=1)
    provider = recorded.provider(ingress)
    for _ in range(300):
        assert forge(provider, payment()) == 400
    end(ingress)
    expect_counted(recorded, refused_signature=300)
    assert len(rows(recorded)) <= 300 / 2, "ten within ten seconds, and the test takes a few of those at most"
    assert sum(row["has_body"] for row in rows(recorded)) <= len(rows(recorded)) / 5
    assert max(row["requests"] for row in rows(recorded)) > 1
    assert {row["reason"] for row in rows(recorded) if row["requests"] > 1} == {"left_out"}


@pytest.mark.parametrize("place", ["consumer.after_callbacks_insert", "consumer.after_callbacks_commit"])
def test_a_recorder_that_is_killed_leaves_one_row_each(recorded: Pipeline, place: str) -> None:
    event = send_one_of_each(recorded, recorded.ingress(threads=1))
    dying = recorded.retry_role(start=False)
    dying.start(f"{place}=kill")
    assert dying.wait_end() == -signal.SIGKILL
    recorded.retry_role()
    expect_counted(recorded, accepted=1, duplicate=2, refused_signature=2, quarantined=1, gate_refused=1)
    assert [row["event"] for row in rows(recorded) if row["verdict"] == "accepted"] == [event.id]
    expect_read_to_the_end(recorded)


def expect_read_to_the_end(pipeline: Pipeline) -> None:
    """By the offsets of the recorder's group in the database: who follows it begins there."""
    ends = pipeline.log.count(pipeline.topic) + pipeline.log.count(pipeline.callbacks)
    wait_for(lambda: pipeline.ledger.query(
        "SELECT SUM(next) FROM (SELECT MAX(next_offset) AS next FROM applied_offset WHERE group_id LIKE '%%.callbacks'"
        " GROUP BY topic_id, partition_no) AS newest") == [(ends,)], f"the offsets to say {ends}")


def test_answers_never_wait_for_the_record(pipeline: Pipeline) -> None:
    """Nobody made its topic."""
    pipeline.config["callbacks"] = {"record": "all"}
    ingress = pipeline.ingress(threads=1)
    provider = pipeline.provider(ingress)
    for _ in range(5):
        provider.deliver(payment()).twice().expect(200)
    end(ingress)
    assert len(pipeline.published()) == 5
    assert any(line["decision"] == "callbacks_lost" for line in ingress.log_lines())


def test_what_kafka_does_not_take_is_counted(recorded: Pipeline) -> None:
    recorded.log.configure(recorded.callbacks, **{"max.message.bytes": "1"})
    ingress = recorded.ingress(threads=1)
    recorded.provider(ingress).deliver(payment()).times(4).expect(200)
    ingress.expect_metric(3, "sluice_ingress_callbacks_total", result="lost")
    ingress.expect_metric(0, "sluice_ingress_callbacks_total", result="sent")


def test_the_retry_role_works_without_the_topic_of_callbacks(pipeline: Pipeline) -> None:
    pipeline.config["callbacks"] = {"record": "all"}
    retry = pipeline.retry_role(start=False)
    retry.start("")
    wait_for(lambda: any(line["decision"] == "waiting_for_topic" for line in retry.log_lines()), "the missing topic to be said")
    wait_for(lambda: retry.metric("sluice_consumer_partitions_assigned", role="retry") > 0, "the retry role to work")


def test_what_is_kept_is_masked(recorded: Pipeline) -> None:
    recorded.retry_role()
    ingress = recorded.ingress(threads=1)
    provider = recorded.provider(ingress)
    body = json.dumps({"id": "evt_1", "card": CARD, "escaped": "PLACE", "password": "hunter2"}).replace(
        "PLACE", "".join(f"\\u{ord(digit):04x}" for digit in CARD)).encode()
    assert provider.post(body, provider.headers(body, secret="whsec_nobodys")).status == 400
    expect_counted(recorded, refused_signature=1)
    [row] = rows(recorded)
    assert CARD not in row["body"] and "hunter2" not in row["body"] and "411111******1111" in row["body"]


def test_people_find_the_story_of_an_event(recorded: Pipeline) -> None:
    recorded.consumer()
    recorded.retry_role()
    event = payment(customer="cus_1")
    recorded.ledger.open_wallet("cus_1")
    provider = recorded.provider(recorded.ingress(threads=1))
    provider.deliver(event).times(3).expect(200)
    provider.deliver(payment()).expect(200)
    assert forge(provider, payment()) == 400
    expect_counted(recorded, accepted=2, duplicate=2, refused_signature=1)
    recorded.expect_caught_up()
    listed = callbacks(recorded, "--event", event.id)
    assert [one["verdict"] for one in listed] == ["accepted", "duplicate", "duplicate"]
    assert {one["event_status"] for one in listed} == {"done"}
    assert [one["verdict"] for one in callbacks(recorded, "--object", listed[0]["object_key"])] == ["accepted", "duplicate", "duplicate"]
    assert len(callbacks(recorded, "--client", "127.0.0.1", "--since", "1h")) == 5
    assert [one["verdict"] for one in callbacks(recorded, "--verdict", "refused_signature")] == ["refused_signature"]
    for one in callbacks(recorded):
        shown = json.loads(recorded.ctl("callback", "show", one["id"], "--json").stdout)
        assert {name: shown[name] for name in one} == one
    assert recorded.ctl("callback", "list", "--event", "evt_nobodys").returncode == 1
    assert "20261130-e3-1207" in recorded.ctl("callback", "show", "17").stderr


def test_erasure_takes_what_is_kept_of_requests(recorded: Pipeline) -> None:
    recorded.consumer()
    recorded.retry_role()
    event = payment(customer="cus_1")
    recorded.ledger.open_wallet("cus_1")
    provider = recorded.provider(recorded.ingress())
    provider.deliver(event).twice().expect(200)
    expect_counted(recorded, accepted=1, duplicate=1)
    recorded.expect_caught_up()
    [duplicate] = [row for row in rows(recorded) if row["verdict"] == "duplicate"]
    assert duplicate["has_body"]
    key = callbacks(recorded, "--event", event.id)[0]["object_key"]
    erased = json.loads(recorded.ctl("erase", "--object", key, "--operator", "kim", "--reason", "asked for", "--apply", "--json").stdout)
    assert erased["erased"]["callback"] == 1
    assert not any(row["has_body"] for row in rows(recorded))
    assert counted(recorded) == Counter(accepted=1, duplicate=1), "that it came stays on record"


def callbacks(pipeline: Pipeline, *filters: str) -> list[dict]:
    answer = pipeline.ctl("callback", "list", "--json", *filters)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)["callbacks"]


def test_without_the_section_nothing_is_recorded(pipeline: Pipeline) -> None:
    retry = pipeline.retry_role()
    provider = pipeline.provider(pipeline.ingress())
    provider.deliver(payment()).twice().expect(200)
    [record] = pipeline.log.read(pipeline.topic)
    assert b"127.0.0.1" not in b"".join(value for _, value in record.headers)
    assert retry.metric("sluice_consumer_partitions_assigned", role="callbacks") in (None, 0)
    assert not rows(pipeline)
