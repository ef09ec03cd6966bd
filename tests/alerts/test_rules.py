"""Rules and their pages: no alert without a page, no page without an alert, no metric that nobody exports."""

from __future__ import annotations

import collections
import re

import pytest

import exported
import pages
import promql
from rules import ALERTS_NAMED, Rule, alerts, all_rules, family_files
from strange_names import strange

# Counters that are born with their first value may stand where only a share of many counts.
SHARES_OF_MANY = {"SluiceManyAttemptsFail", "SluiceEventsLate", "SluiceCommandKeysAbsent"}


def test_alerts_have_names_of_their_own() -> None:
    names = collections.Counter(rule.name for rule in all_rules())
    assert not [name for name, times in names.items() if times > 1]
    assert all(rule.name.startswith("Sluice" if rule.is_alert else "sluice:") for rule in all_rules())


@pytest.mark.parametrize("alert", alerts(), ids=lambda rule: rule.name)
def test_an_alert_says_what_on_call_needs(alert: Rule) -> None:
    assert alert.labels.get("severity") in ("page", "ticket")
    assert set(alert.annotations) == {"summary", "description", "runbook_url", "dashboard_url"}
    assert alert.annotations["runbook_url"] == f"{alert.family}.md#{alert.name.lower()}"
    assert len(alert.annotations["summary"]) <= 100 and len(alert.annotations["description"]) <= 400


def test_every_alert_has_its_page_and_every_page_its_alerts() -> None:
    explained = {(page.stem, name) for page in pages.pages() for name in pages.alerts_explained(page.read_text())}
    rules = {(rule.family, rule.name) for rule in alerts()}
    assert not rules - explained, "alerts without a page"
    assert not explained - rules, "pages without an alert"
    assert {page.stem for page in pages.pages()} == {path.stem for path in family_files()}


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.stem)
def test_a_page_has_its_sections(page) -> None:
    assert not pages.faults(page.read_text())


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.stem)
def test_a_page_names_metrics_that_are_there(page) -> None:
    assert not pages.metrics_named(page.read_text()) - set(exported.by_series()) - set(exported.ours())


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_a_rule_names_what_is_exported(rule: Rule) -> None:
    assert not strange(rule.expression)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_no_alarm_misses_the_first_of_a_counter(rule: Rule) -> None:
    """A counter that is born as 1 never increased."""
    blind = [selector.series for selector in promql.read(rule.expression).selectors
             if selector.wrapped in ("rate", "increase") and (metric := exported.by_series().get(selector.series)) is not None
             and not metric.always and metric.part != "Of others"]
    assert not blind or rule.name in SHARES_OF_MANY, blind


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_a_rule_names_the_alerts_that_it_looks_at(rule: Rule) -> None:
    """The cases of an alert are played with the rules that it looks at."""
    named = ALERTS_NAMED.findall(rule.expression)
    assert len(named) == len(re.findall(r"\bALERTS(?:_FOR_STATE)?\b", rule.expression))
    assert all(any(re.fullmatch(pattern, alert.name) for alert in alerts()) for names in named for pattern in names.split("|"))


def test_rules_keep_installations_apart() -> None:
    """One Prometheus sees several namespaces. Aggregates that drop the label would add them up."""
    assert not [rule.name for rule in all_rules() if re.search(r"\b(?:sum|max|min)\(", rule.expression)]


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_long_windows_are_made_of_short_ones(rule: Rule) -> None:
    """A raw range of a day over a hundred sources and ten pods is 40 million samples, each 30 seconds. Recorded increases are read instead, as subqueries."""
    seconds = {"s": 1, "m": 60, "h": 3600, "d": 86400}
    ranges = re.findall(r"\[(\d+)([smhd])\]", rule.expression)
    assert not [f"{number}{unit}" for number, unit in ranges if int(number) * seconds[unit] > 3600]


def test_there_are_at_most_eighty_alerts() -> None:
    assert len(alerts()) <= 80


@pytest.mark.parametrize("text", ["", "## Meaning\n\n### X\n\n## Impact\n"])
def test_pages_that_lack_something_are_seen(text: str) -> None:
    assert pages.faults(text)


@pytest.mark.parametrize("expression", ["sluice_nobody_exports_this > 0", 'webhook_answer_total{result="accepted"}',
                                        "sum by (event) (webhook_answer_total)", "up == 0",
                                        "increase(keda_scaler_errors_total[5m]) > 0", "keda_scaler_detail_errors_total{trigger='kafka'} > 0"])
def test_strange_names_are_seen(expression: str) -> None:
    assert strange(expression)


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.stem)
def test_a_page_looks_for_log_lines_that_are_written(page) -> None:
    written = exported.words()
    assert not pages.decisions_named(page.read_text()) - written


@pytest.mark.parametrize("page", [*pages.pages(), exported.TREE / "docs/on-call.md"], ids=lambda page: page.stem)
def test_an_order_of_a_page_can_be_given_as_it_stands(page) -> None:
    """In a pod there is no SLUICE_OPERATOR, and without a reason nothing is done."""
    orders = [command for command in pages.commands(page.read_text()) if "--apply" in command and command[0] in ("dlq", "outbox")]
    assert all({"--operator", "--reason"} <= set(order) for order in orders), orders


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.stem)
def test_a_page_reads_the_logs_of_all_pods(page) -> None:
    """As the README's `logs` does: of a deployment kubectl shows one pod, of a selector ten lines."""
    assert not re.findall(r"kubectl logs (?:deploy/|-l )", page.read_text())


def test_others_metrics_say_where_they_were_read() -> None:
    without = [cells[0] for _, cells in exported.rows("Of others") if not re.fullmatch(r"[\w-]+/[\w-]+: \S+", cells[3])]
    assert not without and len(exported.of_others()) == len(exported.rows("Of others"))
