"""Keys of events are made of what is written down: another file waits for an operator, in consumers and in a running ingress."""

from __future__ import annotations

import copy
import json
import re

import pytest
import yaml

from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.every_source import add_every_source, recipe
from tests.support.lanes import expect_lane, key_of, open_dead_letters
from tests.support.lock_waits import sessions_that_wait_for_a_lock
from tests.support.pipeline import PATH, PRINCIPAL, Pipeline
from tests.support.program import TREE, Program
from tests.support.provider import Provider
from tests.support.records import put, put_records, record_of
from tests.support.wait import stays, wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")
PAGE = "docs/upgrade.md"
BY_CUSTOMER = ["/data/object/customer"]
CHANGED = "sluice_consumer_keys_changed"
AS_RELEASED = TREE / "tests/upgrade/keys.yaml"  # by recipe
ORDERS_BEFORE = TREE / "tests/upgrade/orders_before.yaml"  # of those that have another one now


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    name = fresh_id("cus")
    pipeline.ledger.open_wallet(name)
    return name


def change(pipeline: Pipeline, **source: object) -> None:
    pipeline.config["sources"][0] |= source


def recorded(pipeline: Pipeline) -> list[tuple]:
    return pipeline.ledger.query("SELECT path, principal, made_of, operator, reason FROM source_keys ORDER BY path")


def keys(pipeline: Pipeline, *arguments: str) -> tuple[int, dict]:
    said = pipeline.ctl("keys", *arguments, "--json")
    assert said.stdout, said.stderr
    return said.returncode, json.loads(said.stdout)


def accept(pipeline: Pipeline) -> None:
    pipeline.ctl("keys", "accept", "--operator", "ada", "--reason", "as the page says", "--apply").check_returncode()


def applied_once_the_first_file_was_read(pipeline: Pipeline, event: Event) -> None:
    consumer = pipeline.consumer()
    put(pipeline, event)
    pipeline.ledger.expect_applied(event)
    assert consumer.metric(CHANGED) == 0
    assert consumer.stop() == 0


@BOTH
@pytest.mark.parametrize(("source", "difference"), [
    ({"principal": "acct_renamed"}, "principal acct_main, now acct_renamed"),
    ({"order_by": BY_CUSTOMER}, 'order: "/data/object/payment_intent"'),
    ({"order_by": BY_CUSTOMER, "path": "/elsewhere"}, 'now "/data/object/customer"')], ids=["principal", "order", "order at another path"])
def test_a_file_that_makes_other_keys_waits_for_an_operator(pipeline: Pipeline, customer: str, source: dict, difference: str) -> None:
    before, after = payment(customer, 1), payment(customer, 2)
    applied_once_the_first_file_was_read(pipeline, before)
    [first] = recorded(pipeline)
    change(pipeline, **source)
    roles = [pipeline.consumer(start=False).start(), pipeline.retry_role(start=False).start()]
    put_records(pipeline, record_of(after, principal=str(source.get("principal", PRINCIPAL))))
    for role in roles:
        role.expect_not_ready("keys", difference, PAGE)
        role.expect_metric(1, CHANGED)
    stays(lambda: not_applied(pipeline, after), 1)
    [line] = roles[0].decisions("keys_changed")
    assert difference in line["reason"] and not roles[0].decisions("assigned")
    assert recorded(pipeline) == [first]

    code, said = keys(pipeline, "list")
    assert code == 1 and any(difference in path["difference"] for path in said["paths"]), said
    findings = json.loads(pipeline.ctl("doctor", "--only", "mysql", "--json").stdout)["findings"]
    [finding] = [finding for finding in findings if finding["check"] == "mysql.keys"]
    assert finding["level"] == "fail" and PAGE in finding["sentence"]

    assert keys(pipeline, "accept")[0] == 0 and recorded(pipeline) == [first], "without --apply it only says"
    assert ("applied again" in pipeline.ctl("keys", "accept").stdout) == ("principal" in source)
    assert "give --operator NAME" in pipeline.ctl("keys", "accept", "--apply").stderr
    accept(pipeline)
    for role in roles:
        assert role.ready().metric(CHANGED) == 0
    pipeline.ledger.expect_applied(before, after)
    assert {row[3:] for row in recorded(pipeline) if row[0] == source.get("path", PATH).encode()} == {(b"ada", b"as the page says")}
    assert keys(pipeline, "list")[0] == 0


def not_applied(pipeline: Pipeline, event: Event) -> None:
    assert pipeline.ledger.status(event) is None


def test_what_keys_are_not_made_of_may_change(pipeline: Pipeline, customer: str) -> None:
    first, second = payment(customer, 1), payment(customer, 2)
    applied_once_the_first_file_was_read(pipeline, first)
    pipeline.secrets["TEST_SECOND"] = "whsec_of_the_second_key"
    change(pipeline, path="/v1/webhooks/moved", tolerance="60s", max_body="1MiB",
           keys=[{"id": "second", "value": {"env": "TEST_SECOND"}}])
    pipeline.config["sources"].append({**pipeline.config["sources"][0], "name": "another", "path": "/another", "principal": "acct_other"})
    assert pipeline.consumer().metric(CHANGED) == 0
    put(pipeline, second)
    pipeline.ledger.expect_applied(first, second)
    assert keys(pipeline, "list")[0] == 0
    assert [path for path, *_ in recorded(pipeline)] == [b"/another", b"/v1/webhooks/moved", PATH.encode()]


def test_objects_that_wait_keep_their_keys(pipeline: Pipeline) -> None:
    """What comes under the new key would not wait behind them."""
    pipeline.config["effects"].append(WANTS_A_ROW)
    pipeline.config["consumer"] = {"in_place": "0s"}
    late = fresh_id("cus")
    waits = paid_invoice(late)
    old = pipeline.consumer(role="both")
    put(pipeline, waits)
    expect_lane(pipeline, waits, "retry")
    before = copy.deepcopy(pipeline.config)
    change(pipeline, order_by=BY_CUSTOMER)
    refused = pipeline.ctl("keys", "accept", "--operator", "ada", "--reason", "too early", "--apply")
    assert refused.returncode == 1 and "1 objects of stripe/acct_main have events that wait" in refused.stderr
    assert [row[3] for row in recorded(pipeline)] == [None]
    pipeline.ledger.open_wallet(late)
    pipeline.ledger.expect_applied(waits)
    expect_lane(pipeline, waits)
    accept(pipeline)
    assert old.stop() == 0
    pipeline.consumer()
    pipeline.config = before
    pipeline.consumer(start=False).start().expect_not_ready("keys", PAGE)


def test_a_running_ingress_keeps_the_keys_that_it_has(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    first, second = payment("cus_1", 1), payment("cus_1", 2)
    provider.deliver(first).expect(200)
    ingress.config["sources"][0]["order_by"] = BY_CUSTOMER
    ingress.write_config()
    ingress.reload()
    wait_for(lambda: ingress.metric("sluice_ingress_keys_changed") == 1, "the refusal")
    provider.deliver(second).expect(200)
    written = {record.text("ce_id"): record.key.decode() for record in pipeline.log.read(pipeline.topic)}
    assert written == {event.id: key_of(event) for event in (first, second)}
    line, *_ = ingress.decisions("config_reload_failed")
    assert PAGE in line["why"] and "/data/object/customer" in line["why"] and ingress.ready()
    ingress.config["sources"][0]["order_by"] = pipeline.config["sources"][0]["order_by"]
    ingress.write_config()
    ingress.reload()
    wait_for(lambda: ingress.metric("sluice_ingress_keys_changed") == 0, "the old keys again")


def deliver(provider: Provider, *events: Event) -> None:
    for event in events:
        provider.deliver(event).expect(200)


def record_keys(pipeline: Pipeline) -> dict[str, str]:
    return {record.text("ce_id"): record.key.decode() for record in pipeline.log.read(pipeline.topic)}


@BOTH
def test_the_way_to_another_order(pipeline: Pipeline, customer: str) -> None:
    """docs/upgrade.md, step by step, with an object in trouble when it begins. From then on a customer's payments are in order, whatever
    they are for."""
    pipeline.config["effects"].append(WANTS_A_ROW)
    pipeline.config["consumer"] = {"in_place": "0s"}
    late = fresh_id("cus")
    before = [payment(customer, amount) for amount in range(1, 10)]
    after = [payment(customer, amount) for amount in range(11, 30)]
    troubled, behind = (paid_invoice(late, unit="in_1") for _ in range(2))
    ingress, consumers = pipeline.ingress(), [pipeline.consumer(), pipeline.retry_role()]
    deliver(pipeline.provider(ingress), *before, troubled, behind)

    assert ingress.stop() == 0  # 1
    pipeline.expect_caught_up()  # 2
    expect_lane(pipeline, troubled, "retry", "parked")
    change(pipeline, order_by=BY_CUSTOMER)
    assert pipeline.ctl("keys", "accept", "--operator", "ada", "--reason", "too early", "--apply").returncode == 1
    pipeline.ledger.open_wallet(late)  # 3
    pipeline.ledger.expect_applied(*before, troubled, behind)
    expect_lane(pipeline, troubled)
    code, said = keys(pipeline, "accept")  # 4
    assert code == 0 and said["paths"][0]["state"] == "changed"
    accept(pipeline)
    for start, program in ((pipeline.consumer, consumers[0]), (pipeline.retry_role, consumers[1])):  # 5
        start()
        assert program.stop() == 0, program.story()
    again = before[0]  # its answer was lost, says the provider
    deliver(pipeline.provider(pipeline.ingress()), again, *after)

    pipeline.ledger.expect_applied(*before, troubled, behind, *after)
    assert {record_keys(pipeline)[event.id] for event in after} == {f"stripe/{PRINCIPAL}/{customer}"}
    in_order = [event for event, *_ in pipeline.ledger.entries() if event in {each.id for each in after}]
    assert in_order == [event.id for event in after]


def test_the_way_to_another_principal(pipeline: Pipeline, customer: str) -> None:
    """docs/upgrade.md: at a path of its own. What comes again by the old path is known as ever."""
    pipeline.secrets["TEST_SECOND"] = second_secret = "whsec_of_the_second_endpoint"
    first, last, other = payment(customer, 1), payment(customer, 2), payment(customer, 3)
    ingress, consumer = pipeline.ingress(), pipeline.consumer()
    deliver(pipeline.provider(ingress), first)
    pipeline.ledger.expect_applied(first)
    old = pipeline.config["sources"][0]
    new = old | {"name": "stripe-2", "path": "/v1/webhooks/stripe-2", "principal": "acct_2",
                 "keys": [{"id": "second", "value": {"env": "TEST_SECOND"}}]}
    pipeline.config["sources"] = [old, new]
    for effect in pipeline.config["effects"]:
        effect["when"]["source"] = [old["name"], new["name"]]
    pipeline.consumer()
    assert consumer.stop() == 0
    ingress, before = pipeline.ingress(), ingress
    assert before.stop() == 0
    deliver(pipeline.provider(ingress), first, last)
    deliver(pipeline.provider(ingress, secret=second_secret, path=new["path"]), other)
    pipeline.ledger.expect_applied(first, last, other)
    assert record_keys(pipeline)[other.id] == f"stripe/acct_2/{other.object}"

    pipeline.config["sources"] = [new]
    for effect in pipeline.config["effects"]:
        effect["when"]["source"] = new["name"]
    assert pipeline.consumer().metric(CHANGED) == 0
    states = {path["path"]: path["state"] for path in keys(pipeline, "list")[1]["paths"]}
    assert states == {new["path"]: "as recorded", old["path"]: "not in the file"}


@BOTH
def test_what_an_ingress_makes_of_another_file_is_given_up(pipeline: Pipeline, customer: str) -> None:
    """Nobody else sees that it was started with it. What is known already is a duplicate all the same, and other events go on."""
    known, early, late, behind = (payment(customer, number) for number in (1, 2, 3, 4))
    consumer, retry, ingress = pipeline.consumer(), pipeline.retry_role(), pipeline.ingress()
    deliver(pipeline.provider(ingress), known)
    pipeline.ledger.expect_applied(known)
    pipeline.config["redis"]["urls"] = []  # nothing is known before the consumer sees it
    meant, pipeline.config = pipeline.config, copy.deepcopy(pipeline.config)
    change(pipeline, order_by=BY_CUSTOMER)
    started_with_it = pipeline.provider(pipeline.ingress())
    deliver(started_with_it, known, early)
    pipeline.ledger.expect_status(early, "dead")
    assert open_dead_letters(pipeline) == [(early.id, "keys_changed")]
    wait_for(lambda: consumer.metric("sluice_consumer_dead_letters_total", **{"class": "keys_changed"}) == 1, "it to be counted")
    deliver(started_with_it, behind)
    pipeline.ledger.expect_status(behind, "dead")  # and not parked behind the first: nobody would ask about it again
    pipeline.config = meant
    deliver(pipeline.provider(pipeline.ingress()), late)
    pipeline.ledger.expect_applied(known, late)
    pipeline.ctl("dlq", "retry", "--error-class", "keys_changed", "--operator", "ada", "--reason", "another order only", "--apply").check_returncode()
    pipeline.ledger.expect_applied(known, late, early, behind)
    assert not open_dead_letters(pipeline) and retry.running


def ids_at(pipeline: Pipeline, *places: str) -> None:
    own = recipe("stripe") | {"name": "own"}
    own["extract"]["id"] = list(places)
    pipeline.config["recipes"] = [own]
    change(pipeline, recipe="own")


def test_two_files_that_differ_behind_the_first_place_of_an_id_apply_an_event_once(pipeline: Pipeline, customer: str) -> None:
    event, late = payment(customer, 1), payment(customer, 2)
    pipeline.config["redis"]["urls"] = []  # nothing is known before the consumer sees it
    ids_at(pipeline, "/absent", "/id")
    pipeline.consumer()
    ingress = pipeline.provider(pipeline.ingress())
    deliver(ingress, event)
    pipeline.ledger.expect_applied(event)
    ids_at(pipeline, "/absent", "/data/object/id")
    deliver(pipeline.provider(pipeline.ingress()), event)
    wait_for(lambda: open_dead_letters(pipeline) == [(event.object, "keys_changed")], "the other id to be given up")
    ids_at(pipeline, "/absent", "/id", "/data/object/id")
    deliver(pipeline.provider(pipeline.ingress()), event, late)
    pipeline.ledger.expect_applied(event, late)


@BOTH
@pytest.mark.parametrize("dies", [False, True], ids=["goes on", "dies"])
def test_of_two_files_that_come_first_one_is_written_down(pipeline: Pipeline, customer: str, dies: bool) -> None:
    """Each has a path of its own for the account, and the second one comes when the first has looked already."""
    event = payment(customer, 1)
    first = pipeline.consumer(start=False).start("consumer.before_keys_are_written=stop@1")
    wait_for(lambda: first.frozen, "the first to stand still")
    change(pipeline, order_by=BY_CUSTOMER, path="/elsewhere")
    second = pipeline.consumer(start=False).start()
    wait_for(lambda: sessions_that_wait_for_a_lock(pipeline.ledger) or recorded(pipeline), "the second to come to the same place")
    first.kill() if dies else first.resume()
    goes_on, path = (second, "/elsewhere") if dies else (first, PATH)
    goes_on.ready()
    assert [row[0] for row in recorded(pipeline)] == [path.encode()]
    if not dies:
        second.expect_not_ready("keys", PAGE)
    put(pipeline, event)
    pipeline.ledger.expect_applied(event)


def test_what_built_in_recipes_make_keys_of_stays(pipeline: Pipeline) -> None:
    """From release to release. Who changes a recipe's keys on purpose changes the file too, and writes into CHANGELOG.md what happens to
    events that come again."""
    add_every_source(pipeline)
    pipeline.make_database()
    said = {path["path"].rpartition("/")[2]: path["made_of"] for path in keys(pipeline, "list")[1]["paths"]}
    released = yaml.safe_load(AS_RELEASED.read_text())
    assert {name: said.get(name) for name in released} == released


def test_a_source_may_keep_the_order_of_the_version_before(pipeline: Pipeline) -> None:
    """By what the page says to write. So an upgrade needs no stop."""
    rows = re.findall(r"^\| (`.+`) \| `(order_by: .+)` \|$", (TREE / PAGE).read_text(), re.MULTILINE)
    written = {name: yaml.safe_load(text) for names, text in rows for name in re.findall(r"`(.+?)`", names)}
    before = yaml.safe_load(ORDERS_BEFORE.read_text())
    assert written.keys() == before.keys()
    add_every_source(pipeline)
    for source in pipeline.config["sources"]:
        source |= written.get(source["name"], {})
    pipeline.make_database()
    said = {path["path"].rpartition("/")[2]: path["made_of"] for path in keys(pipeline, "list")[1]["paths"]}
    assert {name: line.removeprefix("order: ") for name in before for line in said[name].splitlines() if line.startswith("order: ")} == before
