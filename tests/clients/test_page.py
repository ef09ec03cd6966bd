"""docs/clients.md shows the files that are tested here: the examples of both clients, the lines for curl, and the vectors of signing."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from asking import CALLER, TREE, Client
from failing_server import FailingServer, answers, problem
from failures import says_nothing
from test_clients import is_signed

pytestmark = pytest.mark.timeout(400)  # the first one compiles
SHOWN = TREE / "docs/clients"
PAGE = (TREE / "docs/clients.md").read_text()
VECTORS = json.loads((SHOWN / "signing.json").read_text())
EXAMPLE = {"do": "example", "key": "k1", "body": '{"price":5}'}
REMEMBERED = ["remember", "k1", '{"price":5}']


@pytest.mark.parametrize("fence,file", [("python", "charge.py"), ("cpp", "charge.hpp"), ("sh", "charge.sh")])
def test_page_shows_the_file_that_was_tested(fence: str, file: str) -> None:
    assert re.findall(rf"(?ms)^```{fence}\n(.*?)^```$", PAGE) == [(SHOWN / file).read_text()]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["case"])
def test_signs_as_the_vectors_say(client: Client, vector: dict) -> None:
    became = client.ask({"do": "sign", **vector}, 1)
    assert (became["field"], became["signature"]) == (vector["field"], vector["signature"])


def test_the_first_vector_is_the_one_of_commands() -> None:
    assert VECTORS[0]["signature"] in (TREE / "docs/commands.md").read_text()


@pytest.mark.parametrize("script,then", [
    ((), ["settle", "k1", 200, '{"charged":5}']),
    ((answers(problem("401 Unauthorized", "not_authenticated")),), ["give_up", "k1", "not_authenticated"]),
    ((says_nothing,) * 9, ["try_again_later", "k1"])], ids=["done", "refused", "unknown"])
def test_the_example_treats_each_outcome_as_what_it_is(client: Client, script: tuple, then: list) -> None:
    with FailingServer(script) as server:
        became = client.ask(EXAMPLE, server.port, {"deadline": 500, "attempt": 200})
    assert became["did"] == [REMEMBERED, then]


def test_the_lines_for_curl_are_taken() -> None:
    with FailingServer() as server:
        said = subprocess.run(["sh", SHOWN / "charge.sh", f"http://127.0.0.1:{server.port}", "k1", '{"price":5}'], capture_output=True, text=True,
                              env={**os.environ, "SECRET": CALLER["secret"]}, check=False)
    assert said.stdout.replace("\r", "").startswith("HTTP/1.1 200 OK\n") and said.stdout.endswith('{"charged":5}'), said
    assert [(seen.target, seen.key, seen.body, is_signed(seen)) for seen in server.requests] == [
        ("/v1/commands/charge-click", '"k1"', b'{"price":5}', True)]
