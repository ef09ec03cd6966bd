"""One incident from the alarm to its end: what rang, which page, what was typed, and that nothing was lost."""

from __future__ import annotations

import time

from tests.support.events import Event
from tests.support.pipeline import PATH, SOURCE
from tests.support.wait import wait_for
from tests.walk.alarms import Alarm, Alarms
from tests.walk.installation import Installation
from tests.walk.kubectl import Cluster, Said
from tests.walk.page import Page, profile
from tests.walk.prometheus import Prometheus
from tests.walk.shell import Shell
from tests.walk.traffic import Traffic

SEEN_BEFORE = 40  # events that were applied before anything goes wrong


class Walk:
    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.pipeline = installation.pipeline
        self.cluster = Cluster(installation)
        self.traffic = Traffic(installation, PATH)
        self.prometheus = Prometheus(self.pipeline.folder / "prometheus")
        self.alarms = Alarms(self.prometheus)
        self.shell = Shell(self.pipeline.folder, self.cluster, profile())
        self._marks: list[tuple[str, float]] = []

    # before

    def begin(self) -> None:
        """All is well and seen to be: traffic flows, nothing rings."""
        self.installation.changed = self.prometheus.scrape
        self.installation.upgrade("Install complete")
        self.prometheus.start()
        self.prometheus.wait_ready()
        self.traffic.start()
        wait_for(lambda: len(self.traffic.taken) >= SEEN_BEFORE, "traffic", 60)
        wait_for(self._seen, "Prometheus to see all pods and their traffic", 60, every=0.2)
        self.alarms.wait_for_silence()
        assert not self.alarms.heard, f"rings while all is well: {list(self.alarms.heard)}"
        self.mark("begins")

    def _seen(self) -> bool:
        up = self.prometheus.ask("query?query=count(sluice_build_info)")["result"]
        taken = self.prometheus.ask('query?query=sum(webhook_answer_total{outcome="accepted"})')["result"]
        return bool(up and int(up[0]["value"][1]) == len(self.installation.pods) and float(taken[0]["value"][1]) >= SEEN_BEFORE / 2)

    # the alarm

    def woken_by(self, name: str, also: set[str] = frozenset()) -> tuple[Alarm, Page]:
        """Nothing else pages before it, but `also`, whose pages lead to the same end."""
        alarm = self.alarms.wait_for(name)
        self.expect_no_other_page(name, also)
        self.mark("rings")
        return alarm, Page.of_alert(alarm.annotations["runbook_url"])

    def expect_no_other_page(self, name: str, also: set[str]) -> None:
        others = set(self.alarms.pages()) - {name} - also
        assert not others, f"pages for something else: {others}"

    def types(self, command: str, code: int = 0, **names: str) -> str:
        """As the page has it; `names` are put in place of its words in capitals. What it said, both streams."""
        for word, text in {"NAME": SOURCE, **names}.items():
            command = command.replace(word, text)
        said: Said = self.shell.types(command)
        assert not self.cluster.not_known, self.cluster.not_known
        assert said.code == code, f"$ {command}\nended with {said.code}\n{said.out}{said.err}"
        return said.out + said.err

    # after

    def over(self, name: str, also: set[str] = frozenset()) -> None:
        """The alarm and all that pages have ended, everything that was taken is applied once and in order."""
        self.mark("mended")
        self.alarms.wait_for_silence(name)
        self.alarms.wait_for_silence()
        self.mark("silent")
        self.traffic.end()
        self.expect_no_other_page(name, also)
        taken = self.traffic.taken
        self.pipeline.expect_log_holds(taken)
        self.pipeline.ledger.expect_applied_exactly_once(taken, within=60)
        self.pipeline.ledger.expect_each_objects_order(self._in_log(taken))
        self.pipeline.ledger.expect_each_objects_order(self.traffic.taken_at_once())

    def _in_log(self, events: list[Event]) -> list[Event]:
        """By their first record. One that was answered 503 may lie there all the same, before it was taken."""
        by_id = {event.id: event for event in events}
        records = sorted(self.pipeline.log.read(self.pipeline.topic), key=lambda record: (record.partition, record.offset))
        return [by_id[name] for name in dict.fromkeys(record.text("ce_id") for record in records) if name in by_id]

    def mark(self, what: str) -> None:
        self._marks.append((what, time.monotonic()))

    def story(self) -> str:
        began = self._marks[0][1] if self._marks else 0.0
        steps = ", ".join(f"{what} {at - began:.0f} s" for what, at in self._marks[1:])
        heard = ", ".join(f"{alarm.name} ({alarm.severity}) {alarm.heard - began:.0f} s" for alarm in self.alarms.heard.values())
        return f"{self.pipeline.folder.name}: {steps}; {len(self.traffic.taken)} events; rang: {heard}"

    def close(self) -> None:
        self.traffic.end()
        self.shell.close()
        if self.prometheus.running:
            self.prometheus.kill()
