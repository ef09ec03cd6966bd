"""The list of failpoints is made from the source, and every one of them belongs to a crash test."""

from __future__ import annotations

from collections import Counter

from tests.support import failpoints


def test_every_failpoint_belongs_to_a_program() -> None:
    """Those of ingress/, consumer/ and ctl/ are crash-tested one by one (ctl's in test_erase.py and test_effects_test.py, the outlet's in
    test_outlet.py, those of command/ in test_crash_command.py, test_command_call.py and test_command_hot.py), each failing when its point is
    never hit."""
    tested = {name for folder in ("ingress", failpoints.OUTLET, failpoints.SPILL, "consumer", "poller", "command", "ctl") for name in failpoints.in_source(folder)}
    assert set(failpoints.everywhere()) == tested, "a failpoint elsewhere is hit by no test"


def test_every_step_of_waiting_events_belongs_to_one_story() -> None:
    """Those that stand in no story are crash-tested as steps of events that do not wait (test_crash_consumer.py)."""
    listed = Counter(failpoints.of_waiting_events())
    assert set(listed) <= set(failpoints.in_source("consumer")), "a step that is not in the source any more"
    assert max(listed.values()) == 1, listed


def test_every_step_of_the_path_has_one() -> None:
    """Windows I1, I2 of the ingress and C1, C9 of the consumer (reliability.md 2.2 and 3.3)."""
    names = " ".join(failpoints.everywhere())
    wanted = ("claim", "produce", "ack", "confirm", "answer", "begin", "insert", "effect", "before_commit", "after_commit",
              "offset", "dlq")
    missing = [step for step in wanted if step not in names]
    assert not missing, f"no failpoint at {missing} among {names}"
