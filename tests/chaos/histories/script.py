"""What a history's events do: effects that fail as long as a script in the database says so.

`trouble` holds each event's script, one letter for each attempt to come; an attempt takes the first one away. Its table and that
of the attempts know no transactions, so that an attempt counts although it is rolled back, and their order is that in which
things happened. The consumer refuses such tables in its own database, so these two are in one beside it (`beside`). What is
applied is in `applied`, which does know transactions: there a second effect shows as a second row.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.chaos.histories import kinds
from tests.support.effects import SOURCE

DEFERS, RETRIES, PARKS, REFUSED, UNKNOWN, LOST_LOCK, ASKS = "drpxulc"  # how an attempt ends, by letter
CASE = "asked"  # the class of what ASKS: a rule leaves it to a person
APPLIES = "a"
KILLS_AT_ONCE = PARKS + REFUSED
FAILURES = RETRIES + UNKNOWN
FROZEN_AT_MOST = "1m"  # no run fails because its process was frozen: the script alone says what fails
UNKNOWN_AT_MOST = 3  # failures, the last of them unknown to us (consumer/lane/rules/after_attempt.cpp)


@dataclass(frozen=True)
class Kind:
    """Events of one type, with an effect of their own."""

    type: str
    policy: dict[str, object] = field(default_factory=dict)
    needs_a_row: bool = False  # of its object, which an event of kind `makes` writes
    makes_a_row: bool = False
    has_script: bool = True    # False: its effects are set-based alone
    deletes: bool = False      # the state of a part

    @property
    def can_be_passed(self) -> bool:
        """By later events of its object, while it is deferred."""
        return self.policy.get("while_deferred") != "hold"

    @property
    def lets_cases_pass(self) -> bool:
        return self.policy.get("after_case") == "pass"


KINDS = {
    "plain": Kind("invoice.paid"),
    "holds": Kind("invoice.updated", {"while_deferred": "hold"}),
    "latest": Kind("customer.updated", {"after_dead": "skip_superseded"}),
    "thrice": Kind("charge.failed", {"retry": {"attempts": 3}}),
    "brief": Kind("charge.pending", {"defer": {"for": "1s"}}),
    "needs": Kind("charge.succeeded", needs_a_row=True),
    "makes": Kind("customer.created", makes_a_row=True),
    "passes": Kind("customer.deleted", {"after_case": "pass"}, deletes=True),
    "sums": Kind("invoice.finalized", has_script=False)}

TABLES = [
    *kinds.TABLES,
    "CREATE TABLE applied (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL,"
    " at DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)))",
    "CREATE TABLE made (object VARBINARY(255) PRIMARY KEY)"]

TABLES_BESIDE = [
    "CREATE TABLE trouble (event VARBINARY(255) PRIMARY KEY, script VARBINARY(32) NOT NULL) ENGINE = MyISAM",
    "CREATE TABLE attempt (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL, what CHAR(1) NOT NULL,"
    " at DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6))) ENGINE = MyISAM",
    f"""CREATE TRIGGER script_went_on AFTER UPDATE ON trouble FOR EACH ROW
BEGIN
  INSERT INTO attempt (event, what) VALUES (OLD.event, LEFT(OLD.script, 1));
  CASE LEFT(OLD.script, 1)
    WHEN '{REFUSED}' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused';
    WHEN '{UNKNOWN}' THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1105, MESSAGE_TEXT = 'unknown';
    WHEN '{LOST_LOCK}' THEN SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'deadlock';
    ELSE BEGIN END;
  END CASE;
END"""]


def beside(database: str) -> str:
    return f"{database}_script"


def healing(database: str) -> str:
    return f"DELETE FROM {beside(database)}.trouble"


def effects(database: str) -> list[dict]:
    scripts = beside(database)
    every = [kind.type for kind in KINDS.values()]
    scripted = {name: kind for name, kind in KINDS.items() if kind.has_script}
    made = [*kinds.together(SOURCE, every, KINDS["passes"].type), *kinds.in_turn(SOURCE, [kind.type for kind in scripted.values()]),
            {"name": "sums", "when": {"source": SOURCE, "type": KINDS["sums"].type},
             "insert": {"table": "applied", "row": {"event": ":event_id"}}}]
    made += [{"name": name, "when": {"source": SOURCE, "type": kind.type}, "sql": _statements(kind, scripts), **kind.policy}
             for name, kind in scripted.items()]
    return [{"within": FROZEN_AT_MOST, **effect} for effect in made]


def _statements(kind: Kind, scripts: str) -> list[dict]:
    steps = [_step(scripts, letters, outcome) for letters, outcome in
             ((DEFERS, "defer"), (RETRIES, "retry"), (PARKS, "park"), (ASKS, f"park:{CASE}"), (REFUSED + UNKNOWN + LOST_LOCK, "park"))]
    if kind.needs_a_row:
        steps.append({"run": f"INSERT INTO {scripts}.attempt (event, what) SELECT :event_id, '{DEFERS}' FROM DUAL"
                             " WHERE NOT EXISTS (SELECT 1 FROM made WHERE object = :object)", "rows": {0: "done", 1: "defer"}})
    if kind.makes_a_row:
        steps.append({"run": "INSERT INTO made VALUES (:object) ON DUPLICATE KEY UPDATE object = :object",
                      "rows": {"other": "done"}})
    return [*steps, _always("applied", "(event) VALUES (:event_id)"),
            _always(f"{scripts}.attempt", f"(event, what) VALUES (:event_id, '{APPLIES}')")]


def _step(scripts: str, letters: str, outcome: str) -> dict:
    first = ", ".join(f"'{letter}'" for letter in letters)
    return {"run": f"UPDATE {scripts}.trouble SET script = SUBSTRING(script, 2)"
                   f" WHERE event = :event_id AND LEFT(script, 1) IN ({first})",
            "rows": {0: "done", 1: outcome}}


def _always(table: str, rest: str) -> dict:
    return {"run": f"INSERT INTO {table} {rest}", "rows": {1: "done"}}
