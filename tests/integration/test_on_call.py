"""docs/on-call.md, incident by incident: what the page shows is seen, its commands end it, and what it promises then is so."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator

import pytest

from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment, snapshot
from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 3, "refill": "24h", "pause_after": 0}}
EXTRA_EFFECTS = [WANTS_A_ROW]
EFFECT = WANTS_A_ROW["name"]
SIGNED = ("--operator", "ada", "--reason", "as the page says", "--apply")
WENT_WELL = "refused 0, dead again 0\n"


def says(pipeline: Pipeline, *arguments: str, code: int = 0) -> str:
    result = pipeline.ctl(*arguments)
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout + result.stderr


def entries(pipeline: Pipeline) -> list[dict]:
    return json.loads(says(pipeline, "dlq", "list", "--json"))["entries"]


def expect_over(pipeline: Pipeline) -> None:
    wait_for(lambda: says(pipeline, "lane", "list").startswith("No lanes: "), "no object to wait")
    assert says(pipeline, "dlq", "list") == "No entries.\n"


def with_wallets(pipeline: Pipeline, count: int) -> list[Event]:
    """Each of an object and a customer of its own."""
    events = [paid_invoice(fresh_id("cus")) for _ in range(count)]
    pipeline.ledger.open_wallet(*(event.customer for event in events))
    return events


def break_effect(pipeline: Pipeline, outcome: str) -> None:
    """What it does with the row that it matches is wrong."""
    broken = copy.deepcopy(WANTS_A_ROW)
    broken["sql"][0]["rows"] = {1: outcome}
    pipeline.config["effects"] = [effect for effect in pipeline.config["effects"] if effect["name"] != EFFECT] + [broken]


def mend_effect(pipeline: Pipeline) -> None:
    pipeline.config["effects"][-1] = copy.deepcopy(WANTS_A_ROW)


def test_poison_event(bench: Pipeline) -> None:
    customer, elsewhere, unit = fresh_id("cus"), fresh_id("cus"), fresh_id("pi")
    bench.ledger.open_wallet(customer, elsewhere)
    poison = snapshot("payment_intent.succeeded", {"id": unit, "customer": customer, "amount": "a lot"})
    behind, other = payment(customer, 3, intent=unit), payment(elsewhere, 4)
    put(bench, poison, behind, other)
    consumer = bench.consumer(role="both")
    bench.ledger.expect_applied(other)
    [entry] = wait_for(lambda: entries(bench), "an entry")
    wait_for(lambda: consumer.metric("sluice_consumer_dlq_open") == 1, "it to be counted")
    consumer.ready()
    assert [line["event"] for line in consumer.decisions("dead")] == [poison.id] == [entry["event_id"]]
    bench.ledger.expect_status(behind, "parked")
    body = bench.folder / "body.json"
    assert "behind it 1 since" in says(bench, "dlq", "show", str(entry["id"]), "--save-body", str(body))
    assert body.read_bytes() == poison.body and body.stat().st_mode & 0o777 == 0o600
    assert says(bench, "dlq", "show", str(entry["id"]), "--save-body", "-").encode() == poison.body, "and nothing else"
    assert "dead again 1" in says(bench, "dlq", "retry", str(entry["id"]), *SIGNED, code=1)
    [entry] = entries(bench)
    body.write_bytes(poison.with_content(amount=7).body)
    assert WENT_WELL in says(bench, "dlq", "edit", str(entry["id"]), "--body", str(body), *SIGNED)
    bench.ledger.expect_status(behind, "done")
    assert bench.ledger.balance(customer) == 7 + 3
    expect_over(bench)


def test_broken_effect(bench: Pipeline) -> None:
    break_effect(bench, "park")
    healthy, events = payment(fresh_id("cus"), 5), with_wallets(bench, 9)
    bench.ledger.open_wallet(healthy.customer)
    consumer = bench.consumer(role="both")
    put(bench, *events, healthy)
    bench.ledger.expect_applied(healthy)
    consumer.expect_not_ready("effects: too many dead letters", EFFECT, "; last error: effect ")
    assert consumer.metric("sluice_consumer_dlq_budget", effect=EFFECT) == 0
    wait_for(lambda: [line["effect"] for line in consumer.decisions("dead_letter_budget_used_up")] == [EFFECT], "the log to say so once")
    wait_for(lambda: consumer.metric("sluice_consumer_lanes", state="waiting") == 6, "the others to wait")
    assert len(entries(bench)) == 3
    end_by_deploy(bench, events)


def end_by_deploy(bench: Pipeline, events: list[Event]) -> None:
    """The page's section on a deploy that fixes the effect."""
    bench.end_programs()
    mend_effect(bench)
    consumer = bench.consumer(role="both")
    found = entries(bench)
    assert WENT_WELL in says(bench, "dlq", "retry", str(found[0]["id"]), *SIGNED)
    chosen = ("dlq", "retry", "--error-class", found[0]["error_class"], "--since", "1h")
    if len(found) > 1:
        assert "Nothing was done yet. --apply does it." in says(bench, *chosen)
        assert WENT_WELL in says(bench, *chosen, *SIGNED)
    bench.ledger.expect_applied(*events)
    consumer.ready()
    expect_over(bench)


def test_deploy_that_fixes_the_effect(bench: Pipeline) -> None:
    bench.config["consumer"]["dead_letter_budget"] |= {"events": 0}
    break_effect(bench, "park")
    events = with_wallets(bench, 5)
    put(bench, *events)
    bench.consumer(role="both")
    wait_for(lambda: len(entries(bench)) == len(events), "all to be dead")
    end_by_deploy(bench, events)


@pytest.fixture
def own_server(servers, database, new_pipeline) -> Iterator[Pipeline]:
    server = servers.own_database(database.name.lower(), "on-call")
    yield new_pipeline(database=server).prepare()
    servers.drop(server)


def test_dead_database(own_server: Pipeline) -> None:
    customer = fresh_id("cus")
    own_server.ledger.open_wallet(customer)
    before, during = ([payment(customer, 1) for _ in range(5)] for _ in range(2))
    put(own_server, *before)
    consumer = own_server.consumer(role="both")
    own_server.ledger.expect_applied(*before)
    own_server.database.kill()
    put(own_server, *during)
    consumer.expect_not_ready("mysql: MySQL at 127.0.0.1:", str(own_server.database.port))
    wait_for(lambda: consumer.decisions("database_trouble"), "a line in the log")
    says(own_server, "dlq", "list", code=3)
    assert "mysql FAIL" in " ".join(says(own_server, "doctor", code=1).split())
    own_server.database.start()
    own_server.database.wait_ready()
    consumer.ready()
    wait_for(lambda: consumer.decisions("database_back"), "a line in the log")
    own_server.ledger.expect_applied(*before, *during)
    wait_for(lambda: consumer.metric("sluice_consumer_due_lag_seconds") == 0, "no lag")
    expect_over(own_server)
    own_server.end_programs()


def test_nobody_wakes_them(bench: Pipeline) -> None:
    event = paid_invoice(fresh_id("cus"))
    put(bench, event)
    main = bench.consumer()
    wait_for(lambda: " waiting " in says(bench, "lane", "list"), "a lane")
    main.ready()
    bench.ledger.run("UPDATE lane SET wakeup_due = wakeup_due - INTERVAL 5 MINUTE, generation = generation + 1")  # and its wakeup is lost
    assert ", overdue" in says(bench, "lane", "list")
    assert "sluice_consumer_lanes_overdue" not in main.get("/metrics")[1]
    bench.ledger.open_wallet(event.customer)
    retry = bench.retry_role()
    bench.ledger.expect_applied(event)
    wait_for(lambda: retry.decisions("lanes_overdue") and retry.metric("sluice_consumer_wakeups_total", what="reproduced") >= 1,
             "the sweep, which goes on while the event is applied")
    expect_over(bench)
