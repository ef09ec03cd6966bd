"""`operators.two_for`: what takes two operators is done once both have signed the same bytes, once, and never before."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pytest

from tests.support import failpoints
from tests.support.commands import EDIT, expect_answer
from tests.support.effects import parks_without_a_wallet
from tests.support.events import Event, fresh_id, paid_invoice
from tests.support.lanes import expect_lane, key_of
from tests.support.operators import REASON, SIGNATURE, dead_event, expect_doubt, key, keys, put_command
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.proposals import APPROVAL, APPROVAL_SIGNATURE, PROPOSAL, Signer, approve, commands_in, signed_by_two
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
EXTRA_EFFECTS = [parks_without_a_wallet()]
BOB = ("--operator", "bob", "--reason", "seen at the provider")
DAY = 24 * 3600


def two_for(pipeline: Pipeline, *kinds: str) -> None:
    """Of programs that start from now on, and of sluicectl: kim, bob and carol have a key each, and one is nobody's."""
    keys(pipeline, key(pipeline, "kim", "kim"), key(pipeline, "bob", "bob"), key(pipeline, "carol", "carol"), key(pipeline, "shared"))
    pipeline.config["operators"]["two_for"] = list(kinds)


@pytest.fixture
def dead(bench: Pipeline) -> tuple[Event, str]:
    """An event that was given up, where a skip and an edit take two."""
    two_for(bench, "edit", "skip")
    return dead_event(bench)


@pytest.fixture
def signer(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> Signer:
    """All keys in one hand, for this installation."""
    topic_id = json.loads(propose(bench, tmp_path / "any.json", "skip", dead[0].id).read_text())["topic_id"]
    secrets = {name: bench.secrets[f"TEST_KEY_{name.upper()}"].encode() for name in ("kim", "bob", "carol", "shared")}
    return Signer(secrets, topic_id.encode(), bench.group.encode())


def propose(pipeline: Pipeline, file: Path, order: str, *arguments: str) -> Path:
    said = pipeline.ctl("dlq", order, *arguments, *REASON, "--propose", str(file))
    assert said.returncode == 0, said.stdout + said.stderr
    return file


def approved(pipeline: Pipeline, file: Path, *arguments: str, code: int = 0) -> dict:
    said = pipeline.ctl("dlq", "approve", str(file), *(arguments or BOB), "--apply", "--json")
    assert said.returncode == code, said.stdout + said.stderr
    return json.loads(said.stdout)


def actions(pipeline: Pipeline, event: Event) -> list[tuple]:
    """What stands in the audit of an event: who asked, who approved, and both reasons."""
    return [tuple(word.decode() if isinstance(word, bytes) else word for word in row) for row in pipeline.ledger.query(
        "SELECT action, answer, why, operator, reason, approved_by, approval_reason FROM operator_action WHERE object_key = %s"
        " ORDER BY carried_out_at", key_of(event).encode())]


def test_one_operator_alone_skips_nothing(bench: Pipeline, dead: tuple[Event, str]) -> None:
    event, customer = dead
    said = bench.ctl("dlq", "skip", event.id, *REASON, "--apply")
    assert said.returncode == 2 and "--propose FILE" in said.stderr
    assert "--propose FILE" in bench.ctl("dlq", "skip", event.id).stdout, "the plan says it too"
    del bench.config["operators"]["two_for"]  # as on a machine whose file does not say so
    done = bench.ctl("dlq", "skip", event.id, *REASON, "--apply", "--json")
    assert json.loads(done.stdout)["refusals"] == {"one_operator": 1}
    assert actions(bench, event)[-1][:4] == ("skip", "refused", "one_operator", "kim")
    expect_lane(bench, event, "dead")
    bench.ledger.open_wallet(customer)
    assert bench.ctl("dlq", "retry", event.id, *REASON, "--apply").returncode == 0, "what runs the provider's own takes one"
    bench.ledger.expect_applied(event)


def test_unverified_retry_is_an_edit(bench: Pipeline, dead: tuple[Event, str]) -> None:
    """Whose body no provider vouches for is somebody's own."""
    event, _ = dead
    said = bench.ctl("dlq", "retry", event.id, *REASON, "--apply", "--unverified")
    assert said.returncode == 2 and "retry --unverified needs two operators" in said.stderr
    del bench.config["operators"]["two_for"]
    done = bench.ctl("dlq", "retry", event.id, *REASON, "--apply", "--unverified", "--json")
    assert json.loads(done.stdout)["refusals"] == {"one_operator": 1}


def test_two_operators_skip_together(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> None:
    event, _ = dead
    before = bench.log.count(bench.commands)
    file = propose(bench, tmp_path / "skip.json", "skip", event.id)
    assert file.stat().st_mode & 0o777 == 0o600
    shown = bench.ctl("dlq", "approve", str(file)).stdout
    assert "kim proposes to skip 1" in shown and "the wallet is there" in shown and event.id in shown
    assert bench.log.count(bench.commands) == before, "neither has sent anything"
    done = approved(bench, file)
    assert (done["ending"], done["carried_out"], done["refused"]) == ("answered", 1, 0)
    bench.ledger.expect_status(event, "skipped")
    assert actions(bench, event) == [("skip", "carried_out", None, "kim", "the wallet is there", "bob", "seen at the provider")]
    history = bench.ctl("dlq", "show", event.id).stdout
    assert "skip by kim, approved by bob" in history and "seen at the provider" in history
    assert approved(bench, file, "--operator", "carol", "--reason", "me too")["answered_before"] == 1, "nothing happens twice"
    assert bench.log.count(bench.commands) == before + 1


def test_edit_is_shown_before_it_is_approved(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> None:
    event, customer = dead
    body = json.loads(event.body)
    body["data"]["object"]["effect"] = 7
    body["data"]["object"]["name"] = "Kim Example"
    new = tmp_path / "new.json"
    new.write_text(json.dumps(body))
    bench.ledger.open_wallet(customer)
    file = propose(bench, tmp_path / "edit.json", "edit", event.id, "--body", str(new))
    plan = bench.ctl("dlq", "approve", str(file), "--json", "--save-body", str(tmp_path / "seen.json"))
    [command] = json.loads(plan.stdout)["commands"]
    changes = {change["path"]: (change["from"], change["to"]) for change in command["body"]["changes"]}
    assert changes == {"/data/object/effect": ("", "7"), "/data/object/name": ("", '"***"')}, "masked as everywhere"
    assert (tmp_path / "seen.json").read_text() == new.read_text(), "and whole for who has to see it"
    assert approved(bench, file)["carried_out"] == 1
    bench.ledger.expect_applied(event)
    assert [row[0] for row in actions(bench, event)] == ["edit"]


def test_approver_needs_no_key_but_their_own(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> None:
    event, _ = dead
    everybody = dict(bench.secrets)
    for name, others in (("kim", ("BOB", "CAROL", "SHARED")), ("bob", ("KIM", "CAROL", "SHARED"))):
        bench.secrets = {key: value for key, value in everybody.items() if key.removeprefix("TEST_KEY_") not in others}
        if name == "kim":
            file = propose(bench, tmp_path / "skip.json", "skip", event.id)
        else:
            assert approved(bench, file)["carried_out"] == 1
    bench.secrets = everybody


def test_who_proposed_does_not_approve(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> None:
    event, _ = dead
    before = bench.log.count(bench.commands)
    file = propose(bench, tmp_path / "skip.json", "skip", event.id)
    said = bench.ctl("dlq", "approve", str(file), *REASON, "--apply")
    assert said.returncode == 1 and "another operator must approve" in said.stderr
    said = bench.ctl("dlq", "approve", str(file), "--operator", "eve", "--reason", "x", "--apply")
    assert said.returncode == 2 and "operator: eve" in said.stderr, "the key that is nobody's is no second operator's"
    assert bench.log.count(bench.commands) == before
    expect_lane(bench, event, "dead")


ATTACKS = {  # whose keys and names two signatures are, and the word that the retry role has for it
    "own signature twice": ({"second": "kim", "approver": "kim"}, "one_operator"),
    "one key, two names": ({"first": "shared", "second": "shared"}, "one_operator"),
    "own key and nobody's": ({"second": "shared"}, "one_operator"),
    "another's name": ({"second": "kim", "approver": "bob"}, "other_operator"),
}


@pytest.mark.parametrize("how", ATTACKS)
def test_one_person_is_not_two(bench: Pipeline, dead: tuple[Event, str], signer: Signer, how: str) -> None:
    event, _ = dead
    whose, why = ATTACKS[how]
    signed_by_two(bench, signer, event, **whose).put(bench)
    expect_doubt(bench, bench.programs[-1], why)
    expect_lane(bench, event, "dead")


def test_signatures_over_other_bytes_count_nothing(bench: Pipeline, dead: tuple[Event, str], signer: Signer) -> None:
    """Of two genuine commands of two everything that can be exchanged is."""
    event, _ = dead
    role = bench.programs[-1]
    other = paid_invoice(fresh_id("cus"))
    put(bench, other)
    expect_lane(bench, other, "dead")
    theirs = signed_by_two(bench, signer, other)
    for header in (PROPOSAL, APPROVAL, APPROVAL_SIGNATURE):
        mixed = signed_by_two(bench, signer, event)
        mixed.headers[header] = theirs.headers[header] if header != APPROVAL else mixed.headers[header].replace(b"seen", b"sown")
        mixed.put(bench)
        expect_doubt(bench, role, "forged")
    changed = signed_by_two(bench, signer, event)
    changed.value = changed.value.replace(b"mended", b"ended!")
    changed.put(bench)
    expect_doubt(bench, role, "forged")
    # The second operator signs bytes that the first one has not.
    approve(changed, signer, "bob", "bob")
    changed.put(bench)
    expect_doubt(bench, role, "forged")
    elsewhere = signed_by_two(bench, Signer(signer.secrets, b"another installation's", signer.group), event)
    elsewhere.put(bench)
    expect_doubt(bench, role, "forged")
    elsewhere = signed_by_two(bench, Signer(signer.secrets, signer.topic_id, b"another group"), event)
    elsewhere.put(bench)
    expect_doubt(bench, role, "forged")
    expect_lane(bench, event, "dead")
    expect_lane(bench, other, "dead")


def test_proposal_alone_is_no_command(bench: Pipeline, dead: tuple[Event, str], signer: Signer) -> None:
    """Whoever is handed the file has nothing that any release obeys."""
    event, _ = dead
    role = bench.programs[-1]
    whole = signed_by_two(bench, signer, event)
    put_command(bench, whole.value, whole.key, (PROPOSAL, whole.headers[PROPOSAL]))
    expect_doubt(bench, role, "not_approved")
    put_command(bench, whole.value, whole.key, (SIGNATURE, whole.headers[PROPOSAL]))
    expect_doubt(bench, role, "forged")
    del whole.headers[APPROVAL_SIGNATURE]
    whole.put(bench)
    expect_doubt(bench, role, "not_signed")
    put_command(bench, whole.value, whole.key)
    expect_doubt(bench, role, "not_signed")
    expect_lane(bench, event, "dead")


@pytest.mark.parametrize("age", [DAY + 60, -3600], ids=["a day ago", "an hour from now"])
def test_proposal_lapses(bench: Pipeline, dead: tuple[Event, str], signer: Signer, tmp_path: Path, age: int) -> None:
    event, _ = dead
    late = signed_by_two(bench, signer, event, age=age)
    late.put(bench)
    expect_answer(bench, late.identity, "refused", "lapsed")
    assert actions(bench, event)[-1][5:] == ("bob", "seen at the provider"), "with whoever approved it"
    file = propose(bench, tmp_path / "skip.json", "skip", event.id)
    proposal = json.loads(file.read_text())
    [(ours, _)] = commands_in(file)
    run = ours[ours.index(b"\x4a\x10"):][:18]
    proposal["commands"][0]["value"] = base64.b64encode(late.value + run).decode()
    file.write_text(json.dumps(proposal))
    said = bench.ctl("dlq", "approve", str(file), *BOB, "--apply")
    assert said.returncode == 1 and "ask for a new proposal" in said.stderr
    expect_lane(bench, event, "dead")


def test_obeyed_once_however_often_it_comes(bench: Pipeline, dead: tuple[Event, str], signer: Signer) -> None:
    """Three times as it is, once more with another approval; its event dies again, so that there would be something to do."""
    event, _ = dead
    whole = signed_by_two(bench, signer, event, action=EDIT, body=event.body)
    whole.put(bench, times=3)
    approve(whole, signer, "carol", "carol")
    whole.put(bench)
    role = bench.programs[-1]
    wait_for(lambda: role.metric("sluice_consumer_commands_total", action="edit", answer="carried_out_before") == 3, "all four to be answered")
    expect_answer(bench, whole.identity, "carried_out")
    expect_lane(bench, event, "dead")
    assert [row[:2] + row[5:6] for row in actions(bench, event)] == [("edit", "carried_out", "bob")], "the approval that came first"
    assert bench.ledger.query("SELECT COUNT(*) FROM dead_letter WHERE event_id = %s", event.id.encode()) == [(2,)], "it died once more"


@pytest.mark.parametrize("step", failpoints.WAITING["command"])
def test_killed_after_the_commit_it_counts_once(bench: Pipeline, dead: tuple[Event, str], signer: Signer, step: str) -> None:
    event, customer = dead
    bench.end_programs()
    bench.config["kafka"]["options"] = QUICKLY_GONE
    bench.consumer()
    bench.ledger.open_wallet(customer)
    victim = bench.retry_role(start=False).start(f"{step}=kill")
    whole = signed_by_two(bench, signer, event, action=EDIT, body=event.body)
    whole.put(bench)
    victim.wait_end()
    bench.retry_role()
    bench.ledger.expect_applied(event)
    expect_answer(bench, whole.identity, "carried_out")
    assert bench.ledger.balance(customer) == 1


def test_entry_that_was_acted_upon_meanwhile_is_left_alone(bench: Pipeline, dead: tuple[Event, str], signer: Signer, tmp_path: Path) -> None:
    """The event is dead once more: it is not the entry that both have looked at."""
    event, customer = dead
    stale = signed_by_two(bench, signer, event, action=EDIT, body=event.body)
    file = propose(bench, tmp_path / "skip.json", "skip", event.id)
    assert bench.ctl("dlq", "retry", event.id, *REASON, "--apply").returncode == 1, "it dies again"
    expect_lane(bench, event, "dead")
    bench.ledger.open_wallet(customer)
    assert approved(bench, file, code=1)["left_out"] == 1
    stale.put(bench)
    expect_answer(bench, stale.identity, "refused", "overtaken")
    expect_lane(bench, event, "dead")
    assert bench.ledger.balance(customer) == 0


def test_entry_of_one_event_is_no_leave_to_act_on_another(bench: Pipeline, dead: tuple[Event, str], signer: Signer) -> None:
    """The second operator is shown an entry: what is signed has to be about it."""
    event, customer = dead
    behind = paid_invoice(customer, unit=event.object)
    put(bench, behind)
    wait_for(lambda: bench.ledger.inbox_row(behind), "the second event of the object")
    expect_lane(bench, event, "dead", "parked")
    other = signed_by_two(bench, signer, behind, shown=event)
    other.put(bench)
    expect_answer(bench, other.identity, "refused", "other_object")
    unseen = signed_by_two(bench, signer, event, names_entry=False)
    unseen.put(bench)
    expect_answer(bench, unseen.identity, "refused", "inconsistent")
    expect_lane(bench, event, "dead", "parked")


def test_proposal_about_another_event_than_it_shows_is_refused(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> None:
    """Before anybody approves it: the first operator may have written the file by hand."""
    event, _ = dead
    file = propose(bench, tmp_path / "skip.json", "skip", event.id)
    proposal = json.loads(file.read_text())
    value = base64.b64decode(proposal["commands"][0]["value"])
    key_at = bench.ledger.inbox_row(event)["dedup_key"]
    proposal["commands"][0]["value"] = base64.b64encode(value.replace(key_at, bytes(32))).decode()
    file.write_text(json.dumps(proposal))
    said = bench.ctl("dlq", "approve", str(file))
    assert "it belongs to another event" in said.stdout, said.stdout + said.stderr


def test_proposal_is_a_run_of_its_own(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> None:
    said = bench.ctl("dlq", "skip", dead[0].id, *REASON, "--propose", str(tmp_path / "x"), "--run", "0" * 8 + "-0000-4000-8000-" + "0" * 12)
    assert said.returncode == 2 and "--propose starts a new one" in said.stderr


def test_file_that_is_no_proposal_is_refused(bench: Pipeline, dead: tuple[Event, str], tmp_path: Path) -> None:
    event, _ = dead
    before = bench.log.count(bench.commands)
    file = propose(bench, tmp_path / "skip.json", "skip", event.id)
    again: subprocess.CompletedProcess = bench.ctl("dlq", "skip", event.id, *REASON, "--propose", str(file))
    assert again.returncode == 2 and str(file) in again.stderr, "no proposal is overwritten"
    good = json.loads(file.read_text())
    for wrong in ("", "[]", "[" * 100_000, json.dumps({**good, "format": "x"}), json.dumps({**good, "commands": []}),
                  json.dumps({**good, "run": "0" * 32}), json.dumps({**good, "commands": [{"value": "AAAA", "signature": "x"}]}),
                  json.dumps({**good, "commands": good["commands"] * 501})):
        file.write_text(wrong)
        said = bench.ctl("dlq", "approve", str(file), *BOB, "--apply")
        assert said.returncode == 2 and "is not a proposal" in said.stderr, wrong[:80]
    for field, word in (("group", "group"), ("topic_id", "command topic")):
        file.write_text(json.dumps({**good, field: "another"}))
        said = bench.ctl("dlq", "approve", str(file), *BOB, "--apply")
        assert said.returncode == 1 and word in said.stderr
    assert bench.log.count(bench.commands) == before
