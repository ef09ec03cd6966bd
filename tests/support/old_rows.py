"""What a database holds after a long time, so that one round of housekeeping has all of its work to do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.support.pipeline import Pipeline

KEEP = {"keep": "8d", "keep_undated": "60d"}
AGED = ("partitions_dropped", "partitions_added", "undated_deleted", "undated_forgotten", "selftests_deleted", "dead_letters_cleared",
        "dead_letters_deleted", "actions_deleted", "erasures_deleted", "applied_offsets_deleted")  # what housekeeping says of them
DEAD = ("INSERT INTO dead_letter (kind, object_key, source, type, event_id, error_class, error_text, attempts, first_failed_at, topic,"
        " partition_no, offset_no, dlq_sent, opened_at, closed_at, closed_as, body) VALUES ('conflict', 'o', 's', 't', 'e', 'c', 'x', 1,"
        " {then}, 't', 0, 0, 1, {then}, {then}, 'closed', '{{}}')")
OFFSET = "INSERT INTO applied_offset VALUES ('{group}', 'of-a-topic', 0, 'writer-{next}', {next}, {then})"
LATE = "INSERT INTO lane VALUES (UNHEX(SHA2('idle', 256)), 'idle', 1, NULL, 1, 0, 1, {then})"


def leave_old_rows(pipeline: Pipeline) -> None:
    pipeline.config["inbox"] = KEEP
    for table in ("inbox", "event_payload"):
        pipeline.ledger.run(*_days_of(table))
    pipeline.config["callbacks"] = {**pipeline.config.get("callbacks", {}), "keep": KEEP["keep"]}
    pipeline.ledger.run(
        f"ALTER TABLE callback REORGANIZE PARTITION p_newest INTO (PARTITION {_name(-30)} VALUES LESS THAN ('{_day(-29)}'),"
        " PARTITION p_newest VALUES LESS THAN (MAXVALUE))",
        f"INSERT INTO sluice_meta VALUES ('dropped_before', '{_day(-29)}', {_ago(2)})",
        "INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, topic, partition_no, offset_no,"
        f" received_at, finished_at) VALUES ('1970-01-01', UNHEX(SHA2('k', 256)), '', 's', 'e', 't', 'o', 'done', 't', 0, 0, {_ago(20)}, {_ago(20)})",
        "INSERT INTO undated_key VALUES (UNHEX(SHA2('j', 256)), '', 's', UTC_DATE() - INTERVAL 100 DAY)",
        DEAD.format(then=_ago(20)), DEAD.format(then=_ago(500)),
        "INSERT INTO operator_action (id, action, answer, object_key, operator, reason, database_user, host, requested_at, carried_out_at)"
        f" VALUES ('1', 'close', 'carried_out', 'o', 'ada', 'x', 'u', 'h', {_ago(500)}, {_ago(500)})",
        f"INSERT INTO erasure (lane_key, operator, reason, database_user, host, begun_at) VALUES ('1', 'ada', 'x', 'u', 'h', {_ago(500)})",
        f"INSERT INTO sluice_selftest VALUES ('e', {_ago(20)})",
        *(OFFSET.format(group=pipeline.group, next=offset, then=_ago(3)) for offset in (5, 9)))


def leave_idle_lane(pipeline: Pipeline) -> None:
    pipeline.ledger.run(LATE.format(then=_ago(3)))


def _days_of(table: str) -> list[str]:
    """A day that is over, and no partition for the last of those to come."""
    return [f"ALTER TABLE {table} REORGANIZE PARTITION {_name(0)} INTO (PARTITION {_name(-30)} VALUES LESS THAN ('{_day(-29)}'),"
            f" PARTITION {_name(0)} VALUES LESS THAN ('{_day(1)}'))",
            f"ALTER TABLE {table} REORGANIZE PARTITION {_name(7)}, p_newest INTO (PARTITION p_newest VALUES LESS THAN (MAXVALUE))"]


def _day(offset: int) -> str:
    return f"{datetime.now(UTC) + timedelta(days=offset):%Y-%m-%d}"


def _name(offset: int) -> str:
    return f"p{_day(offset).replace('-', '')}"


def _ago(days: int) -> str:
    return f"UTC_TIMESTAMP(6) - INTERVAL {days} DAY"
