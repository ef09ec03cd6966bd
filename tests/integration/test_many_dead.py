"""A broken effect has filled the DLQ; it is mended and on-call drains what is there: with a rate, over a killed tool and a
killed consumer, each effect once and each object's in order."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import time

import pytest

from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice
from tests.support.lanes import expect_nothing_owed
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import binary
from tests.support.records import put
from tests.support.wait import wait_for

OBJECTS = int(os.environ.get("SLUICE_DEAD_OBJECTS", "120"))  # the bar is 20,000 objects
EACH = 5                                                       # events of each
WITHIN = 60 + OBJECTS / 10                                     # seconds for each step
SIGNED = ("--operator", "ada", "--reason", "fixed in 1.2", "--apply", "--json")
CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
PARKS = copy.deepcopy(WANTS_A_ROW)
PARKS["sql"][0]["rows"][0] = "park"  # without a wallet it is dead at once
EXTRA_EFFECTS = [PARKS]


def lines_of(customer: str) -> list[Event]:
    units = [fresh_id("in") for _ in range(OBJECTS)]
    return [paid_invoice(customer, unit=unit) for _ in range(EACH) for unit in units]


def ctl_in_background(pipeline: Pipeline, *arguments: str) -> subprocess.Popen[str]:
    """With the configuration of a call before it."""
    pipeline.ctl("dlq", "list", "--limit", "1").check_returncode()
    file = max(pipeline.folder.glob("ctl-*.yaml"), key=lambda path: path.stat().st_mtime)
    return subprocess.Popen([str(binary("sluicectl")), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env={**pipeline.secrets, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SLUICE_CONFIG": str(file)})


def answered(pipeline: Pipeline) -> int:
    return pipeline.ledger.query("SELECT COUNT(*) FROM operator_action")[0][0]


@pytest.mark.databases("mysql", "mariadb")
def test_dlq_is_drained_over_kills_of_the_tool_and_of_the_consumer(bench: Pipeline, record_property) -> None:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    customer = fresh_id("cus")
    events = lines_of(customer)
    put(bench, *events)
    bench.consumer()
    wait_for(lambda: len(events) == bench.ledger.query("SELECT COALESCE(SUM(unfinished), 0) FROM lane")[0][0], "all to wait", WITHIN, every=0.3)
    bench.expect_caught_up()
    bench.ledger.open_wallet(customer)
    victim = bench.retry_role()

    tool = ctl_in_background(bench, "dlq", "retry", "--everything", *SIGNED, "--rate", f"{max(OBJECTS // 8, 10)}/s")
    wait_for(lambda: answered(bench) > OBJECTS // 6, "the drain to be under way", WITHIN)
    tool.send_signal(signal.SIGKILL)
    _, said = tool.communicate()
    run = next(line.split()[1] for line in said.splitlines() if line.startswith("run "))
    victim.kill()
    assert answered(bench) < OBJECTS, "nothing was left to resume"

    bench.retry_role()
    started, before = time.monotonic(), answered(bench)
    done = bench.ctl_within(WITHIN, "dlq", "retry", "--everything", *SIGNED, "--rate", "2000/s", "--run", run)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ending"] == "answered"
    bench.ledger.expect_applied(*events, within=WITHIN)
    seconds = time.monotonic() - started
    bench.ledger.expect_each_objects_order(events)
    assert answered(bench) == OBJECTS, "each dead event was answered once"
    assert bench.ledger.query("SELECT COUNT(*) FROM dead_letter WHERE closed_at IS NULL") == [(0,)]
    assert bench.ledger.query("SELECT COUNT(*) FROM lane_event") == [(0,)]
    expect_nothing_owed(bench)
    record_property("events_per_second", round((OBJECTS - before) * EACH / seconds))
    print(f"{(OBJECTS - before) * EACH / seconds:.0f} events/s, {(OBJECTS - before) / seconds:.0f} commands/s")
