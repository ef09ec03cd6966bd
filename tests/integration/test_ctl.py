"""sluicectl against real servers: what scripts rely on, and what people read."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from tests.support.events import payment
from tests.support.http_raw import request
from tests.support.pipeline import PATH, SOURCE, Pipeline
from tests.support.program import Program, binary
from tests.support.provider import Provider, signature_header
from tests.support.trouble import write_dead
from tests.support.wait import wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")


def verify(pipeline: Pipeline, data: bytes, now: int, *arguments: str) -> tuple[int, dict]:
    file = pipeline.folder / "request.http"
    file.write_bytes(data)
    result = pipeline.ctl("verify", "--source", SOURCE, "--now", str(now), "--request", str(file), "--json", *arguments)
    return result.returncode, json.loads(result.stdout)


def test_verify_prints_what_was_extracted(pipeline: Pipeline) -> None:
    event, now = payment(), int(time.time())
    code, verdict = verify(pipeline, request(PATH, event.body, headers=[
        ("Content-Type", "application/json"), ("Stripe-Signature", signature_header(pipeline.secret, event.body, now))]),
        now)
    assert code == 0 and verdict["accepted"] is True and verdict["status"] == 200
    assert isinstance(verdict["body"], str) and verdict["key"] == "current"
    [extracted] = verdict["events"]
    assert extracted["id"] == event.id and extracted["type"] == event.type and extracted["object"] == event.object
    assert extracted["key"] == f"stripe/acct_main/{event.object}"
    assert extracted["time"].startswith(time.strftime("%Y-%m-%dT", time.gmtime(json.loads(event.body)["created"])))


@pytest.mark.parametrize("change,reason", [("forged", "signature_mismatch"), ("old", "too_old"), ("new", "too_new"),
                                           ("none", "missing_header")])
def test_verify_says_which_check_failed(pipeline: Pipeline, change: str, reason: str) -> None:
    event, now = payment(), int(time.time())
    at = {"old": now - 301, "new": now + 301}.get(change, now)
    header = signature_header(pipeline.secret if change != "forged" else "whsec_x", event.body, at)
    headers = [] if change == "none" else [("Stripe-Signature", header)]
    code, verdict = verify(pipeline, request(PATH, event.body, headers=headers), now)
    assert code == 1 and verdict["accepted"] is False and verdict["status"] == 400
    assert reason in verdict["reason"], verdict
    assert verdict["events"] == []


def test_verify_needs_only_sources(pipeline: Pipeline) -> None:
    for section in ("kafka", "redis", "mysql", "effects"):
        del pipeline.config[section]
    event, now = payment(), int(time.time())
    header = signature_header(pipeline.secret, event.body, now)
    code, _ = verify(pipeline, request(PATH, event.body, headers=[("Stripe-Signature", header)]), now)
    assert code == 0


@BOTH
def test_migrate_shows_first_and_applies_when_told(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline()
    pipeline.create_database()
    dry = pipeline.ctl("migrate")
    assert "0001" in dry.stdout, dry.stdout + dry.stderr
    assert not pipeline.ledger.query("SHOW TABLES LIKE 'inbox'"), "a dry run changed the database"
    assert pipeline.ctl("migrate", "--apply").returncode == 0
    assert pipeline.ledger.query("SHOW TABLES LIKE 'inbox'")
    assert days_with_a_partition(pipeline) >= 8, "today and a week have partitions before a consumer starts"
    again = pipeline.ctl("migrate", "--apply")
    assert again.returncode == 0, again.stderr


def days_with_a_partition(pipeline: Pipeline) -> int:
    [(count,)] = pipeline.ledger.query("SELECT COUNT(*) FROM information_schema.partitions WHERE table_schema = %s"
                                       " AND table_name = 'inbox' AND partition_name LIKE 'p2%%'", pipeline.name)
    return count


@BOTH
def test_migrations_side_by_side_end_well(new_pipeline) -> None:
    from concurrent.futures import ThreadPoolExecutor

    pipeline: Pipeline = new_pipeline()
    pipeline.create_database()
    pipeline.ctl("migrate")
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: pipeline.ctl("migrate", "--apply"), range(4)))
    assert [result.returncode for result in results] == [0] * 4, [result.stderr for result in results]


def test_topics_shows_first_and_makes_when_told(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline()
    wanted = {pipeline.topic, pipeline.quarantine, pipeline.dlq, *pipeline.wake_topics}
    dry = pipeline.ctl("topics")
    assert pipeline.topic in dry.stdout and not wanted & pipeline.log.topics()
    made = pipeline.ctl("topics", "--apply")
    assert made.returncode == 0, made.stderr
    wait_for(lambda: wanted <= pipeline.log.topics(), "the topics")
    assert pipeline.ctl("topics", "--apply").returncode == 0
    pipeline.config["destinations"] = {"shop": {"kafka": {"topic": f"{pipeline.name}.orders"}}}
    assert f"{pipeline.name}.orders" not in pipeline.ctl("topics").stdout, "it is its readers'"
    assert pipeline.ctl("topics", "--destinations", "--apply").returncode == 0
    wait_for(lambda: f"{pipeline.name}.orders" in pipeline.log.topics(), "the topic of the destination")
    pipeline.provider(pipeline.ingress()).deliver(payment()).expect(200)


def test_send_is_accepted_and_tallied(pipeline: Pipeline, ingress: Program) -> None:
    url = f"http://127.0.0.1:{ingress.port}{PATH}"
    one = pipeline.ctl("send", "--source", SOURCE, "--type", "payment_intent.succeeded", "--set",
                       "/data/object/customer=cus_ctl", "--set", "/data/object/amount=1234", "--url", url)
    assert one.returncode == 0, one.stderr + one.stdout
    [record] = pipeline.log.read(pipeline.topic)
    sent = json.loads(record.value)
    assert sent["data"]["object"]["customer"] == "cus_ctl" and sent["data"]["object"]["amount"] == 1234
    body = pipeline.folder / "body.json"
    body.write_bytes(payment().body)
    assert pipeline.ctl("send", "--source", SOURCE, "--body", str(body), "--url", url).returncode == 0
    assert body.read_bytes() in [record.value for record in pipeline.log.read(pipeline.topic)]


def test_send_of_traffic_with_faults(pipeline: Pipeline, ingress: Program) -> None:
    url = f"http://127.0.0.1:{ingress.port}{PATH}"
    attempts = pipeline.folder / "attempts.jsonl"
    result = pipeline.ctl("send", "--source", SOURCE, "--count", "100", "--duplicates", "10", "--forgeries", "5", "--stale",
                          "5", "--disorder", "--seed", "7", "--url", url, "--events", str(attempts), "--json")
    assert result.returncode == 0, result.stderr
    json.loads(result.stdout)
    assert len([json.loads(line) for line in attempts.read_text().splitlines()]) == 120
    # An event and its duplicate may be under way at the same time: then both are published, and the inbox knows.
    assert len({record.text("ce_id") for record in pipeline.log.read(pipeline.topic)}) == 100


def test_send_says_what_the_ingress_decided(pipeline: Pipeline, ingress: Program) -> None:
    url = f"http://127.0.0.1:{ingress.port}{PATH}"
    body = pipeline.folder / "body.json"

    def decided(kind: str, *options: str) -> str | None:
        said = pipeline.ctl("send", "--source", SOURCE, "--body", str(body), "--url", url, "--json", *options)
        assert said.returncode == 0, said.stderr
        return {answer["kind"]: answer["decision"] for answer in json.loads(said.stdout)["answers"]}[kind]

    body.write_bytes(payment().body)
    assert decided("fresh") == "accepted"
    wait_for(lambda: decided("fresh") == "duplicate", "the ingress to know it")
    assert decided("forged", "--forgeries", "100") is None
    body.write_bytes(b'{"type": "payment_intent.succeeded"}')
    assert decided("fresh") == "quarantined"
    people = pipeline.ctl("send", "--source", SOURCE, "--body", str(body), "--url", url)
    assert re.search(r"^SENT +ANSWER +DECISION +COUNT\nfresh +200 +quarantined +1$", people.stdout, re.M), people.stdout


def test_send_to_nobody_says_so(pipeline: Pipeline) -> None:
    from deploy.stack.server import free_port

    result = pipeline.ctl("send", "--source", SOURCE, "--type", "payment_intent.succeeded", "--url",
                          f"http://127.0.0.1:{free_port()}{PATH}")
    assert result.returncode == 3 and result.stderr


@BOTH
def test_event_show_tells_a_life(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event = payment("cus_1")
    provider.deliver(event).expect(200)
    pipeline.ledger.expect_status(event, "done")
    shown = pipeline.ctl("event", "show", event.id, "--json")
    assert shown.returncode == 0, shown.stderr
    assert event.id in shown.stdout and "done" in shown.stdout
    json.loads(shown.stdout)
    assert event.id in pipeline.ctl("event", "show", event.id).stdout
    assert yaml.safe_load(pipeline.ctl("event", "show", event.id, "-o", "yaml").stdout)
    assert pipeline.ctl("event", "show", "evt_unknown").returncode == 1


def test_event_show_tells_scripts_whether_it_is_applied(pipeline: Pipeline, provider: Provider) -> None:
    def applied(event_id: str, *arguments: str) -> tuple[int, str]:
        shown = pipeline.ctl("event", "show", event_id, "--no-kafka", "--json", "--applied", *arguments)
        assert json.loads(shown.stdout)["id"] == event_id
        return shown.returncode, shown.stderr

    pipeline.ledger.open_wallet("cus_1")
    done = payment("cus_1")
    dead = write_dead(pipeline.ledger, 1, followers=1)
    provider.deliver(done).expect(200)
    assert applied(done.id) == (1, f"sluicectl: the inbox has no event {done.id}\n")
    pipeline.consumer()
    assert applied(done.id, "--wait", "60") == (0, ""), "it waits for what may come"
    assert applied(dead.event_id, "--wait", "3600") == (1, "sluicectl: event evt_1 is dead (data): sluicectl dlq show evt_1\n")
    assert applied("evt_1_2") == (1, "sluicectl: event evt_1_2 is not applied yet: it waits (parked)\n")
    assert applied("evt_1_2", "--wait", "1")[0] == 1, "and ends"
    assert pipeline.ctl("event", "show", dead.event_id, "--no-kafka").returncode == 0, "without the option it is an answer like any other"
    assert pipeline.ctl("event", "show", done.id, "--wait", "5").returncode == 2


def test_event_show_ends_its_wait_on_a_signal(pipeline: Pipeline) -> None:
    pipeline.make_database()
    waiting = pipeline.start_ctl("event", "show", "evt_none", "--no-kafka", "--applied", "--wait", "3600")
    wait_for(lambda: waits_for(signal.SIGTERM, waiting.pid), "the signal is its own")
    waiting.send_signal(signal.SIGTERM)
    said = waiting.communicate(timeout=20)
    assert waiting.returncode == 1 and "has no event" in said[1]


def waits_for(wanted: signal.Signals, pid: int) -> bool:
    """It is blocked, so a descriptor has it: a container's first process gets no other."""
    [blocked] = [line.split()[1] for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigBlk:")]
    return bool(int(blocked, 16) & 1 << wanted - 1)


@BOTH
def test_doctor_finds_nothing_on_a_healthy_installation(pipeline: Pipeline) -> None:
    pipeline.make_database()
    result = pipeline.ctl("doctor", "--json")
    assert result.returncode == 0, result.stdout + result.stderr
    looked_at = {finding["check"] for finding in json.loads(result.stdout)["findings"]}
    assert {"mysql.statements", "mysql.writable", "mysql.migrations"} <= looked_at


def test_doctor_says_which_role_does_not_run(pipeline: Pipeline) -> None:
    pipeline.consumer()
    said = pipeline.ctl("doctor").stdout
    assert f"{pipeline.group} has 1 member" in said
    assert f"no consumer is in {pipeline.group}.retry" in said and "--role retry" in said
    pipeline.retry_role()
    assert f"no consumer is in {pipeline.group}.retry" not in pipeline.ctl("doctor").stdout


@pytest.mark.parametrize("what", ["topic", "destination", "table", "redis", "password"])
def test_doctor_names_what_is_wrong(new_pipeline, what: str) -> None:
    from deploy.stack.server import free_port

    pipeline: Pipeline = new_pipeline().prepare()
    port = free_port()
    word = {"topic": pipeline.topic, "destination": f"{pipeline.name}.credits does not exist", "table": "wallet_entry", "redis": str(port), "password": pipeline.database.user}[what]
    if what == "topic":
        pipeline.log.delete(pipeline.topic)
    elif what == "destination":
        pipeline.config["destinations"] = {"credits": {"kafka": {"topic": f"{pipeline.name}.credits"}}}
    elif what == "table":
        pipeline.ledger.run("DROP TABLE wallet_entry")
    elif what == "redis":
        pipeline.config["redis"]["urls"] = [f"redis://127.0.0.1:{port}/0"]
    else:
        pipeline.secrets["TEST_SQL_PASSWORD"] = "not-the-password"
    result = pipeline.ctl("doctor")
    assert result.returncode != 0
    assert word in result.stdout + result.stderr, result.stdout + result.stderr
    assert "not-the-password" not in result.stdout + result.stderr


def test_wrong_usage_has_its_own_code(pipeline: Pipeline) -> None:
    for arguments in (["nonsense"], ["verify", "--no-such-option"], ["event", "show"], []):
        assert pipeline.ctl(*arguments).returncode == 2, arguments
    assert pipeline.ctl("doctor", environment={"SLUICE_CONFIG": "/nonexistent.yaml"}).returncode == 2


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_idle_keeps_a_pod_alive_until_it_is_told_to_end(end: signal.Signals) -> None:
    process = subprocess.Popen([str(binary("sluicectl")), "idle"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={})
    assert process.stderr.readline() == "idle: waits for SIGTERM or SIGINT\n"
    assert process.poll() is None
    process.send_signal(end)
    assert process.wait(timeout=20) == 0
