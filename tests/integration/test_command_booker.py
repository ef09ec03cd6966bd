"""A process of sluice-command that only books: how it ends."""

from __future__ import annotations

from tests.support.hot_commands import HotCommands
from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for


def test_a_booker_whose_servers_hang_ends_in_time_and_books_once(pipeline: Pipeline) -> None:
    commands = HotCommands(pipeline)
    commands.list("big")
    commands.open("big", 100)
    commands.start("serve")
    assert commands.charge("big", 30, key="k1").status == 202
    pipeline.secrets["SLUICE_HURRY"] = "20"  # its 30 seconds are 1.5
    hanging = commands.start("book", "command.before_commit=delay:60000", ready=False)
    wait_for(lambda: "command.before_commit" in hanging.hit_failpoints(), "its COMMIT to hang")
    hanging.expect_clean_end = False
    hanging.ask_to_stop()
    assert hanging.wait_end() == 1
    [said] = hanging.decisions("drain_cut")
    assert said["reason"] == "the drain took longer than 30 s"
    commands.start("book")
    assert commands.response_of("k1")["status"] == 200
    assert (commands.balance("big"), commands.rows()) == (70, 1)
