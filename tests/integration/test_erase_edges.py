"""sluicectl erase where it is easily wrong: many rows, keys that are nearly the same, clocks that are off, and a terminal that is asked."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from tests.support.erasure import APPLY, LIFE, SIGNED, Person, dump, erase, places_of, rows_in, site  # noqa: F401
from tests.support.events import fresh_id
from tests.support.pipeline import Pipeline
from tests.support.shifted_clock import clock_at
from tests.support.terminal import at_a_terminal

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

HOURS = 2 * 3600  # seconds
MANY = 1100  # more than a page of each walk, and than two transactions


def copy_rows(pipeline: Pipeline, table: str, which: str, **changes: str) -> None:
    """MANY more rows like the one that `which` names, but for `changes`: columns as expressions of `n`."""
    columns = [name for name, *_ in pipeline.ledger.query(f"SHOW COLUMNS FROM {table}") if name != "id" or "id" in changes]
    digits = "(SELECT 0 d " + " ".join(f"UNION ALL SELECT {digit}" for digit in range(1, 10)) + ")"
    numbers = f"(SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM {digits} a, {digits} b, {digits} c, {digits} e) numbers"
    pipeline.ledger.run(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(changes.get(name, name) for name in columns)}"
                        f" FROM {table}, {numbers} WHERE n < {MANY} AND {which} ORDER BY n")


def test_long_life_goes_whole(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    [(dedup_key,)] = site.ledger.query("SELECT HEX(dedup_key) FROM inbox WHERE event_id = %s", anna.odd.id)
    for table in ("inbox", "event_payload"):
        copy_rows(site, table, f"dedup_key = UNHEX('{dedup_key}')", dedup_key="UNHEX(SHA2(CONCAT('copy ', n), 256))")
    copy_rows(site, "dead_letter", "kind = 'conflict'", seen_once="UNHEX(SHA2(CONCAT('copy ', n), 256))")
    copy_rows(site, "operator_action", "action = 'skip'", id="UNHEX(LEFT(SHA2(CONCAT('copy ', n), 256), 32))")
    whole = {"event_payload": 2 + MANY, "inbox": 1 + MANY, "dead_letter": 2 + MANY, "operator_action": 2 + MANY, "callback": 0}
    assert rows_in(erase(site, "--object", anna.key)) == {**whole, "outbox": 0}
    assert erase(site, "--object", anna.key, *APPLY)["erased"] == whole
    assert places_of(site, anna.name) == Counter()


def test_key_that_differs_by_the_case_of_a_dead_letter_is_another_object(site: Pipeline) -> None:
    anna = Person(site, unit=fresh_id("in_a"))
    otto = Person(site, unit=anna.unit.replace("in_a", "in_A"))
    for person in (anna, otto):
        person.live()
    erase(site, "--object", anna.key, *APPLY)
    assert (places_of(site, anna.name), places_of(site, otto.name)) == (Counter(), LIFE)


@pytest.mark.parametrize("off", [-HOURS, HOURS], ids=["behind", "ahead"])
def test_when_it_was_is_told_by_the_clock_of_the_server(site: Pipeline, off: int) -> None:
    anna = Person(site)
    anna.live()
    erase(site, "--object", anna.key, *APPLY, environment=clock_at(time.time() + off))
    assert site.ledger.query("SELECT (SELECT MAX(finished_at) FROM inbox) < begun_at, begun_at < finished_at, finished_at < UTC_TIMESTAMP(6)"
                             " FROM erasure") == [(1, 1, 1)]
    assert "request   erased 20" in site.ctl("event", "show", anna.paid.id, "--no-kafka").stdout


def test_event_that_is_not_finished_and_in_no_lane_is_named(site: Pipeline) -> None:
    """As a hand in the tables may have left it: its request may still be needed."""
    anna = Person(site)
    anna.live()
    site.ledger.run(f"UPDATE inbox SET status = 'dead', finished_at = NULL WHERE event_id = '{anna.paid.id}'")
    before = dump(site)
    refused = erase(site, "--object", anna.key, *APPLY, code=1)
    assert [line["what"] for line in refused["waiting"]] == ["1 events of the inbox"]
    assert dump(site) == before


def answered(pipeline: Pipeline, answer: str, *arguments: str) -> tuple[int, str]:
    """Types `answer` once sluicectl asks its terminal; its exit code, and what it said then."""
    with at_a_terminal(pipeline, "erase", *arguments) as (tool, keyboard):
        asked = ""
        while not asked.endswith("Type yes to erase: "):
            dead_letter = tool.stderr.read(1)
            assert dead_letter, asked
            asked += dead_letter
        keyboard(answer)
        out, said = tool.communicate(timeout=30)
    return tool.returncode, out + said


def test_terminal_is_asked_and_only_yes_erases(site: Pipeline) -> None:
    anna = Person(site)
    anna.live()
    before = dump(site)
    for answer in ("no\n", "y\n", "YES\n", "yes please\n", "\n", "\x04"):
        code, said = answered(site, answer, "--object", anna.key, *SIGNED)
        assert code == 1 and "nothing was erased" in said, answer
    assert dump(site) == before
    code, said = answered(site, "yes\n", "--object", anna.key, *SIGNED)
    assert code == 0 and "erased: 2 archived requests" in said
    assert places_of(site, anna.name) == Counter()


def test_terminal_is_not_asked_unless_somebody_signs(site: Pipeline) -> None:
    """Nor of an object that still waits: there is nothing to say yes to."""
    anna, otto = Person(site), Person(site)
    anna.live()
    otto.die()
    for key, signed, code in ((anna.key, SIGNED[:2], 0), (anna.key, SIGNED[2:], 0), (otto.key, SIGNED, 1)):
        with at_a_terminal(site, "erase", "--object", key, *signed) as (tool, _):
            _, said = tool.communicate(timeout=30)
        assert tool.returncode == code and "Type yes" not in said, said
    assert places_of(site, anna.name) == LIFE
