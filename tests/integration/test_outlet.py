"""Programs of plain threads publish as the ingress does, by the outlet: with real Kafka and Redis, through trouble and crashes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator

import pytest

from deploy.stack import Kafka
from tests.support import failpoints
from tests.support.events import fresh_id, payment
from tests.support.lanes import key_of
from tests.support.outlet import Markers, Outlet, parcel
from tests.support.pipeline import Pipeline
from tests.support.servers import Servers
from tests.support.wait import wait_for

POINTS = failpoints.in_source(failpoints.OUTLET)


@pytest.fixture
def topics(new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    pipeline = new_pipeline()
    pipeline.create_topics()
    return pipeline


@pytest.fixture
def markers(servers: Servers) -> Markers:
    return Markers(servers.redis.port)


def times(pipeline: Pipeline, sent: dict) -> int:
    return sum(record.value == sent["value"].encode() for record in pipeline.log.read(pipeline.topic))


def test_what_is_fresh_is_published_and_then_known(topics: Pipeline, markers: Markers) -> None:
    first, second = parcel(), parcel("stripe/acct_main/pi_2")
    with Outlet(topics) as outlet:
        assert outlet.ready().deliver(first, second) == ["published", "published"]
        markers.expect_durable(first, second)
        assert outlet.deliver(second, first) == ["known", "known"]
        assert outlet.close() == []
    assert [times(topics, sent) for sent in (first, second)] == [1, 1]


def test_the_last_confirmations_leave_before_it_closes(topics: Pipeline, markers: Markers) -> None:
    sent = [parcel() for _ in range(20)]
    with Outlet(topics) as outlet:
        outlet.ready().deliver(*sent)
        outlet.close()
    assert {one["marker"][0]: one["marker"][1] for one in sent}.items() <= markers.all_durable().items()


def test_what_does_not_ask_is_published_in_spite_of_a_durable_marker(topics: Pipeline, markers: Markers) -> None:
    sent = parcel()
    with Outlet(topics) as outlet:
        outlet.ready().deliver(sent)
        markers.expect_durable(sent)
        assert outlet.deliver({**sent, "asks_claim": False}) == ["published"]
    assert times(topics, sent) == 2


def test_too_large_for_the_topic_harms_no_other(topics: Pipeline, markers: Markers) -> None:
    topics.log.configure(topics.topic, max_message_bytes="4000")
    small, large, unreadable = parcel(), parcel(value="x" * 5000), {"to": "quarantine", "key": "digest", "value": "no JSON"}
    with Outlet(topics) as outlet:
        assert outlet.ready().deliver(large, small, unreadable) == ["too_large", "published", "published"]
        markers.expect_durable(small)
    assert not markers.of(large).startswith("D:")
    assert topics.log.count(topics.topic) == topics.log.count(topics.quarantine) == 1


@pytest.mark.parametrize("spread", [{}, {"partitions": 2}], ids=["all", "pinned"])
def test_what_comes_by_webhook_too_meets_there(topics: Pipeline, markers: Markers, spread: dict) -> None:
    """The same markers, and each key in its one partition, also where fewer partitions than there are get keys."""
    topics.config["kafka"] |= spread
    provider = topics.provider(topics.ingress())
    events = [payment("cus_1", 1, intent=fresh_id("pi")) for _ in range(8)]
    before = markers.all_durable()
    for event in events:
        provider.deliver(event).expect(200)
    known = wait_for(lambda: len(held := markers.all_durable().items() - before.items()) == len(events) and held, "the confirmations")
    with Outlet(topics) as outlet:
        outlet.ready()
        assert set(outlet.deliver(*(parcel(marker=list(one)) for one in known))) == {"known"}
        assert set(outlet.deliver(*(parcel(key_of(event)) for event in events))) == {"published"}
    places = {(record.key, record.partition) for record in topics.log.read(topics.topic)}
    assert len(places) == len(events), places


def test_without_a_broker_nothing_is_sent(topics: Pipeline) -> None:
    with Outlet(topics, brokers=["127.0.0.1:1"]) as outlet:
        assert outlet.deliver(parcel(), parcel()) == ["unavailable", "unavailable"]
        assert "kafka: " in outlet.report()["report"]
        outlet.close()


def test_without_redis_all_is_published(topics: Pipeline) -> None:
    topics.config["redis"] = {"urls": []}
    sent = parcel()
    with Outlet(topics) as outlet:
        assert outlet.ready().deliver(sent) == outlet.deliver(sent) == ["published"]


@pytest.fixture(scope="module")
def breakable(servers: Servers) -> Iterator[Kafka]:
    kafka = servers.own_kafka("kafka-of-the-outlet")
    yield kafka
    servers.drop(kafka)


@pytest.fixture
def topics_there(new_pipeline: Callable[..., Pipeline], breakable: Kafka) -> Iterator[Pipeline]:
    """Of a broker that a test may break; it runs again afterwards."""
    pipeline = new_pipeline(kafka=breakable)
    pipeline.create_topics()
    yield pipeline
    if breakable.running:
        breakable.resume()
    else:
        breakable.start()
    breakable.wait_ready()


def test_a_silent_broker_is_waited_for_no_longer_than_asked(topics_there: Pipeline, breakable: Kafka, markers: Markers) -> None:
    """And what it takes in the end is confirmed: the record was on its way when nobody waited any more."""
    sent = parcel()
    with Outlet(topics_there) as outlet:
        outlet.ready().deliver(parcel())
        breakable.pause()
        assert outlet.deliver(sent, within=500) == ["not_kept"]
        assert markers.of(sent).startswith("P:")
        breakable.resume()
        markers.expect_durable(sent)
        assert times(topics_there, sent) == 1


def test_closing_cuts_what_waits(topics_there: Pipeline, breakable: Kafka, markers: Markers) -> None:
    sent = parcel()
    with Outlet(topics_there) as outlet:
        outlet.ready().deliver(parcel())
        breakable.pause()
        outlet.start(sent, within=10 * 60_000)
        markers.expect_pending(sent)
        assert outlet.close(within=20) == [["not_kept"]]


def test_a_broker_that_comes_back_gets_what_was_not_kept(topics_there: Pipeline, breakable: Kafka, markers: Markers) -> None:
    sent = parcel()
    with Outlet(topics_there) as outlet:
        outlet.ready()
        breakable.kill()
        assert outlet.deliver(sent, within=500) in (["not_kept"], ["unavailable"])
        breakable.start()
        breakable.wait_ready()
        wait_for(lambda: outlet.deliver(sent) in (["published"], ["known"]), "the broker")
        markers.expect_durable(sent)
    assert times(topics_there, sent) >= 1


# Which of two parcels are in Kafka for certain, and what is said of both, where the step fails in place of dying.
AFTER_ERROR = {"poller.after_claim": ["unavailable", "unavailable"], "poller.after_produce": ["published", "unavailable"],
               "poller.after_ack_before_confirm": ["not_kept", "published"]}


@pytest.mark.parametrize("point", POINTS)
def test_killed_and_replaced(topics: Pipeline, markers: Markers, point: str) -> None:
    """Whatever the victim left, the next one has both in Kafka, and markers say so only then."""
    sent = [parcel(), parcel("stripe/acct_main/pi_2")]
    with Outlet(topics, f"{point}=kill@1") as victim:
        assert victim.ready().died_of(*sent) == -signal.SIGKILL, f"{point} was never hit"
    for one in sent:
        assert not markers.of(one).startswith("D:") or times(topics, one) == 1
    with Outlet(topics) as successor:
        assert set(successor.ready().deliver(*sent)) <= {"published", "known"}
        markers.expect_durable(*sent)
    assert all(times(topics, one) in (1, 2) for one in sent), "the inbox drops the second"


@pytest.mark.parametrize("point", POINTS)
def test_fails_at_one_record(topics: Pipeline, markers: Markers, point: str) -> None:
    sent = [parcel(), parcel("stripe/acct_main/pi_2")]
    with Outlet(topics, f"{point}=error@1") as outlet:
        said = outlet.ready().deliver(*sent)
        assert said == AFTER_ERROR[point]
        markers.expect_durable(*(one for one, kept in zip(sent, said, strict=True) if kept == "published"))
        assert not any(markers.of(one).startswith("D:") for one, kept in zip(sent, said, strict=True) if kept != "published")
        assert set(outlet.deliver(*sent)) <= {"published", "known"}
        markers.expect_durable(*sent)
