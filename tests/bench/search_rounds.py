"""How long on-call waits for the callbacks of an order, of an event, of an object or of a client among all that were recorded."""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from tests.bench import callback_rows, statement_log
from tests.bench.arena import Arena
from tests.bench.building import ours
from tests.bench.callback_rows import DAYS, IN_INBOX, OF_AN_OBJECT, client, event_id, object_key, reference
from tests.bench.cells import Untrue
from tests.bench.consumer_rounds import new_pipeline
from tests.bench.ingress_rounds import Say
from tests.support.ledger import Ledger
from tests.support.pipeline import Pipeline

CALLBACKS = 50_000_000
SEARCHES = 40  # of each kind
BAR = 200.0  # ms
SEED = 20261201
# How it is filled: what is lost in a crash is made again.
FAST = {"innodb_buffer_pool_size": "4G", "innodb_flush_log_at_trx_commit": "0", "innodb_redo_log_capacity": "4G", "innodb_doublewrite": "OFF"}


def asked(number: int, day: date) -> dict[str, tuple[list[str], int]]:
    """What is asked about callback `number`, which came on `day`, and how many callbacks are found."""
    return {"an event": (["--event", event_id(number)], 1), "an order, by its reference": (["--reference", reference(number)], 1),
            "an object": (["--object", object_key(number)], OF_AN_OBJECT),
            "a client, of one day": (["--client", client(number), "--since", f"{day}", "--until", f"{day + timedelta(days=1)}"], 50),
            "the newest": ([], 50)}


def run(arena: Arena, count: int, say: Say) -> dict:
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluicectl").parent)
    pipeline = new_pipeline(arena, "search")
    file = arena.folder / "searches.log"
    try:
        pipeline.promise_database().make_database()
        first_day = datetime.now(UTC).date() - timedelta(days=DAYS)
        ledgers = [Ledger(arena.sql, pipeline.ledger.database) for _ in range(2)]
        began = time.monotonic()
        callback_rows.fill(ledgers, count, first_day, say)
        say(f"  {count:,} callbacks after {time.monotonic() - began:.0f} s")
        arena.sql.stop()
        arena.sql.start()
        arena.sql.wait_ready()
        with statement_log.logged(arena.sql, file):
            times = searches(pipeline, count, first_day, say)
        return {"callbacks": count, "days": DAYS, "database": arena.sql.name, "times": times, "most_rows": most_rows(file)}
    finally:
        pipeline.close()


def searches(pipeline: Pipeline, count: int, first_day: date, say: Say) -> dict[str, list[float]]:
    dice, times = random.Random(SEED), {name: [] for name in asked(0, first_day)}
    for turn in range(SEARCHES):
        number = dice.randrange(count // IN_INBOX) * IN_INBOX
        for name, (words, wanted) in asked(number, first_day + timedelta(days=number // (count // DAYS))).items():
            began = time.monotonic()
            done = pipeline.ctl("callback", "list", *words, "--json")
            times[name].append((time.monotonic() - began) * 1000)
            found = len(json.loads(done.stdout)["callbacks"]) if done.returncode == 0 else 0
            if found != wanted:
                raise Untrue(f"callback list {' '.join(words)}: {found} callbacks, not {wanted}: {done.stderr}")
        if turn in (0, SEARCHES - 1):
            say("  " + ", ".join(f"{name} {each[-1]:.0f} ms" for name, each in times.items()))
    return times


def most_rows(file: Path) -> int:
    """That a statement of a search looked at."""
    with file.open(errors="replace") as lines:
        return max(one.most_rows for text, one in statement_log.by_text(lines).items() if "FROM callback" in text or text.startswith("SELECT c."))


def note(result: dict) -> str:
    return (f"`sluicectl callback list`, the whole command, {SEARCHES} of each kind in turns, each about another callback, drawn from all days. *First*: after "
            f"the server began anew, it has to read its pages. Every tenth event has its row in the inbox. No statement looked at more than {result['most_rows']:,} rows.")


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, times in result["times"].items():
        warm = times[1:]
        rows.append([name, f"{times[0]:.0f}", f"{statistics.median(warm):.0f}", f"{max(warm):.0f}", "met" if max(warm) <= BAR else "MISSED"])
    return [f"{result['database']}, {result['callbacks']:,} callbacks of {result['days']} days", "first, ms", "middle, ms", "longest, ms",
            f"bar {BAR:g} ms"], rows
