"""The pure parts of the benchmark: a wrong figure is worse than none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import callgrind, chart, consumer_rounds, ingress_rounds, syscalls, tables
from tests.bench.cells import Load
from tests.bench.ingress_rounds import Cell

PROFILE = """events: Ir
summary: 5600
ob=(1) /opt/sluice-ingress
fl=(1) ingress/session.cpp
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


def figures(cpu: float) -> dict:
    return {"cpu_us_per_answer": cpu, "per_second": 1.0, "p50_us": 1, "p99_us": 2, "answers": 10, "stored": 10,
            "threads_us": {"a/1": 20, "a/2": 30, "b/3": 10}}


def test_the_ratio_is_by_round_and_against_the_cheaper_floor() -> None:
    found = ingress_rounds.summary(Cell(12, Load()), {
        "sluice": [figures(30), figures(60), figures(33)], "floor-plain": [figures(20), figures(40), figures(20)],
        "floor-gathering": [figures(25), figures(50), figures(26)]})
    assert found["floor"] == "floor-plain"
    assert (found["ratio"], found["ratio_low"], found["ratio_high"]) == (1.5, 1.5, 1.65)


def test_threads_of_one_name_are_added_up() -> None:
    assert ingress_rounds.thread_shares([figures(1)]) == {"a": 5.0, "b": 1.0}


def test_a_missed_bar_says_so() -> None:
    cell = ingress_rounds.summary(Cell(1, Load()), {"sluice": [figures(31)], "floor-plain": [figures(20)]})
    assert tables.ingress_rows({"cells": [cell]})[1][0][-4:] == ["1.55 (1.55–1.55)", "1.55", "1.5", "MISSED"]


@pytest.mark.parametrize("cpu, verdict", [((29, 28), "met"), ((31, 29), "unsure"), ((31, 40), "MISSED")])
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
    samples = {consumer_rounds.SETS.name: rounds(20, 40, 31), consumer_rounds.BARE.name: rounds(15, 25, 25)}
    found = consumer_rounds.own(samples)
    assert [(one["us"], one["low"], one["high"]) for one in found] == [(6, 5, 15)]
    assert tables.consumer_own({"own": found})[1][0][-1] == "met"
