"""A database as a fail-over leaves it: on a copy that lacks the last transactions."""

from __future__ import annotations

import pymysql

from tests.support.lock_waits import sessions_that_wait_for_a_lock
from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for

TABLES = ("inbox", "event_payload", "wallet", "wallet_entry", "applied_offset", "dead_letter", "lane", "lane_event",
          "undated_key")
NOT_CONVERTIBLE = 3854  # ER_CANNOT_CONVERT_STRING of MySQL


def take_copy(pipeline: Pipeline) -> None:
    for table in TABLES:
        pipeline.ledger.run(f"CREATE TABLE copy_{table} AS SELECT * FROM {table}")


def put_copy_back(pipeline: Pipeline, *, cut: bool = True) -> None:
    """As a fail-over to a replica that lacks the last transactions: older rows, and every session is cut, unless a proxy
    keeps them."""
    with pipeline.ledger.session() as session, session.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"DELETE FROM {table}")
            cursor.execute(f"INSERT INTO {table} SELECT * FROM copy_{table}")
        session.commit()
        if cut:
            cut_sessions(pipeline)


def cut_sessions(pipeline: Pipeline) -> None:
    [sessions] = wait_for(lambda: listed_sessions(pipeline), "a list of sessions")
    for number, in sessions:
        pipeline.database.end_session(number)


def listed_sessions(pipeline: Pipeline) -> list[list[tuple]]:
    """Nothing while MySQL cannot list a session: the statement that it runs holds a digest, which is no UTF-8."""
    try:
        return [pipeline.ledger.query("SELECT id FROM information_schema.processlist WHERE db = %s AND user = %s", pipeline.name,
                                      pipeline.database.user)]
    except pymysql.err.OperationalError as error:
        if error.args[0] != NOT_CONVERTIBLE:
            raise
        return []


def cut_session_that_waits_for_a_lock(pipeline: Pipeline) -> None:
    number, = wait_for(lambda: sessions_that_wait_for_a_lock(pipeline.ledger), "a session that waits")
    pipeline.database.end_session(number)
