"""A checker that shares nothing with the generator agrees with every vector of the providers that need more than one HMAC of the body."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.vectors.checker_rsa.verdicts import CHECKERS, verdict  # noqa: E402


def whole(recipe: str) -> dict:
    return json.loads((HERE / f"{recipe}.json").read_text())


def cases() -> list:
    """One per vector: (vector, the source that it speaks of)."""
    return [pytest.param(recipe, vector, vector.get("source", file["source"]), id=f"{recipe}: {vector['name']}")
            for recipe in CHECKERS for file in [whole(recipe)] for vector in file["vectors"]]


def expected(vector: dict) -> dict:
    wanted = ("accepted", "key", "events") if vector["accepted"] else ("accepted", "check")
    return {name: vector[name] for name in wanted}


@pytest.mark.parametrize("recipe,vector,source", cases())
def test_the_checker_agrees(recipe: str, vector: dict, source: dict) -> None:
    assert verdict(recipe, vector, source) == expected(vector)


@pytest.mark.parametrize("recipe", CHECKERS)
def test_a_vector_stands_for_itself(recipe: str) -> None:
    """Names are unique, there are enough of both kinds, and where an SDK says something else, the vector says why."""
    vectors = whole(recipe)["vectors"]
    assert len({vector["name"] for vector in vectors}) == len(vectors) >= 25
    assert len({vector["accepted"] for vector in vectors}) == 2
    for vector in vectors:
        differs = vector["sdk"] != "no sdk" and (vector["sdk"] == "accepts") != vector["accepted"]
        assert differs == ("why" in vector), vector["name"]


@pytest.mark.parametrize("recipe", CHECKERS)
def test_without_what_it_trusts_nothing_is_accepted(recipe: str) -> None:
    for vector in whole(recipe)["vectors"]:
        source = copy.deepcopy(vector.get("source", whole(recipe)["source"]))
        source["keys"] = []
        source["with"]["trust"] = {"text": ""}
        assert not verdict(recipe, vector, source)["accepted"], vector["name"]
