"""Commands of the runbooks are commands that there are: on-call types them as they stand."""

from __future__ import annotations

import subprocess
from functools import cache

import pytest

from tests.alerts import pages
from tests.support.program import binary

GROUPS = ("dlq", "outbox", "lane", "event", "paypal", "recipes", "markers", "keys", "poll", "command", "callback", "anomaly", "source")


@cache
def help_of(words: tuple[str, ...]) -> str:
    asked = subprocess.run([str(binary("sluicectl")), *words, "--help"], capture_output=True, text=True, check=False, timeout=30)
    return asked.stdout if asked.returncode == 0 else ""


def subcommand(command: list[str]) -> tuple[str, ...]:
    """The first word, and the second where the first has commands of its own."""
    return tuple(command[:2]) if command[0] in GROUPS else tuple(command[:1])


@pytest.mark.parametrize("page", [*pages.pages(), pages.FOLDER / "README.md"], ids=lambda page: page.stem)
def test_commands_of_a_page_are_known(page) -> None:
    for command in pages.commands(page.read_text()):
        said = help_of(subcommand(command))
        assert said, f"sluicectl has no {' '.join(subcommand(command))}"
        missing = [word for word in command if word.startswith("--") and word not in said]
        assert not missing, f"{' '.join(command)}: {missing}"
