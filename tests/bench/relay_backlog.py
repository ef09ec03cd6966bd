"""A relay that finds a million messages: each statement that it sends is in the server's log, with its time and the rows it looked at."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.bench import outbox_rows, statement_log
from tests.bench.arena import Arena
from tests.bench.building import ours
from tests.bench.cells import Untrue
from tests.bench.consumer_rounds import new_pipeline
from tests.bench.ingress_rounds import Say
from tests.bench.relay_rounds import BATCH, direct
from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for

MESSAGES, KEYS = 1_000_000, 100_000
WITHIN = 1800.0  # seconds
MOST_ROWS = 2 * BATCH  # that a statement of the relay may look at: of a page each row, by an index and by the primary key
SLOW = 1.0  # seconds: what a server's log of slow statements may begin with
# The only one whose rows are not bounded: once an hour, outside the way of messages.
ONCE_AN_HOUR = "SELECT destination FROM outbox WHERE slot IS NOT NULL GROUP"
SENDING = ("SELECT id, message_key", "SELECT id, body", "UPDATE outbox", "SELECT ? FROM DUAL", "SELECT GET_LOCK", "SELECT RELEASE_LOCK", "DELETE FROM outbox")
NOTE = ("To a topic. Each statement of the relay is in the server's log of slow statements, which begins at 0 s here. Where others use the machine too a "
        "statement's time is theirs as well; the rows it looked at are its own.")


def run(arena: Arena, messages: int, say: Say) -> dict:
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-consumer").parent)
    pipeline = new_pipeline(arena, "backlog")
    keys = max(messages * KEYS // MESSAGES, 1)
    file = arena.folder / "statements.log"
    try:
        topic = direct(pipeline, None)
        say(f"  filling the outbox with {messages:,} messages")
        outbox_rows.fill(pipeline.ledger, messages, keys)
        with statement_log.logged(arena.sql, file):
            seconds = drain(pipeline, messages, say)
        outbox_rows.check_topic(pipeline.log, topic, messages)
        plan = plan_of_a_page(pipeline)
        return {"messages": messages, "keys": keys, "database": arena.sql.name, "seconds": seconds, "plan": plan, "rows": rows(file)}
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def drain(pipeline: Pipeline, messages: int, say: Say) -> float:
    began = time.monotonic()
    relay = pipeline.consumer(start=False, role="relay").start()

    def is_done() -> bool:
        assert relay.running, relay.story()
        sent = relay.metric("sluice_relay_messages_total", destination=outbox_rows.DESTINATION, result="sent")
        say(f"  {sent:,.0f} sent after {time.monotonic() - began:.0f} s")
        return sent >= messages

    wait_for(is_done, f"{messages} messages to be sent", WITHIN, every=10.0 if messages > 200_000 else 1.0)
    seconds = time.monotonic() - began
    relay.stop()
    if left := outbox_rows.unsent(pipeline.ledger):
        raise Untrue(f"{left} messages are not marked as sent")
    return seconds


def plan_of_a_page(pipeline: Pipeline) -> str:
    """The index that a page is read by, with all that was sent in the table."""
    found = pipeline.ledger.query("EXPLAIN SELECT id FROM outbox FORCE INDEX (outbox_slot)"
                                  f" WHERE destination = '{outbox_rows.DESTINATION}' AND slot = 3 AND id > 0 ORDER BY id LIMIT {BATCH}")
    return next(str(value) for value in found[0] if value in ("outbox_slot", "PRIMARY"))


def rows(file: Path) -> dict[str, dict]:
    with file.open(errors="replace") as lines:
        found = statement_log.by_text(lines)
    return {text: vars(one) for text, one in sorted(found.items(), key=lambda each: -each[1].seconds) if text.startswith((*SENDING, ONCE_AN_HOUR))}


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    return [f"{result['messages']:,} messages of {result['keys']:,} keys", "how many", "in all, s", "longest, ms", f"bar {SLOW * 1000:g} ms", "rows at most",
            f"bar {MOST_ROWS}"], [
        [f"`{text}`", f"{row['count']:,}", f"{row['seconds']:.1f}", f"{row['longest'] * 1000:,.0f}",
         "" if is_hourly(text) else "met" if row["longest"] < SLOW else "MISSED", f"{row['most_rows']:,}",
         "once an hour: all that wait" if is_hourly(text) else "met" if row["most_rows"] <= MOST_ROWS else "MISSED"] for text, row in result["rows"].items()]


def note(result: dict) -> str:
    return (f"{NOTE} With all that was sent in the table, a page is read by `{result['plan']}`. The whole took {result['seconds']:,.0f} s,"
            " which is the machine's figure.")


def is_hourly(text: str) -> bool:
    return text.startswith(ONCE_AN_HOUR)
