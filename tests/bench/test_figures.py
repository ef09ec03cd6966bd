"""The pure parts of the benchmark: a wrong figure is worse than none."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.bench import (building, callgrind, chart, check, constant_time, consumer_rounds, hostile, ingress_rounds, lane_rounds, latency, outbox_rows, page, poll_rounds, probes,
                         quota, relay_backlog, relay_rounds, resident, send_cost, statement_log, syscalls, tables, telemetry_rounds)
from tests.bench.cells import Length, Load, Untrue
from tests.bench.ingress_rounds import Cell

PROFILE = """events: Ir
summary: 5600
ob=(1) /opt/sluice-ingress
fl=(1) ingress/request/session.cpp
fn=(5) thread_start
1 5130

fn=(1) take_request
1 100
cob=(2) /usr/lib/libcrypto.so.3
cfn=(2) EVP_MAC_update
calls=2 0
1 5000
cfn=(3) encode
calls=1 0
+3 40

fn=(3)
2 40

ob=(2)
fn=(2)
3 4900
cob=(3) /usr/lib/libc.so.6
cfn=(4) memcpy
calls=7 0
3 100

ob=(3)
fn=(4)
4 100
"""


@pytest.fixture
def profile(tmp_path: Path) -> callgrind.Profile:
    file = tmp_path / "callgrind.out"
    file.write_text(PROFILE)
    return callgrind.read(file)


def test_own_instructions_are_those_of_the_function(profile: callgrind.Profile) -> None:
    assert profile.own == {("sluice-ingress", "take_request"): 100, ("sluice-ingress", "encode"): 40,
                           ("libcrypto.so.3", "EVP_MAC_update"): 4900, ("libc.so.6", "memcpy"): 100}


def test_what_a_foreign_library_calls_is_foreign_too(profile: callgrind.Profile) -> None:
    assert profile.without(("libcrypto",)) == 140
    assert profile.without(("librdkafka",)) == 5140


def test_callers_are_counted_by_call(profile: callgrind.Profile) -> None:
    assert profile.callers("EVP_") == {("sluice-ingress", "take_request"): 2}


def test_resumed_calls_are_not_counted_twice(tmp_path: Path) -> None:
    file = tmp_path / "strace"
    file.write_text("10 recvfrom(5, \"\"..., 16, 0, NULL, NULL) = 3\n11 futex(0x1, FUTEX_WAIT <unfinished ...>\n"
                    "10 sendto(5, \"\"..., 3, 0, NULL, 0) = 3\n11 <... futex resumed>) = 0\n10 +++ exited with 0 +++\n")
    assert syscalls.by_thread(file) == {10: {"recvfrom": 1, "sendto": 1}, 11: {"futex": 1}}


def test_what_a_thread_wrote_is_counted_where_it_ended(tmp_path: Path) -> None:
    file = tmp_path / "strace"
    file.write_text("10 sendmsg(5, {msg_iov=...}, MSG_NOSIGNAL) = 300\n10 sendmsg(5,  <unfinished ...>\n11 sendmsg(6, {}, 0) = 7\n"
                    "10 <... sendmsg resumed>{msg_iov=...}, MSG_NOSIGNAL) = 200\n10 sendmsg(5, {}, 0) = -1 EAGAIN (again)\n")
    assert syscalls.written(file, {10}) == (2, 500)


def test_parts_of_a_count_stand_beside_those_of_others() -> None:
    found = {"targets": {"sluice": {"by_name": {"recvfrom": 2.0, "sendto": 1.5}, "cpu_us_by_thread": {"io": 9.0}},
                         "floor-plain": {"by_name": {"recvfrom": 3.0}, "cpu_us_by_thread": {"floor": 4.0}}}}
    assert tables.count_parts(found)[1] == [["CPU, us: thread io", "9.00", "0.00"], ["CPU, us: thread floor", "0.00", "4.00"],
                                            ["calls: recvfrom", "2.00", "3.00"], ["calls: sendto", "1.50", "0.00"]]


def figures(cpu: float) -> dict:
    return {"cpu_us_per_answer": cpu, "per_second": 1.0, "p50_us": 1, "p99_us": 2, "answers": 10, "stored": 10,
            "threads_us": {"a/1": 20, "a/2": 30, "b/3": 10}}


def test_the_ratio_is_by_round_and_against_the_cheaper_floor() -> None:
    found = ingress_rounds.summary(Cell(12, Load()), {
        "sluice": [figures(30), figures(60), figures(33)], "floor-plain": [figures(20), figures(40), figures(20)],
        "floor-gathering": [figures(25), figures(50), figures(26)]})
    assert found["floor"] == "floor-plain"
    assert (found["ratio"], found["ratio_low"], found["ratio_high"]) == (1.5, 1.5, 1.65)


def test_where_we_stand_is_said_in_words() -> None:
    cells = [ingress_rounds.summary(Cell(1, Load()), {"sluice": [figures(ours)], "floor-plain": [figures(20)], "go-strongest": [figures(60)]})
             for ours in (30, 40)]
    assert ingress_rounds.note({"cells": cells}) == ("A webhook costs 1.5 to 2.0 times the CPU of the floor. "
                                                     "The Go service of the fastest libraries takes 1.5 to 2.0 times as much as sluice.")
    assert ingress_rounds.note({"cells": []}) == ""


def test_threads_of_one_name_are_added_up() -> None:
    assert ingress_rounds.thread_shares([figures(1)]) == {"a": 5.0, "b": 1.0}


def test_a_missed_bar_says_so() -> None:
    cell = ingress_rounds.summary(Cell(1, Load()), {"sluice": [figures(31)], "floor-plain": [figures(20)]})
    assert tables.ingress_rows({"cells": [cell]})[1][0][-4:] == ["1.55 (1.55–1.55)", "1.55", "1.4", "MISSED"]


@pytest.mark.parametrize("cpu, verdict", [((27, 26), "met"), ((29, 27), "unsure"), ((29, 40), "MISSED")])
def test_a_bar_is_met_when_every_round_says_so(cpu: tuple[float, float], verdict: str) -> None:
    cell = ingress_rounds.summary(Cell(1, Load()), {"sluice": [figures(value) for value in cpu],
                                                    "floor-plain": [figures(20), figures(20)]})
    assert tables.ingress_rows({"cells": [cell]})[1][0][-1] == verdict


def test_the_chart_has_every_target() -> None:
    cell = ingress_rounds.summary(Cell(1, Load()), {"sluice": [figures(31)], "floor-plain": [figures(20)]})
    drawn = chart.drawn({"ingress": {"rounds": 1, "cells": [cell]}})
    assert drawn.count("<rect") == 2 + 2 and "floor-plain: 20.0" in drawn


def test_the_consumers_cpu_counts_above_the_floor_of_the_same_round() -> None:
    def rounds(*figures: float) -> list[dict]:
        return [{"cpu_us_per_event": figure} for figure in figures]
    samples = {consumer_rounds.SETS.name: rounds(19, 40, 30), consumer_rounds.BARE.name: rounds(15, 25, 25)}
    found = consumer_rounds.own(samples)
    assert [(one["us"], one["low"], one["high"]) for one in found] == [(5, 4, 15)]
    assert tables.consumer_own({"own": found})[1][0][-1] == "met"


def test_a_slope_is_what_an_hour_adds() -> None:
    assert resident.slope_per_hour([(0, 100), (1800, 150), (3600, 200)]) == pytest.approx(100)


def test_the_drift_is_that_of_the_last_half() -> None:
    grown = [(at * 60.0, 1000 + 10 * min(at, 30)) for at in range(61)]  # half an hour up, then flat
    found = resident.summary(grown)
    assert (found["low"], found["high"], found["slope_last_half"], found["drift"]) == (1000, 1300, 0, 0)
    assert found["slope"] > 0


def test_the_resident_set_of_this_process_is_some() -> None:
    assert resident.resident_kib(os.getpid()) > 1000


def memory(drift: float, seconds: float) -> dict:
    return {"seconds": seconds, "bar": 0.02, "drift": drift, "slope": 1, "slope_last_half": 1, "first": 1, "last": 1, "low": 1, "high": 1}


@pytest.mark.parametrize("drift, seconds, verdict", [(0.019, 3600, "met"), (-0.5, 3600, "met"), (0.021, 3600, "MISSED"), (0.0, 600, "too short")])
def test_memory_is_flat_when_an_hour_says_so(drift: float, seconds: float, verdict: str) -> None:
    assert tables.memory_rows(memory(drift, seconds))[1][-1][-1] == verdict


def probed(server: int, sender: int) -> dict:
    return {"server_us": server, "sender_us": sender, "sent": 10, "bytes": 100, "connects": 1, "answers": {"400": 10}}


def test_a_probe_is_judged_by_the_ratio_of_each_round() -> None:
    found = probes.row("a", [probed(1000, 10), probed(3000, 10), probed(900, 10)])
    assert (found["ratio"], found["ratio_low"], found["ratio_high"]) == (100, 90, 300)
    assert (found["server_us"], found["ns_per_byte"], found["answers"]) == (100, 1000, {"400": 30})
    assert tables.probe_rows({"bar": 100, "rows": [found]})[1][0][-1] == "unsure"


def test_only_idle_connections_have_a_bar() -> None:
    row = {"state": "a", "connections": 10, "before": 1, "during": 2, "after": 3, "kib_each": 16.1}
    shown = tables.idle_rows({"rows": [row | {"bar": 16.0}, row | {"bar": None}]})[1]
    assert [cells[-1] for cells in shown] == ["MISSED", ""]


def test_hostile_bodies_stay_under_the_limit() -> None:
    for make in (lambda: hostile.nested(60, probes.UNDER), lambda: hostile.brackets(probes.UNDER), lambda: hostile.huge_numbers(probes.UNDER),
                 lambda: hostile.many_numbers(probes.UNDER), lambda: hostile.many_members(probes.UNDER), lambda: hostile.repeated_id(probes.UNDER)):
        assert 0.9 * hostile.LIMIT < len(make()) < hostile.LIMIT


def test_as_many_fields_as_are_said() -> None:
    for count in (64, 65):
        head = hostile.many_fields(count).partition(b"\r\n\r\n")[0]
        assert head.count(b"\r\n") == count


def test_the_page_says_what_the_ingress_went_through(tmp_path: Path) -> None:
    measured = {"utc": "2026-11-22", "commit": "c", "cores": 2, "load": 7.5}
    found = memory(0.0, 3600) | {"measured": measured, "rate": 200, "disturbances": {"reloads": 5}, "accepted": 7, "stored": 9}
    page.write({"memory": found}, tmp_path)
    text = (tmp_path / "bench.md").read_text()
    assert "5 reloads" in text and "load average 7.5" in text


def test_a_section_that_was_not_measured_stays_on_the_page(tmp_path: Path) -> None:
    measured = {"utc": "2026-11-22", "commit": "c", "cores": 2}
    found = memory(0.0, 3600) | {"measured": measured, "rate": 200, "disturbances": {}, "accepted": 7, "stored": 9}
    (tmp_path / "bench.md").write_text("# What it costs\n\n## Poller\n\nas it was\n\n## Not run\n\n- idle: why\n")
    (tmp_path / "bench.svg").touch()
    for accepted in (7, 8):
        page.write({"memory": found | {"accepted": accepted}}, tmp_path)
    text = (tmp_path / "bench.md").read_text()
    assert [line for line in text.splitlines() if line.startswith("##")] == ["## Poller", "## Ingress: memory under load with faults", "## Not run"]
    assert "as it was" in text and "8 fresh events were accepted" in text and page.PICTURE in text


def test_a_quota_that_is_never_reached_says_nothing() -> None:
    cell = {"target": "sluice", "load": "a", "free": {"cpu_us": 1}, "held": {"cpu_us": 1}, "throttled_periods": 0,
            **quota.ratios([figures(10), figures(20)], [figures(12), figures(22)])}
    assert (cell["ratio_low"], cell["ratio_high"]) == (1.1, 1.2)
    assert tables.quota_rows({"bar": 1.3, "cells": [cell]})[1][0][-1].startswith("unsure")
    assert tables.quota_rows({"bar": 1.3, "cells": [cell | {"throttled_periods": 1}]})[1][0][-1] == "met"


def test_what_both_use_is_counted_in_cores() -> None:
    assert quota.used_by_both({"cpu_us_per_answer": 50, "per_second": 10_000}, 1.0, Length(1, 3)) == pytest.approx(0.75)


def test_added_latency_is_by_calm_round() -> None:
    found = latency.added("p50_us", [{"p50_us": 400}, {"p50_us": 700}, {"p50_us": 9000}], [{"p50_us": 470}, {"p50_us": 750}, {"p50_us": 100_000}])
    assert found == {"middle": 60, "low": 50, "high": 70, "best": 70, "calm": 2}


def shown_latency(calm: int, per_second: float, share: float) -> list[str]:
    level = {"p50_us": 1, "p99_us": 2}
    added = {"middle": 60, "low": 50, "high": 90, "best": 60, "calm": calm}
    rows = tables.latency_rows({"bars": latency.BARS, "bare": level, "ingress": level, "added": {"p50_us": added, "p99_us": added},
                                "own": {"per_second": per_second, "under_1ms_at_least": share}})[1]
    return [cells[-1] for cells in rows]


def test_a_lower_bound_below_the_bar_proves_nothing() -> None:
    assert shown_latency(3, 10_000, 0.98) == ["unsure", "met", "unsure"]
    assert shown_latency(3, 10_000, 0.99) == ["unsure", "met", "met"]


def test_too_little_to_judge_by_is_unsure() -> None:
    assert shown_latency(2, 5_000, 0.99) == ["unsure", "unsure", "unsure"]


def test_a_verdict_is_compared_go_by_go() -> None:
    goes = [{"engine_ns": 120, "bare_ns": 100}, {"engine_ns": 230, "bare_ns": 200}, {"engine_ns": 115, "bare_ns": 100}]
    assert check.summary(goes) == {"engine_ns": 120, "bare_ns": 100, "ratio": 1.15}
    found = check.row("stripe", [check.summary(goes), check.summary(goes) | {"ratio": 1.2}])
    shown = check.rows({"rows": [found | {"engine_instructions": 900, "bare_instructions": 500}]})[1][0]
    assert shown[3:6] == ["1.175 (1.150–1.200)", "1.15", "unsure"]


def test_a_whole_profile_has_no_open_frames(tmp_path: Path) -> None:
    file = tmp_path / "callgrind.out"
    file.write_text(PROFILE)
    assert callgrind.read(file, whole=True).own["sluice-ingress", "thread_start"] == 5130


def test_planted_comparisons_have_no_bar() -> None:
    one = {"comparison": "token", "kinds": "right / wrong", "cycles": 900, "t": 1, "worst": -4.6, "stops_early": False}
    shown = constant_time.rows({"bar": 4.5, "rows": [one, one | {"stops_early": True}, one | {"worst": 4.4}]})[1]
    assert [cells[-1] for cells in shown] == ["MISSED", "seen", "met"]


def sent_round(relay: float, batch: float, at_will: float) -> dict[str, dict]:
    def figures(speed: float) -> dict:
        return {"per_second": speed, "cpu_us": 1e6 / speed}
    counters = dict.fromkeys(relay_rounds.COUNTERS, 1.0)
    return {"relay": figures(relay) | {"server_us": 40.0, "counters": counters}, relay_rounds.BY_BATCH: figures(batch), relay_rounds.AT_WILL: figures(at_will)}


@pytest.mark.parametrize("rounds, verdict", [([(60, 100), (50, 100)], "met"), ([(60, 100), (49, 100)], "unsure"), ([(10, 100), (49, 100)], "MISSED")])
def test_the_relay_is_compared_round_by_round(rounds: list[tuple[float, float]], verdict: str) -> None:
    found = relay_rounds.summary(relay_rounds.TOPIC, [sent_round(relay, floor, 1000) for relay, floor in rounds])
    assert found["ratios"][relay_rounds.BY_BATCH]["speed"]["high"] == max(relay / floor for relay, floor in rounds)
    shown = relay_rounds.table({"ways": {"topic": found}})[1]
    assert [cells[5] for cells in shown] == ["", verdict, "MISSED"]


@pytest.mark.parametrize("seen", [{0: 1, 1: 1}, {0: 1, 1: 2, 2: 1}, {0: 1, 1: 1, 3: 1}])
def test_a_round_whose_messages_did_not_each_come_once_is_refused(seen: dict[int, int]) -> None:
    with pytest.raises(Untrue):
        outbox_rows.check_once(Counter(seen), 3, "the topic")
    outbox_rows.check_once(Counter([2, 1, 0]), 3, "the topic")


SLOW_LOG = """# Time: 2026-11-28T00:00:00
# User@Host: sluice[sluice] @  [127.0.0.1]  Id:    12
# Query_time: 0.004000  Lock_time: 0.000001 Rows_sent: 0  Rows_examined: 2
SET timestamp=1;
UPDATE outbox SET state = 'sent' WHERE id IN (1, 2) AND state = 'waiting';
# Query_time: 0.500000  Lock_time: 0.000001 Rows_sent: 0  Rows_examined: 256
SET timestamp=2;
UPDATE outbox SET state = 'sent' WHERE id IN (3, 4, 5) AND state = 'waiting';
# Query_time: 9.000000  Lock_time: 0.000001 Rows_sent: 0  Rows_examined: 7
SET timestamp=2;
COMMIT;
"""


def test_statements_of_one_text_are_counted_together() -> None:
    found = statement_log.by_text(iter(SLOW_LOG.splitlines()))
    assert found["UPDATE outbox SET state = ? WHERE id IN (…) AND state = ?"] == statement_log.Statement(2, 0.504, 0.5, 256)
    assert found["COMMIT"].longest == 9


def test_statements_that_look_at_too_much_are_told(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text(SLOW_LOG.replace("Rows_examined: 256", "Rows_examined: 513"))
    found = {"messages": 1, "keys": 1, "rows": relay_backlog.rows(file)}
    assert [cells[-1] for cells in relay_backlog.table(found)[1]] == ["MISSED"]


@pytest.mark.parametrize("instructions, verdict", [(104, "met"), (106, "MISSED")])
def test_what_sends_nothing_may_cost_nothing(instructions: float, verdict: str) -> None:
    def rounds(*cpu: float) -> list[dict]:
        return [{"cpu_us_per_event": figure, "server_us_per_event": 1.0} for figure in cpu]
    without = rounds(10, 20)
    rows = {send_cost.BESIDE: send_cost.summary(rounds(10, 21), without, instructions, 100), send_cost.ONE: send_cost.summary(rounds(20, 40), without, 200, 100)}
    shown = send_cost.table({"bar": 1.05, "rows": rows})[1]
    assert [cells[-1] for cells in shown] == [verdict, ""]
    assert rows[send_cost.ONE]["cpu_us_per_event_ratio"]["middle"] == 2


@pytest.mark.parametrize("early", [*lane_rounds.WITHOUT_LANES, *telemetry_rounds.WITHOUT_TELEMETRY], ids=lambda early: early.file)
def test_what_a_comparison_leaves_out_is_there(early: building.Early) -> None:
    assert f"{early.opens}\n    {early.statement}\n".encode() in building.with_early_ends(early.file, [early])


def polled_round(poller: float, bare: float) -> dict[str, dict]:
    return {name: {"per_second": speed, "cpu_us": 1.0} for name, speed in (("poller", poller), (poll_rounds.BARE, bare), (poll_rounds.PRODUCES, 50))}


@pytest.mark.parametrize("rounds, verdict", [([(95, 100), (90, 100)], "met"), ([(95, 100), (80, 100)], "unsure"), ([(89, 100)], "MISSED")])
def test_the_poller_is_compared_round_by_round(rounds: list[tuple[float, float]], verdict: str) -> None:
    found = {"bar": poll_rounds.BAR, "delays": {"10": poll_rounds.summary([polled_round(*one) for one in rounds])}}
    assert [cells[-1] for cells in poll_rounds.table(found)[1]] == ["", verdict, "met"]


@pytest.mark.parametrize("resident, again, verdicts", [([1000, 1050], 100, ["", "met", "met", "met"]), ([1000, 1051], 101, ["", "MISSED", "met", "MISSED"])])
def test_a_month_has_bars_for_memory_and_a_restart(resident: list[int], again: int, verdicts: list[str]) -> None:
    found = {"month": {"events": 10, "per_second": 1.0, "resident": resident}, "restart": {"read_again": again, "published_again": 0}}
    assert [cells[-1] for cells in poll_rounds.month_table(found)[1]] == verdicts
