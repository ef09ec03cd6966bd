"""`sluicectl effects explain`: which effects an event of a type meets, and why the others are not for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.every_source import add_every_source
from tests.support.pipeline import Pipeline
from tests.support.shop import open_shop

TREE = Path(__file__).parents[2]
TYPE = "trade_status_sync.TRADE_SUCCESS"
DECIDE = {"select": "SELECT 'done' FROM shop_order WHERE no = :reference"}
CHANGE = {"table": "shop_order", "key": {"no": ":reference"}, "row": {"status": "PAID"}}
EFFECTS = [
    {"name": "pay", "when": {"payment": "paid"}, "set": CHANGE},
    {"name": "decided", "when": {"payment": ["paid", "closed"], "provider": "alipay"}, "decide": DECIDE},
    {"name": "refund", "when": {"payment": "refunded"}, "sql": [{"run": "UPDATE shop_order SET status = 'BACK' WHERE no = :reference"}]},
    {"name": "of-stripe", "when": {"type": "push", "source": "stripe"}, "insert": {"table": "shop_order", "row": {"no": ":event_id", "amount": 1}}},
    {"name": "of-wechat", "when": {"provider": "wechat-pay"}, "insert": {"table": "shop_order", "row": {"no": ":event_id", "amount": 1}}},
    {"name": "typed", "when": {"type": "trade_status_sync.*"}, "insert": {"table": "shop_order", "row": {"no": ":event_id", "amount": 1}}},
    {"name": "other-type", "when": {"type": ["a.b", "c"]}, "insert": {"table": "shop_order", "row": {"no": ":event_id", "amount": 1}}},
    {"name": "github-hints", "when": {"type": "push", "trust": "type"}, "insert": {"table": "shop_order", "row": {"no": ":event_id", "amount": 1}}}]


@pytest.fixture
def shop(new_pipeline) -> Pipeline:
    """No server is asked."""
    shop: Pipeline = new_pipeline()
    add_every_source(shop)
    shop.config["effects"] = EFFECTS
    return shop


def explained(shop: Pipeline, *words: str, code: int = 0) -> dict:
    result = shop.ctl("effects", "explain", *words, "--json")
    assert result.returncode == code, result.stdout + result.stderr
    return json.loads(result.stdout)


def effects_of(said: dict, source: str) -> dict[str, dict]:
    [its] = [one for one in said["sources"] if one["source"] == source]
    return {effect["name"]: effect for effect in its["effects"]}


def test_first_condition_that_does_not_hold_is_named(shop: Pipeline) -> None:
    said = explained(shop, TYPE)
    assert said["doubt"] is None and [one["source"] for one in said["sources"]] == ["alipay"], "only alipay has a sample of it"
    assert said["sources"][0]["like"] == "its sample, a payment that is paid"
    found = {name: (effect["matches"], effect["why"]) for name, effect in effects_of(said, "alipay").items()}
    assert found == {
        "pay": (True, "payment paid"),
        "decided": (True, "provider alipay, payment paid"),
        "refund": (False, "payment: it is for refunded, and this is paid"),
        "of-stripe": (False, "source: it is for stripe/stripe-account, and this is alipay/alipay-account"),
        "of-wechat": (False, "provider: it is for wechat-pay, and this is alipay"),
        "typed": (True, f"type {TYPE}"),
        "other-type": (False, f"type: it is for a.b or c, and this is {TYPE}"),
        "github-hints": (False, f"type: it is for push, and this is {TYPE}")}


def test_how_an_effect_runs_is_said_with_the_reason(shop: Pipeline) -> None:
    effects = effects_of(explained(shop, TYPE), "alipay")
    assert effects["pay"]["runs"] == "many events at once"
    assert effects["decided"]["runs"] == "one event at a time: decide is asked for each"
    assert effects["refund"]["runs"] == "one event at a time: its own sql"


def test_each_sample_is_of_its_type(shop: Pipeline) -> None:
    types = [json.loads(path.read_text())["type"] for path in (TREE / "ctl/samples/stripe").glob("*.json")]
    shop.config["effects"] = [{"name": type_, "when": {"source": "stripe", "type": type_}, "insert": {"table": "t", "row": {"no": ":event_id"}}} for type_ in types]
    for type_ in types:
        found = effects_of(explained(shop, type_), "stripe")
        assert [name for name, effect in found.items() if effect["matches"]] == [type_]


def test_trust_that_an_effect_does_not_grant_is_named(shop: Pipeline) -> None:
    shop.config["effects"] = [EFFECTS[-1], {**EFFECTS[-1], "name": "strict", "when": {"type": "push"}}]
    effects = effects_of(explained(shop, "push"), "github")
    assert effects["github-hints"]["matches"], effects
    assert effects["strict"]["why"] == "trust: it is for a signature that covers everything, and this is type", effects


def test_body_of_the_sample_is_tested(shop: Pipeline) -> None:
    booked = {"insert": {"table": "shop_order", "row": {"no": ":event_id", "amount": 1}}}
    shop.config["effects"] = [
        {"name": "paid", "when": {"provider": "alipay", "body": [{"/trade_status": ["TRADE_SUCCESS", "TRADE_FINISHED"]}, {"/a": {"present": True}}]}, **booked},
        {"name": "closed", "when": {"provider": "alipay", "body": {"/trade_status": "TRADE_CLOSED", "/a": {"present": False}}}, **booked}]
    effects = effects_of(explained(shop, TYPE), "alipay")
    paid = "/trade_status TRADE_SUCCESS or TRADE_FINISHED, or /a there"
    assert (effects["paid"]["matches"], effects["paid"]["why"]) == (True, f"provider alipay, body {paid}")
    closed = "/trade_status TRADE_CLOSED and /a not there"
    assert (effects["closed"]["matches"], effects["closed"]["why"]) == (False, f"body: it is for {closed}, and this is another body")
    [open_one] = [e for e in explained(shop, "of.no.sample", "--source", "alipay")["sources"][0]["effects"] if e["name"] == "closed"]
    assert (open_one["matches"], open_one["why"]) == (True, f"provider alipay, body {closed}, if the body says so")


def test_type_that_nobody_knows_is_doubted_with_the_nearest(shop: Pipeline) -> None:
    said = explained(shop, "trade_status_snyc.TRADE_SUCCESS", "--source", "alipay", code=0)
    assert "trade_status_snyc.TRADE_SUCCESS" in said["doubt"] and f'did you mean "{TYPE}"?' in said["doubt"], said
    assert effects_of(said, "alipay")["pay"]["why"] == "payment paid, if the body says so"


def test_types_that_no_effect_is_for_are_no_success(shop: Pipeline) -> None:
    shop.config["effects"] = EFFECTS[3:4]
    assert not effects_of(explained(shop, TYPE, code=1), "alipay")["of-stripe"]["matches"]


def test_server_that_cannot_be_asked_is_said(shop: Pipeline) -> None:
    said = explained(shop, TYPE, "--server")["server"]
    assert said["trouble"].startswith("MySQL at ") and said["held"] == [], said


@pytest.mark.databases("mysql", "mariadb")
def test_held_effects_are_named_and_tables_may_forbid_batches(pipeline: Pipeline) -> None:
    open_shop(pipeline, EFFECTS[0])
    assert explained(pipeline, TYPE, "--server")["server"] == {"trouble": None, "held": []}
    pipeline.ledger.run("CREATE TRIGGER looks BEFORE UPDATE ON shop_order FOR EACH ROW SET NEW.amount = NEW.amount")
    said = explained(pipeline, TYPE, "--server")
    assert "one event at a time: what its tables have" in effects_of(said, "alipay")["pay"]["runs"], said
    pipeline.ledger.run("DROP TABLE shop_order")
    [held] = explained(pipeline, TYPE, "--server")["server"]["held"]
    assert held["effect"] == "pay" and "shop_order" in held["reason"], held
