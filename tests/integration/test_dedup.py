"""Redis spares duplicates and decides nothing else: whatever it says or does, a 200 means that Kafka has the event."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
import redis

from deploy.stack.server import free_port
from tests.support.crowd import at_once
from tests.support.events import payment
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.provider import Delivery, Provider
from tests.support.redis_fake import NIL, FakeRedis, bulk, well_behaved
from tests.support.servers import Servers
from tests.support.wait import wait_for


@pytest.fixture
def own_redis(servers: Servers, pipeline: Pipeline):
    """A Redis that this test may break."""
    server = servers.own_redis(f"redis-{pipeline.name}")
    yield server
    servers.drop(server)


def using(pipeline: Pipeline, url: str, **settings: object) -> Provider:
    pipeline.config["redis"] = {"urls": [url], **settings}
    return pipeline.provider(pipeline.ingress())


def expect_quick(delivery: Delivery, within: float = 1.5) -> None:
    delivery.expect(200)
    slow = [answer.seconds for answer in delivery.answers if answer.seconds > within]
    assert not slow, f"Redis trouble took {slow} s"


def test_markers_are_as_designed(pipeline: Pipeline, own_redis) -> None:
    provider = using(pipeline, own_redis.url)
    provider.deliver(payment()).expect(200)
    with redis.Redis(port=own_redis.port) as client:
        wait_for(lambda: [value for value in values_of(client) if value.startswith(b"D:")], "a durable marker")
        [key] = client.keys("*")
        assert key.startswith(b"wh:") and len(key.split(b":")) == 3
        assert 71 * 3600 < client.ttl(key) <= 72 * 3600


def values_of(client: redis.Redis) -> list[bytes]:
    return [client.get(key) or b"" for key in client.keys("wh:*")]


def test_markers_forgotten_let_a_lost_event_in_again(pipeline: Pipeline, own_redis) -> None:
    """After Kafka has lost a record: Redis calls it durable until somebody says that it is not."""
    provider = using(pipeline, own_redis.url)
    lost = provider.deliver(payment()).expect(200).event
    wait_for(lambda: any(value.startswith(b"D:") for value in keys(own_redis.port)), "the confirmation")
    with redis.Redis(port=own_redis.port) as client:
        client.set(others := "wh:0123456789abcdef:of another topic", "D:")
        plan = json.loads(pipeline.ctl("markers", "forget", "--json").stdout)
        assert [(there["markers"], there["forgotten"]) for there in plan["servers"]] == [(1, 0)]
        provider.deliver(lost.redelivered()).expect(200)
        pipeline.expect_published(lost)
        done = json.loads(pipeline.ctl("markers", "forget", "--json", "--apply").stdout)
        assert [(there["markers"], there["forgotten"]) for there in done["servers"]] == [(1, 1)]
        assert client.keys("wh:*") == [others.encode()]
    provider.deliver(lost.redelivered()).expect(200)
    pipeline.expect_published(lost, times=2)


def test_many_markers_are_all_forgotten(pipeline: Pipeline, own_redis) -> None:
    provider = using(pipeline, own_redis.url)
    provider.deliver(payment()).expect(200)
    with redis.Redis(port=own_redis.port) as client:
        [key] = wait_for(lambda: client.keys("wh:*"), "its marker")
        epoch = key.decode().rsplit(":", 1)[0]
        client.mset({f"{epoch}:{number:064x}": "D:" for number in range(5000)})
        said = pipeline.ctl("markers", "forget", "--apply")
        assert said.returncode == 0 and "5001" in said.stdout, said.stdout + said.stderr
        assert client.keys("wh:*") == []
    own_redis.kill()
    assert pipeline.ctl("markers", "forget").returncode == 3


def test_redis_flushed_costs_a_duplicate_record_only(pipeline: Pipeline, own_redis) -> None:
    pipeline.ledger.open_wallet("cus_1")
    provider = using(pipeline, own_redis.url)
    pipeline.consumer()
    delivery = provider.deliver(payment("cus_1", 50))
    wait_for(lambda: any(value.startswith(b"D:") for value in keys(own_redis.port)), "the confirmation")
    with redis.Redis(port=own_redis.port) as client:
        client.flushall()
    delivery.twice().expect(200)
    pipeline.expect_published(delivery.event, times=2)
    pipeline.expect_exactly_once()


def test_redis_killed_and_back(pipeline: Pipeline, own_redis) -> None:
    provider = using(pipeline, own_redis.url)
    provider.deliver(payment()).expect(200)
    own_redis.kill()
    for _ in range(20):
        expect_quick(provider.deliver(payment()).twice())
    own_redis.start()
    own_redis.wait_ready()

    def duplicate_known_again() -> bool:
        delivery = provider.deliver(payment()).twice()
        return len([record for record in pipeline.log.read(pipeline.topic)
                    if record.text("ce_id") == delivery.event.id]) == 1
    wait_for(duplicate_known_again, "markers to work again", every=0.3)


def test_redis_stopped_adds_little_and_loses_nothing(pipeline: Pipeline, own_redis) -> None:
    provider = using(pipeline, own_redis.url)
    provider.deliver(payment()).expect(200)
    own_redis.pause()
    try:
        deliveries = [provider.deliver(payment()).twice() for _ in range(20)]
    finally:
        own_redis.resume()
    for delivery in deliveries:
        expect_quick(delivery)
    pipeline.expect_log_holds(provider.accepted)


@pytest.mark.parametrize("urls", [[], ["absent"]], ids=["none configured", "nobody listens"])
def test_redis_absent(pipeline: Pipeline, urls: list[str]) -> None:
    pipeline.ledger.open_wallet("cus_1")
    pipeline.config["redis"] = {"urls": [f"redis://127.0.0.1:{free_port()}/0" for _ in urls]}
    provider = pipeline.provider(pipeline.ingress())
    pipeline.consumer()
    for _ in range(5):
        expect_quick(provider.deliver(payment("cus_1", 10)).twice())
    pipeline.expect_exactly_once()


def test_marker_of_a_wrong_type(pipeline: Pipeline, own_redis) -> None:
    provider = using(pipeline, own_redis.url)
    delivery = provider.deliver(payment())
    with redis.Redis(port=own_redis.port) as client:
        wait_for(lambda: any(value.startswith(b"D:") for value in values_of(client)), "the marker")
        [key] = client.keys("*")
        client.delete(key)
        client.rpush(key, "D:not a string")
    expect_quick(delivery.twice())
    pipeline.expect_published(delivery.event, times=2)


@pytest.mark.parametrize("options", [
    {"maxmemory-policy": "noeviction", "maxmemory": "1"}, {"requirepass": "somebody-else"},
    {"min-replicas-to-write": "1"}], ids=["out of memory", "wants a password", "no replicas to write to"])
def test_redis_that_refuses_writes(pipeline: Pipeline, servers: Servers, options: dict[str, str]) -> None:
    server = servers.own_redis(f"redis-{pipeline.name}")
    with redis.Redis(port=server.port) as client:
        for name, value in options.items():
            client.config_set(name, value)
    try:
        with redis.Redis(port=server.port) as client, pytest.raises(redis.RedisError):
            client.set("wh:0:0", "D:0")
        provider = using(pipeline, server.url)
        delivery = provider.deliver(payment())
        expect_quick(delivery.twice())
        pipeline.expect_published(delivery.event, times=2)
    finally:
        servers.drop(server)


ODD_REPLIES: dict[str, bytes | None] = {
    "no answer": None,
    "nil for everything": NIL,
    "OK": b"+OK\r\n",
    "an integer": b":1\r\n",
    "an empty string": bulk(b""),
    "an array": b"*1\r\n" + bulk(b"D:"),
    "D without a mark": bulk(b"D:"),
    "D with a short mark": bulk(b"D:00"),
    "D with a foreign mark": bulk(b"D:" + b"0" * 64),
    "D with a foreign mark in capitals": bulk(b"D:" + b"F" * 64),
    "D in another case": bulk(b"d:" + b"0" * 64),
    "something else": bulk(b"hello"),
    "LOADING": b"-LOADING Redis is loading the dataset in memory\r\n",
    "READONLY": b"-READONLY You can't write against a read only replica.\r\n",
    "OOM": b"-OOM command not allowed when used memory > 'maxmemory'.\r\n",
    "MISCONF": b"-MISCONF Redis is configured to save RDB snapshots\r\n",
    "NOPERM": b"-NOPERM this user has no permissions to run the 'set' command\r\n",
    "CLUSTERDOWN": b"-CLUSTERDOWN The cluster is down\r\n",
    "MOVED": b"-MOVED 1 127.0.0.1:1\r\n",
    "WRONGTYPE": b"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n",
    "garbage": b"\x00\xffnot redis at all\r\n",
    "HTTP": b"HTTP/1.1 200 OK\r\n\r\n",
    "half a reply": b"$70\r\nD:",
    "an endless length": b"$99999999999999999999\r\n",
    "two replies for one": NIL + bulk(b"D:" + b"0" * 64)}


@pytest.fixture(scope="module")
def odd(gate_pipeline: Pipeline) -> Iterator[tuple[FakeRedis, Program, Provider]]:
    """One ingress for all odd replies, with one thread and so one opinion of Redis, and the Redis that gives them."""
    with FakeRedis(well_behaved) as fake:
        gate_pipeline.config["redis"] = {"urls": [fake.url]}
        ingress = gate_pipeline.ingress(threads=1)
        yield fake, ingress, gate_pipeline.provider(ingress)


def expect_trusted_again(fake: FakeRedis, ingress: Program, provider: Provider) -> None:
    """The ingress asks the Redis again, which answers as it should: what the last test did is over."""
    fake.reply = well_behaved
    if not ingress.running:
        ingress.start().ready()

    def claims_and_confirms() -> bool:
        known = len(fake.sets)
        provider.deliver(payment()).expect(200)
        claims = [command for command in fake.sets[known:] if b"NX" in command]
        if not claims:
            return False
        key = claims[-1][1]
        wait_for(lambda: [command[1] for command in fake.sets].count(key) == 2 and fake.quiet, "the confirmation", within=2)
        return True
    wait_for(claims_and_confirms, "Redis to be asked again")


@pytest.mark.parametrize("name", ODD_REPLIES)
def test_odd_replies_never_stand_for_an_ack(gate_pipeline: Pipeline, odd: tuple[FakeRedis, Program, Provider],
                                            name: str) -> None:
    fake, ingress, provider = odd
    expect_trusted_again(fake, ingress, provider)
    known = len(fake.sets)
    fake.reply = lambda _: ODD_REPLIES[name]
    deliveries = [provider.deliver(payment()) for _ in range(5)]
    assert ingress.running, ingress.story()
    for delivery in deliveries:
        expect_quick(delivery)
    gate_pipeline.expect_log_holds([delivery.event for delivery in deliveries])
    assert len(fake.sets) > known, "the fake was not asked: this test proves nothing"


@pytest.mark.parametrize("name", ["nil for everything", "an integer", "D with a foreign mark", "NOPERM", "garbage", "half a reply"])
def test_reply_that_nobody_asked_for_does_no_harm(gate_pipeline: Pipeline, odd: tuple[FakeRedis, Program, Provider],
                                                  name: str) -> None:
    """The connection goes, so that it answers no claim; the program stays."""
    fake, ingress, provider = odd
    expect_trusted_again(fake, ingress, provider)
    before = fake.connections
    fake.push(ODD_REPLIES[name] or b"")
    if name == "half a reply":
        expect_quick(provider.deliver(payment()))  # its answer becomes the other half
    wait_for(lambda: not ingress.running or fake.connections > before, "a new connection")
    assert ingress.running, ingress.story()
    for _ in range(3):
        expect_quick(provider.deliver(payment()).twice())
    gate_pipeline.expect_log_holds(provider.accepted)


def test_claim_of_somebody_else_never_gives_success_without_an_ack(pipeline: Pipeline) -> None:
    """P: means that somebody publishes, not that it is published: look again, then publish."""
    with FakeRedis(lambda _: bulk(b"P:of-somebody-else")) as fake:
        provider = using(pipeline, fake.url)
        delivery = provider.deliver(payment())
        expect_quick(delivery, within=2)
        pipeline.expect_published(delivery.event)
        assert len(fake.commands) >= 3, "it did not look again"


def test_claimant_that_becomes_durable_is_waited_for(pipeline: Pipeline, own_redis) -> None:
    """A paused claimant: the second ingress waits a little, then publishes itself."""
    pipeline.config["redis"] = {"urls": [own_redis.url]}
    stuck = pipeline.ingress("ingress.after_claim=delay:60@1")
    quick = pipeline.ingress()
    event = payment()
    slow = threading.Thread(target=lambda: pipeline.provider(stuck).deliver(event))
    slow.start()
    wait_for(lambda: any(value.startswith(b"P:") for value in keys(own_redis.port)), "the first one's claim")
    delivery = pipeline.provider(quick).deliver(event)
    slow.join()
    expect_quick(delivery)
    pipeline.expect_published(event, times=1)


def keys(port: int) -> list[bytes]:
    with redis.Redis(port=port) as client:
        return values_of(client)


def test_same_id_with_other_content_is_published_and_counted(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress()
    provider = pipeline.provider(ingress)
    event = payment(amount=100)
    provider.deliver(event).expect(200)
    provider.deliver(event.with_content(amount=999)).expect(200)
    pipeline.expect_published(event, times=2)
    conflicts = [sample for sample in ingress.metrics() if "conflict" in sample.name + str(sample.labels) and sample.value]
    assert conflicts, "a conflict was not counted"


def test_redelivery_with_other_delivery_data_is_a_duplicate(pipeline: Pipeline, provider: Provider) -> None:
    """pending_webhooks moves on between deliveries: the content is the same."""
    delivery = provider.deliver(payment())
    delivery.twice().expect(200)
    pipeline.expect_published(delivery.event, times=1)


def test_lost_confirmation_costs_a_duplicate_only(pipeline: Pipeline) -> None:
    """Redis takes the claim and never answers the confirmation."""
    confirmed: list[bytes] = []

    def reply(command: list[bytes]) -> bytes | None:
        if command[2].startswith(b"D:"):
            confirmed.append(command[2])
            return None
        return NIL

    with FakeRedis(reply) as fake:
        provider = using(pipeline, fake.url)
        for _ in range(10):
            expect_quick(provider.deliver(payment()).twice())
        assert confirmed
        pipeline.expect_log_holds(provider.accepted)


def test_burst_of_one_event_over_two_ingresses(pipeline: Pipeline) -> None:
    """Many copies of each event at once: every success stands for a record in the log, the ledger has one each."""
    pipeline.ledger.open_wallet("cus_1")
    providers = [pipeline.provider(pipeline.ingress()) for _ in range(2)]
    pipeline.consumer()
    events = [payment("cus_1", 10 + number) for number in range(15)]
    at_once([lambda event=event, provider=provider: provider.deliver(event).expect(200)
             for event in events for provider in providers for _ in range(4)])
    pipeline.expect_exactly_once()


def test_two_tenants_with_one_event_id_do_not_touch(pipeline: Pipeline) -> None:
    """The principal is a part of the key: a valid but different tenant cannot mark a victim's event."""
    pipeline.secrets["TEST_OTHER"] = "whsec_other_tenant"
    pipeline.config["sources"].append({**pipeline.config["sources"][0], "name": "stripe-us", "principal": "acct_other",
                                       "path": "/v1/webhooks/stripe-us",
                                       "keys": [{"id": "other", "value": {"env": "TEST_OTHER"}}]})
    ingress = pipeline.ingress()
    event = payment()
    pipeline.provider(ingress, secret="whsec_other_tenant", path="/v1/webhooks/stripe-us").deliver(event).expect(200)
    pipeline.provider(ingress).deliver(event).expect(200)
    assert {record.text("sluice-principal") for record in pipeline.log.read(pipeline.topic)} == {
        "acct_main", "acct_other"}


def test_two_urls_of_one_account_share_duplicates(pipeline: Pipeline) -> None:
    pipeline.secrets["TEST_OTHER"] = "whsec_second_endpoint"
    pipeline.config["sources"].append({**pipeline.config["sources"][0], "name": "stripe-second",
                                       "path": "/v1/webhooks/stripe-second",
                                       "keys": [{"id": "second", "value": {"env": "TEST_OTHER"}}]})
    ingress = pipeline.ingress()
    event = payment()
    pipeline.provider(ingress).deliver(event).expect(200)
    pipeline.provider(ingress, secret="whsec_second_endpoint", path="/v1/webhooks/stripe-second").deliver(event).expect(200)
    pipeline.expect_published(event, times=1)


def test_topic_made_anew_forgets_its_markers(pipeline: Pipeline) -> None:
    """Markers never outlive the log they speak of: the epoch holds the topic's id."""
    event = payment()
    first = pipeline.ingress()
    pipeline.provider(first).deliver(event).expect(200)
    first.stop()
    pipeline.log.delete(pipeline.topic)
    pipeline.log.create(pipeline.topic, partitions=pipeline.partitions)
    pipeline.provider(pipeline.ingress()).deliver(event).expect(200)
    pipeline.expect_published(event, times=1)
