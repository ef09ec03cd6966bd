"""Trouble of the database pauses the consumer and nothing else: no attempt is counted, nothing is dead-lettered."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path

import pymysql
import pytest

from deploy.stack import SqlServer
from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.ledger import BUSINESS_TABLES
from tests.support.lock_waits import sessions_that_wait_for_a_lock
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.records import put
from tests.support.servers import Servers
from tests.support.tcp_proxy import TcpProxy
from tests.support.wait import LONG_ENOUGH, stays, wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")

EXTRA_TABLES = ["CREATE TABLE note (event VARBINARY(255) NOT NULL, amount BIGINT NOT NULL)"]
EXTRA_EFFECTS = [
    {"name": "take-note", "when": {"source": SOURCE, "type": "charge.updated"},
     "let": {"amount": {"pointer": "/data/object/amount", "as": "int64"}},
     "sql": [{"run": "INSERT INTO note (event, amount) VALUES (:event_id, :amount)", "rows": {1: "done"}}]},
    {"name": "two-rows", "when": {"source": SOURCE, "type": "charge.captured"},
     "let": {"first": "/data/object/first", "second": "/data/object/second"},
     "sql": [{"run": f"UPDATE wallet SET balance = balance + 1 WHERE customer = :{which}", "rows": {1: "done"}}
             for which in ("first", "second")]}]


class Trouble:
    """Events of one customer through a time of trouble."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.events: list[Event] = []
        self._customer = fresh_id("cus")
        self._dead_before = pipeline.log.count(pipeline.dlq)
        pipeline.ledger.open_wallet(self._customer)

    def put_in(self, count: int = 20) -> None:
        fresh = [payment(self._customer, number + 1) for number in range(count)]
        put(self.pipeline, *fresh)
        self.events += fresh

    def nothing_dead(self) -> None:
        assert self.pipeline.log.count(self.pipeline.dlq) == self._dead_before
        statuses = self.pipeline.ledger.statuses()
        assert not [event for event in self.events if statuses.get(event.id) == "dead"]

    def expect_no_harm(self, within: float = LONG_ENOUGH) -> None:
        """After the trouble: everything applied once, nothing in the DLQ."""
        self.pipeline.ledger.expect_applied(*self.events, within=within)
        self.pipeline.expect_caught_up(within)
        assert self.pipeline.log.count(self.pipeline.dlq) == self._dead_before


# A server that these tests may break

@pytest.fixture(scope="module")
def own_database(servers: Servers, database: SqlServer) -> Iterator[SqlServer]:
    kind = database.name.lower()
    server = servers.own_database(kind, f"own-{kind}")
    yield server
    servers.drop(server)


@pytest.fixture(scope="module")
def on_own_server(run_folder: Path, servers: Servers, own_database: SqlServer) -> Iterator[Pipeline]:
    folder = run_folder / "test_database_trouble" / f"own-{own_database.name.lower()}"
    folder.mkdir(parents=True)
    pipeline = Pipeline(folder, servers.kafka, servers.redis, own_database).prepare()
    yield pipeline
    pipeline.close()


@pytest.fixture
def alone(on_own_server: Pipeline) -> Iterator[Pipeline]:
    config = copy.deepcopy(on_own_server.config)
    yield on_own_server
    on_own_server.config = config
    on_own_server.end_programs()
    bring_back(on_own_server.database)


def bring_back(server: SqlServer) -> None:
    if not server.running:
        server.start()
    server.resume()
    server.wait_ready()


def set_global(server: SqlServer, name: str, value: str) -> None:
    with server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
        cursor.execute(f"SET GLOBAL {name} = {value}")


@BOTH
def test_server_killed_and_back(alone: Pipeline, own_database: SqlServer) -> None:
    trouble = Trouble(alone)
    consumer = alone.consumer()
    trouble.put_in()
    own_database.kill()
    trouble.put_in()
    consumer.expect_not_ready("mysql", str(own_database.port))
    assert consumer.get("/livez")[0] == 200
    bring_back(own_database)
    consumer.ready()
    trouble.expect_no_harm()


def test_drain_is_cut_when_the_server_hangs(alone: Pipeline, own_database: SqlServer) -> None:
    alone.config["consumer"] = {**alone.config.get("consumer", {}), "drain_within": "2s"}
    trouble = Trouble(alone)
    consumer = alone.consumer()
    trouble.put_in()
    own_database.pause()
    trouble.put_in()
    wait_for(lambda: consumer.metric("sluice_consumer_unfinished_events") > 0, "events in work")
    consumer.expect_clean_end = False
    consumer.ask_to_stop()
    assert consumer.wait_end(within=8) == 1, "left to its supervisor, which would kill it"
    assert consumer.decisions("drain_cut")
    own_database.resume()
    alone.consumer()
    trouble.expect_no_harm()


def test_server_paused(alone: Pipeline, own_database: SqlServer) -> None:
    """Connections stay open and nobody answers."""
    trouble = Trouble(alone)
    alone.consumer()
    trouble.put_in()
    own_database.pause()
    trouble.put_in()
    own_database.resume()
    trouble.expect_no_harm()


def test_reason_of_a_lost_session_is_told_whole(alone: Pipeline, own_database: SqlServer) -> None:
    """An idle worker finds its session killed when partitions move: the words are the lost connection's own."""
    first = alone.consumer()
    alone.expect_caught_up()
    with own_database.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT id FROM information_schema.processlist WHERE user = %s", (own_database.user,))
        for (session,) in cursor.fetchall():
            own_database.end_session(session)
    alone.consumer()
    lines = wait_for(lambda: [line for line in first.log_lines() if line.get("decision") == "database_trouble"],
                     "the first one to notice")
    first.ready()
    for line in lines:
        assert line["reason"].isprintable() and "server" in line["reason"].lower(), line


def test_server_away_at_start(alone: Pipeline, own_database: SqlServer) -> None:
    trouble = Trouble(alone)
    trouble.put_in()
    own_database.kill()
    consumer = alone.consumer(start=False).start()
    consumer.expect_not_ready("mysql", str(own_database.port))
    bring_back(own_database)
    consumer.ready()
    trouble.expect_no_harm()


@BOTH
def test_read_only_server(alone: Pipeline, own_database: SqlServer) -> None:
    """As after a fail-over to a replica; the application account is not super."""
    trouble = Trouble(alone)
    consumer = alone.consumer()
    trouble.put_in()
    trouble.expect_no_harm()
    set_global(own_database, "read_only", "ON")
    try:
        trouble.put_in()
        consumer.expect_not_ready("mysql")
        stays(trouble.nothing_dead, during=1)
    finally:
        set_global(own_database, "read_only", "OFF")
    consumer.ready()
    trouble.expect_no_harm()


def test_connections_at_their_limit_pause(alone: Pipeline, own_database: SqlServer) -> None:
    """1040: nobody else gets in; the consumer waits."""
    trouble = Trouble(alone)
    trouble.put_in()
    set_global(own_database, "max_connections", "10")
    crowd = []
    try:
        while True:
            crowd.append(own_database.connect())
    except pymysql.MySQLError as error:
        assert error.args[0] == 1040
    consumer = alone.consumer(start=False).start()
    consumer.expect_not_ready("mysql")
    for connection in crowd:
        connection.close()
    set_global(own_database, "max_connections", "300")
    consumer.ready()
    trouble.expect_no_harm()


# Trouble that others who use the server do not see

def test_wrong_password_at_start(bench: Pipeline) -> None:
    trouble = Trouble(bench)
    trouble.put_in()
    secret = bench.folder / "sql-password"
    secret.write_text("mistaken")
    bench.config["mysql"] |= {"password": {"file": str(secret)}, "user": f"{bench.name}p"}
    bench.ledger.run(f"CREATE USER '{bench.name}p'@'%' IDENTIFIED BY 'right'",
                     f"GRANT ALL ON {bench.name}.* TO '{bench.name}p'@'%'")
    consumer = bench.consumer(start=False).start()
    assert "mistaken" not in consumer.expect_not_ready("mysql", f"{bench.name}p")
    bench.ledger.run(f"ALTER USER '{bench.name}p'@'%' IDENTIFIED BY 'mistaken'")
    consumer.ready()
    trouble.expect_no_harm()


@BOTH
@pytest.mark.parametrize("mend", ["create it", "grant the right", "add the column"])
def test_business_table_that_is_not_there_yet(bench: Pipeline, mend: str) -> None:
    """The sentence says what is missing and which statement of the configuration wants it. Other effects go on."""
    lacking = "amount" if mend == "add the column" else "note"
    if mend == "create it":
        bench.ledger.run("DROP TABLE note")
    elif mend == "grant the right":
        bench.config["mysql"]["user"] = f"{bench.name}r"
        rights = [f"GRANT ALL ON {bench.name}.{table} TO '{bench.name}r'@'%'"
                  for table, in bench.ledger.query("SHOW TABLES") if table != "note"]
        bench.ledger.run(f"CREATE USER '{bench.name}r'@'%' IDENTIFIED BY 'sluice'", *rights)
    else:
        bench.ledger.run("ALTER TABLE note DROP COLUMN amount")
    event, trouble = note(bench), Trouble(bench)
    consumer = bench.consumer(start=False, role="both").start()
    report = consumer.expect_not_ready(lacking)
    assert "yaml:" in report and "take-note" in report, f"the statement's place is missing: {report}"
    trouble.put_in()
    trouble.expect_no_harm()
    assert bench.ledger.status(event) != "done"
    if mend == "create it":
        bench.ledger.run(*EXTRA_TABLES)
    elif mend == "grant the right":
        bench.ledger.run(f"GRANT ALL ON {bench.name}.note TO '{bench.name}r'@'%'")
    else:
        bench.ledger.run("ALTER TABLE note ADD COLUMN amount BIGINT NOT NULL")
    consumer.ready()
    bench.ledger.expect_status(event, "done")


def note(pipeline: Pipeline) -> Event:
    event = snapshot("charge.updated", {"id": fresh_id("ch"), "amount": 3})
    put(pipeline, event)
    return event


@BOTH
def test_table_dropped_under_way_holds_the_objects_that_need_it_alone(bench: Pipeline) -> None:
    """Their events wait in their lanes, uncounted; the process says which effect, and what it lacks."""
    trouble = Trouble(bench)
    consumer = bench.consumer(role="both")
    bench.ledger.expect_status(note(bench), "done")
    bench.ledger.run("RENAME TABLE note TO note_away")
    events = [note(bench) for _ in range(5)]
    assert "take-note" in consumer.expect_not_ready("held_effects", "note")
    consumer.expect_metric(1, "sluice_consumer_effect_held", effect="take-note")
    trouble.put_in()
    trouble.expect_no_harm()
    for event in events:
        bench.ledger.expect_status(event, "retry")
    assert bench.ledger.query("SELECT DISTINCT attempts FROM lane_event") == [(0,)], "it was counted"
    bench.ledger.run("RENAME TABLE note_away TO note")
    consumer.ready()
    for event in events:
        bench.ledger.expect_status(event, "done")
    consumer.expect_metric(0, "sluice_consumer_effect_held", effect="take-note")


def test_start_waits_where_every_effect_lacks_something(bench: Pipeline) -> None:
    """Nobody's tables are there yet: what comes waits in Kafka, not in lanes."""
    bench.config["effects"] = [effect for effect in bench.config["effects"] if effect["name"] == "take-note"]
    bench.ledger.run("DROP TABLE note")
    event = note(bench)
    consumer = bench.consumer(start=False).start()
    assert "take-note" in consumer.expect_not_ready("mysql", "note")
    bench.ledger.run(*EXTRA_TABLES)
    consumer.ready()
    bench.ledger.expect_status(event, "done")


def test_unmigrated_database_is_said_and_mends_itself(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline()
    pipeline.create_topics()
    pipeline.create_database()
    pipeline.ledger.run(*BUSINESS_TABLES)
    consumer = pipeline.consumer(start=False).start()
    consumer.expect_not_ready("migrate")
    pipeline.migrate()
    consumer.ready()
    trouble = Trouble(pipeline)
    trouble.put_in()
    trouble.expect_no_harm()


def test_database_of_another_group_is_refused(bench: Pipeline) -> None:
    """One database belongs to one consumer group."""
    bench.consumer().stop()
    bench.config["kafka"] |= {"group": f"{bench.group}-other", "dlq_topic": bench.dlq}
    other = bench.consumer(start=False).start()
    other.expect_clean_end = False
    assert other.wait_end() != 0
    assert bench.group in other.errors() + str(other.log_lines())


@BOTH
def test_deadlocks_are_tried_again(bench: Pipeline) -> None:
    """Two rows locked crosswise and the consumer is the victim: 1213 has undone all, none of it may be gone on with."""
    first, second = fresh_id("cus"), fresh_id("cus")
    bench.ledger.open_wallet(first, second)
    bench.ledger.run("CREATE TABLE ballast (id INT)")
    consumer = bench.consumer()
    events: list[Event] = []
    while consumer.metric("sluice_consumer_rollbacks_total", why="lost_lock") < 2:
        assert len(events) < 20, "it was not the victim twice: the test proves nothing"
        events.append(deadlock_with(bench, first, second))
    for event in events:
        bench.ledger.expect_status(event, "done")
    assert (bench.ledger.balance(first), bench.ledger.balance(second)) == (len(events), len(events))


def deadlock_with(pipeline: Pipeline, first: str, second: str) -> Event:
    """Holds `second`, waits until the consumer holds `first` and wants `second`, then asks for `first`."""
    event = snapshot("charge.captured", {"id": fresh_id("ch"), "first": first, "second": second})
    with pipeline.ledger.session() as other, other.cursor() as cursor:
        cursor.execute("INSERT INTO ballast VALUES " + ", ".join(["(1)"] * 200))  # the lighter one is the victim
        cursor.execute("UPDATE wallet SET balance = balance WHERE customer = %s", second.encode())
        put(pipeline, event)
        wait_for(lambda: sessions_that_wait_for_a_lock(pipeline.ledger), "the consumer to wait for the lock")
        cursor.execute("SELECT * FROM wallet WHERE customer = %s FOR UPDATE", first.encode())
        other.rollback()
    return event


@BOTH
def test_lost_answer_to_commit(bench: Pipeline) -> None:
    """COMMIT reaches the server, its answer does not come: done once, whatever the server made of it."""
    trouble = Trouble(bench)
    trouble.put_in(30)
    lost = iter(range(5))

    def is_commit(data: bytes) -> bool:  # COM_QUERY, then the statement; "SET autocommit" is none
        return b"\x03COMMIT" in data.upper() and next(lost, None) is not None

    with TcpProxy(bench.database.port, is_commit) as proxy:
        bench.config["mysql"]["port"] = proxy.port
        bench.config["consumer"] = {"batch": 4}
        bench.consumer()
        trouble.expect_no_harm()
        assert proxy.lost >= 3, f"only {proxy.lost} answers were lost: the test proves nothing"
        bench.end_programs()


@pytest.mark.databases("mariadb")
def test_packets_that_a_sources_bodies_do_not_fit_in_are_named_with_their_size(new_pipeline, servers: Servers) -> None:
    """The server would refuse such an event each time that it is tried."""
    own = servers.own_database("mariadb", "packets", max_allowed_packet="4194304")
    pipeline: Pipeline = new_pipeline(database=own).prepare()
    assert pipeline.consumer().stop() == 0
    pipeline.config["sources"][0]["max_body"] = "8MiB"
    pipeline.consumer(start=False).start().expect_not_ready("max_allowed_packet", "9437184")
    pipeline.end_programs()
    servers.drop(own)
