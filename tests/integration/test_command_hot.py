"""Hot accounts of sluice-command: accepted at once, booked through Kafka, each once."""

from __future__ import annotations

import copy
import json
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.hot_commands import CHARGE, HotCommands
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shifted_clock import clock_at
from tests.support.wait import stays, wait_for

BOOKING_POINTS = ["command.before_commit", "command.after_commit", "command.after_booking"]
ACCEPTING_POINTS = ["command.before_hot_publish", "command.after_hot_publish"]


@pytest.fixture
def commands(pipeline: Pipeline) -> HotCommands:
    return HotCommands(pipeline)


def test_a_hot_account_is_told_at_once_and_booked_later(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 100)
    commands.open("small", 100)
    commands.start()
    assert commands.charge("small", 30).status == 200
    told = commands.charge("big", 30, key="k1")
    assert (told.status, told.json) == (202, {"state": "in_progress"})
    assert told.headers["location"] == "/v1/commands/charge-click/k1"
    assert commands.response_of("k1")["body"] == json.dumps({"charged": 30}, separators=(",", ":"))
    again = commands.charge("big", 30, key="k1")
    assert (again.status, again.json, again.is_replayed) == (200, {"charged": 30}, True)
    assert commands.charge("big", 31, key="k1").status == 422
    assert commands.charge("big", 0).status == 400, "what is wrong with it is told while somebody listens"
    assert commands.balance("big") == commands.balance("small") == 70


def test_what_ends_badly_after_it_was_accepted_has_its_response(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 10)
    commands.hot["answer"] = {"status": 200, "body": {"charged": ":price"}}
    program = commands.start()
    told = commands.charge("big", 30, key="k1")
    assert (told.status, told.json, told.is_replayed) == (200, {"charged": 30}, False), "the deposit covers it"
    assert commands.response_of("k1")["status"] == 409
    assert commands.charge("big", 30, key="k1").json == {"error": "insufficient_balance"}
    assert program.metric("sluice_command_answers_total", command="charge-click", result="accepted") == 1


def test_a_booker_needs_nothing_of_those_who_send(commands: HotCommands) -> None:
    """Neither their keys nor the listener's, nor what calls are signed with and recorded on."""
    nowhere, config, secrets = {"file": "/nowhere"}, commands.pipeline.config, commands.pipeline.secrets
    serving, key = copy.deepcopy(config), secrets.pop("TEST_CALLER_KEY")
    config["command"]["listen"]["tls"] = {"cert": nowhere, "key": nowhere, "client_ca": nowhere}
    config["commands"].append({"name": "refund", "call": {"url": "http://refunds", "secrets": [{"value": nowhere}], "record": "redis"}})
    config["redis"] = {"urls": ["redis://one", "redis://two"], "password": nowhere}
    config["tracing"] = {"endpoint": "https://traces", "headers": [{"name": "a", "value": nowhere}]}
    refused = commands.start("serve", ready=False)
    refused.expect_clean_end = False
    assert refused.wait_end() == 2, "who serves needs all that"
    commands.start("book")
    config |= serving
    del config["tracing"]
    secrets["TEST_CALLER_KEY"] = key
    commands.list("big")
    commands.open("big", 100)
    commands.start("serve")
    assert commands.charge("big", 30, key="k1").status == 202
    assert commands.response_of("k1")["status"] == 200


def test_the_list_is_read_again_while_it_runs(commands: HotCommands) -> None:
    commands.open("big", 100)
    commands.start()
    assert commands.charge("big").status == 200
    commands.list("# one of them", "big")
    wait_for(lambda: commands.charge("big").status == 202, "the account to be hot")
    commands.list()
    wait_for(lambda: commands.charge("big").status == 200, "the account to be hot no longer")


def test_a_busy_account_gets_hot_by_itself(commands: HotCommands) -> None:
    commands.hot |= {"above": "60/m", "back_below": "1/m"}
    commands.open("busy", 1000)
    commands.open("small", 1000)
    program = commands.start()
    wait_for(lambda: commands.charge("busy").status == 202, "the account to be hot")
    assert commands.charge("small").status == 200
    program.expect_metric(1, "sluice_command_hot_accounts", by="rate")


@pytest.mark.parametrize("point", BOOKING_POINTS)
def test_a_booker_that_is_killed_books_nothing_twice(commands: HotCommands, point: str) -> None:
    commands.list("big")
    commands.open("big", 1000)
    commands.start("serve")
    for number in range(20):
        assert commands.charge("big", key=f"k{number}").status == 202
    victim = commands.start("book", f"{point}=kill", ready=False)
    victim.expect_clean_end = False
    wait_for(lambda: not victim.running, f"{point} to end the booker")
    assert victim.exit_code == -signal.SIGKILL and point in victim.hit_failpoints()
    commands.start("book")
    for number in range(20):
        assert commands.response_of(f"k{number}")["status"] == 200
    assert (commands.balance("big"), commands.rows()) == (980, 20)


def test_many_of_one_account_share_a_transaction(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 30)
    commands.start("serve")
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda number: commands.charge("big", key=f"k{number}").status, range(40)))
    assert set(told) == {202}
    booker = commands.start("book")
    statuses = [commands.response_of(f"k{number}")["status"] for number in range(40)]
    assert (statuses.count(200), statuses.count(409)) == (30, 10), "who comes too late has its own response"
    assert (commands.balance("big"), commands.rows()) == (0, 40)
    assert booker.metric("sluice_command_hot_batch_commands_count") < 20


@pytest.mark.parametrize("point", ACCEPTING_POINTS)
def test_a_server_that_is_killed_leaves_all_or_nothing(commands: HotCommands, point: str) -> None:
    commands.list("big")
    commands.open("big", 1000)
    victim = commands.start("serve", f"{point}=kill")
    victim.expect_clean_end = False
    with pytest.raises((OSError, ConnectionError)):
        commands.charge("big", key="k1")
    wait_for(lambda: not victim.running, f"{point} to end the program")
    commands.start()
    wait_for(lambda: commands.charge("big", key="k1").status == 200, "the same again to have its first response")
    assert (commands.balance("big"), commands.rows()) == (999, 1)


def test_the_same_key_on_both_ways_is_executed_once(commands: HotCommands) -> None:
    commands.list("big", "probe")
    commands.open("big", 1000)
    commands.open("probe", 1000)
    commands.start("serve")
    assert commands.charge("big", 5, key="k1").status == 202
    again = commands.charge("big", 5, key="k1")
    assert (again.status, again.is_response) == (202, False), "it waits in Kafka, and nobody knows"
    commands.list()
    wait_for(lambda: commands.charge("probe").status == 200, "no account to be hot any longer")
    at_once = commands.charge("big", 5, key="k1")
    assert (at_once.status, at_once.is_response, at_once.is_replayed) == (200, True, False)
    assert commands.balance("big") == 995
    booker = commands.start("book")
    booker.expect_metric(2, "sluice_command_hot_booked_total", result="replayed")
    assert commands.balance("big") == 995


def test_both_ways_at_once(commands: HotCommands) -> None:
    """Two servers disagree about who is hot, and many callers ask both for the same."""
    commands.list("big")
    commands.open("big", 10_000)
    commands.start()
    other = commands.beside()
    other.start("serve")
    keys = [f"k{number}" for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        told = list(pool.map(lambda asked: asked[0].charge("big", 3, key=asked[1]).status,
                             [(way, key) for key in keys for way in (commands, other)]))
    assert set(told) <= {200, 202, 409}, told
    for key in keys:
        assert commands.response_of(key)["status"] == 200
    assert (commands.balance("big"), commands.rows()) == (10_000 - 3 * len(keys), len(keys))


def test_what_is_younger_than_the_delay_waits(commands: HotCommands) -> None:
    commands.list("big")
    commands.hot["delay"] = "1h"
    commands.open("big", 100)
    program = commands.start()
    assert commands.charge("big", key="k1").status == 202
    wait_for(lambda: program.metric("sluice_command_hot_queue_age_seconds") > 0, "the booker to have read it")
    stays(lambda: commands.balance("big") == 100 or pytest.fail("it was booked"), 1)
    assert commands.state("k1") == "in_progress"


def test_a_delay_hides_no_backlog_of_another_command(commands: HotCommands) -> None:
    """Rows are locked, so that nothing is booked; what waits for its delay is not late."""
    accounts = [f"big{number}" for number in range(12)]  # in all partitions
    commands.list("later", *accounts)
    commands.pipeline.config["commands"].append({**copy.deepcopy(CHARGE), "name": "charge-later", "hot": {**commands.hot, "delay": "1h"}})
    for account in accounts:
        commands.open(account, 100)
    program = commands.start()
    assert commands.charge("later", command="charge-later").status == 202
    wait_for(lambda: program.metric("sluice_command_hot_queue_age_seconds") > 0, "the booker to have read it")
    with commands.pipeline.ledger.session() as session, session.cursor() as cursor:
        cursor.execute("SELECT balance FROM wallet FOR UPDATE")
        for account in accounts:
            assert commands.charge(account).status == 202
        wait_for(lambda: late(program, "charge-click") > 0, "what is late to be shown")
        assert late(program, "charge-later") == late(program, "?") == 0
    wait_for(lambda: late(program, "charge-click") == 0, "the backlog to be booked, but for what stands behind the delay")


def late(program: Program, command: str) -> float:
    return program.metric("sluice_command_hot_overdue_seconds", command=command)


def test_a_look_up_never_says_absent_of_what_may_be_booked(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 100)
    commands.start("serve")
    assert commands.state("k1") == "absent", "nothing is in Kafka"
    assert commands.charge("big", key="k1").status == 202
    assert commands.state("k1") == "in_progress"
    assert commands.state("k2") == "in_progress", "it may be behind k1, for all that is known"
    commands.start("book")
    wait_for(lambda: commands.state("k1") == "done", "k1 to be booked")
    wait_for(lambda: commands.state("k2") == "absent", "all that was there to be booked")


def test_where_nobody_said_whether_kafka_has_it_the_caller_is_told_so(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 100)
    commands.start("both", "poller.after_ack_before_confirm=error@1")
    assert commands.charge("big", key="k1").status == 503
    assert commands.response_of("k1")["status"] == 200
    assert commands.charge("big", key="k1").is_replayed
    assert commands.balance("big") == 99


def test_a_command_that_this_release_does_not_know_waits_for_one_that_does(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 100)
    commands.start("serve")
    assert commands.charge("big", key="k1").status == 202
    listed = commands.pipeline.config["commands"]
    commands.pipeline.config["commands"] = [{**listed[0], "name": "another"}]
    stranger = commands.start("book")
    wait_for(lambda: stranger.decisions("command_waits"), "the booker to say that it does not know it")
    assert stranger.stop() == 0
    commands.pipeline.config["commands"] = listed
    commands.start("book")
    assert commands.response_of("k1")["status"] == 200


def test_what_cannot_be_booked_says_so_and_holds_nobody_for_ever(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 100)
    del commands.pipeline.config["commands"][0]["effect"]["add"]["floor"]
    del commands.pipeline.config["commands"][0]["effect"]["add"]["below"]
    del commands.pipeline.config["commands"][0]["answers"]["insufficient_balance"]
    program = commands.start()
    assert commands.charge("big", 2_000_000_000, key="k1").status == 202, "the table has a CHECK that refuses it"
    assert commands.charge("big", 1, key="k2").status == 202
    assert commands.response_of("k1")["status"] == 409
    assert commands.charge("big", 2_000_000_000, key="k1").json == {"error": "not_booked"}
    assert commands.response_of("k2")["status"] == 200
    assert commands.balance("big") == 99
    assert program.decisions("command_not_booked")


def test_what_waited_for_longer_than_its_key_is_kept_is_not_executed(commands: HotCommands) -> None:
    """Its row may have been there and be gone: as after offsets that were lost, or two days without a booker."""
    commands.list("big")
    commands.open("big", 100)
    commands.start("serve")
    assert commands.charge("big", key="k1").status == 202
    [record] = commands.pipeline.log.read(commands.topic)
    long_ago = (datetime.now(UTC) - timedelta(hours=55)).isoformat().replace("+00:00", "Z").encode()
    stands = {"sluice-received-at": long_ago, "sluice-command-key": b"old"}
    headers = [(name, stands.get(name, value)) for name, value in record.headers]
    commands.pipeline.log.append(commands.topic, record.value, key=record.key, headers=headers, partition=record.partition)
    booker = commands.start("book")
    assert commands.response_of("k1")["status"] == 200
    booked = {"sluice-received-at": long_ago}
    headers = [(name, booked.get(name, value)) for name, value in record.headers]
    commands.pipeline.log.append(commands.topic, record.value, key=record.key, headers=headers, partition=record.partition)
    wait_for(lambda: commands.state("old") == "failed", "the booker to give up what may have been booked")
    booker.expect_metric(1, "sluice_command_hot_booked_total", command="charge-click", result="replayed")
    assert commands.charge("big", key="old").status == 502, "nobody knows, and nobody tries"
    assert commands.balance("big") == 99
    assert len(booker.decisions("command_not_booked")) == 1, "the one whose row is there was booked"


@pytest.mark.parametrize(("role", "hours"), [("book", 55), ("book", -55), ("serve", -55), ("serve", 55)])
def test_a_machine_whose_clock_is_off_changes_nothing(commands: HotCommands, role: str, hours: int) -> None:
    """By more than three quarters of `keep`. How old a command is says MySQL, when it is taken and when it is booked."""
    commands.list("big")
    commands.open("big", 100)
    commands.hot["delay"] = "1s"
    off = {"serve": 0, "book": 0, role: hours * 3600}
    commands.caller.seconds_off = off["serve"]
    for its, seconds in off.items():
        commands.pipeline.secrets |= clock_at(time.time() + seconds)
        commands.start(its)
    assert commands.charge("big", key="k1").status == 202
    assert commands.response_of("k1")["status"] == 200
    assert commands.balance("big") == 99


def test_a_booker_that_dies_when_it_has_given_up_is_followed_by_one_that_finds_it(commands: HotCommands) -> None:
    """Between the row and its offset: the record is read again, and nobody tries for a second minute."""
    commands.list("big")
    commands.open("big", 100)
    del commands.pipeline.config["commands"][0]["effect"]["add"]["floor"]
    del commands.pipeline.config["commands"][0]["effect"]["add"]["below"]
    del commands.pipeline.config["commands"][0]["answers"]["insufficient_balance"]
    commands.start("serve")
    assert commands.charge("big", 2_000_000_000, key="k1").status == 202, "the table has a CHECK that refuses it"
    victim = commands.start("book", "command.after_not_booked=kill", ready=False)
    victim.expect_clean_end = False
    wait_for(lambda: not victim.running, "the booker to give up and die")
    booker = commands.start("book")
    booker.expect_metric(1, "sluice_command_hot_booked_total", command="charge-click", result="replayed")
    assert commands.charge("big", 2_000_000_000, key="k1").json == {"error": "not_booked"}
    assert (commands.balance("big"), commands.rows()) == (100, 1)
    assert not booker.decisions("command_not_booked"), "the first one has said it"


def test_keep_that_a_stand_still_may_outlast_is_refused(commands: HotCommands) -> None:
    commands.pipeline.config["commands"][0]["keep"] = "2h"
    program = commands.start(ready=False)
    program.expect_clean_end = False
    assert program.wait_end() == 2
    assert "command charge-click has hot, so keep must be at least 24h" in program.story()


def test_a_record_that_is_no_command_is_passed_and_said(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 100)
    commands.pipeline.log.append(commands.topic, b"{}", key=b"big")
    program = commands.start()
    assert commands.charge("big", key="k1").status == 202
    assert commands.response_of("k1")["status"] == 200
    program.expect_metric(1, "sluice_command_hot_unreadable_total")
    assert program.decisions("command_unreadable")


def test_commands_that_kafka_deleted_unbooked_are_said(commands: HotCommands) -> None:
    commands.list("big")
    commands.open("big", 100)
    booker = commands.start()
    assert commands.charge("big", key="k1").status == 202
    assert commands.response_of("k1")["status"] == 200
    assert booker.stop() == 0
    server = commands.start("serve")
    for key in ("k2", "k3", "k4"):
        assert commands.charge("big", key=key).status == 202
    [(partition, end)] = [(at, end) for at, end in commands.pipeline.log.ends(commands.topic).items() if end]
    commands.pipeline.log.truncate(commands.topic, partition, end - 1)
    assert server.stop() == 0
    program = commands.start()
    assert commands.response_of("k4")["status"] == 200
    program.expect_metric(1, "sluice_command_hot_gaps_total")
    assert program.decisions("commands_lost")
    assert commands.state("k2") == "absent" and commands.balance("big") == 98


def test_a_flood_and_small_accounts_beside_it(commands: HotCommands) -> None:
    commands.list("big")
    small = [f"small-{number}" for number in range(20)]
    commands.open("big", 10_000)
    for account in small:
        commands.open(account, 10)
    commands.start()
    commands.start("book")
    asked = [account for number in range(20) for account in ["big"] * 20 + [small[number]]]
    with ThreadPoolExecutor(16) as pool:
        told = list(pool.map(lambda account: (account, commands.charge(account).status), asked))
    assert {status for account, status in told if account == "big"} == {202}
    assert {status for account, status in told if account != "big"} == {200}
    wait_for(lambda: commands.balance("big") == 10_000 - 400, "the flood to be booked")
    assert commands.rows() == len(asked)
    assert {commands.balance(account) for account in small} == {9}


def test_two_bookers_share_the_accounts(commands: HotCommands) -> None:
    accounts = [f"big-{number}" for number in range(12)]
    commands.list(*accounts)
    for account in accounts:
        commands.open(account, 100)
    commands.start("serve")
    first, second = commands.start("book"), commands.start("book")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(commands.charge, accounts * 10))
        first.kill()
        list(pool.map(commands.charge, accounts * 10))
    wait_for(lambda: {commands.balance(account) for account in accounts} == {80}, "all to be booked")
    assert commands.rows() == 240
    assert second.running
