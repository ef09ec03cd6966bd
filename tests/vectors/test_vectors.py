"""Every vector is judged a second time, from the documentation; and the judge is shown to notice."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.checker.verdict import RECIPES, expected, verdict

HERE = Path(__file__).parent
SDK = {"accepts", "refuses", "throws", "no sdk"}


@cache
def document(recipe: str) -> dict[str, Any]:
    return json.loads((HERE / f"{recipe}.json").read_text())


@cache
def verdicts(recipe: str) -> list[dict[str, Any]]:
    return [verdict(document(recipe), vector) for vector in document(recipe)["vectors"]]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_second_judge_says_the_same(recipe: str) -> None:
    pairs = zip(document(recipe)["vectors"], verdicts(recipe), strict=True)
    wrong = [(vector["name"], expected(vector), said) for vector, said in pairs if expected(vector) != said]
    assert not wrong


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_difference_from_the_sdk_has_its_reason(recipe: str) -> None:
    for vector in document(recipe)["vectors"]:
        differs = vector["sdk"] != "no sdk" and (vector["sdk"] == "accepts") != vector["accepted"]
        assert vector["sdk"] in SDK and differs == ("why" in vector), vector["name"]


@pytest.mark.parametrize("recipe", RECIPES)
def test_both_verdicts_occur_and_names_are_unique(recipe: str) -> None:
    vectors = document(recipe)["vectors"]
    assert len(vectors) >= 25 and {vector["accepted"] for vector in vectors} == {True, False}
    assert len({vector["name"] for vector in vectors}) == len(vectors)


def with_body_changed(vector: dict[str, Any]) -> dict[str, Any]:
    return {**vector, "body": vector["body"] + " "}


def with_another_digit(text: str, place: int) -> str:
    return text[:place] + ("1" if text[place] == "0" else "0") + text[place + 1:]


def carries_the_proof(name: str) -> bool:
    return name.lower().endswith(("signature", "signature-256", "signature-sha-256", "hmac-sha256", "callback-token"))


def with_signature_changed(vector: dict[str, Any]) -> dict[str, Any]:
    headers = [[name, with_another_digit(value, len(value) - 20)] if carries_the_proof(name) else [name, value]
               for name, value in vector["headers"]]
    return {**vector, "headers": headers}


def first_accepted(recipe: str) -> dict[str, Any]:
    return next(vector for vector in document(recipe)["vectors"] if vector["accepted"] and vector.get("body") and vector["events"])


@pytest.mark.parametrize("recipe", set(RECIPES) - {"mercado-pago", "xendit"})
def test_the_judge_notices_a_changed_body(recipe: str) -> None:
    assert verdict(document(recipe), with_body_changed(first_accepted(recipe))) == {"accepted": False, "check": "signature_mismatch"}


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_judge_notices_a_changed_signature(recipe: str) -> None:
    assert verdict(document(recipe), with_signature_changed(first_accepted(recipe)))["accepted"] is False


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_judge_notices_a_changed_secret(recipe: str) -> None:
    vector = first_accepted(recipe)
    source = vector.get("source", document(recipe)["source"])
    keys = [{**key, "value": with_another_digit(key["value"], 12)} for key in source["keys"]]
    assert verdict(document(recipe), {**vector, "source": {**source, "keys": keys}})["accepted"] is False


@pytest.mark.parametrize("recipe", ["standard-webhooks", "svix", "paddle", "mercado-pago"])
@pytest.mark.parametrize("later,check", [(4000, "too_old"), (-4000, "too_new")])
def test_the_judge_notices_the_time(recipe: str, later: int, check: str) -> None:
    vector = first_accepted(recipe)
    assert verdict(document(recipe), {**vector, "now": vector["now"] + later}) == {"accepted": False, "check": check}
