"""One of our programs as a process: started, killed, paused, looked at from outside."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import signal
import subprocess
from pathlib import Path

import yaml

from tests.support import metrics_text
from tests.support.wait import wait_for

TREE = Path(__file__).resolve().parents[2]
READY_WITHIN = 30.0  # seconds
STOP_WITHIN = 30.0   # seconds: the grace period that the programs have to keep
SAID_WITHIN = 1.0    # seconds: lines of a log are gathered for 20 ms
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # ten times as fast, for programs that start all the time


def binary(name: str) -> Path:
    """Where a program lies: SLUICE_BIN, else the build with failpoints."""
    folder = Path(os.environ.get("SLUICE_BIN") or TREE / "build/dev/bin")
    return folder / name


class Program:
    """A process of sluice-ingress or sluice-consumer, with a configuration file and log files of its own.

    It dies with the test run, however that ends. `start()` may be called again after it ended: same configuration, logs
    go on in the same files.
    """

    def __init__(self, name: str, config: dict, folder: Path, *, label: str, environment: dict[str, str],
                 arguments: tuple[str, ...] = ()) -> None:
        self.name = name
        self.config = config
        self.label = label
        self.arguments = arguments
        self.config_file = folder / f"{label}.yaml"
        self.out = folder / f"{label}.out"
        self.err = folder / f"{label}.err"
        self.failpoints_log = folder / f"{label}.failpoints"
        self.environment = environment
        self.folder_of_programs = ""  # empty: as `binary` says
        self.failpoints_always = ""   # of each start, beside those that it is given
        self.most_files = 0           # 0: as many as this process may have
        self.expect_clean_end = True
        self._process: subprocess.Popen[bytes] | None = None
        self._end_was_seen = False

    # life

    def write_config(self) -> None:
        """Replaces the file in one step, as an editor or Kubernetes does."""
        fresh = self.config_file.with_suffix(".new")
        fresh.write_text(yaml.dump(self.config, Dumper=DUMPER, sort_keys=False))
        fresh.rename(self.config_file)

    def start(self, failpoints: str = "") -> Program:
        """Returns at once; `ready()` waits."""
        assert not self.running, f"{self.label} runs already"
        self._end_was_seen = False
        self.write_config()
        environment = {**os.environ, **self.environment, "SLUICE_FAILPOINTS": ";".join(filter(None, [self.failpoints_always, failpoints])),
                       "SLUICE_FAILPOINTS_LOG": str(self.failpoints_log)}
        with self.out.open("ab") as out, self.err.open("ab") as err:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", *self._limit, str(self._binary), "--config", str(self.config_file),
                 *self.arguments],
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, start_new_session=True)
        return self

    @property
    def _limit(self) -> list[str]:
        return ["prlimit", f"--nofile={self.most_files}:{self.most_files}", "--"] if self.most_files else []

    @property
    def _binary(self) -> Path:
        return Path(self.folder_of_programs) / self.name if self.folder_of_programs else binary(self.name)

    def ready(self, within: float = READY_WITHIN) -> Program:
        """Waits until /readyz says 200."""
        wait_for(self._is_ready_or_ended, f"{self.label} to be ready", within)
        return self

    def expect_not_ready(self, *words: str, within: float = READY_WITHIN) -> str:
        """Waits until /readyz is 503 and its report has all `words`; returns the report."""
        def report() -> str:
            assert self.running, self.story()
            status, text = self.get("/readyz")
            assert status == 503, f"/readyz said {status}: {text}"
            missing = [word for word in words if word.lower() not in text.lower()]
            assert not missing, f"/readyz lacks {missing}: {text}"
            return text or "(empty)"
        return wait_for(report, f"{self.label} not to be ready", within)

    def expect_degraded(self, concern: str, *words: str, within: float = READY_WITHIN) -> None:
        """Waits until /readyz is 200 all the same, and says what is not well."""
        def is_said() -> None:
            status, text = self.get("/readyz")
            assert status == 200, f"/readyz said {status}: {text}"
            line = next((line for line in text.splitlines() if line.startswith(f"{concern}: degraded: ")), "")
            assert line and all(word in line for word in words), text
        wait_for(lambda: is_said() is None, f"{self.label} to say that {concern} is degraded", within)

    def stop(self, within: float = STOP_WITHIN) -> int:
        """SIGTERM; it must end by itself inside the grace period."""
        self.ask_to_stop()
        return self.wait_end(within)

    def ask_to_stop(self) -> None:
        """SIGTERM without waiting, so that several can end side by side."""
        assert self._process is not None
        self.signal(signal.SIGTERM)

    def kill(self) -> None:
        assert self._process is not None
        self._end_was_seen = True
        self.signal(signal.SIGKILL)
        self._process.wait()

    def pause(self) -> None:
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.signal(signal.SIGCONT)

    def reload(self) -> None:
        self.signal(signal.SIGHUP)

    def signal(self, number: signal.Signals) -> None:
        if self.running:
            assert self._process is not None
            self._process.send_signal(number)

    def wait_end(self, within: float = STOP_WITHIN) -> int:
        """The exit code; minus the signal's number when a signal ended it."""
        assert self._process is not None
        self._end_was_seen = True
        try:
            return self._process.wait(within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.label} still runs after {within:g} s\n{self.story()}") from None

    def ended_within(self, seconds: float) -> bool:
        """True at its end, not at the next look."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return True
        try:
            return bool(select.select([handle], [], [], seconds)[0])
        finally:
            os.close(handle)

    def end_by_force(self) -> None:
        """For the end of a test: no orphan is left, whatever state it is in."""
        if self.running:
            self.kill()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def frozen(self) -> bool:
        """SIGSTOP has arrived."""
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"

    @property
    def fell(self) -> bool:
        """It ended and nobody has looked how. SIGKILL is always the test's own doing: its own, or a failpoint's."""
        ended = self._process is not None and self._process.poll() is not None
        return ended and not self._end_was_seen and self._process.poll() != -signal.SIGKILL

    @property
    def exit_code(self) -> int | None:
        return None if self._process is None else self._process.poll()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    # the operations listener

    @property
    def operations_port(self) -> int:
        section = self.config["operations"]
        own = "ingress" if self.name == "sluice-ingress" else "retry" if "retry" in self.arguments else "consumer"
        return int((section.get(own) or section["address"]).rsplit(":", 1)[1])

    @property
    def port(self) -> int:
        """Of the ingress."""
        return int(self.config["listen"]["address"].rsplit(":", 1)[1])

    def get(self, path: str) -> tuple[int, str]:
        """Status and body; OSError when nobody listens."""
        connection = http.client.HTTPConnection("127.0.0.1", self.operations_port, timeout=5)
        try:
            connection.request("GET", path)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        except http.client.HTTPException as error:
            raise OSError(f"{path}: {error!r}") from None
        finally:
            connection.close()

    def metrics(self) -> metrics_text.Samples:
        status, text = self.get("/metrics")
        assert status == 200, text
        return metrics_text.parse(text)

    def metric(self, name: str, **labels: str) -> float:
        """The sum over all series of `name` that carry `labels`; 0 when there is none."""
        return self.metrics().total(name, **labels)

    def expect_metric(self, value: float, name: str, **labels: str) -> None:
        """What the database or an answer shows already may be counted a moment later, and gauges are of the last look."""
        wait_for(lambda: self.metric(name, **labels) == value, f"{name} of {self.label} to be {value:g}")

    def expect_duplicates(self, count: int) -> None:
        """And more only where a MySQL session came after its partitions, as on a busy machine: then all may be read again."""
        def are_counted() -> bool:
            counted = self.metric("webhook_processed_total", result="duplicate")
            return counted == count or (counted > count and bool(self.decisions("read_again")))

        wait_for(are_counted, f"{self.label} to count {count} duplicates")

    # what it takes

    @property
    def sleeps(self) -> int:
        """How often its threads have waited for something so far: each connect is such a wait."""
        statuses = [status.read_text() for status in Path(f"/proc/{self.pid}/task").glob("*/status")]
        return sum(int(count) for text in statuses for count in re.findall(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.M))

    @property
    def resident_kib(self) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    @property
    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    # what it said

    def log_lines(self) -> list[dict]:
        """Every line of standard output as JSON; a line that is none is an AssertionError."""
        lines = []
        for number, line in enumerate(self.out.read_text(errors="strict").splitlines() if self.out.exists() else [], 1):
            try:
                lines.append(json.loads(line))
            except ValueError:
                raise AssertionError(f"{self.out}:{number} is no JSON: {line!r}") from None
        return lines

    def decisions(self, decision: str) -> list[dict]:
        """Its lines about it. Where there are none, a running program has time to say them: it gathers lines for a moment."""
        def said() -> list[dict]:
            return [line for line in self.log_lines() if line.get("decision") == decision]
        try:
            return wait_for(said, f"{self.label} to say {decision}", SAID_WITHIN if self.running else 0)
        except AssertionError:
            return said()

    def errors(self) -> str:
        return self.err.read_text(errors="replace") if self.err.exists() else ""

    def hit_failpoints(self) -> set[str]:
        return set(self.failpoints_log.read_text().split()) if self.failpoints_log.exists() else set()

    def story(self, lines: int = 30) -> str:
        """The end of both outputs, for a failure's message."""
        out = self.out.read_text(errors="replace").splitlines()[-lines:] if self.out.exists() else []
        return "\n".join([f"--- {self.label}: exit code {self.exit_code}", *out, "--- its standard error",
                          self.errors()[-3000:]])

    def _is_ready_or_ended(self) -> bool:
        if not self.running:
            raise RuntimeError(f"{self.label} ended before it was ready\n{self.story()}")
        status, text = self.get("/readyz")
        assert status == 200, text
        return True
