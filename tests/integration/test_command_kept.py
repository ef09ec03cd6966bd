"""`sluicectl command`: what became of a key, for people."""

from __future__ import annotations

import json

import pytest

from tests.integration.test_command import caller, program  # noqa: F401
from tests.support.caller import Caller
from tests.support.pipeline import Pipeline
from tests.support.program import Program

pytestmark = pytest.mark.databases("mysql", "mariadb")


def told(pipeline: Pipeline, *words: str, code: int = 0) -> list[dict]:
    done = pipeline.ctl("command", *words, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)["commands"]


@pytest.fixture
def charged(pipeline: Pipeline, program: Program, caller: Caller) -> list[str]:  # noqa: F811
    """Keys of three commands, in the order in which they came: done, done, and one without money."""
    pipeline.ledger.open_wallet("cus_1")
    pipeline.ledger.run("UPDATE wallet SET balance = 100 WHERE customer = 'cus_1'")
    keys = ["k 1", "k2", "k3"]
    for key, price in zip(keys, (30, 20, 90), strict=True):
        caller.send("charge-click", {"customer": "cus_1", "price": price}, key=key)
    return keys


def test_the_newest_stand_first(pipeline: Pipeline, charged: list[str]) -> None:
    assert [one["key"] for one in told(pipeline, "list")] == charged[::-1]
    assert [one["key"] for one in told(pipeline, "list", "--status", "409")] == ["k3"]
    assert [len(told(pipeline, "list", "--state", state)) for state in ("done", "in_progress", "failed")] == [3, 0, 0]
    assert told(pipeline, "list", "--caller", "shop") == told(pipeline, "list", "--command", "refund") == []
    page = told(pipeline, "list", "--limit", "2")
    assert [one["key"] for one in told(pipeline, "list", "--limit", "2", "--after", page[-1]["digest"])] == ["k 1"]


def test_a_key_is_shown_with_its_response(pipeline: Pipeline, charged: list[str]) -> None:
    [shown] = told(pipeline, "show", "charge-click", charged[0])
    assert (shown["state"], shown["status"], json.loads(shown["response"])) == ("done", 200, {"charged": 30})
    assert told(pipeline, "show", "charge-click", charged[0], "--caller", "ads-team") == [shown]
    assert told(pipeline, "show", "charge-click", charged[0], "--caller", "shop", code=1) == []
    said = pipeline.ctl("command", "show", "charge-click", "k4")
    assert said.returncode == 1 and said.stdout.startswith("Absent:"), said.stdout + said.stderr


def test_what_the_file_does_not_list_is_named(pipeline: Pipeline, charged: list[str]) -> None:
    assert "The file has no command refund. It has: charge-click" in pipeline.ctl("command", "show", "refund", "k2").stdout
    assert "The file has no caller with the principal ads. It has: ads-team" in pipeline.ctl("command", "list", "--caller", "ads").stdout
    assert "The file" not in pipeline.ctl("command", "list").stdout
