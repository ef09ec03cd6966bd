"""One history: the plan is carried out, all trouble ends, and the checker looks at what is left."""

from __future__ import annotations

import contextlib
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.chaos.histories import checker, facts, kinds
from tests.chaos.histories.operators import Operators
from tests.chaos.histories.plan import ONE_DEATH, History, Planned
from tests.chaos.histories.script import KINDS, TABLES, TABLES_BESIDE, beside, effects, healing
from tests.chaos.lives import GAVE_UP, Supervisor
from tests.chaos.story import Story
from tests.support.events import CANARY, Event, snapshot
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.servers import Servers
from tests.support.wait import wait_for

HEALED_WITHIN = 60.0  # seconds
SURE_WITHIN = 10.0
BUDGET_GONE = '"dead_letter_budget_used_up"'  # in a log


@dataclass
class Result:
    differences: list[str]
    story: Story
    seconds: dict[str, float]  # by what they went to

    @property
    def verdict(self) -> str:
        return "unfinished" if self.story.is_unfinished else "different" if self.differences else "equal"


class HistoryRun:
    def __init__(self, plan: History, servers: Servers, folder: Path, next_port: Callable[[], int]) -> None:
        self.plan, self.folder, self.next_port = plan, folder, next_port
        folder.mkdir(parents=True)
        (folder / "plan.json").write_text(plan.as_json() + "\n")
        self.story = Story()
        self.seconds: dict[str, float] = {}
        self.pipeline = Pipeline(folder, servers.kafka, servers.redis, servers.databases[plan.database], partitions=plan.partitions)
        self.programs: dict[str, Program] = {}
        self.events = [_event(planned) for planned in plan.events]
        self.operators = Operators(self.pipeline, self.story, {event.id: event for event in self.events})

    def carry_out(self) -> Result:
        differences: list[str] = []
        try:
            with self._timed("set up"):
                self._set_up()
            with self._timed("hurt"):
                self._hurt()
            differences = self._heal_and_compare()
        except AssertionError as late:
            differences = [*self.story.incidents, f"it does not go on: {late}"]
        except Exception:  # noqa: BLE001 - a harness that fails says so as loudly as a product that does
            self.story.failed(f"the run itself failed:\n{traceback.format_exc()}")
            differences = list(self.story.incidents)
        finally:
            with self._timed("end"):
                self._end()
        return Result(differences or self.story.incidents, self.story, self.seconds)

    @contextlib.contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.seconds[what] = round(self.seconds.get(what, 0) + time.monotonic() - began, 1)

    # before

    def _set_up(self) -> None:
        plan, pipeline = self.plan, self.pipeline
        pipeline.wake_partitions = plan.wake_partitions
        pipeline.prepare()
        config = pipeline.config
        config["effects"] = effects(pipeline.name)
        config["consumer"] = {"workers": plan.workers, "batch": plan.batch, "in_place": plan.in_place,
                              "dead_letter_budget": {"events": plan.deaths, "refill": "1h" if plan.deaths == ONE_DEATH else "1s"}}
        config["kafka"]["options"] = {"session.timeout.ms": plan.session_ms, "heartbeat.interval.ms": plan.session_ms // 5}
        pipeline.ledger.run(*TABLES, *kinds.rows(dict.fromkeys(event.object for event in plan.events)))
        self._write_scripts()
        for label, role in zip(plan.lives, plan.roles, strict=True):
            self.programs[label] = program = pipeline.consumer(start=False, role=role)
            program.environment = {**program.environment, "SLUICE_HURRY": str(plan.hurry)}
            program.config["operations"]["address"] = f"127.0.0.1:{self.next_port()}"

    def _write_scripts(self) -> None:
        database, user = beside(self.pipeline.name), self.pipeline.database.user
        scripts = [f"('{event.id}', '{event.script}')" for event in self.plan.events if event.script]
        self.pipeline.ledger.run(
            f"CREATE DATABASE {database}", f"GRANT ALL ON {database}.* TO '{user}'@'%'", f"USE {database}", *TABLES_BESIDE,
            *([f"INSERT INTO trouble VALUES {', '.join(scripts)}"] if scripts else []))

    # while it hurts

    def _hurt(self) -> None:
        self.supervisors = [Supervisor(program, self.plan.lives[label], self.story) for label, program in self.programs.items()]
        acting = threading.Thread(target=self.operators.carry_out, args=(self.plan.orders,), name="operators", daemon=True)
        self.story.began = time.monotonic()
        for thread in (*self.supervisors, acting):
            thread.start()
        for due in self.plan.puts:
            self.story.pause_until(due.at)
            put(self.pipeline, *(self.events[number] for number in due.events))
        self.story.pause_until(self.plan.seconds)
        self.story.over.set()
        acting.join()

    # after

    def _heal_and_compare(self) -> list[str]:
        objects = dict.fromkeys(event.object for event in self.plan.events)
        self.pipeline.ledger.run(healing(self.pipeline.name), *(f"INSERT IGNORE INTO made VALUES ('{unit}')" for unit in objects))
        with self._timed("start anew"):
            self._expect_all_well()
        with self._timed("settle"):
            differences = self._settle_and_compare(is_drained=False)
        if differences:
            return differences
        with self._timed("drain"):
            self.operators.end_cases(self.plan.cases_end)
            self.operators.retry_the_dead()
            put(self.pipeline, *self.events[-3:])  # duplicates of what is finished change nothing
            return self._settle_and_compare(is_drained=True)

    def _expect_all_well(self) -> None:
        deadline = time.monotonic() + HEALED_WITHIN
        for supervisor in self.supervisors:
            assert supervisor.is_well.wait(max(0.0, deadline - time.monotonic())), f"{supervisor.name} is still broken"
        for program in self.programs.values():
            wait_for(lambda program=program: self._keeps_running(program) and program.get("/readyz")[0] == 200,
                     f"{program.label} to be ready", HEALED_WITHIN)

    def _keeps_running(self, program: Program) -> bool:
        """A process may say that only a new one can go on, as when a busy broker answers late."""
        if not program.running:
            if program.exit_code != GAVE_UP:
                self._is_broken(f"{program.label} ended with {program.exit_code}\n{program.story()}")
            self.story.count("consumer gave up")
            program.start()
        return True

    def _is_broken(self, why: str) -> None:
        if not self.story.incidents:
            self.story.incident(why)
        raise AssertionError(why)

    def _settle_and_compare(self, *, is_drained: bool) -> list[str]:
        """What is still different when enough time has passed. The tables are read one after the other, so that one look
        while something moves says nothing."""
        def settled() -> bool:
            all(map(self._keeps_running, self.programs.values()))
            return not self._differences(is_drained)
        with contextlib.suppress(AssertionError):
            wait_for(lambda: self._looks_settled(is_drained), "the lanes to settle", HEALED_WITHIN)
            wait_for(settled, "everything to be equal", SURE_WITHIN, every=0.1)
            return []
        return self._differences(is_drained)

    def _looks_settled(self, is_drained: bool) -> bool:
        """What is cheap to ask for, before everything is read."""
        all(map(self._keeps_running, self.programs.values()))
        waiting = self.pipeline.ledger.query(
            "SELECT COUNT(*) FROM lane_event AS waits WHERE NOT EXISTS (SELECT 1 FROM lane_event AS dead WHERE"
            " dead.lane_key = waits.lane_key AND dead.position <= waits.position AND dead.status = 'dead'"
            " AND dead.lets_pass = waits.lets_pass)")
        taken = self.pipeline.ledger.query("SELECT COUNT(*) FROM inbox")
        owing = self.pipeline.ledger.query("SELECT COUNT(*) FROM lane WHERE wakeup_sent = 0 OR wakeup_due IS NOT NULL")
        is_quiet = taken[0][0] == len(self.plan.events) and not waiting[0][0] and not owing[0][0]
        is_quiet = is_quiet and self.operators.all_are_answered()
        return is_quiet and not (is_drained and facts.behind(self.pipeline))

    def _differences(self, is_drained: bool) -> list[str]:
        self.found = facts.collect(self.pipeline, list(self.story.incidents), wants_offsets=is_drained)
        return checker.differences(self.plan, self.found, is_drained=is_drained)

    # the end

    def _end(self) -> None:
        self.story.over.set()
        try:
            for program in self.programs.values():
                program.resume()
                if program.running:
                    program.ask_to_stop()
            for program in self.programs.values():
                self._see_off(program)
        finally:
            self.story.closed.set()
            for program in self.programs.values():
                program.end_by_force()
            if hasattr(self, "found"):
                (self.folder / "facts.json").write_text(facts.as_json(self.found) + "\n")

    def _see_off(self, program: Program) -> None:
        if program.running:
            code = program.wait_end()
            if code != 0:
                self.story.incident(f"{program.label} ended with {code} after SIGTERM\n{program.story()}")
        said = program.out.read_text(errors="replace") + program.errors() if program.out.exists() else ""
        if CANARY in said:
            self.story.incident(f"{program.label} said a part of a body in its log: {program.out}")
        if self.plan.deaths == ONE_DEATH and BUDGET_GONE in said:
            self.story.incident(f"{program.label} says that an effect dead-lettered too much, and there were only cases: {program.out}")

    def clean_up(self) -> None:
        """The servers shall not grow with every history."""
        topics = [self.pipeline.topic, self.pipeline.quarantine, self.pipeline.dlq, *self.pipeline.wake_topics]
        self.pipeline.ledger.run(f"DROP DATABASE {beside(self.pipeline.name)}", f"DROP DATABASE {self.pipeline.name}")
        self.pipeline.log.delete(*topics)
        self.pipeline.log.close()


def _event(planned: Planned) -> Event:
    said = kinds.said_by(planned.id, planned.object)
    return snapshot(KINDS[planned.kind].type, {"id": planned.object, **asdict(said)}, event_id=planned.id)
