"""What the release before has left behind is still good: its records, its statements, its tables. `./run upgrade` runs its programs."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.support.commands import field
from tests.support.dead_letter import dead_letter_of
from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import open_dead_letters
from tests.support.ledger import BUSINESS_TABLES
from tests.support.pipeline import Pipeline
from tests.support.program import TREE
from tests.support.records import put
from tests.support.wait import wait_for
from tests.upgrade import recorded, statements
from tests.upgrade.traffic import CONSUMER, DIES, WANTS_A_ROW

BOTH = pytest.mark.databases("mysql", "mariadb")
FUTURE = ("sluice-of-a-later-release", b"nobody knows")


# records

@pytest.fixture(params=["as they were", "with what nobody knows yet"])
def of_then(new_pipeline, request: pytest.FixtureRequest) -> Pipeline:
    """An installation that finds the webhooks of the release before."""
    pipeline: Pipeline = new_pipeline(partitions=1)
    known = recorded.read()
    pipeline.secret = pipeline.secrets["TEST_STRIPE_SECRET"] = known["secret"]
    pipeline.prepare().config["effects"] += [WANTS_A_ROW, DIES]
    pipeline.config["consumer"] = CONSUMER
    pipeline.more = request.param != "as they were"
    pipeline.ledger.open_wallet(known["well"][1])
    append(pipeline, "webhooks")
    pipeline.consumer()
    return pipeline


def append(pipeline: Pipeline, role: str, more_value: bytes = b"") -> None:
    for value, key, headers in recorded.records(role):
        if pipeline.more:
            value, headers = (value + more_value if more_value else value), [*headers, FUTURE]
        pipeline.log.append(recorded.topic_of(pipeline, role), value, key=key, headers=headers)


def event_of(name: str) -> Event:
    return Event(recorded.read()[name][0], "", b"", recorded.read()[name][1])


@BOTH
def test_records_of_then_are_applied_and_its_commands_carried_out(of_then: Pipeline) -> None:
    known, dead = recorded.read(), event_of("dead")
    of_then.ledger.expect_status(event_of("well"), "done")
    of_then.ledger.expect_balance(known["well"][1], 7)
    of_then.ledger.expect_status(dead, "dead")
    of_then.ledger.open_wallet(known["late"])
    role = of_then.retry_role()
    append(of_then, "retry")
    append(of_then, "commands", field(99, b"of a later release"))
    of_then.ledger.expect_status(dead, "done")
    of_then.ledger.expect_status(event_of("waiting"), "done")
    of_then.ledger.expect_balance(known["late"], 2)
    assert of_then.ledger.query("SELECT answer, operator FROM operator_action") == [("carried_out", b"ada")]
    append(of_then, "quarantine")
    wait_for(lambda: [kind for _, kind in open_dead_letters(of_then)] == ["unreadable"], "the entry of the unreadable one")
    assert role.metric("sluice_consumer_wakeups_refused_total") == 0


def test_dead_letters_say_what_they_said_then(of_then: Pipeline) -> None:
    """More headers are fine, other names or encodings are not: tools of others read them."""
    [(value, key, headers)] = recorded.records("dlq")[:1]
    now = dead_letter_of(of_then, event_of("dead"))
    assert (now.key, now.value) == (key, value)
    then = dict(headers)
    assert not then.keys() - dict(now.headers).keys()
    differing = {name: (value, now.header(name)) for name, value in then.items() if now.header(name) != value}
    places = {"kafka_dlt-original-topic", "kafka_dlt-original-consumer-group", "kafka_dlt-exception-message", "__connect.errors.topic",
              "__connect.errors.connector.name", "__connect.errors.exception.message"}
    times = {"kafka_dlt-original-timestamp", "sluice-first-failed-at"}
    assert differing.keys() <= places | times, differing
    assert all(len(now.header(name) or b"") == len(then[name]) for name in times)


# tables

@BOTH
def test_statements_of_then_are_prepared_on_tables_of_now(pipeline: Pipeline, database) -> None:
    pipeline.make_database()
    told = statements.recorded()
    assert len(told) > 50, "the record of the release before is missing"
    refused = {}
    with database.connect(admin=True, database=pipeline.name) as connection, connection.cursor() as cursor:
        for statement in told:
            try:
                cursor.execute("PREPARE one FROM %s", (statement,))
            except Exception as error:  # noqa: BLE001 the driver's own classes
                refused[statement] = str(error)
    assert not refused


def migrations() -> list[tuple[str, str]]:
    return [(file.stem, file.read_text()) for file in sorted((TREE / "deploy/mysql").glob("*.sql"))]


def statements_of(sql: str) -> list[str]:
    """No text of ours has a semicolon elsewhere than at an end."""
    return [part for part in (re.sub(r"--[^\n]*", "", sql)).split(";") if part.strip()]


def put_at(pipeline: Pipeline, number: int) -> None:
    """The tables as they are after migration `number`, with a row."""
    pipeline.create_database()
    pipeline.ledger.run("CREATE TABLE sluice_migration (version INT NOT NULL PRIMARY KEY, name VARBINARY(128) NOT NULL, checksum"
                        " VARBINARY(64) NOT NULL, started INT NOT NULL, finished INT NOT NULL, applied_at DATETIME(6) NULL) ENGINE = InnoDB")
    for name, sql in migrations()[:number]:
        pipeline.ledger.run(*statements_of(sql))
        count = len(statements_of(sql))
        pipeline.ledger.query("INSERT INTO sluice_migration VALUES (%s, %s, %s, %s, %s, UTC_TIMESTAMP(6))", int(name[:4]), name,
                              hashlib.sha256(sql.encode()).hexdigest(), count, count)
    pipeline.ledger.query("INSERT INTO sluice_meta (name, value) VALUES ('consumer_group', %s)", pipeline.group)


def shape_of(pipeline: Pipeline) -> dict[str, str]:
    tables = [table for (table,) in pipeline.ledger.query("SHOW TABLES")]
    return {table: re.sub(r" AUTO_INCREMENT=\d+", "", pipeline.ledger.query(f"SHOW CREATE TABLE {table}")[0][1]) for table in tables}


@BOTH
def test_tables_are_the_same_from_wherever_they_come(new_pipeline) -> None:
    whole: Pipeline = new_pipeline()
    whole.create_database()
    whole.migrate()
    for number in range(1, len(migrations())):
        earlier: Pipeline = new_pipeline()
        put_at(earlier, number)
        earlier.migrate()
        assert shape_of(earlier) == shape_of(whole), f"from migration {number}"


@BOTH
def test_programs_wait_for_older_tables_and_run_on_newer_ones(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline()
    pipeline.create_topics()
    put_at(pipeline, len(migrations()) - 1)
    waiting = [pipeline.consumer(start=False), pipeline.retry_role(start=False)]
    for program in waiting:
        program.start().expect_not_ready("mysql", f"lacks migration {migrations()[-1][0]}", "sluicectl migrate")
    pipeline.migrate()
    pipeline.ledger.run(*BUSINESS_TABLES)
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    before, after = payment(customer, 1), payment(customer, 2)
    put(pipeline, before)
    for program in waiting:
        program.ready()
    pipeline.ledger.expect_applied(before)
    pipeline.ledger.run(
        "INSERT INTO sluice_migration VALUES (99, '0099_of_a_later_release', 'x', 1, 1, NOW())",
        "ALTER TABLE inbox ADD COLUMN of_later INT NULL", "ALTER TABLE lane ADD COLUMN of_later INT NOT NULL DEFAULT 0",
        "ALTER TABLE lane_event ADD COLUMN of_later INT NULL", "ALTER TABLE dead_letter ADD COLUMN of_later INT NULL",
        "CREATE TABLE of_later (id INT PRIMARY KEY)")
    put(pipeline, after)
    pipeline.consumer()
    pipeline.ledger.expect_applied(before, after)
    assert "newer than this program" in pipeline.ctl("migrate").stdout
