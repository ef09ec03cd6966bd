"""Which effects are in force: processes with those of a lower effects_revision leave, and apply nothing more."""

from __future__ import annotations

import copy
import json

import pytest

from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.revisions import expect_credited, expect_left, expect_never, fail_over, in_force, paid, recorded, revision, stopped_at
from tests.support.wait import stays, wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")


@BOTH
def test_older_consumers_leave_to_one_with_other_effects(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    main, retry = pipeline.consumer(), pipeline.retry_role()
    first, second = paid(pipeline), paid(pipeline)
    put(pipeline, first)
    expect_credited(pipeline, first, 7)
    old = copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    pipeline.consumer()
    expect_left(main, "2")
    expect_left(retry, "2")
    put(pipeline, second)
    expect_credited(pipeline, second, 70)
    assert in_force(pipeline) == 2

    pipeline.config = old
    again = pipeline.consumer(start=False).start()
    again.expect_not_ready("effects_revision", "replaced by revision 2", "sluicectl effects --apply")
    again.expect_metric(1, "sluice_consumer_effects_outdated")
    stays(lambda: expect_never(again, "assigned"), 1)
    assert len(again.decisions("effects_outdated")) == 1


def test_same_effects_under_a_higher_revision_are_no_reason_to_leave(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    old = pipeline.consumer()
    pipeline.config["effects"] = [dict(reversed(effect.items())) for effect in pipeline.config["effects"]]
    pipeline.config["effects_revision"] = 2
    pipeline.consumer()
    assert in_force(pipeline) == 2
    stays(lambda: expect_never(old, "effects_outdated"), 1.5)
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 7)


def test_revision_that_a_fail_over_has_lost_is_recorded_again(pipeline: Pipeline) -> None:
    revision(pipeline, 2)
    pipeline.consumer()
    fail_over(pipeline, None)
    wait_for(lambda: in_force(pipeline) == 2, "the revision to be there again")


@BOTH
def test_fail_over_after_a_rollback_brings_nothing_back(pipeline: Pipeline) -> None:
    """The number that the rollback got is lost: those who have its effects record it again, and go on."""
    revision(pipeline, 1)
    old = copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    left = pipeline.consumer()
    before, newer = recorded(pipeline), copy.deepcopy(pipeline.config)
    pipeline.config = old
    apply(pipeline)
    expect_left(left, "3")
    back, retry = pipeline.consumer(), pipeline.retry_role()
    wait_for(lambda: in_force(pipeline) == 3, "the rollback to be in force")
    pipeline.config = newer
    waiting = pipeline.consumer(start=False).start()
    waiting.expect_not_ready("effects_revision", "replaced by revision 3")
    fail_over(pipeline, before)
    wait_for(lambda: in_force(pipeline) == 3, "the rollback to be recorded again")
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 7)
    stays(lambda: expect_never(back, "effects_outdated"), 1)
    expect_never(retry, "effects_outdated")
    expect_never(waiting, "assigned")


def test_overtaken_consumer_does_not_come_back_by_a_fail_over(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    pipeline.consumer().stop()
    before, old = recorded(pipeline), copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    newer = pipeline.consumer()
    pipeline.config, newest = old, copy.deepcopy(pipeline.config)
    waiting = pipeline.consumer(start=False).start()
    waiting.expect_not_ready("effects_revision", "replaced by revision 2")
    assert newer.stop() == 0
    for lacking in (before, None):
        fail_over(pipeline, lacking)
        waiting.expect_not_ready("effects_revision", "replaced by revision 2", "MySQL has lost that record")
        stays(lambda: expect_never(waiting, "assigned"), 1)
        assert recorded(pipeline) == lacking
    pipeline.config = newest
    pipeline.consumer()
    assert in_force(pipeline) == 2
    expect_never(waiting, "assigned")


@BOTH
def test_who_starts_with_other_effects_under_one_revision_waits(pipeline: Pipeline) -> None:
    """As under Argo CD, where each revision is the first: the Job raises it, and the others leave."""
    revision(pipeline, 3)
    first = pipeline.consumer()
    revision(pipeline, 3, pays=10)
    second, retry = (start(start=False).start() for start in (pipeline.consumer, pipeline.retry_role))
    for role in (second, retry):
        role.expect_not_ready("effects_revision", "recorded under this number", "higher effects_revision", "sluicectl effects --apply")
        assert role.metric("sluice_consumer_effects_differ") == 1 and role.metric("sluice_consumer_effects_outdated") == 0
        [line] = wait_for(lambda role=role: role.decisions("effects_differ"), "the log to say so")
        assert "higher effects_revision" in line["reason"]
    events = [paid(pipeline), paid(pipeline)]
    put(pipeline, events[0])
    expect_credited(pipeline, events[0], 7)
    stays(lambda: expect_never(second, "assigned"), 1)
    assert first.ready().metric("sluice_consumer_effects_differ") == 0
    assert "differ" in effects(pipeline, 1, "--json")
    apply(pipeline)
    expect_left(first, "4")
    for role in (second, retry):
        assert role.ready().metric("sluice_consumer_effects_differ") == 0
    put(pipeline, events[1])
    expect_credited(pipeline, events[1], 70)


@BOTH
def test_release_whose_number_was_taken_by_hand_comes_in_force_by_its_job(pipeline: Pipeline) -> None:
    """`effects --apply` used up the number that Helm's next revision has."""
    revision(pipeline, 1)
    by_hand = copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    left = pipeline.consumer()
    pipeline.config = by_hand
    apply(pipeline)
    expect_left(left, "3")
    running = pipeline.consumer()
    revision(pipeline, 3, pays=100)
    upgraded = pipeline.consumer(start=False).start()
    upgraded.expect_not_ready("effects_revision", "recorded under this number")
    apply(pipeline)
    expect_left(running, "4")
    upgraded.ready()
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 700)


def test_who_runs_leaves_to_others_that_a_fail_over_let_have_its_number(pipeline: Pipeline) -> None:
    revision(pipeline, 3)
    old, [event] = stopped_at(pipeline, "consumer.before_commit")
    fail_over(pipeline, None)
    revision(pipeline, 3, pays=10)
    pipeline.consumer()
    old.resume()
    assert old.wait_end() == 1
    assert len(old.decisions("effects_differ")) == 1
    expect_credited(pipeline, event, 70)


@BOTH
def test_rollback_comes_in_force_with_a_higher_revision(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    old = copy.deepcopy(pipeline.config)
    assert json.loads(effects(pipeline, 0, "--json"))["in_force"] is None
    revision(pipeline, 2, pays=10)
    newer = pipeline.consumer()
    assert "in force" in effects(pipeline, 0)
    pipeline.config = old
    back = pipeline.consumer(start=False).start()
    back.expect_not_ready("effects_revision")
    assert "were replaced" in effects(pipeline, 1)
    said = json.loads(apply(pipeline, "--json"))
    assert said["standing"] == "in_force" and said["in_force"]["revision"] == 3 and said["file"]["revision"] == 1
    expect_left(newer, "3")
    back.ready()
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 7)
    assert json.loads(apply(pipeline, "--json"))["in_force"]["revision"] == 3, "they are in force"


def test_who_puts_effects_in_force_says_who_and_why(pipeline: Pipeline) -> None:
    revision(pipeline, 5)
    pipeline.consumer().stop()
    revision(pipeline, 4, pays=10)
    for arguments, missing in [(("--reason", "x"), "--operator"), (("--operator", "ada"), "--reason")]:
        assert missing in effects(pipeline, 2, "--apply", *arguments)
        assert in_force(pipeline) == 5
    said = json.loads(effects(pipeline, 1, "--json"))
    assert said["in_force"]["put_by"] is None and said["standing"] == "outdated", "the consumer did"
    assert "Put in force by ada: refunds" in effects(pipeline, 0, "--apply", "--operator", "ada", "--reason", "refunds")
    assert json.loads(effects(pipeline, 0, "--json"))["in_force"]["put_by"] == "ada: refunds"
    assert in_force(pipeline) == 6
    apply(pipeline)
    assert in_force(pipeline) == 6 and "ada: refunds" in effects(pipeline, 0), "there was nothing to do"


def test_last_number_there_is_gets_no_next_one(pipeline: Pipeline) -> None:
    highest = 2**63 - 1
    revision(pipeline, 2**53)
    assert "effects_revision must be at most 9007199254740991" in effects(pipeline, 2)
    revision(pipeline, 2**53 - 1)
    assert "puts its effects in force" in effects(pipeline, 0)
    pipeline.ledger.run(f"INSERT INTO sluice_meta (name, value) VALUES ('effects', '{highest} {64 * 'a'}')")
    assert "highest possible number" in effects(pipeline, 1, "--apply", "--operator", "ada", "--reason", "x")
    assert in_force(pipeline) == highest


def effects(pipeline: Pipeline, exit_code: int, *arguments: str) -> str:
    pipeline.make_database()
    run = pipeline.ctl("effects", *arguments)
    assert run.returncode == exit_code, run.stdout + run.stderr
    return run.stdout if exit_code < 2 and run.stdout else run.stderr


def apply(pipeline: Pipeline, *arguments: str) -> str:
    return effects(pipeline, 0, "--apply", "--operator", "grace", "--reason", "a test", *arguments)


def test_file_without_a_revision_gives_way_to_one_that_has_it(pipeline: Pipeline) -> None:
    revision(pipeline, None)
    old = pipeline.consumer()
    assert in_force(pipeline) is None
    revision(pipeline, 1, pays=10)
    pipeline.consumer()
    expect_left(old, "1")
