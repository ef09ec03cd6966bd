"""`sluicectl effects test`: what the consumer would do with an event, in a transaction that is always rolled back."""

from __future__ import annotations

import json
import signal

import pytest
from pymysql.err import OperationalError

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shop import SAYS, new_order, open_shop, order_of, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

PAYMENTS = "CREATE TABLE shop_payment (id BIGINT AUTO_INCREMENT UNIQUE, event VARBINARY(255) PRIMARY KEY, no VARCHAR(64) NOT NULL, note VARCHAR(64))"
HEAD = {"name": "pay-order", "when": {"payment": "paid"}}
KEY = {"no": ":reference"}
DECIDE = {**HEAD, "decide": {"none": "defer", "select": """
    SELECT CASE WHEN amount <> :amount THEN 'park:amount_mismatch' ELSE 'done' END, CONCAT('order ', no, ' is over ', amount)
    FROM shop_order WHERE no = :reference FOR UPDATE"""},
          "set": {"table": "shop_order", "key": KEY, "row": {"status": "PAID"}}}
SET = {**HEAD, "set": {"table": "shop_order", "key": KEY, "row": {"status": "PAID"}, "when": {"amount": [":amount"]},
                       "otherwise": "park:amount_mismatch", "missing": "defer"}}
SQL = {**HEAD, "sql": [{"run": "UPDATE shop_order SET status = 'PAID' WHERE no = :reference AND amount = :amount",
                        "rows": {1: "done", 0: {"park": "amount_mismatch", "reason": "order :reference: :amount were paid"}}}]}
ADD = {**HEAD, "add": {"table": "shop_order", "key": KEY, "column": "amount", "by": "-8888", "floor": 0, "below": "park:amount_mismatch",
                       "missing": "defer"}}
INSERT = {**HEAD, "insert": {"table": "shop_payment", "row": {"event": ":event_id", "no": ":reference"}, "duplicate": "ignore"}}
KINDS = {"decide": DECIDE, "set": SET, "sql": SQL, "add": ADD, "insert": INSERT}
BOUND = {"decide": ["PAID", "order"], "set": ["PAID", "order", 8888], "sql": ["order", 8888], "add": [-8888, "order"], "insert": ["event", "order"]}
TYPE, PLACE, AMOUNT = SAYS["alipay"]


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    open_shop(pipeline, SET)
    pipeline.ledger.run(PAYMENTS)
    return pipeline


@pytest.fixture
def ingress(shop: Pipeline) -> Program:
    return shop.ingress()


def words_of(order: str, *sets: str) -> list[str]:
    return ["effects", "test", "--sample", TYPE, "--set", f"{PLACE}={order}", *(word for each in sets or (AMOUNT,) for word in ("--set", each))]


def trial(shop: Pipeline, *words: str, code: int = 0) -> dict:
    result = shop.ctl(*words, "--json")
    assert result.returncode == code, result.stdout + result.stderr
    [only] = json.loads(result.stdout)["trials"]
    return only


def everything(shop: Pipeline) -> list:
    return [shop.ledger.query(f"SELECT * FROM {table} ORDER BY 1") for table in ("shop_order", "shop_payment", "inbox", "lane", "dead_letter")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_run_and_nothing_is_left(shop: Pipeline, kind: str) -> None:
    shop.config["effects"] = [KINDS[kind]]
    order = new_order(shop)
    before = everything(shop)
    done = trial(shop, *words_of(order))
    [effect] = done["effects"]
    assert done["verdict"]["kind"] == "applied" and effect["outcome"] == "done", done
    assert effect["because"] == ["payment paid"] and done["payment"]["amount"] == 8888, done
    change = effect["statements"][-1]
    assert change["rows"] == 1 and change["bound"] == [done["event"]["id"] if value == "event" else order if value == "order" else value
                                                       for value in BOUND[kind]], change
    assert not done["event"]["verified"]
    assert everything(shop) == before
    assert_nothing_is_locked(shop)


def assert_nothing_is_locked(shop: Pipeline) -> None:
    with shop.ledger.session() as session, session.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
        for table in ("shop_order", "shop_payment"):
            cursor.execute(f"SELECT * FROM {table} FOR UPDATE")
        session.rollback()


@pytest.mark.parametrize("kind", ["decide", "set", "sql", "add"])
def test_a_case_is_told_as_the_consumer_makes_it(shop: Pipeline, ingress: Program, kind: str) -> None:
    """The same event: what the trial says is what the entry says, so the same values were bound."""
    shop.config["effects"] = [KINDS[kind]]
    order = new_order(shop, amount=17)
    told = trial(shop, *words_of(order), code=1)["verdict"]
    assert told["kind"] == "case" and told["class"] == "amount_mismatch" and order_of(shop, order)[0] == "PENDING"
    assert told["sentence"].startswith("It would be an entry of kind case of class amount_mismatch: "), told
    shop.consumer()
    pay(shop, ingress, "alipay", order)
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM dead_letter") == [(1,)], "the case")
    assert shop.ledger.query("SELECT kind, error_class, error_text FROM dead_letter") == [
        ("case", told["class"].encode(), told["reason"].encode())]


FAILS = {
    "a value that the column refuses": {"sql": [{"run": "UPDATE shop_order SET status = :transaction WHERE no = :reference"}]},
    "a fact that the event lacks": {"sql": [{"run": "UPDATE shop_order SET status = :refund WHERE no = :reference"}]},
    "rows that are not listed": {"sql": [{"run": "UPDATE shop_order SET status = 'PAID' WHERE no <> :reference"}]},
    "duplicate": {"insert": {"table": "shop_order", "row": {"no": ":reference", "amount": ":amount"}}}}


@pytest.mark.parametrize("name", FAILS)
def test_a_failure_is_told_as_the_consumer_makes_it(shop: Pipeline, ingress: Program, name: str) -> None:
    shop.config["effects"] = [{**HEAD, **FAILS[name]}]
    order = new_order(shop)
    long = "/trade_no=a-trade-number-that-is-too-long-for-this-column"
    told = trial(shop, *words_of(order, AMOUNT, long), code=1)["verdict"]
    assert told["kind"] == "dead", told
    shop.consumer()
    pay(shop, ingress, "alipay", order, AMOUNT, long)
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM dead_letter") == [(1,)], "the dead letter")
    assert shop.ledger.query("SELECT kind, error_class, error_text FROM dead_letter") == [
        ("dead", told["class"].encode(), told["reason"].encode())]


def test_what_waits_is_told(shop: Pipeline) -> None:
    told = trial(shop, *words_of("O-nowhere"), code=1)
    assert told["verdict"]["kind"] == "deferred" and "no row has this key" in told["verdict"]["reason"], told
    shop.ledger.run("ALTER TABLE shop_order RENAME TO shop_order_of_before")
    told = trial(shop, *words_of("O-nowhere"), code=1)["verdict"]
    assert told["kind"] == "held" and "shop_order" in told["reason"], told
    shop.ledger.run("ALTER TABLE shop_order_of_before RENAME TO shop_order")


def test_an_event_that_nothing_is_for_is_ignored(shop: Pipeline) -> None:
    told = trial(shop, *words_of(new_order(shop), "/trade_status=TRADE_CLOSED"))
    assert told["verdict"]["kind"] == "ignored" and told["effects"] == [], told


def test_events_that_came_are_tried_with_what_they_are_now(shop: Pipeline, ingress: Program) -> None:
    """From the lane of a case, from the archive of one that is done."""
    shop.consumer()
    good, bad = new_order(shop), new_order(shop, amount=1)
    for order in (good, bad):
        pay(shop, ingress, "alipay", order)
    wait_for(lambda: sorted(status for (status,) in shop.ledger.query("SELECT status FROM inbox")) == ["dead", "done"], "both")
    ids = {status: event.decode() for status, event in shop.ledger.query("SELECT status, event_id FROM inbox")}
    [[entry]] = shop.ledger.query("SELECT id FROM dead_letter")
    case = trial(shop, "effects", "test", "--id", ids["dead"], code=1)
    assert case["event"]["from"] == "its lane" and case["event"]["verified"] and case["verdict"]["kind"] == "case", case
    assert not case["waits_behind_others"], "it is the one that stands there"
    assert trial(shop, "effects", "test", "--id", str(entry), code=1)["verdict"] == case["verdict"]
    shop.ledger.run("UPDATE shop_order SET amount = 8888")
    assert trial(shop, "effects", "test", "--id", ids["dead"])["verdict"]["kind"] == "applied"
    done = trial(shop, "effects", "test", "--id", ids["done"])
    assert done["event"]["from"] == "the archive" and "as done, with pay-order" in done["event"]["stands"], done
    shop.ledger.run("DELETE FROM event_payload")
    wait_for(lambda: trial(shop, "effects", "test", "--id", ids["done"])["event"]["from"] == "Kafka", "the record from Kafka")
    assert shop.ctl("effects", "test", "--id", "never-came").returncode == 1


def test_a_new_event_of_an_object_with_a_lane_would_wait_behind_it(shop: Pipeline, ingress: Program) -> None:
    """The same trade, by its number, which both have."""
    shop.consumer()
    pay(shop, ingress, "alipay", "O-late", AMOUNT, "/trade_no=T-1")
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM lane_event") == [(1,)], "the payment to wait")
    assert trial(shop, *words_of(new_order(shop), AMOUNT, "/trade_no=T-1"))["waits_behind_others"]
    assert not trial(shop, *words_of(new_order(shop), AMOUNT, "/trade_no=T-2"))["waits_behind_others"]


def test_a_sealed_resource_is_opened(shop: Pipeline) -> None:
    order = new_order(shop)
    kind, place, amount = SAYS["wechat-pay"]
    told = trial(shop, "effects", "test", "--sample", kind, "--set", f"{place}={order}", "--set", amount)
    assert told["verdict"]["kind"] == "applied" and told["payment"]["reference"] == order, told


def test_a_field_of_a_form_is_text_as_it_stands(shop: Pipeline) -> None:
    told = trial(shop, *words_of("0012345678901234567890123", "/total_amount=88.880", "/trade_no=8.880e1", "/objekt=1e3"), code=1)
    assert (told["payment"]["reference"], told["payment"]["transaction"]) == ("0012345678901234567890123", "8.880e1"), told
    assert told["payment"]["amount"] == 8888, told
    assert "/objekt is not in the sample: added" in shop.ctl(*words_of("O-1", "/objekt=1e3")).stderr
    assert "not in the sample" not in shop.ctl(*words_of("O-1")).stderr


def test_a_number_where_text_is_wanted_says_so(shop: Pipeline) -> None:
    told = trial(shop, "effects", "test", "--sample", "TRANSACTION.SUCCESS", "--set", "/resource/plain/transaction_id=1001", code=1)
    assert "/decrypted/transaction_id is a number, and text is wanted" in json.dumps(told), told


def test_a_body_of_ones_own(shop: Pipeline) -> None:
    order = new_order(shop, currency="USD")
    body = shop.folder / "body.json"
    body.write_text(json.dumps({"id": "evt_1", "object": "event", "type": "payment_intent.succeeded", "created": 1789000000, "livemode": True,
                                "data": {"object": {"id": "pi_1", "object": "payment_intent", "amount": 8888, "amount_received": 8888,
                                                    "currency": "usd", "metadata": {"order_id": order}}}}))
    told = trial(shop, "effects", "test", "--event", str(body), "--source", "stripe")
    assert told["event"]["id"] == "evt_1" and told["event"]["from"] == str(body) and told["verdict"]["kind"] == "applied", told
    assert "several sources" in shop.ctl("effects", "test", "--event", str(body)).stderr
    body.write_text("{}")
    assert "quarantine" in shop.ctl("effects", "test", "--event", str(body), "--source", "stripe").stderr


def test_values_are_masked(shop: Pipeline) -> None:
    shop.config["effects"] = [{"name": "note", "when": {"source": "stripe"}, "let": {"mail": "/data/object/receipt_email", "iban": "/data/object/account",
                                                                                    "code": "/data/object/client_secret"},
                               "sql": [{"run": "INSERT INTO shop_payment (event, no, note) VALUES (:mail, :iban, :code)"}]}]
    sets = ["/data/object/receipt_email=kim@example.com", '/data/object/account="4111111111111111"', "/data/object/client_secret=geheim"]
    words = ["effects", "test", "--sample", "payment_intent.succeeded", *(word for each in sets for word in ("--set", each))]
    for more in (["--json"], ["--body"]):
        said = shop.ctl(*words, *more).stdout
        assert "INSERT INTO shop_payment" in said, said
        assert not any(hidden in said for hidden in ("kim@", "41111111", "geheim")), said


def test_what_is_hidden_by_a_name_above_it_or_quoted_by_the_server_is_masked_too(shop: Pipeline) -> None:
    shop.config["effects"] = [{"name": "note", "when": {"source": "stripe"}, "let": {"code": "/data/object/client_secret", "town": "/data/object/address/city"},
                               "sql": [{"run": "INSERT INTO shop_payment (event, no, note) VALUES (:code, 'n', :town)"}]}]
    shop.ledger.run("INSERT INTO shop_payment (event, no) VALUES ('geheim', 'n')")
    words = ["effects", "test", "--sample", "payment_intent.succeeded", "--set", "/data/object/client_secret=geheim",
             "--set", '/data/object/address={"city": "Bielefeld"}']
    for more in (["--json"], ["--body"]):
        result = shop.ctl(*words, *more)
        assert result.returncode == 1 and "INSERT INTO shop_payment" in result.stdout, result.stdout + result.stderr
        assert not any(hidden in result.stdout for hidden in ("Bielefeld", "geheim")), result.stdout


def test_a_whole_object_is_masked_by_what_it_says(shop: Pipeline) -> None:
    shop.config["effects"] = [{"name": "note", "when": {"source": "stripe"}, "let": {"whole": {"pointer": "/data/object", "as": "json"}},
                               "sql": [{"run": "INSERT INTO shop_payment (event, no, note) VALUES (:event_id, 'n', :whole)"}]}]
    words = ["effects", "test", "--sample", "payment_intent.succeeded", "--set", '/data/object/address={"city": "Bielefeld", "plain": "Hamburg"}']
    for more in (["--json"], []):
        said = shop.ctl(*words, *more).stdout
        assert "payment_intent" in said, said
        assert not any(hidden in said for hidden in ("Bielefeld", "Hamburg")), said


def test_killed_in_the_middle_leaves_nothing(shop: Pipeline) -> None:
    shop.config["effects"] = [DECIDE, {**INSERT, "name": "note-payment"}]
    order = new_order(shop)
    before = everything(shop)
    result = shop.ctl(*words_of(order), environment={"SLUICE_FAILPOINTS": "ctl.before_trial_rollback=kill"})
    assert result.returncode == -signal.SIGKILL, result.stderr
    def lets_go() -> bool:
        try:
            assert_nothing_is_locked(shop)
        except OperationalError:  # it has not noticed yet
            return False
        return True
    wait_for(lets_go, "the server to let go")
    assert everything(shop) == before


def test_row_that_is_locked_is_waited_for_a_second(shop: Pipeline) -> None:
    order = new_order(shop)
    with shop.ledger.session() as session, session.cursor() as cursor:
        session.begin()
        cursor.execute("SELECT * FROM shop_order FOR UPDATE")
        told = trial(shop, *words_of(order), code=1)["verdict"]
        session.rollback()
    assert told["kind"] in ("lost_lock", "held") and "lock" in told["reason"].lower(), told


def test_table_that_cannot_roll_back_is_never_touched(shop: Pipeline) -> None:
    shop.config["effects"] = [INSERT]
    shop.ledger.run("ALTER TABLE shop_payment ENGINE = MyISAM")
    result = shop.ctl(*words_of(new_order(shop)))
    assert result.returncode == 2 and "InnoDB" in result.stderr, result.stderr
    assert shop.ledger.query("SELECT COUNT(*) FROM shop_payment") == [(0,)]


def test_trigger_runs_and_is_rolled_back_too(shop: Pipeline) -> None:
    shop.config["effects"] = [SQL]
    shop.ledger.run("CREATE TRIGGER note_paid AFTER UPDATE ON shop_order FOR EACH ROW INSERT INTO shop_payment (event, no) VALUES (NEW.no, NEW.no)")
    said = shop.ctl(*words_of(new_order(shop)))
    assert said.returncode == 0 and "rolled back" in said.stdout and "AUTO_INCREMENT" in said.stdout, said.stdout + said.stderr
    assert shop.ledger.query("SELECT COUNT(*) FROM shop_payment") == [(0,)]
    assert shop.ledger.query("SELECT COUNT(*) FROM shop_order WHERE status = 'PAID'") == [(0,)]


@pytest.mark.parametrize("words, sentence", [
    ([], "give one of"), (["--sample", "x", "--id", "y"], "give one of"), (["--sample", "payment_intent.suceeded"], "no sample of type"),
    (["--sample", TYPE, "--source", "alipai"], "there is no source"), (["--id", "x", "--set", "/a=1"], "as it came"),
    (["--sample", TYPE, "--type", TYPE], "--type is for --event"), (["--event", "/nonexistent.json", "--source", "stripe"], "/nonexistent.json")])
def test_misuse_is_named(shop: Pipeline, words: list[str], sentence: str) -> None:
    result = shop.ctl("effects", "test", *words)
    assert result.returncode == 2 and sentence in result.stderr, result.stderr
