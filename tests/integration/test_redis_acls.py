"""SECURITY.md lists the rights of each user of Redis: under these and no others all of it works, and each of them is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import redis

from deploy.stack.server import free_port
from tests.support.caller import Caller
from tests.support.charging import executing
from tests.support.event_list import EventList
from tests.support.events import payment
from tests.support.executing import Service, does_it, does_it_and_says, says
from tests.support.guarded_redis import USERS, GuardedRedis, granted
from tests.support.on_call import ends_by_hand
from tests.support.pipeline import Pipeline
from tests.support.servers import Servers
from tests.support.wait import expect_soon, wait_for

OTHERS = "session:of-another-program"
FORBIDDEN = ["FLUSHALL", "FLUSHDB", "KEYS *", "CONFIG GET *", "ACL LIST", "SHUTDOWN", "PUBLISH wh:a b", "MONITOR",
             "CLIENT LIST", "RANDOMKEY", "DEL wh:a", "DEL call:a", f"SET {OTHERS} x", "SCRIPT FLUSH", "FUNCTION LIST"]


@pytest.fixture
def guarded(servers: Servers) -> Iterator[GuardedRedis]:
    """Named before `pipeline` in a test's arguments: programs end before their Redis does."""
    guarded = GuardedRedis(servers, "redis-with-users")
    yield guarded
    servers.drop(guarded.server)


@pytest.fixture
def service() -> Iterator[Service]:
    it = Service()
    yield it
    it.close()


@pytest.fixture
def listing() -> Iterator[EventList]:
    it = EventList()
    yield it
    it.close()


def only_marker(guarded: GuardedRedis) -> bytes:
    """Of an event that is known to be in Kafka."""
    with guarded.client() as client:
        [key] = wait_for(lambda: [key for key in client.scan_iter() if client.get(key).startswith(b"D:")], "a durable marker")
    return key


def test_ingress_uses_all_that_it_may(guarded: GuardedRedis, pipeline: Pipeline) -> None:
    guarded.as_user(pipeline, "sluice-ingress")
    pipeline.config["sources"][0]["limits"] = {"source": {"rate": "100/s"}}
    event, used = payment(), set()
    with guarded.asked(used):
        ingress = pipeline.ingress()
        wait_for(lambda: ingress.metric("sluice_ingress_redis_connected") == 1, "the login")
        provider = pipeline.provider(ingress)
        provider.deliver(event).expect(200)
    marker = only_marker(guarded)
    provider.deliver(event.redelivered()).expect(200)
    pipeline.expect_published(event)
    with guarded.client() as client:
        client.set(marker, "P:of-another-ingress", px=60_000)
    with guarded.asked(used):
        provider.deliver(event.redelivered()).expect(200)  # it looks again, then publishes itself
    pipeline.expect_published(event, times=2)
    assert used == granted("sluice-ingress") and not guarded.refused()


def test_poller_uses_all_that_it_may(guarded: GuardedRedis, listing: EventList, pipeline: Pipeline) -> None:
    guarded.as_user(pipeline, "sluice-poller")
    pipeline.polls(listing, since="1d")
    event, used = payment(), set()
    listing.add(event, ago=60)  # within the overlap: each process reads it again
    with guarded.asked(used):
        poller = pipeline.poller()
        poller.expect_metric(1, "sluice_poller_redis_connected")
        expect_soon(lambda: pipeline.expect_published(event))
    marker = only_marker(guarded)
    poller.stop()
    with guarded.client() as client:
        client.set(marker, "P:of-another-ingress", px=60_000)
    with guarded.asked(used):
        pipeline.poll_once()  # it looks again, then publishes itself
    pipeline.expect_published(event, times=2)
    assert used == granted("sluice-poller") and not guarded.refused()


def test_calls_use_all_that_they_may(guarded: GuardedRedis, service: Service, pipeline: Pipeline) -> None:
    guarded.as_user(pipeline, "sluice-command")
    caller, used = Caller(free_port()), set()
    call = {"url": service.url, "secrets": [{"value": {"env": "TEST_CALLER_KEY"}}], "allow": ["127.0.0.1"], "record": "redis"}
    with guarded.asked(used):
        executing(pipeline, caller, {"name": "refund", "wait": "20s", "call": call})
        service.way = says(429)
        assert caller.send("refund", {"refund": 5}, key="k1").status == 503, "nothing was done: the same again begins anew"
        service.way = does_it
        assert [caller.send("refund", {"refund": 5}, key="k1").status for _ in range(2)] == [201, 201]
    with guarded.client() as client:
        wait_for(lambda: "cmdstat_zrangebyscore" in client.info("commandstats"), "a look for calls that nobody goes on with")
    assert used | {"zrangebyscore"} == granted("sluice-command") and not guarded.refused()
    assert service.executions == [service.calls[0].key]


def test_who_ends_a_call_by_hand_uses_all_that_it_may(guarded: GuardedRedis, service: Service, pipeline: Pipeline) -> None:
    guarded.as_user(pipeline, "sluice-command")
    caller, used = Caller(free_port()), set()
    call = {"url": service.url, "secrets": [{"value": {"env": "TEST_CALLER_KEY"}}], "allow": ["127.0.0.1"], "record": "redis"}
    program = executing(pipeline, caller, {"name": "refund", "wait": "20s", "call": call})
    service.way = does_it_and_says(500)
    assert caller.send("refund", {"refund": 5}, key="k1").status == 502, "without a query nobody knows"
    program.stop()  # it looks there too
    guarded.as_user(pipeline, "sluice-settle")
    with guarded.asked(used):
        settled = ends_by_hand(pipeline, "--digest", service.calls[0].key)
    assert settled.returncode == 0, settled.stdout + settled.stderr
    assert used == granted("sluice-settle") and not guarded.refused()
    with guarded.client() as client:
        assert [client.hget(record, "body") for record in client.keys("call:*")] == [b'{"seen": true}']


def test_markers_are_forgotten(guarded: GuardedRedis, pipeline: Pipeline) -> None:
    guarded.as_user(pipeline, "sluice-ingress")
    pipeline.provider(pipeline.ingress()).deliver(payment()).expect(200)
    only_marker(guarded)
    guarded.as_user(pipeline, "sluice-markers")
    used: set[str] = set()
    with guarded.asked(used):
        forgotten = pipeline.ctl("markers", "forget", "--json", "--apply")
    assert forgotten.returncode == 0, forgotten.stdout + forgotten.stderr
    assert [there["forgotten"] for there in json.loads(forgotten.stdout)["servers"]] == [1]
    assert used == granted("sluice-markers") and not guarded.refused()


@pytest.mark.parametrize(("user", "unseen"), [("sluice-doctor", set()), ("sluice-ingress", {"redis.version", "redis.eviction"})])
def test_doctor_checks_what_its_user_may_see(guarded: GuardedRedis, pipeline: Pipeline, user: str, unseen: set[str]) -> None:
    guarded.as_user(pipeline, user)
    used: set[str] = set()
    with guarded.asked(used):
        found = {line["check"]: line["level"] for line in json.loads(pipeline.ctl("doctor", "--only", "redis", "--json").stdout)["findings"]}
    assert {check for check, level in found.items() if level != "ok"} == unseen
    assert used == granted("sluice-doctor")
    assert {entry["object"] for entry in guarded.refused()} == granted("sluice-doctor") - granted(user)


@pytest.mark.parametrize("user", USERS)
def test_what_nobody_may(users: GuardedRedis, user: str) -> None:
    with users.client(user) as client:
        for command in [*FORBIDDEN, *([] if user in ("sluice-ingress", "sluice-command", "sluice-settle") else ["EVAL return(1) 0"])]:
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command.split())


@pytest.mark.parametrize("inside", [f"redis.call('HSET', '{OTHERS}', 'a', 'b')", "redis.call('HSET', 'wh:a', 'a', 'b')",
                                    "redis.call('DEL', 'call:a')", "redis.call('FLUSHALL')"])
def test_a_script_may_no_more_than_who_sends_it(users: GuardedRedis, inside: str) -> None:
    with users.client("sluice-command") as client:
        with pytest.raises(redis.exceptions.ResponseError, match="(?i)acl|permission"):
            client.execute_command("EVAL", f"return {inside}", "0")
        assert client.execute_command("EVAL", "return redis.call('HSET', 'call:a', 'a', 'b')", "0") in (0, 1)


def test_the_ingress_script_reaches_its_own_keys_alone(users: GuardedRedis) -> None:
    with users.client("sluice-ingress") as client:
        for inside in (f"redis.call('SET', '{OTHERS}', 'x')", "redis.call('SET', 'call:a', 'x')", "redis.call('DEL', 'wh:a')"):
            with pytest.raises(redis.exceptions.ResponseError, match="(?i)acl|permission"):
                client.execute_command("EVAL", f"return {inside}", "0")
        assert client.execute_command("EVAL", "return redis.call('SET', 'limit:a', 'b')", "0") in (True, b"OK")


def test_each_users_keys_are_the_markers(users: GuardedRedis) -> None:
    for user, command in [("sluice-ingress", "GET"), ("sluice-poller", "GET"), ("sluice-markers", "UNLINK"), ("sluice-doctor", "SET")]:
        with users.client(user) as client, pytest.raises(redis.exceptions.NoPermissionError, match="key"):
            client.execute_command(command, OTHERS, *(["x"] if command == "SET" else []))
    with users.client("sluice-ingress") as client, pytest.raises(redis.exceptions.NoPermissionError):
        client.execute_command("SCAN", "0")


@pytest.fixture(scope="module")
def users(servers: Servers) -> Iterator[GuardedRedis]:
    guarded = GuardedRedis(servers, "redis-without-programs")
    yield guarded
    servers.drop(guarded.server)
