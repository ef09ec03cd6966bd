"""Commands that another service executes, while programs end and servers fail over: nothing is executed twice, nothing forgotten."""

# ruff: noqa: F811
from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable

import pytest

from deploy.stack import start_all
from deploy.stack.redis import Redis
from tests.integration.test_command_call import TAKEN_OVER, ask, caller, problem, record, refund, service, start  # noqa: F401
from tests.support import executing
from tests.support.caller import Caller, Told
from tests.support.executing import Service
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.servers import Servers
from tests.support.shifted_clock import clock_at
from tests.support.tcp_proxy import TcpProxy
from tests.support.wait import wait_for

on_mysql = pytest.mark.parametrize("record", ["mysql"], indirect=True)
on_redis = pytest.mark.parametrize("record", ["redis"], indirect=True)
DAY = 86_400


def test_a_program_that_ends_sends_no_more_than_it_has_sent(start: Callable[..., Program], service: Service, caller: Caller,
                                                            pipeline: Pipeline) -> None:
    """Its caller is cut after the drain. What became of the call is for another process, when the lease is over."""
    ending = start(drain_within="100ms")
    service.way = executing.does_it_and_hangs
    asking = threading.Thread(target=lambda: ask(caller))
    asking.start()
    service.expect_calls(1)
    ending.stop()
    asking.join(30)
    assert (len(service.calls), service.asked) == (1, []), "a query would have taken as long again"
    start()
    wait_for(lambda: caller.look_up("refund", "k1")["state"] == "done", "the settler to find out")
    assert refund(caller).json == {"execution": 1}
    assert len(service.calls) == 1


@on_mysql
def test_a_program_that_ends_says_what_it_could_not_record(start: Callable[..., Program], service: Service, caller: Caller,
                                                           pipeline: Pipeline) -> None:
    ending = start(drain_within="100ms", within="20s", lease="60s")
    service.way = executing.does_it_when_told
    asking = threading.Thread(target=lambda: ask(caller))
    asking.start()
    service.expect_calls(1)
    pipeline.ledger.run("SET GLOBAL offline_mode = ON")
    try:
        ending.ask_to_stop()
        asking.join(30)  # its connection is cut
        service.may_go_on.set()
        ending.wait_end()
    finally:
        pipeline.ledger.run("SET GLOBAL offline_mode = OFF")
    [said] = ending.decisions("call_not_recorded")
    assert (said["command"], said["idempotency_key"], said["result"], said["status"]) == ("refund", service.calls[0].key, "done", 201)


@on_mysql
def test_a_server_that_was_demoted_is_not_asked_what_is_absent(start: Callable[..., Program], caller: Caller,
                                                               pipeline: Pipeline) -> None:
    start()
    assert refund(caller).status == 201
    assert caller.look_up("refund", "k2") == {"state": "absent"}
    pipeline.ledger.run("SET GLOBAL super_read_only = ON")
    try:
        assert caller.look_up("refund", "k1")["state"] == "done"
        assert caller.ask("GET", "/v1/commands/refund/k2").status == 503
    finally:
        pipeline.ledger.run("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF")
    wait_for(lambda: caller.ask("GET", "/v1/commands/refund/k2").status == 200, "look-ups to come back")


@on_redis
def test_a_redis_that_forgot_lets_the_call_be_sent_again_under_the_same_key(servers: Servers, pipeline: Pipeline, service: Service,
                                                                            caller: Caller, start: Callable[..., Program]) -> None:
    """The weaker promise of docs/commands.md: the service has to know its keys again."""
    redis = servers.own_redis("redis-that-forgets")
    pipeline.config["redis"] = {"urls": [redis.url]}
    start()
    assert refund(caller).json == {"execution": 1}
    redis.kill()
    assert problem(refund(caller)) == (503, "unavailable")
    assert len(service.calls) == 1, "without a record nothing is sent"
    start_all([redis])
    wait_for(lambda: refund(caller).json == {"execution": 1}, "the service's own answer to its key")
    assert {(call.key, call.fence) for call in service.calls} == {(service.calls[0].key, 1)}


@on_redis
def test_a_key_that_redis_forgot_is_executed_though_its_fence_begins_again(servers: Servers, pipeline: Pipeline, service: Service,
                                                                           caller: Caller, start: Callable[..., Program]) -> None:
    """The service has seen a higher fence, and refuses the lower one with a status of `not_executed`: that is not the first response."""
    redis = servers.own_redis("redis-that-forgets-fences")
    pipeline.config["redis"] = {"urls": [redis.url]}
    start(not_executed=[409])
    service.way = executing.heeds_the_fence
    assert problem(refund(caller)) == (503, "not_executed")
    redis.kill()
    start_all([redis])
    service.may_go_on.set()
    wait_for(lambda: problem(refund(caller)) == (503, "not_executed"), "the refusal")
    wait_for(lambda: refund(caller).status == 201, "a fence that is high enough")
    assert len(service.executions) == 1
    servers.drop(redis)


@on_redis
def test_a_redis_that_is_away_while_the_service_executes_loses_nothing(servers: Servers, pipeline: Pipeline, service: Service,
                                                                       caller: Caller, start: Callable[..., Program]) -> None:
    redis = servers.own_redis("redis-with-a-log", appendonly="yes", appendfsync="always")
    pipeline.config["redis"] = {"urls": [redis.url]}
    start(within="5s", lease="20s")
    service.way = executing.does_it_when_told
    told: list[Told] = []
    asking = threading.Thread(target=lambda: told.append(refund(caller)))
    asking.start()
    service.expect_calls(1)
    redis.kill()
    service.may_go_on.set()
    start_all([redis])
    asking.join(30)
    assert told[0].json == {"execution": 1}
    assert refund(caller).is_replayed
    assert len(service.calls) == 1


@pytest.mark.parametrize("point", [TAKEN_OVER, "command.call_asked"])
def test_a_settler_that_dies_is_followed_by_another(start: Callable[..., Program], service: Service, caller: Caller, point: str) -> None:
    """Between its taking the call over and its writing what became of it."""
    service.way = executing.does_it_and_says(500)
    owner = start("command.call_sent=kill")
    assert ask(caller) is None
    owner.wait_end()
    settling = start(f"{point}=kill")
    settling.expect_clean_end = False
    wait_for(lambda: not settling.running, f"{point} to end the settler")
    assert point in settling.hit_failpoints()
    start()
    wait_for(lambda: caller.look_up("refund", "k1")["state"] == "done", "the next one to find out")
    assert refund(caller).json == {"execution": 1}
    assert len(service.calls) == 1


@pytest.mark.parametrize("days", [1, -1])
def test_a_machine_whose_clock_is_a_day_off_neither_forgets_nor_repeats(start: Callable[..., Program], service: Service, caller: Caller,
                                                                        pipeline: Pipeline, days: int) -> None:
    """Leases and `keep` are of the record's clock. One call is done, of another nobody knows yet."""
    first = start()
    assert refund(caller).json == {"execution": 1}
    service.way, service.query_says = executing.does_it_and_says(500), 503
    assert refund(caller, "k2").status == 202
    first.kill()
    pipeline.secrets |= clock_at(time.time() + days * DAY)
    caller.seconds_off = days * DAY
    start()
    assert refund(caller).is_replayed
    assert ask(caller, "k2").status in (202, 409)
    service.query_says = 0
    wait_for(lambda: caller.look_up("refund", "k2")["state"] == "done", "the settler to find out")
    assert (len(service.calls), len(service.executions)) == (2, 2)


@on_redis
@pytest.mark.parametrize("is_behind", [False, True])
def test_a_redis_that_fails_over(servers: Servers, pipeline: Pipeline, service: Service, caller: Caller, start: Callable[..., Program],
                                 is_behind: bool) -> None:
    """To a replica that has all, or lacks the last writes. Then the service gets its own key again: docs/commands.md."""
    primary = servers.own_redis("redis-that-falls")
    replica = servers.own_redis("redis-that-takes-over", replicaof=f"127.0.0.1 {primary.port}")
    with TcpProxy(primary.port) as address:
        pipeline.config["redis"] = {"urls": [f"redis://127.0.0.1:{address.port}/0"]}
        start()
        assert refund(caller).json == {"execution": 1}
        wait_for(lambda: offset_of(replica, "slave") == offset_of(primary, "master"), "the replica to have it")
        if is_behind:
            asked(replica, "REPLICAOF NO ONE")
        assert refund(caller, "k2").json == {"execution": 2}
        if not is_behind:
            wait_for(lambda: offset_of(replica, "slave") == offset_of(primary, "master"), "the replica to have both")
        primary.kill()
        asked(replica, "REPLICAOF NO ONE")
        address.target = replica.port
        wait_for(lambda: caller.ask("GET", "/v1/commands/refund/k1").status == 200, "the replica to be asked")
        assert refund(caller).is_replayed, "what it had got is known"
        again = refund(caller, "k2")
    assert again.json == {"execution": 2}, "as the service knows its key, whoever sends it"
    assert again.is_replayed is not is_behind
    calls = [call for call in service.calls if call.key == service.calls[1].key]
    assert len(calls) == (2 if is_behind else 1)


@on_redis
def test_a_redis_that_wants_a_replica_lets_nothing_be_sent_without_one(servers: Servers, pipeline: Pipeline, service: Service,
                                                                       caller: Caller, start: Callable[..., Program]) -> None:
    redis = servers.own_redis("redis-without-a-replica", **{"min-replicas-to-write": "1"})
    pipeline.config["redis"] = {"urls": [redis.url]}
    start()
    assert problem(refund(caller)) == (503, "unavailable")
    assert not service.calls


def offset_of(redis: Redis, role: str) -> str | None:
    found = re.search(rf"\n{role}_repl_offset:([1-9]\d*)", asked(redis, "INFO replication"))
    return found and found[1]


def asked(redis: Redis, words: str) -> str:
    with socket.create_connection(("127.0.0.1", redis.port), timeout=15) as connection:
        connection.sendall(words.encode() + b"\r\n")
        return connection.recv(65_536).decode()
