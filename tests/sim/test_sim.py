"""The simulation behind docs/kubernetes.md: that it counts right, behaves as was measured, and backs the chart's standard values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.sim.autoscaler import Autoscaler, Settings
from tests.sim.day import AT_REST, LONG, ONE_BY_ONE, ROWS, SETTINGS, SITE, ramp, replay, run, steady, step, table, wave
from tests.sim.fleet import Fleet, Site

TREE = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- sim: python3 -m tests.sim.day prints this table -->\n", "<!-- end of sim -->"


def test_no_pod_is_faster_than_it_can_and_nothing_is_lost() -> None:
    fleet, applied = Fleet(Site(partitions=6, pod_rate=50), 2), 0.0
    for now in range(200):
        fleet.want(2 + now // 40)
        before, coming = fleet.lag, 300 if now < 100 else 0
        fleet.second(coming)
        taken = before + coming - fleet.lag
        assert -1e-6 < taken <= fleet.members * 50 + 1e-6
        applied += taken
    assert applied == pytest.approx(30_000) and fleet.lag == pytest.approx(0)


@pytest.mark.parametrize("before,after,moved", [(6, 12, 6), (12, 6, 6), (2, 3, 4), (3, 2, 4), (5, 5, 0)])
def test_only_as_many_partitions_move_as_must(before: int, after: int, moved: int) -> None:
    fleet = Fleet(Site(), before)
    fleet._share(after)
    held = [sum(partition.owner == member for partition in fleet.partitions) for member in range(after)]
    assert max(held) - min(held) <= 1
    assert sum(partition.moves_until > 0 for partition in fleet.partitions) == moved


def test_it_does_what_was_measured_on_a_real_cluster() -> None:
    """240 records at once in 6 partitions, threshold 20, looked at each 5 s, four pods in 10 s: 5 pods wished for at about 10 s, all
    6 at about 16 s, one again within a minute of catching up."""
    settings = Settings(least=1, most=9, threshold=20, polling=5, sync=5, up=(4, 10), down_pods=(2, 10), patience=20, even=False)
    fleet, autoscaler = Fleet(Site(partitions=6, pod_rate=2.5, start=4, rebalance=1), 1), Autoscaler(settings)
    pods = []
    for now in range(150):
        autoscaler.second(fleet)
        fleet.second(240 if now == 1 else 0)
        pods.append(fleet.pods)
    assert max(pods[:6]) == 5 and max(pods[:16]) == 6 == max(pods), "six partitions are six pods, with nine allowed"
    caught_up = 150 - pods[::-1].index(6)
    assert pods[min(149, caught_up + 60)] == 1


def test_the_sum_is_cut_at_a_pod_for_each_partition() -> None:
    assert Autoscaler(replace(SETTINGS, even=False))._even(1e9, 12) == 12


@pytest.mark.parametrize("lag,pods", [(0, 1), (1500, 1), (1501, 2), (6 * 1500 + 1, 12), (4 * 1500 + 1, 6)])
def test_even_numbers_are_those_that_divide_the_partitions(lag: float, pods: int) -> None:
    assert Autoscaler(SETTINGS)._even(lag / SETTINGS.threshold, 12) == pods


def test_the_standard_values_are_those_that_were_simulated() -> None:
    scaling = yaml.safe_load((TREE / "helm/sluice/values.yaml").read_text())["consumer"]["autoscaling"]
    up, down = (scaling["behavior"][way]["policies"] for way in ("scaleUp", "scaleDown"))
    assert (scaling["lagThreshold"], scaling["minReplicas"], scaling["pollingInterval"], scaling["evenPartitions"]) == (
        SETTINGS.threshold, SETTINGS.least, SETTINGS.polling, SETTINGS.even)
    assert up == [{"type": "Pods", "value": SETTINGS.up[0], "periodSeconds": SETTINGS.up[1]}]
    assert down == [{"type": "Percent", "value": SETTINGS.down[0], "periodSeconds": SETTINGS.down[1]}]
    assert scaling["behavior"]["scaleDown"]["stabilizationWindowSeconds"] == SETTINGS.patience


@pytest.mark.parametrize("arrivals", [steady(300), step(300, 900), step(300, 1500), ramp(300, 1100), ramp(300, 1800)])
def test_what_the_pods_can_do_stays_below_thirty_seconds(arrivals) -> None:
    course = run(SITE, SETTINGS, arrivals, 7200)
    assert course.worst < 30 and course.late == 0


@pytest.mark.parametrize("rate", range(200, 1900, 100))
@pytest.mark.parametrize("start", [8, 60])
def test_with_a_rate_trigger_a_constant_load_comes_to_rest(rate: int, start: int) -> None:
    """Two pods at first; twelve can do it with a fifth to spare. A few changes until the number is found, and none after that."""
    course = run(replace(SITE, start=start), AT_REST, steady(rate), LONG)
    assert course.rebalances <= 5, "with lag alone there are up to a hundred"
    assert course.last_change < 1200 and course.lag_at_end < 2 * rate


@pytest.mark.parametrize("start", [8, 60])
def test_with_a_rate_trigger_a_slow_wave_is_followed(start: int) -> None:
    course = run(replace(SITE, start=start), AT_REST, wave(300, 1500), LONG)
    assert course.rebalances <= 10 and course.late == 0


def test_lag_alone_never_comes_to_rest() -> None:
    assert run(SITE, SETTINGS, steady(700), LONG).rebalances > 50


def test_what_was_saved_up_is_over_soon() -> None:
    course = run(SITE, SETTINGS, replay(300))
    assert course.late < 180 and course.lag_at_end == 0


def test_one_by_one_is_what_goes_wrong() -> None:
    """From 11 pods the HPA does not go to 12: 12/11 is inside its tolerance."""
    course = run(SITE, ONE_BY_ONE, ramp(300, 1800))
    assert course.worst > 300 and course.pods_at_end == 11


def test_more_pods_do_not_help_a_database_that_is_the_limit() -> None:
    slow = replace(SITE, database_rate=1000)
    twelve, six = (run(slow, replace(SETTINGS, most=most), step(300, 1500)) for most in (12, 6))
    assert abs(twelve.worst - six.worst) < 0.1 * six.worst and twelve.most_pods == 12


def test_the_page_says_what_is_simulated() -> None:
    page = (TREE / "docs" / "kubernetes.md").read_text()
    assert BEGIN in page and page.partition(BEGIN)[2].partition(END)[0] == table(), "python3 -m tests.sim.day prints it"
    assert len(ROWS) == len({what for what, *_ in ROWS})
