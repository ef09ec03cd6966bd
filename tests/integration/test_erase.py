"""sluicectl erase: nothing of a person is left in our tables, whatever else is there stays, and no event is applied again."""

from __future__ import annotations

import json
from collections import Counter

import pytest
import yaml

from tests.support.commands import RERUN, expect_answer, send
from tests.support.erasure import APPLY, LIFE, SIGNED, Person, dump, erase, places_of, rows_in, site  # noqa: F401
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, key_of, lane_key_of
from tests.support.pipeline import Pipeline
from tests.support.program import TREE
from tests.support.records import put_again
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")


def test_nothing_of_a_person_is_left_and_others_are_as_they_were(site: Pipeline) -> None:
    anna = Person(site)
    otto = Person(site, unit=anna.unit + "1")  # keys that begin alike
    for person in (anna, otto):
        person.live()
    assert places_of(site, anna.name) == places_of(site, otto.name) == LIFE
    before = dump(site)
    done = erase(site, "--object", anna.key, *APPLY)
    assert done["finished"] and done["erased"] == {"event_payload": 2, "inbox": 1, "dead_letter": 2, "operator_action": 2, "callback": 0}
    assert places_of(site, anna.name) == Counter()
    after = dump(site)
    assert [row for row in after["inbox"] if anna.key.encode() in row] and len(after["inbox"]) == len(before["inbox"])
    for table, rows in before.items():
        assert [row for row in rows if row not in after[table] and anna.key.encode() not in row and table != "event_payload"] == [], table
    assert places_of(site, otto.name) == LIFE
    site.ledger.expect_balance(anna.customer, 1)


def test_audit_holds_who_why_and_how_many_and_nothing_of_what_went(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    erase(site, "--object", anna.key, *APPLY)
    [row] = site.ledger.query("SELECT lane_key, operator, reason, finished_at IS NOT NULL, payloads, inbox_rows, dead_letters, actions"
                              " FROM erasure")
    assert row == (lane_key_of(anna.paid), b"ada", b"request 2026-17", 1, 2, 1, 2, 2)
    [whole] = site.ledger.query("SELECT * FROM erasure")
    held = repr(whole)
    assert not [word for word in (anna.name, anna.customer, anna.unit, anna.paid.id, anna.odd.id) if word in held], held


def test_plan_names_what_goes_and_what_stays_and_changes_nothing(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    before = dump(site)
    plan = erase(site, "--object", anna.key)
    assert rows_in(plan) == {"event_payload": 2, "inbox": 1, "outbox": 0, "dead_letter": 2, "operator_action": 2, "callback": 0}
    stays = {line["where"]: line for line in plan["stays"]}
    assert "a redelivery would be applied again" in stays["inbox, 2 rows"]["why"]
    assert "wants-a-row wrote for 1 events" in stays["wallet, wallet_entry"]["holds"]
    for topic in (site.topic, site.quarantine, site.dlq, site.commands):
        assert "retention is" in stays[f"Kafka {topic}"]["why"] and "unknown" not in stays[f"Kafka {topic}"]["why"]
    assert {"Redis", "undated_key", "lane", "erasure", "backups, binary logs"} <= stays.keys()
    said = site.ctl("erase", "--object", anna.key).stdout
    assert "Nothing was erased. --apply" in said and anna.name not in said
    assert dump(site) == before
    for wrong in (("--apply", "--operator", "ada"), ("--apply", "--reason", "x"), ("--entry", "1")):
        assert site.ctl("erase", "--object", anna.key, *wrong).returncode == 2
    assert site.ctl("erase").returncode == 2
    unknown = site.ctl("erase", "--object", anna.key[:-1], *APPLY)
    assert unknown.returncode == 1 and "sluice knows no object" in unknown.stderr and dump(site) == before


def test_redelivery_is_neither_applied_nor_stored_again(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    erase(site, "--object", anna.key, *APPLY)
    put_again(site, anna.paid)
    put_again(site, anna.odd)
    site.expect_caught_up()
    assert places_of(site, anna.name) == Counter()
    assert [event for event, _, _ in site.ledger.entries()] == [anna.paid.id]
    site.ledger.expect_balance(anna.customer, 1)
    later = anna._named(paid_invoice(anna.customer, unit=anna.unit))
    anna.put(later)
    site.ledger.expect_status(later, "done")
    site.ledger.expect_balance(anna.customer, 2)
    assert places_of(site, anna.name) == Counter(event_payload=2), "a new event is archived as ever"
    shown = json.loads(site.ctl("event", "show", later.id, "--json", "--no-kafka").stdout)["events"][0]
    assert shown["erased"] is None and shown["payload_bytes"]


def test_what_is_erased_says_so(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    [entry] = [number for (number,) in site.ledger.query("SELECT id FROM dead_letter WHERE kind = 'conflict'")]
    assert "erased" not in site.ctl("event", "show", anna.paid.id, "--no-kafka").stdout
    erase(site, "--object", anna.key, *APPLY)
    shown = site.ctl("event", "show", anna.paid.id, "--no-kafka").stdout
    assert "request   erased 20" in shown and " by ada\n" in shown
    for name in (anna.odd.id, str(entry)):
        shown = site.ctl("dlq", "show", name).stdout
        assert "payload   erased 20" in shown and " by ada\n" in shown
    answer = json.loads(site.ctl("dlq", "show", str(entry), "--json").stdout)["entries"][0]
    assert answer["erased"]["operator"] == "ada" and answer["erased"]["finished"] and answer["payload"] is None
    saved = site.ctl("dlq", "show", str(entry), "--save-body", "-")
    assert saved.returncode == 1 and "its body no longer exists anywhere: erased 20" in saved.stderr
    for order in ("retry", "close"):
        refused = site.ctl("dlq", order, str(entry), *APPLY, "--wait", "0")
        assert refused.returncode == 1 and f"it was erased: sluicectl dlq show {entry}" in refused.stderr + refused.stdout
    plan = json.loads(site.ctl("event", "rerun", "--object", anna.key, "--json").stdout)
    assert (plan["total"], plan["left_alone"]) == (0, {"erased": 1})
    expect_answer(site, send(site, RERUN, anna.paid), "refused", "erased")


def test_refused_while_events_wait_and_says_what_ends_them(site: Pipeline) -> None:
    anna = Person(site)
    anna.put(anna.paid)
    site.ledger.expect_status(anna.paid, "done")
    entry = anna.die()
    behind = anna._named(paid_invoice(anna.customer, unit=anna.unit))
    anna.put(behind)
    expect_lane(site, anna.odd, "dead", "parked")
    before = dump(site)
    for arguments in ((), APPLY):
        refused = erase(site, "--object", anna.key, *arguments, code=1)
        assert {line["what"] for line in refused["waiting"]} == {f"event {anna.odd.id}", f"event {behind.id}", f"entry {entry}"}
    assert f"sluicectl dlq retry {entry}, or dlq skip {entry}" in site.ctl("erase", "--object", anna.key, *APPLY).stdout
    assert dump(site) == before
    anna.operate("skip", entry)
    site.ledger.expect_status(behind, "done")
    assert erase(site, "--object", anna.key, *APPLY)["finished"]
    assert places_of(site, anna.name) == Counter()


def test_open_entry_without_a_lane_refuses_too(site: Pipeline) -> None:
    anna = Person(site)
    anna.put(anna.paid)
    site.ledger.expect_status(anna.paid, "done")
    anna.put(anna.paid.with_content(currency="usd"))
    [entry] = wait_for(lambda: anna.entries("kind = 'conflict'"), "the conflict")
    refused = erase(site, "--object", anna.key, *APPLY, code=1)
    assert [line["ends_with"] for line in refused["waiting"]] == [f"sluicectl dlq close {entry}"]
    assert places_of(site, anna.name) == Counter(event_payload=2, dead_letter=2)


def use_recipe(pipeline: Pipeline, event_id: list[str]) -> None:
    [recipe] = yaml.safe_load((TREE / "common/webhook/recipes/stripe.yaml").read_text())["recipes"]
    recipe |= {"name": "stripe-own", "extract": recipe["extract"] | {"id": event_id}}
    pipeline.config["recipes"] = [recipe]
    pipeline.config["sources"][0]["recipe"] = "stripe-own"


def unreadable(pipeline: Pipeline) -> tuple[str, Event, int]:
    """A name, the event that it stands in, and the open entry of its request."""
    name, customer = fresh_id("anna"), fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    use_recipe(pipeline, ["/event_id"])
    event = payment(customer, 7).with_content(name=name)
    provider = pipeline.provider(pipeline.ingress())
    assert provider.post(event.body, provider.headers(event.body)).status == 200
    pipeline.retry_role()
    [(entry,)] = wait_for(lambda: pipeline.ledger.query("SELECT id FROM dead_letter"), "the entry")
    return name, event, entry


def test_request_that_could_not_be_read_goes_by_its_entry(pipeline: Pipeline) -> None:
    name, event, entry = unreadable(pipeline)
    assert places_of(pipeline, name) == Counter(dead_letter=1)
    refused = erase(pipeline, "--entry", str(entry), *APPLY, code=1)
    assert refused["waiting"][0]["ends_with"] == f"sluicectl dlq retry {entry}, or dlq close {entry}"
    assert pipeline.ctl("dlq", "close", str(entry), *SIGNED, "--apply").returncode == 0
    known = Person(pipeline)
    pipeline.consumer()
    known.put(known.paid)
    pipeline.ledger.expect_status(known.paid, "ignored")
    stays = erase(pipeline, "--object", known.key)["stays"]
    assert [line["why"] for line in stays if line["where"] == "dead_letter, 1 rows" and "erase --entry ID" in line["why"]]
    assert erase(pipeline, "--entry", str(entry), *APPLY)["finished"]
    assert places_of(pipeline, name) == Counter()
    assert "payload   erased 20" in pipeline.ctl("dlq", "show", str(entry)).stdout
    assert places_of(pipeline, known.name) == Counter(event_payload=2)
    assert pipeline.ctl("erase", "--entry", "4711", *APPLY).returncode == 1


def test_request_whose_events_were_read_later_goes_with_their_object(pipeline: Pipeline) -> None:
    name, event, entry = unreadable(pipeline)
    pipeline.end_programs()
    use_recipe(pipeline, ["/event_id", "/id"])
    pipeline.consumer(role="both")
    assert pipeline.ctl("dlq", "retry", str(entry), *SIGNED, "--apply").returncode == 0
    pipeline.ledger.expect_status(event, "done")
    assert places_of(pipeline, name) == Counter(event_payload=1, dead_letter=1)
    assert erase(pipeline, "--object", key_of(event), *APPLY)["finished"]
    assert places_of(pipeline, name) == Counter()
