"""kill -9 of sluice-command at every step, with many commands on their way: whoever asks again gets the first response, and each is executed once."""

from __future__ import annotations

import http.client
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from deploy.stack.server import free_port
from tests.integration.test_command import balance_of
from tests.support import failpoints
from tests.support.caller import Caller, Told
from tests.support.charging import CHARGE, configured
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

POINTS = failpoints.in_source("command/execute")
UNKNOWN = "command.commit_unknown"  # no step that is taken: it says nothing of a COMMIT that was done
KEYS = [f"k{number}" for number in range(40)]
RICH = 10_000
ORDER = {"customer": "cus_1", "price": 7}


@pytest.fixture
def caller() -> Caller:
    return Caller(free_port())


@pytest.fixture
def charging(pipeline: Pipeline) -> Pipeline:
    pipeline.make_database()
    pipeline.ledger.open_wallet("cus_1")
    return pipeline


def begin_anew(pipeline: Pipeline) -> None:
    pipeline.ledger.run("DELETE FROM command_key", f"UPDATE wallet SET balance = {RICH} WHERE customer = 'cus_1'")


def started(pipeline: Pipeline, caller: Caller, failpoint: str = "") -> Program:
    configured(pipeline, caller, [CHARGE], workers=2)
    program = pipeline._program("sluice-command", pipeline._with_ports(), failpoint, False)
    program.expect_clean_end = not failpoint
    program.start(failpoint).ready()
    return program


def ask(caller: Caller, key: str) -> Told | None:
    """None: nobody answered."""
    try:
        return caller.send("charge-click", ORDER, key=key)
    except (OSError, http.client.HTTPException):
        return None


def ask_all(caller: Caller) -> list[Told | None]:
    with ThreadPoolExecutor(len(KEYS)) as callers:
        return list(callers.map(lambda key: ask(caller, key), KEYS))


@pytest.mark.parametrize("hit", (1, 3))
@pytest.mark.parametrize("point", [point for point in POINTS if point != UNKNOWN])
def test_killed_and_asked_again(charging: Pipeline, caller: Caller, point: str, hit: int) -> None:
    begin_anew(charging)
    victim = started(charging, caller, f"{point}=kill@{hit}")
    first = ask_all(caller)
    wait_for(lambda: not victim.running, f"{point} to end the program")
    assert victim.exit_code == -signal.SIGKILL
    started(charging, caller)
    again = ask_all(caller)
    assert {told.status for told in again if told} == {200} and None not in again
    assert all(now.is_replayed and now.body == before.body for before, now in zip(first, again, strict=True) if before and now)
    assert balance_of(charging, "cus_1") == RICH - len(KEYS) * ORDER["price"]


def test_a_commit_that_nobody_answered_is_settled(charging: Pipeline, caller: Caller) -> None:
    begin_anew(charging)
    program = started(charging, caller, f"{UNKNOWN}=error@p0.5")
    assert {told.status for told in ask_all(caller) if told} == {200}
    assert UNKNOWN in program.hit_failpoints()
    assert all(told and told.is_replayed for told in ask_all(caller))
    assert balance_of(charging, "cus_1") == RICH - len(KEYS) * ORDER["price"]


def test_a_sweeper_that_is_killed_leaves_what_is_kept(charging: Pipeline, caller: Caller) -> None:
    begin_anew(charging)
    first = started(charging, caller)
    ask_all(caller)
    first.kill()
    charging.ledger.run("INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, keep_until)"
                        " WITH RECURSIVE number AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM number WHERE n < 600)"
                        " SELECT UNHEX(SHA2(n, 256)), UNHEX(SHA2(n, 256)), 'charge-click', 'old', n, '2020-01-01' FROM number")
    victim = charging._program("sluice-command", charging._with_ports(), "", False)
    victim.expect_clean_end = False
    victim.start("command.batch_swept=kill")
    wait_for(lambda: not victim.running, "the sweeper to die behind its first batch")
    assert charging.ledger.query("SELECT COUNT(*) FROM command_key WHERE caller = 'old'")[0][0] == 600 - 256
    started(charging, caller)
    wait_for(lambda: charging.ledger.query("SELECT COUNT(*) FROM command_key")[0][0] == len(KEYS), "the rest to be swept")
    assert all(told and told.is_replayed for told in ask_all(caller))
