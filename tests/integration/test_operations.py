"""What people on call see: liveness, readiness, metrics under their names, and logs that machines can read."""

from __future__ import annotations

import contextlib
import re
import socket
import time

import pytest

from deploy.stack.server import free_port
from tests.support.events import Event, payment, snapshot, unmatched
from tests.support.http_raw import exchange, request
from tests.support.pipeline import PATH, SOURCE, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import wait_for


def test_probes(ingress: Program, consumer: Program) -> None:
    for program in (ingress, consumer):
        assert program.get("/livez")[0] == 200
        status, report = program.get("/readyz")
        assert status == 200 and "kafka" in report
        assert program.get("/nowhere")[0] == 404


def test_slow_clients_keep_no_probe_waiting(ingress: Program, consumer: Program) -> None:
    """Nobody restarts a healthy pod because others are slow to ask."""
    for program in (ingress, consumer):
        with contextlib.ExitStack() as held:
            for _ in range(200):
                slow = held.enter_context(socket.create_connection(("127.0.0.1", program.operations_port)))
                slow.sendall(b"GET /livez HTTP/1.1\r\nHost: ")
            assert [program.get(path)[0] for path in ("/livez", "/readyz", "/metrics")] == [200, 200, 200]


def test_routine_lines_can_be_left_out_and_no_others(pipeline: Pipeline) -> None:
    pipeline.config["log"] = {"routine": 0}
    ingress, consumer = pipeline.ingress(), pipeline.consumer()
    event = payment(customer := "cus_routine", 3)
    pipeline.ledger.open_wallet(customer)
    pipeline.provider(ingress).deliver(event).twice()
    pipeline.ledger.expect_applied(event)
    forger = pipeline.provider(ingress, secret="whsec_of_somebody_else")
    forger.deliver(event)
    wait_for(lambda: ingress.decisions("refused_signature"), "the refusal to be logged")
    assert not ingress.decisions("accepted") + ingress.decisions("duplicate") + consumer.decisions("done")


@pytest.mark.parametrize(("program", "section"), [("ingress", "listen"), ("ingress", "operations"), ("consumer", "operations")])
def test_occupied_port_is_said_and_ends_the_program(pipeline: Pipeline, program: str, section: str) -> None:
    with socket.socket() as occupied:
        occupied.bind(("127.0.0.1", 0))
        occupied.listen()
        port = occupied.getsockname()[1]
        made = getattr(pipeline, program)(start=False)
        made.config[section]["address"] = f"127.0.0.1:{port}"
        made.start()
        assert made.wait_end() == 1
    assert str(port) in made.errors() + made.out.read_text(), made.story()


def test_one_file_starts_all_programs_on_one_host(pipeline: Pipeline) -> None:
    pipeline.make_database()
    config = pipeline._with_ports()
    config["operations"] = {key: f"127.0.0.1:{free_port()}" for key in ("ingress", "consumer", "retry")}
    programs = [pipeline._program(f"sluice-{name}", config, "", True, arguments)
                for name, arguments in (("ingress", ()), ("consumer", ()), ("consumer", ("--role", "retry")))]
    assert len({program.config_file.read_bytes() for program in programs}) == 1
    assert len({program.operations_port for program in programs}) == 3
    event = payment(customer := "cus_one_file", 3)
    pipeline.ledger.open_wallet(customer)
    pipeline.provider(programs[0]).deliver(event).expect(200)
    pipeline.ledger.expect_applied(event)
    for name, arguments, key in (("sluice-consumer", (), "consumer"), ("sluice-consumer", ("--role", "retry"), "retry")):
        second = pipeline._program(name, config, "", False, arguments).start()
        assert second.wait_end() == 1
        assert f"cannot listen on {config['operations'][key]}" in second.errors()
        assert f"write one for this program as operations.{key}" in second.errors()


def test_metrics_of_the_ingress(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    event = payment()
    provider.deliver(event).twice().expect(200)
    provider.start(event).attempt(secret="whsec_forged")
    exchange(ingress.port, request("/nowhere", b""), closes_within=0.1)
    samples = ingress.metrics()
    assert samples.total("webhook_received_total", provider="stripe", type=event.type) == 2
    outcomes = {sample.labels["outcome"]: sample.value for sample in samples.named("webhook_answer_total", provider="stripe")}
    assert sum(outcomes.values()) >= 3 and len(outcomes) >= 3, outcomes
    for stage in ("gate", "verify", "claim", "publish", "total"):
        wait_for(lambda stage=stage: ingress.metric("webhook_stage_seconds_count", provider="stripe", stage=stage) >= 1, f"the time of {stage}")
    assert "sluice_config_reload_failed" in samples.names()
    expect_closed_labels(samples, event)


def test_a_body_refused_for_its_length_is_timed_from_its_head(ingress: Program) -> None:
    def seen(part: str) -> float:
        return ingress.metric(f"webhook_stage_seconds_{part}", provider="stripe", stage="total")
    before, count, began = seen("sum"), seen("count"), time.monotonic()
    assert exchange(ingress.port, request(PATH, length="99999999")).status == 413
    wait_for(lambda: seen("count") == count + 1, "the time of the refusal")
    assert seen("sum") - before <= time.monotonic() - began


def test_metrics_of_the_consumer(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event, ignored = payment("cus_1"), unmatched()
    dead = snapshot("payment_intent.succeeded", {"id": "pi_odd", "customer": "cus_1", "amount": "none"})
    for each in (event, ignored, dead):
        provider.deliver(each).expect(200)
    pipeline.ledger.expect_status(dead, "dead")
    pipeline.expect_caught_up()
    samples = consumer.metrics()
    results = {sample.labels["result"] for sample in samples.named("webhook_processed_total") if sample.value}
    assert {"done", "ignored", "dead"} <= results, results
    assert samples.total("webhook_lag_seconds_count") >= 2
    wait_for(lambda: due_lags(pipeline, consumer) == {0.0}, "a due lag of zero when caught up")
    expect_closed_labels(samples, event)


def due_lags(pipeline: Pipeline, consumer: Program) -> set[float]:
    return {sample.value for sample in consumer.metrics().named("sluice_consumer_due_lag_seconds", topic=pipeline.topic)}


def test_requests_signed_by_a_clock_that_is_apart_are_counted(ingress: Program, provider: Provider) -> None:
    now = int(time.time())
    for apart in (0, 30, -90):
        assert provider.start(payment()).attempt(at=now + apart).status == 200
    counted = {sample.labels["side"]: sample.value for sample in ingress.metrics().named("sluice_ingress_clock_apart_total")}
    assert counted == {"ahead": 1, "behind": 1}


def test_due_lag_grows_while_the_consumer_is_held_up(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    """By our own table: an event that waits for a row of its effect would wait in its lane."""
    pipeline.ledger.open_wallet("cus_1")
    with pipeline.ledger.session() as blocker, blocker.cursor() as cursor:
        cursor.execute("LOCK TABLES inbox WRITE")
        provider.deliver(payment("cus_1")).expect(200)
        wait_for(lambda: max(due_lags(pipeline, consumer), default=0) > 1, "a growing due lag")
        cursor.execute("UNLOCK TABLES")
    wait_for(lambda: due_lags(pipeline, consumer) == {0.0}, "a due lag of zero again")


def expect_closed_labels(samples, event: Event) -> None:
    text = "\n".join(str(sample.labels) for sample in samples)
    assert event.id not in text and event.object not in text and event.customer not in text


def test_histograms_have_the_bounds_of_the_alerts(ingress: Program, consumer: Program) -> None:
    """Added latency of 1 ms on the one side, lags of seconds to minutes on the other."""
    ours = {sample.labels["le"] for sample in ingress.metrics().named("webhook_stage_seconds_bucket")}
    assert {0.001, 1.0} <= {float(bound) for bound in ours}
    lags = {sample.labels["le"] for sample in consumer.metrics().named("webhook_lag_seconds_bucket")}
    assert {1.0, 60.0} <= {float(bound) for bound in lags}


def test_thousands_of_types_methods_and_paths_make_no_series(pipeline: Pipeline, ingress: Program,
                                                             provider: Provider) -> None:
    def series() -> int:
        return len(ingress.metrics())
    for number in range(300):
        event = payment()
        provider.deliver(event.with_body(event.body.replace(b"payment_intent.succeeded", b"made.up_%d" % number)))
    before = series()
    for number in range(300, 500):
        event = payment()
        provider.deliver(event.with_body(event.body.replace(b"payment_intent.succeeded", b"made.up_%d" % number)))
        if number % 5 == 0:
            exchange(ingress.port, request(f"/path-{number}", b"", method=f"M{number}"), closes_within=0.05)
    assert series() <= before + 5
    assert ingress.metric("webhook_received_total", type="other") >= 200


def test_one_log_line_per_decision(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    event = payment()
    headers = [*provider.headers(event.body), ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")]
    assert provider.post(event.body, headers).status == 200
    wait_for(lambda: lines_of(ingress, event), "a line about the event")
    [line] = lines_of(ingress, event)
    assert line["program"] == "sluice-ingress" and line["level"] == "info"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line["time"])
    assert line["trace"] == "0af7651916cd43dd8448eb211c80319c"
    assert line["source"] == SOURCE
    provider.start(payment()).attempt(secret="whsec_forged")
    wait_for(lambda: [entry for entry in ingress.log_lines() if "signature_mismatch" in str(entry)], "why it was refused")


def lines_of(program: Program, event: Event) -> list[dict]:
    return [line for line in program.log_lines() if event.id in str(line)]


def test_consumer_logs_each_event_with_its_trace(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event = payment("cus_1")
    provider.deliver(event).expect(200)
    wait_for(lambda: lines_of(consumer, event), "a line about the event")
    [line] = lines_of(consumer, event)
    [record] = pipeline.log.read(pipeline.topic)
    assert line["trace"] == record.text("traceparent").split("-")[1]


def test_hostile_text_stays_inside_its_log_line(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    """Line ends, quotes, escapes and card numbers in everything that a sender chooses."""
    evil = 'x","decision":"accepted\\u000a\\u001b[31m'
    event = payment()
    body = event.body.replace(b"payment_intent.succeeded", evil.encode())
    provider.post(body, provider.headers(body))
    exchange(ingress.port, request(PATH + "?card=4242424242424242", b"x", headers=[("User-Agent", "4242424242424242")]),
             closes_within=0.1)
    provider.deliver(payment()).expect(200)
    lines = ingress.log_lines()
    assert not [line for line in lines if line.get("decision", "").startswith("x")]
    assert "4242424242424242" not in ingress.out.read_text()


def test_blocked_output_never_blocks_an_answer(pipeline: Pipeline) -> None:
    """Nobody reads standard output: a full pipe costs log lines, not answers."""
    import os
    import subprocess

    ingress = pipeline.ingress(start=False)
    reader, writer = os.pipe()
    real = subprocess.Popen

    def popen(*arguments, **keywords):
        return real(*arguments, **{**keywords, "stdout": writer})

    subprocess.Popen = popen  # this one process writes into the pipe
    try:
        ingress.start()
    finally:
        subprocess.Popen = real
    ingress.ready()
    provider = pipeline.provider(ingress)
    for _ in range(1500):
        assert provider.deliver(payment()).expect(200).last.seconds < 2
    os.close(writer)
    os.set_blocking(reader, False)
    os.read(reader, 1 << 20)
    os.close(reader)
    ingress.end_by_force()
