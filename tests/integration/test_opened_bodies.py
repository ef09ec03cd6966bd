"""What a provider encrypts is shown opened to those whose configuration has the key, and an edit of it is applied as it was edited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.operators import key, keys
from tests.support.pipeline import Pipeline
from tests.support.shop import new_order, open_shop, order_of, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

PAY = {"name": "pay-order", "when": {"payment": "paid"}, "set": {
    "table": "shop_order", "key": {"no": ":reference"}, "row": {"status": "PAID", "paid_by": ":transaction", "source": ":source"},
    "when": {"status": ["PENDING"], "amount": [":amount"]},
    "otherwise": {"park": "amount_mismatch", "reason": "order :reference: paid were :amount"}, "missing": "defer"}}
WHO = ("--reason", "as the provider shows it", "--operator", "kim")


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    open_shop(pipeline, PAY)
    return pipeline


@pytest.fixture
def case(shop: Pipeline) -> tuple[str, dict]:
    """An order over 8888 and a payment of 7777, which WeChat Pay sealed."""
    ingress = shop.ingress()
    shop.consumer(role="both")
    order = new_order(shop)
    pay(shop, ingress, "wechat-pay", order, "/resource/plain/amount/total=7777")
    [entry] = wait_for(lambda: entries(shop), "the case")
    return order, entry


def entries(shop: Pipeline, *options: str) -> list[dict]:
    return json.loads(shop.ctl("dlq", "list", "--json", *options).stdout)["entries"]


def shown(shop: Pipeline, entry: dict) -> dict:
    result = shop.ctl("dlq", "show", str(entry["id"]), "--json")
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout)["entries"][0]


def save(shop: Pipeline, entry: dict, file: Path) -> tuple[dict, str]:
    result = shop.ctl("dlq", "show", str(entry["id"]), "--save-body", str(file))
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(file.read_text()), result.stderr


def test_sealed_payment_is_shown_opened(shop: Pipeline, case: tuple[str, dict]) -> None:
    order, entry = case
    details = shown(shop, entry)
    payload = json.loads(details["payload"])
    assert (payload["decrypted"]["out_trade_no"], payload["decrypted"]["amount"]["total"]) == (order, 7777)
    assert payload["resource"]["ciphertext"] and details["payload_opened"] and details["payload_sealed_because"] is None
    people = shop.ctl("dlq", "show", str(entry["id"])).stdout
    assert 'its encrypted part opened as "decrypted", masked' in people and order in people


def test_without_the_key_it_stays_sealed_and_says_so(shop: Pipeline, case: tuple[str, dict], tmp_path: Path) -> None:
    _, entry = case
    [source] = [source for source in shop.config["sources"] if source["name"] == "wechat-pay"]
    (tmp_path / "another").write_text("x" * 32)
    for key_file, sentence in {"nowhere": "nowhere", "another": "the key of source wechat-pay does not open it"}.items():
        source["with"]["api_v3_key"] = {"file": str(tmp_path / key_file)}  # of sluicectl: the consumer runs
        details = shown(shop, entry)
        why = details["payload_sealed_because"]
        assert not details["payload_opened"] and sentence in why, why
        assert "decrypted" not in json.loads(details["payload"])
        [line] = [line for line in shop.ctl("dlq", "show", str(entry["id"])).stdout.splitlines() if line.startswith("payload ")]
        assert ", sealed: " in line and sentence in line, line
        body, said = save(shop, entry, tmp_path / f"{key_file}.json")
        assert "its encrypted part is sealed: " in said and sentence in said and "decrypted" not in body


def test_edit_of_the_opened_part_is_what_is_applied(shop: Pipeline, case: tuple[str, dict], tmp_path: Path) -> None:
    order, entry = case
    body, said = save(shop, entry, tmp_path / "body.json")
    assert 'is opened as "decrypted": dlq edit applies what stands there' in said
    body["decrypted"]["amount"]["total"] = 7776  # still another amount: it has to die once more, and to stay editable
    (tmp_path / "wrong.json").write_text(json.dumps(body))
    edited = shop.ctl("dlq", "edit", str(entry["id"]), "--body", str(tmp_path / "wrong.json"), *WHO, "--apply")
    assert edited.returncode == 1 and "dead again 1" in edited.stdout + edited.stderr, edited.stdout + edited.stderr
    [again] = entries(shop)
    assert (again["error_class"], again["error_text"]) == ("amount_mismatch", f"effect pay-order: order {order}: paid were 7776")
    [tried] = json.loads(shop.ctl("effects", "test", "--id", str(again["id"]), "--json").stdout)["trials"]
    assert (tried["verdict"]["kind"], tried["event"]["verified"]) == ("case", False), tried
    assert "paid were 7776" in tried["verdict"]["reason"], "it is tried with what was edited"
    details = shown(shop, again)
    assert details["edited"] and json.loads(details["payload"])["decrypted"]["amount"]["total"] == 7776
    once_more, _ = save(shop, again, tmp_path / "again.json")
    assert once_more == body, "an operator's body is what is saved"
    once_more["decrypted"]["amount"]["total"] = 8888
    (tmp_path / "right.json").write_text(json.dumps(once_more))
    edited = shop.ctl("dlq", "edit", str(again["id"]), "--body", str(tmp_path / "right.json"), *WHO, "--apply")
    assert edited.returncode == 0, edited.stdout + edited.stderr
    wait_for(lambda: order_of(shop, order)[:2] == ("PAID", "wechat-pay"), "the order")
    [[archived]] = shop.ledger.query("SELECT body FROM event_payload")
    assert b"decrypted" not in archived and b"ciphertext" in archived, "what the provider signed is kept"


def test_edit_that_leaves_it_sealed_applies_what_is_sealed(shop: Pipeline, case: tuple[str, dict], tmp_path: Path) -> None:
    order, entry = case
    body, _ = save(shop, entry, tmp_path / "body.json")
    del body["decrypted"]
    (tmp_path / "sealed.json").write_text(json.dumps(body))
    shop.ledger.run(f"UPDATE shop_order SET amount = 7777 WHERE no = '{order}'")
    edited = shop.ctl("dlq", "edit", str(entry["id"]), "--body", str(tmp_path / "sealed.json"), *WHO, "--apply")
    assert edited.returncode == 0, edited.stdout + edited.stderr
    wait_for(lambda: order_of(shop, order)[0] == "PAID", "the order")


def test_second_operator_sees_what_changes_in_the_opened_part(shop: Pipeline, tmp_path: Path) -> None:
    keys(shop, key(shop, "kim", "kim"), key(shop, "bob", "bob"))
    shop.config["operators"]["two_for"] = ["edit"]
    ingress = shop.ingress()
    shop.consumer(role="both")
    order = new_order(shop)
    pay(shop, ingress, "wechat-pay", order, "/resource/plain/amount/total=7777")
    [entry] = wait_for(lambda: entries(shop), "the case")
    body, _ = save(shop, entry, tmp_path / "body.json")
    body["decrypted"]["amount"]["total"] = 8888
    (tmp_path / "right.json").write_text(json.dumps(body))
    proposed = shop.ctl("dlq", "edit", str(entry["id"]), "--body", str(tmp_path / "right.json"), *WHO, "--propose", str(tmp_path / "edit.json"))
    assert proposed.returncode == 0, proposed.stdout + proposed.stderr
    plan = json.loads(shop.ctl("dlq", "approve", str(tmp_path / "edit.json"), "--operator", "bob", "--json").stdout)
    assert [command["body"]["changes"] for command in plan["commands"]] == [
        [{"path": "/decrypted/amount/total", "from": "7777", "to": "8888"}]], plan
    approved = shop.ctl("dlq", "approve", str(tmp_path / "edit.json"), "--operator", "bob", "--reason", "seen there too", "--apply")
    assert approved.returncode == 0, approved.stdout + approved.stderr
    wait_for(lambda: order_of(shop, order)[0] == "PAID", "the order")


def test_archived_body_of_an_event_is_shown_opened(shop: Pipeline, case: tuple[str, dict]) -> None:
    order, entry = case
    assert json.loads(shop.ctl("event", "show", entry["event_id"], "--no-kafka", "--json").stdout)["events"][0]["payload"] is None
    event = json.loads(shop.ctl("event", "show", entry["event_id"], "--no-kafka", "--json", "--body").stdout)["events"][0]
    assert json.loads(event["payload"])["decrypted"]["out_trade_no"] == order and event["payload_sealed_because"] is None
    people = shop.ctl("event", "show", entry["event_id"], "--no-kafka", "--body").stdout
    assert "\nbody      masked\n" in people and order in people.split("body      masked")[1]
