"""SIGTERM: readiness goes, requests in hand are finished, everything accepted is durable, the end comes in time."""

from __future__ import annotations

import signal
import threading

import pytest

from tests.integration.test_reload import accepts, add_key
from tests.support.events import payment
from tests.support.http_raw import RawConnection, request
from tests.support.pipeline import PATH, Pipeline
from tests.support.wait import wait_for


def test_ingress_serves_on_while_it_is_taken_out(pipeline: Pipeline) -> None:
    """Readiness false first; for the drain delay new connections are served as before."""
    ingress = pipeline.ingress(drain_delay="3s")
    provider = pipeline.provider(ingress)
    ingress.signal(signal.SIGTERM)
    ingress.expect_not_ready()
    for _ in range(5):
        answer = provider.deliver(payment()).expect(200).last
        assert answer.headers["connection"] == "close", "clients leave one by one"
    assert ingress.get("/livez")[0] == 200
    assert ingress.wait_end(10) == 0
    pipeline.expect_log_holds(provider.accepted)


def test_key_that_is_rotated_while_it_is_taken_out_counts(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(drain_delay="20s")
    provider = pipeline.provider(ingress)
    ingress.signal(signal.SIGTERM)
    ingress.expect_not_ready()
    add_key(pipeline, ingress, "whsec_second")
    ingress.write_config()
    wait_for(lambda: accepts(provider, "whsec_second"), "the second secret", within=15)


def test_request_in_hand_is_finished(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(drain_delay="0s")
    provider = pipeline.provider(ingress)
    event = payment()
    provider.start(event)
    data = request(PATH, event.body, headers=provider.headers(event.body))
    with RawConnection(ingress.port) as connection:
        connection.send(data[:-10])
        ingress.signal(signal.SIGTERM)
        wait_for(lambda: refuses(ingress.port), "the listener to close")
        connection.send(data[-10:])
        answer = connection.read_answer()
        _, closed = connection.read_until_closed(2)
    assert answer.status == 200 and closed
    assert ingress.wait_end(10) == 0
    pipeline.expect_published(event)


def refuses(port: int) -> bool:
    try:
        RawConnection(port, within=1).close()
        return False
    except ConnectionRefusedError:
        return True


def test_idle_connections_do_not_hold_the_end_up(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(drain_delay="0s")
    with RawConnection(ingress.port) as silent, RawConnection(ingress.port) as used:
        used.send(request("/nowhere", b"", length="0"))
        used.read_answer()
        assert ingress.stop(within=10) == 0
        assert silent.read_until_closed(1)[1]


def test_rolling_restart_under_load_loses_nothing(pipeline: Pipeline) -> None:
    """Two ingresses by turns, the provider goes to whoever is ready."""
    pipeline.ledger.open_wallet("cus_1")
    pipeline.consumer()
    ingress = pipeline.ingress()
    provider = pipeline.provider(ingress)
    stop = threading.Event()

    def load() -> None:
        while not stop.is_set():
            provider.deliver(payment("cus_1", 1))

    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            sent = len(provider.accepted)
            wait_for(lambda sent=sent: len(provider.accepted) > sent + 20, "some traffic")
            successor = pipeline.ingress()
            provider.port = successor.port
            assert ingress.stop() == 0
            ingress = successor
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    provider.retry_refused()
    unanswered = [delivery for delivery in provider.deliveries if delivery.answers[0].status == 0]
    assert len(unanswered) <= len(threads) * 3, f"{len(unanswered)} requests got no answer over three restarts"
    pipeline.expect_exactly_once()


@pytest.mark.databases("mysql", "mariadb")
def test_consumer_ends_in_time_and_hands_over(pipeline: Pipeline) -> None:
    pipeline.ledger.open_wallet("cus_1")
    provider = pipeline.provider(pipeline.ingress())
    consumer = pipeline.consumer()
    for number in range(100):
        provider.deliver(payment("cus_1", 1 + number)).expect(200)
    assert consumer.stop() == 0
    applied = pipeline.ledger.entries()
    committed = pipeline.log.committed(pipeline.group, pipeline.topic)
    assert sum(max(offset, 0) for offset in committed.values()) <= len(applied), "offsets run ahead of the database"
    pipeline.consumer()
    pipeline.expect_exactly_once()


def test_consumer_ends_while_the_database_hangs(pipeline: Pipeline) -> None:
    """A transaction that waits for a lock does not outlive the grace period, and is done again by the next one."""
    pipeline.ledger.open_wallet("cus_1")
    provider = pipeline.provider(pipeline.ingress())
    consumer = pipeline.consumer()
    with pipeline.ledger.session() as blocker, blocker.cursor() as cursor:
        cursor.execute("SELECT * FROM wallet WHERE customer = 'cus_1' FOR UPDATE")
        provider.deliver(payment("cus_1", 10)).expect(200)
        assert consumer.stop(within=30) == 0
        blocker.rollback()
    pipeline.consumer(role="both")
    pipeline.expect_exactly_once()


def test_second_signal_changes_nothing(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(drain_delay="500ms")
    ingress.signal(signal.SIGTERM)
    ingress.signal(signal.SIGTERM)
    ingress.signal(signal.SIGHUP)
    assert ingress.wait_end(10) == 0
