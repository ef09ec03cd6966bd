"""Commands without webhooks: what `sluicectl` makes and checks for them."""

from __future__ import annotations

import json

import pytest

from tests.support.hot_commands import HotCommands
from tests.support.pipeline import Pipeline


@pytest.fixture
def alone(pipeline: Pipeline) -> HotCommands:
    commands = HotCommands(pipeline)
    for section in ("sources", "effects"):
        del pipeline.config[section]
    return commands


def levels(pipeline: Pipeline, *words: str) -> dict[str, str]:
    done = pipeline.ctl("doctor", *words, "--json")
    return {line["check"]: line["level"] for line in json.loads(done.stdout)["findings"]}


def test_topics_makes_that_of_hot_accounts_and_no_other(alone: HotCommands) -> None:
    alone.pipeline.config["command"]["topic"] = f"{alone.topic}.alone"
    made = alone.pipeline.ctl("topics", "--apply", "--partitions", "2", "--json")
    assert made.returncode == 0, made.stdout + made.stderr
    assert [line["topic"] for line in json.loads(made.stdout)["topics"]] == [f"{alone.topic}.alone"]
    assert "no sources: topics of webhooks are left out" in made.stderr


def test_topics_says_that_none_is_needed(alone: HotCommands) -> None:
    del alone.pipeline.config["commands"][0]["hot"]
    told = alone.pipeline.ctl("topics")
    assert (told.returncode, "no topic is needed" in told.stderr) == (2, True)


def test_doctor_expects_no_webhooks(alone: HotCommands) -> None:
    found = levels(alone.pipeline)
    assert found["config.webhooks"] == found["config.commands"] == "ok" and "kafka.hot" in found
    assert not {"config.sources", "config.effects", "config.operators", "kafka.main"} & set(found)


def test_doctor_names_what_is_wrong_with_a_command(alone: HotCommands) -> None:
    alone.pipeline.config["commands"][0]["keep"] = "soon"
    assert levels(alone.pipeline, "--only", "config")["config.commands"] == "fail"
