"""Effects that are wrong: `sluice-consumer --check`, its start and `sluicectl doctor` refuse them with the same sentences."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.integration.test_config import lines_around, path_of
from tests.support.effects import EFFECTS
from tests.support.pipeline import Pipeline
from tests.support.program import Program, binary

SQL = ("effects", 0, "sql", 0, "run")
ROWS = ("effects", 0, "sql", 0, "rows")
LET = ("effects", 0, "let")
WHEN = ("effects", 0, "when")
SET = {"table": "wallet", "key": {"customer": ":customer"}, "row": {"balance": ":amount"}}
HANDLER = {"name": "voucher-codes", "when": {"payment": "paid"}, "handler": "give_vouchers"}
DECIDE = {"select": "SELECT 'done' FROM wallet WHERE customer = :customer"}

NEWER = {"at": ":event_id"}
MIRROR = {"table": "c", "key": {"c": "/c"}, "newer": NEWER}


def of_kind(kind: str, what: object, *words: str) -> tuple[tuple, object, list[str]]:
    """An effect of one kind and nothing else."""
    return ("effects", 0), {"name": "one", "when": {"source": "stripe-eu", "type": ["c.made", "c.deleted"]}, kind: what}, list(words)


# What is done to the configuration, and words of the sentence: what is wrong, and what would be right.
WRONG: dict[str, tuple[tuple, object, list[str]]] = {
    "SELECT as a change": (SQL, "SELECT 1 FROM wallet WHERE customer = :customer AND balance = :amount FOR UPDATE", ["SELECT", "INSERT"]),
    "CALL": (SQL, "CALL credit(:customer, :amount)", ["CALL", "INSERT"]),
    "COMMIT": (SQL, "COMMIT", ["COMMIT", "INSERT"]),
    "CREATE TABLE": (SQL, "CREATE TABLE x (id INT)", ["CREATE", "INSERT"]),
    "two statements": (SQL, "DELETE FROM wallet; DELETE FROM wallet_entry", ["must have one statement", "its own item"]),
    "executable comment": (SQL, "DELETE /*! FROM wallet */ WHERE customer = :customer", ["/*! … */", "not allowed"]),
    "question mark": (SQL, "UPDATE wallet SET balance = ? WHERE customer = :customer", [":name", "?"]),
    "unknown :name": (SQL, "UPDATE wallet SET balance = :amuont WHERE customer = :customer", [":amuont", "did you mean :amount?"]),
    "a fact without payment": (SQL, "UPDATE wallet SET balance = :currency WHERE customer = :customer", [":currency", "payment under when"]),
    "no text": (SQL, None, ["run"]),
    "rows with a word": (ROWS, {"one": "done"}, ["'one'", "whole number"]),
    "rows with no outcome": (ROWS, {1: "fine"}, ["'fine'", "done, ignore"]),
    "rows with a class of failures": (ROWS, {1: "done", 0: "park:data"}, ["'data'", "a-z"]),
    "rows that are a list": (ROWS, ["done"], ["rows must be a mapping"]),
    "no sql at all": (("effects", 0, "sql"), [], ["list of statements"]),
    "let that nothing uses": ((*LET, "unused"), "/id", [":unused"]),
    "let that is no pointer": ((*LET, "customer"), "data/object", ["data/object", "start with /"]),
    "let of an unknown type": ((*LET, "amount"), {"pointer": "/a", "as": "money"}, ["money", "int64"]),
    "let with a reserved name": ((*LET, "event_id"), "/id", [":event_id", "reserved"]),
    "let with an unknown key": ((*LET, "amount"), {"pointer": "/a", "as": "int64", "round": 2}, ["round", "known keys"]),
    "let with a scale of no amount": ((*LET, "amount"), {"pointer": "/a", "as": "int64", "scale": 2}, ["scale", "only for as: minor"]),
    "let with a constant that is none": ((*LET, "amount"), {"value": "8,88", "as": "minor", "scale": 2}, ["8,88", "no number of digits"]),
    "when with a body of no pointer": ((*WHEN, "body"), {"respCode": "00"}, ["respCode"]),
    "when without anything": (WHEN, {}, ["when", "empty"]),
    "when with an unknown source": ((*WHEN, "source"), "stripe-ue", ["stripe-ue"]),
    "when with an unknown key": ((*WHEN, "typ"), "x", ["typ", "type"]),
    "when with a star in the middle": ((*WHEN, "type"), "customer.*.updated", ["customer.*.updated", "rest of a type"]),
    "when with an unknown kind of payment": ((*WHEN, "payment"), "payed", ["payed", "paid"]),
    "when with an unknown trust": ((*WHEN, "trust"), "some", ["trust", "fields"]),
    "an unknown kind": (("effects", 0, "publish"), {"topic": "paid"}, ["publish", "known keys"]),
    "two kinds": (("effects", 0), {**EFFECTS[0], "set": SET}, ["make it two effects"]),
    "two effects of one name": (("effects", 1, "name"), "credit-wallet", ["credit-wallet", "its own name"]),
    "an unknown handler": (("effects", 0), {**HANDLER, "handler": "give_voucher"}, ["'give_voucher'", "give_vouchers", "consumer/handlers/handlers.cpp"]),
    "a handler without a value that it needs": (("effects", 0), {**HANDLER, "when": {"type": "a"}}, ["needs :reference", "let"]),
    "a handler with a value of another type": (("effects", 0), {**HANDLER, "let": {"amount": "/amount"}}, [":amount", "a whole number", "int64"]),
    "a handler with a value that may be missing": (("effects", 0), {**HANDLER, "let": {"currency": {"pointer": "/c", "optional": True}}},
                                                   [":currency", "NULL"]),
    "a handler and sql": (("effects", 0), {**EFFECTS[0], "handler": "give_vouchers"}, ["make it two effects"]),
    "no name": (("effects", 0, "name"), None, ["name"]),
    "within that is too long": (("effects", 0, "within"), "1h", ["within"]),
    "decide that is no SELECT": (("effects", 0, "decide"), {"select": "DELETE FROM wallet"}, ["DELETE", "SELECT"]),
    "decide without an outcome for none": (("effects", 0, "decide"), {**DECIDE, "none": "wait"}, ["'wait'", "defer"]),
    "decide with two statements": (("effects", 0, "decide"), {"select": "SELECT 'done'; SELECT 'park'"}, ["must have one statement"]),
    "decide that writes a file": (("effects", 0, "decide"), {"select": "SELECT 'done' INTO OUTFILE 'x'"}, ["INTO"]),
    "insert with a mistyped key": of_kind("insert", {"tabel": "t", "row": {"a": "b"}}, "tabel", 'did you mean "table"'),
    "insert without a table": of_kind("insert", {"row": {"a": "b"}}, "table must be given"),
    "insert without a row": of_kind("insert", {"table": "t"}, "row must be a mapping from columns to values"),
    "insert into another database": of_kind("insert", {"table": "t.u", "row": {"a": "b"}}, "'t.u' is not a table name"),
    "insert of a column twice": of_kind("insert", {"table": "t", "row": {"a": "b", "A": "c"}}, "the column A twice"),
    "insert of a list": of_kind("insert", {"table": "t", "row": {"a": ["b"]}}, "a value must be :name"),
    "insert of an unknown :name": of_kind("insert", {"table": "t", "row": {"a": ":b"}}, ":b is not known", "add it to let"),
    "insert whose duplicate waits": of_kind("insert", {"table": "t", "row": {"a": "b"}, "duplicate": "defer"}, "'defer'", "done"),
    "insert that is a list": of_kind("insert", [], "insert must be a mapping"),
    "add to a column of its key": of_kind("add", {"table": "w", "key": {"c": "d"}, "column": "c", "by": 1}, "cannot add to a column of its key"),
    "add of nothing": of_kind("add", {"table": "w", "key": {"c": "d"}, "column": "b"}, "by is missing"),
    "add of half a unit": of_kind("add", {"table": "w", "key": {"c": "d"}, "column": "b", "by": 0.5}, "'0.5' is not a whole number"),
    "add by the key of a time": of_kind("add", {"table": "w", "key": {"c": ":received_at"}, "column": "b", "by": 1}, "the key c is a time"),
    "add with below and no floor": of_kind("add", {"table": "w", "key": {"c": "d"}, "column": "b", "by": 1, "below": "park"}, "give floor too"),
    "set of its key": of_kind("set", {"table": "w", "key": {"c": "d"}, "row": {"c": "e"}}, "row sets c, a column of the key"),
    "set when nothing": of_kind("set", {"table": "w", "key": {"c": "d"}, "row": {"e": "f"}, "when": {"g": []}}, "the list is empty"),
    "set with otherwise and no when": of_kind("set", {"table": "w", "key": {"c": "d"}, "row": {"e": "f"}, "otherwise": "park"}, "give when"),
    "upsert without newer": of_kind("upsert", {"table": "c", "key": {"c": "d"}}, "newer is missing"),
    "upsert newer by two at once": of_kind("upsert", {"table": "c", "key": {"c": "d"}, "newer": {"a": ":event_id", "b": ":event_id"}}, "or a list of such"),
    "upsert newer by a constant": of_kind("upsert", {"table": "c", "key": {"c": "d"}, "newer": {"a": "1"}}, "a value of newer must be :name"),
    "upsert of a column twice": of_kind("upsert", {"table": "c", "key": {"c": "d"}, "row": {"c": 1}, "newer": NEWER}, "the column c stands twice"),
    "upsert with a tombstone of null": of_kind("upsert", {"table": "c", "key": {"c": "d"}, "newer": NEWER, "tombstone": {"gone": None}}, "write tombstone: gone"),
    "upsert whose tie is done": of_kind("upsert", {"table": "c", "key": {"c": "d"}, "newer": NEWER, "tie": "done"}, "'done' cannot be said here"),
    "mirror of no pointer": of_kind("mirror", {"table": "c", "key": {"c": "data/id"}, "newer": NEWER}, "'data/id' is not a JSON pointer", "/data/object/id"),
    "mirror of an unknown type": of_kind("mirror", {**MIRROR, "columns": {"a": {"pointer": "/a", "type": "INT; DROP"}}}, "'INT; DROP'", "VARCHAR(64)"),
    "mirror that chooses the type of newer": of_kind("mirror", {**MIRROR, "newer": {"v": {"pointer": "/v", "as": "int64", "type": "INT"}}}, "takes no type"),
    "mirror with a key of a large type": of_kind("mirror", {**MIRROR, "key": {"c": {"pointer": "/c", "type": "TEXT"}}}, "must be VARCHAR(n)"),
    "mirror that deletes with each event": of_kind("mirror", {**MIRROR, "tombstone": {"gone": "/gone"}}, "each event would delete its object", "deleted_by"),
    "mirror that deletes by a mistyped type": of_kind("mirror", {**MIRROR, "tombstone": {"gone": "/gone"}, "deleted_by": "c.delted"}, "when.type"),
    "mirror that deletes without a tombstone": of_kind("mirror", {**MIRROR, "deleted_by": "c.deleted"}, "deleted_by needs tombstone"),
    "mirror of amounts and texts in one column": of_kind("mirror", {**MIRROR, "columns": {"a": [{"pointer": "/a", "as": "decimal", "scale": 2}, "/b"]}}, "one as"),
    "let with a default and optional": ((*LET, "amount"), {"pointer": "/a", "as": "int64", "default": 0, "optional": True}, ["exclude each other"]),
    "let from two kinds of places": ((*LET, "amount"), {"pointer": "/a", "header": "X-A"}, ["give one of pointer, header"]),
    "let of two types": ((*LET, "customer"), ["/a", {"pointer": "/b", "as": "int64"}], ["one type"]),
    "let of an unknown currency": ((*LET, "amount"), {"pointer": "/a", "as": "minor", "currency": "CNX"}, ["CNX", "ISO 4217"]),
    "let of an amount without digits": ((*LET, "amount"), {"pointer": "/a", "as": "minor"}, ["either scale or currency"]),
    "let of a difference of texts": ((*LET, "customer"), {"pointer": "/a", "minus": "/b"}, ["set as: int64"]),
    "let of an unknown field": ((*LET, "customer"), {"event": "id"}, ["'id' is no field of an event", "event_id"]),
    "let with the type of a column": ((*LET, "customer"), {"pointer": "/a", "type": "INT"}, ["type is for the columns of a mirror"]),
    "when with trust: type and no type": (WHEN, {"source": "stripe-eu", "trust": "type"}, ["trust: type needs type"]),
    "too many attempts": (("effects", 0, "retry"), {"attempts": 5000}, ["attempts", "1000"]),
    "an unknown word after a case": (("effects", 0, "after_case"), "go on", ["after_case", "pass"]),
    "an unknown word while deferred": (("effects", 0, "while_deferred"), "wait", ["while_deferred", "pass"]),
    "a deferral of no time": (("effects", 0, "defer"), {"for": "0s"}, ["defer.for"]),
    "a revision of zero": (("effects_revision",), 0, ["effects_revision", "at least 1"]),
    "effects that are a mapping": (("effects",), {"credit-wallet": {}}, ["effects must be a list"])}


def test_there_are_many() -> None:
    assert len(WRONG) >= 80


@pytest.fixture
def plain(new_pipeline) -> Pipeline:
    """A pipeline of which nothing is made: no server is asked."""
    return new_pipeline()


def written(pipeline: Pipeline) -> Path:
    given = Program("sluice-consumer", pipeline._with_ports(), pipeline.folder, label="check", environment={})
    given.write_config()
    return given.config_file


def said_by_consumer(pipeline: Pipeline, file: Path) -> set[str]:
    result = subprocess.run([str(binary("sluice-consumer")), "--config", str(file), "--check"], text=True, capture_output=True, timeout=30,
                            check=False, env={"PATH": "/usr/bin:/bin", **pipeline.secrets})
    assert result.returncode in (0, 2), result.stderr
    return {line for line in result.stderr.splitlines() if not line.startswith("warning: ")}


def said_by_doctor(pipeline: Pipeline, file: Path | None, part: str = "config", check: str = "config.effects") -> set[str]:
    result = pipeline.ctl("doctor", "--only", part, "--json", *(["--config", str(file)] if file else []))
    findings = json.loads(result.stdout)["findings"]
    failed = {finding["sentence"] for finding in findings if finding["level"] == "fail"}
    assert result.returncode == (1 if failed else 0), result.stdout
    of_effects = {finding["sentence"] for finding in findings if finding["level"] == "fail" and finding["check"] == check}
    assert of_effects == failed, "nothing else is wrong"
    return of_effects


@pytest.mark.parametrize("name", WRONG)
def test_doctor_and_consumer_refuse_the_same_effects(plain: Pipeline, name: str) -> None:
    path, value, words = WRONG[name]
    path_of(plain.config, *path[:-1])[path[-1]] = value
    file = written(plain)
    said = said_by_consumer(plain, file)
    assert said, "the consumer accepts it"
    assert said == said_by_doctor(plain, file)
    fitting = [line for line in said if all(word in line for word in words)]
    assert fitting, said
    assert any(line.startswith(f"{file}:{number}: ") for line in fitting for number in lines_around(plain, path)), said


def test_doctor_and_consumer_take_the_same_effects(plain: Pipeline) -> None:
    file = written(plain)
    assert said_by_consumer(plain, file) == said_by_doctor(plain, file) == set()


def test_mistake_elsewhere_is_said_at_its_part_alone(plain: Pipeline) -> None:
    plain.config["kafka"]["brockers"] = []
    plain.config["efects"] = []
    file = written(plain)
    result = plain.ctl("doctor", "--only", "config,sources,kafka", "--config", str(file), "--json")
    found = [(line["check"], line["level"]) for line in json.loads(result.stdout)["findings"]]
    assert found == [("config.file", "fail"), ("config.sources", "ok"), ("config.kafka", "fail"), ("config.effects", "ok")], result.stdout


# What only a server can tell. An effect that lacks something may yet get it: the consumer waits, and doctor fails all the same.
REFUSED_BY_THE_SERVER: dict[str, tuple[dict, str]] = {
    "syntax": ({"sql": [{"run": "UPDATE wallet SET balance + :amount WHERE customer = :customer"}]}, "the database refuses"),
    "number of columns": ({"sql": [{"run": "INSERT INTO wallet (customer, balance) VALUES (:customer, :amount, 1)"}]}, "the database refuses"),
    "key that no index covers": ({"set": {**SET, "key": {"balance": ":amount"}, "row": {"customer": ":customer"}}}, "no unique index"),
    "column without a value": ({"insert": {"table": "wallet_entry", "row": {"event": ":customer", "amount": ":amount"}}}, "has no default"),
    "syntax of decide": ({"decide": {"select": "SELECT 'done' FROM wallet WHERE WHERE customer = :customer AND balance = :amount"}},
                         "the database refuses")}


@pytest.mark.databases("mysql", "mariadb")
@pytest.mark.parametrize("name", REFUSED_BY_THE_SERVER)
def test_doctor_and_consumer_refuse_what_the_server_never_takes(pipeline: Pipeline, name: str) -> None:
    effect, words = REFUSED_BY_THE_SERVER[name]
    kept = {key: pipeline.config["effects"][0][key] for key in ("name", "when", "let")}
    pipeline.config["effects"] = [{**kept, **effect}]
    consumer = pipeline.consumer(start=False).start()
    assert consumer.wait_end() == 2, consumer.story()
    said = set(consumer.errors().splitlines())
    assert any(words in line and f"{consumer.config_file}:" in line for line in said), said
    assert said == said_by_doctor(pipeline, consumer.config_file, "mysql", "mysql.effects")
