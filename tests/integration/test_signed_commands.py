"""Commands that no operator's key vouches for change nothing, whoever may write to the topic."""

from __future__ import annotations

import secrets

import pytest

from tests.support.commands import RETRY, SKIP, field
from tests.support.effects import parks_without_a_wallet
from tests.support.lanes import expect_lane
from tests.support.operators import DOUBTFUL, REASON, SIGNATURE, ask, dead_event, expect_doubt, key, keys, last_command, put_command
from tests.support.pipeline import Pipeline
from tests.support.records import put

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
EXTRA_EFFECTS = [parks_without_a_wallet()]
AT_ONCE = ("--apply", "--wait", "0")


def test_signed_order_is_carried_out(bench: Pipeline) -> None:
    keys(bench, key(bench, "kim", "kim"))
    event, customer = dead_event(bench)
    bench.ledger.open_wallet(customer)
    done = ask(bench, "retry", event)
    assert (done["ending"], done["carried_out"]) == ("answered", 1)
    bench.ledger.expect_applied(event)
    assert last_command(bench).text(SIGNATURE).startswith("kim:")
    assert bench.programs[-1].metric(DOUBTFUL) == 0


FORGED = {  # what somebody makes of a signed retry, and its signature
    "not_signed": lambda skip, signature: (skip, []),
    "two of them": lambda skip, signature: (skip, [signature, signature]),
    "forged": lambda skip, signature: (skip, [signature]),
    "unknown_key": lambda skip, signature: (skip, [b"mallory" + signature[signature.index(b":"):]]),
}


@pytest.mark.parametrize("how", FORGED)
def test_command_that_nobody_signed_changes_nothing(bench: Pipeline, how: str) -> None:
    """Who may write to the topic has seen a genuine command, and makes a skip of it."""
    keys(bench, key(bench, "kim"))
    event, _ = dead_event(bench)
    role = bench.programs[-1]
    assert ask(bench, "retry", event)["carried_out"] == 1
    expect_lane(bench, event, "dead")
    genuine = last_command(bench)
    assert genuine.value.endswith(field(RETRY, b""))
    skip = field(1, secrets.token_bytes(16)) + genuine.value[18:].removesuffix(field(RETRY, b"")) + field(SKIP, b"")
    value, signatures = FORGED[how](skip, genuine.header(SIGNATURE))
    put_command(bench, value, genuine.key, *[(SIGNATURE, one) for one in signatures])
    expect_doubt(bench, role, how if how in ("not_signed", "forged", "unknown_key") else "not_signed")
    expect_lane(bench, event, "dead")
    assert ask(bench, "skip", event)["carried_out"] == 1, "the operator's own is, behind it"


def test_command_of_one_installation_is_none_in_another(pipeline: Pipeline, new_pipeline) -> None:
    """The same keys and the same event in both, as where one was made as a copy of the other."""
    other = new_pipeline().prepare()
    for installation in (pipeline, other):
        installation.config["consumer"] = dict(CONSUMER)
        installation.config["effects"] += EXTRA_EFFECTS
        installation.secrets["TEST_KEY_KIM"] = "k" * 64
        keys(installation, key(installation, "kim"))
    event, _ = dead_event(pipeline)
    put(other, event)
    role = other.consumer(role="both")
    expect_lane(other, event, "dead")
    assert ask(pipeline, "skip", event)["carried_out"] == 1
    genuine = last_command(pipeline)
    put_command(other, genuine.value, genuine.key, (SIGNATURE, genuine.header(SIGNATURE)))
    expect_doubt(other, role, "forged")
    expect_lane(other, event, "dead")


def test_key_of_an_operator_signs_for_nobody_else(bench: Pipeline) -> None:
    keys(bench, key(bench, "ada", "ada"))
    event, _ = dead_event(bench)
    said = bench.ctl("dlq", "skip", event.id, *REASON, "--apply")
    assert said.returncode == 2 and "operator: kim" in said.stderr
    keys(bench, key(bench, "ada"))  # as ada's own machine may say it
    ask(bench, "skip", event, "--wait", "0")
    expect_doubt(bench, bench.programs[-1], "other_operator")
    expect_lane(bench, event, "dead")


def test_keys_are_changed_while_commands_are_given(bench: Pipeline) -> None:
    """First the retry role gets the new one, then sluicectl. Who does it the other way round is told, and goes on later."""
    old, new = key(bench, "old"), key(bench, "new")
    keys(bench, old)
    event, customer = dead_event(bench)
    keys(bench, new, old)
    early = ask(bench, "retry", event, "--wait", "0")
    assert early["ending"] == "unanswered"
    expect_doubt(bench, bench.programs[-1], "unknown_key")
    bench.end_programs()
    bench.consumer(role="both")
    bench.ledger.open_wallet(customer)
    assert ask(bench, "retry", event, "--run", early["run"])["carried_out"] == 1
    bench.ledger.expect_applied(event)
    assert last_command(bench).text(SIGNATURE).startswith("new:"), "the first of the list signs"


def test_without_keys_all_is_as_before_and_both_sides_say_so(bench: Pipeline) -> None:
    event, customer = dead_event(bench)
    bench.ledger.open_wallet(customer)
    said = bench.ctl("dlq", "retry", event.id, *REASON, "--apply")
    assert said.returncode == 0 and "warning: operators.keys is empty" in said.stderr
    bench.ledger.expect_applied(event)
    assert bench.programs[-1].decisions("commands_unsigned")
    doctor = bench.ctl("doctor", "--only", "operators")
    assert doctor.returncode == 0 and "operators.keys is empty" in doctor.stdout
