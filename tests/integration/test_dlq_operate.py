"""sluicectl dlq retry, skip, edit and close: what they plan, send, follow and resume. A stand-in answers for the retry role."""

from __future__ import annotations

import hashlib
import json
import re
import signal

import pytest

from tests.support.pipeline import Pipeline
from tests.support.sent_commands import Answering, answer_all, sent_by
from tests.support.server_log import statements_logged
from tests.support.terminal import at_a_terminal
from tests.support.trouble import write_dead, write_quarantined
from tests.support.wait import wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")
SIGNED = ("--operator", "ada", "--reason", "wallets are there")
AT_ONCE = ("--apply", "--rate", "1000/s", "--wait", "0")


@pytest.fixture
def troubled(pipeline: Pipeline) -> Pipeline:
    pipeline.make_database()
    return pipeline


def order(pipeline: Pipeline, *arguments: str, code: int = 0) -> dict:
    result = pipeline.ctl("dlq", *arguments, "--json")
    assert result.returncode == code, result.stdout + result.stderr
    return json.loads(result.stdout)


@BOTH
def test_an_order_is_shown_first_and_sent_when_told(troubled: Pipeline) -> None:
    deaths = [write_dead(troubled.ledger, number) for number in range(1, 13)]
    plan = order(troubled, "retry", "--error-class", "data")
    assert plan["total"] == 12 and len(plan["sample"]) == 10 and sent_by(troubled) == []
    assert "Nothing was done yet. --apply" in troubled.ctl("dlq", "retry", "--everything").stdout
    assert troubled.ctl("dlq", "retry", "--everything", "--apply", "--operator", "ada").returncode == 2
    assert troubled.ctl("dlq", "retry", "--everything", "--apply", "--reason", "x").returncode == 2
    assert troubled.ctl("dlq", "retry").returncode == 2
    with Answering(troubled):
        done = order(troubled, "retry", "--error-class", "data", *SIGNED, "--apply", "--rate", "1000/s")
    assert (done["ending"], done["sent"], done["carried_out"], done["refused"]) == ("answered", 12, 12, 0)
    sent = sent_by(troubled)
    assert sorted(command.dead_letter for command in sent) == [dead.dead_letter for dead in deaths]
    for command in sent:
        [dead] = [dead for dead in deaths if dead.dead_letter == command.dead_letter]
        assert command.key == dead.object_key.encode() and command.action == "retry"
        assert command.text(4) == "ada" and command.text(5) == "wallets are there"
        assert dead.dedup_key in bytes(command.fields[3])
    assert order(troubled, "retry", "--everything")["total"] == 0


@BOTH
def test_a_run_is_resumed_and_sends_nothing_twice(troubled: Pipeline) -> None:
    for number in range(1, 7):
        write_dead(troubled.ledger, number)
    first = order(troubled, "retry", "--source", "stripe-eu", *SIGNED, *AT_ONCE, code=1)
    assert (first["ending"], first["sent"]) == ("unanswered", 6)
    ids = {command.dead_letter: command.identity for command in sent_by(troubled)}
    answer_all(troubled.ledger, sent_by(troubled)[:4])
    again = write_dead(troubled.ledger, 7)  # died after the plan: not of this run
    resumed = order(troubled, "retry", "--source", "stripe-eu", *SIGNED, *AT_ONCE, "--run", first["run"], code=1)
    assert (resumed["sent"], resumed["carried_out"]) == (2, 4)
    sent = sent_by(troubled)
    assert len(sent) == 8 and again.dead_letter not in {command.dead_letter for command in sent}
    assert all(command.identity == ids[command.dead_letter] for command in sent)
    answer_all(troubled.ledger, sent)
    assert order(troubled, "retry", "--source", "stripe-eu", *SIGNED, *AT_ONCE, "--run", first["run"])["total"] == 0
    assert troubled.ctl("dlq", "retry", "--everything", "--run", "0199ab00-0000-7000-8000-000000000001").returncode == 2


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_ends_half_way_can_go_on(troubled: Pipeline, ending: signal.Signals) -> None:
    for number in range(1, 11):
        write_dead(troubled.ledger, number)
    running = troubled.start_ctl("dlq", "retry", "--everything", *SIGNED, "--apply", "--rate", "2/s")
    try:
        wait_for(lambda: len(sent_by(troubled)) >= 2 or None, "two commands")
        running.send_signal(ending)
        said, complaints = running.communicate(timeout=20)
    finally:
        running.kill()
    run = re.search(r"^run ([0-9a-f-]{36})$", complaints, re.MULTILINE)
    assert run and 2 <= len(sent_by(troubled)) < 10
    if ending == signal.SIGINT:
        assert running.returncode == 1 and re.search(rf"Interrupted.*--run {run[1]}", said), said + complaints
    with Answering(troubled):
        done = order(troubled, "retry", "--everything", *SIGNED, "--apply", "--rate", "1000/s", "--run", run[1])
    assert done["ending"] == "answered" and done["carried_out"] == 10
    assert len({command.identity for command in sent_by(troubled)}) == 10


@pytest.mark.parametrize("typed,count", [("yes", 1), ("y", 0)])
def test_a_terminal_is_asked(troubled: Pipeline, typed: str, count: int) -> None:
    write_dead(troubled.ledger, 1)
    with at_a_terminal(troubled, "dlq", "retry", "--everything", *SIGNED, "--wait", "0") as (running, keyboard):
        keyboard(f"{typed}\n")
        said, complaints = running.communicate(timeout=20)
    assert running.returncode == 1 and "Type yes to retry 1: " in complaints, said + complaints
    assert len(sent_by(troubled)) == count


def test_terminal_shows_the_plan_to_who_gives_no_reason(troubled: Pipeline) -> None:
    write_dead(troubled.ledger, 1)
    with at_a_terminal(troubled, "dlq", "retry", "--everything") as (running, _):
        said, complaints = running.communicate(timeout=20)
    assert running.returncode == 0 and "Nothing was done yet. --apply" in said, said + complaints


@BOTH
def test_session_lasts_while_a_person_reads_the_plan(troubled: Pipeline) -> None:
    """The server ends one that says nothing for thirty seconds."""
    write_dead(troubled.ledger, 1)
    with (statements_logged(troubled, "SET SESSION wait_timeout = %") as limits,
          at_a_terminal(troubled, "dlq", "retry", "--everything", *SIGNED, "--wait", "0") as (running, keyboard)):
        wait_for(lambda: len(limits()) == 1, "a session that waits for an hour")
        keyboard("yes\n")
        running.communicate(timeout=20)
        assert [text.rpartition(" ")[2] for text in limits()] == ["3600", "30"]
    assert len(sent_by(troubled)) == 1


@BOTH
def test_too_many_that_are_dead_again_end_a_run(troubled: Pipeline) -> None:
    deaths = [write_dead(troubled.ledger, number) for number in range(1, 6)]
    first = order(troubled, "retry", "--everything", *SIGNED, *AT_ONCE, code=1)
    answer_all(troubled.ledger, sent_by(troubled)[:2])
    for command in sent_by(troubled)[:2]:
        troubled.ledger.query("INSERT INTO dead_letter (kind, lane_key, position, object_key, source, type, event_id, error_class,"
                              " error_text, attempts, first_failed_at, topic, partition_no, offset_no, dlq_sent, opened_at)"
                              " SELECT kind, lane_key, position, object_key, source, type, event_id, error_class, error_text, 1,"
                              " first_failed_at, topic, partition_no, offset_no, 1, UTC_TIMESTAMP(6) FROM dead_letter WHERE id = %s",
                              command.dead_letter)
    stopped = order(troubled, "retry", "--everything", *SIGNED, *AT_ONCE, "--run", first["run"], "--stop-after", "2", code=1)
    assert (stopped["ending"], stopped["dead_again"], stopped["sent"]) == ("failures", 2, 0)
    assert len(sent_by(troubled)) == len(deaths)


def test_an_edit_carries_its_body_and_a_close_only_what_holds_nothing_up(troubled: Pipeline) -> None:
    dead = write_dead(troubled.ledger, 1)
    quarantined = write_quarantined(troubled.ledger, 1)
    body = troubled.folder / "fixed.json"
    body.write_bytes(b'{"id": "evt_1", "amount": 5}')
    order(troubled, "edit", str(dead.dead_letter), "--body", str(body), *SIGNED, *AT_ONCE, code=1)
    order(troubled, "close", str(quarantined), *SIGNED, *AT_ONCE, code=1)
    left_out = order(troubled, "close", str(dead.dead_letter), *SIGNED, *AT_ONCE, code=1)
    assert (left_out["sent"], left_out["left_out"]) == (0, 1)
    sent = {command.action: command for command in sent_by(troubled)}
    assert sorted(sent) == ["close", "edit"]
    assert hashlib.sha256(body.read_bytes()).digest() in bytes(sent["edit"].fields[18])
    assert body.read_bytes() in bytes(sent["edit"].fields[18])
    assert sent["close"].key == str(quarantined).encode() and 3 not in sent["close"].fields
    body.write_bytes(b"x" * (512 * 1024 + 1))
    large = troubled.ctl("dlq", "edit", str(dead.dead_letter), "--body", str(body), *SIGNED, "--apply")
    assert large.returncode == 2 and "512 KiB" in large.stderr
    assert troubled.ctl("dlq", "retry", "4711", *SIGNED, "--apply").returncode == 1


def test_a_body_may_come_in_by_stdin(troubled: Pipeline) -> None:
    """Into a pod without a shell, an editor or tar: kubectl exec -i … --body - < body.json."""
    dead, body = write_dead(troubled.ledger, 1), '{"id": "evt_1", "amount": 7}'
    troubled.ctl("dlq", "edit", str(dead.dead_letter), "--body", "-", *SIGNED, *AT_ONCE, stdin=body)
    assert [body.encode() in bytes(command.fields[18]) for command in sent_by(troubled)] == [True]
    nothing = troubled.ctl("dlq", "edit", str(dead.dead_letter), "--body", "-", *SIGNED, "--apply", stdin="")
    assert nothing.returncode == 2 and "is empty" in nothing.stderr


def test_without_its_topic_nothing_is_sent(pipeline: Pipeline) -> None:
    write_dead(pipeline.ledger, 1)
    pipeline.log.delete(pipeline.commands)
    refused = pipeline.ctl("dlq", "retry", "--everything", *SIGNED, "--apply")
    assert refused.returncode == 1 and "sluicectl topics --apply" in refused.stderr
