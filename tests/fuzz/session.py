"""One target at work: libFuzzer's processes over one corpus, what they say, and what they leave behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz import vector_seeds
from tests.fuzz.targets import Target

LOOK_EVERY = 5.0  # seconds
LINES_OF_REASON = 40
GRACE = 120.0     # beyond its time; loading a large corpus counts
_PULSE = re.compile(r"^#(\d+)\s+\w+.*?cov: (\d+) ft: (\d+) corp: (\d+)/", re.MULTILINE)
_LOADED = re.compile(r"^#\d+\s+INITED\s+cov: (\d+)", re.MULTILINE)
_REASON = re.compile(r"^(BROKEN PROMISE|==\d+== ?ERROR|.*runtime error:)", re.MULTILINE)
_STAT = re.compile(r"^stat::(\w+):\s+(\d+)", re.MULTILINE)
_ENGINE = re.compile(r"^engine: all: (\d+) executions, (\d+) compared, (\d+) authentic, (\d+) extracted", re.MULTILINE)


@dataclass
class Result:
    target: str
    executions: int = 0
    new_units: int = 0
    coverage_before: int = 0
    coverage: int = 0
    seconds: float = 0.0
    peak: int = 0  # MiB
    engine: Counter[str] = field(default_factory=Counter)  # what the target itself counts: requests, one input has many
    findings: list[Path] = field(default_factory=list)
    trouble: str = ""  # why it did not run as it should, without a finding

    @property
    def ok(self) -> bool:
        return not self.findings and not self.trouble


@dataclass(frozen=True)
class Plan:
    """`fresh`: from the committed seeds alone, so that what earlier runs kept here changes nothing."""

    seconds: int
    jobs: int
    seed: int
    fresh: bool

    def corpus(self, target: Target) -> Path:
        if self.fresh:
            shutil.rmtree(target.fresh_corpus, ignore_errors=True)
        folder = target.fresh_corpus if self.fresh else target.corpus
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def fuzz(target: Target, plan: Plan, tell: Callable[[str], None]) -> Result:
    """Runs for its time, or until the first finding of each process. A signal to us ends the processes."""
    corpus = plan.corpus(target)
    target.findings.mkdir(parents=True, exist_ok=True)
    before = _kept(target)
    began = time.monotonic()
    logs = [target.findings.parent / f"{target.name}-{number}.log" for number in range(plan.jobs)]
    processes = [_start(target, corpus, plan.seconds, plan.seed + number, log) for number, log in enumerate(logs)]
    try:
        in_time = _watch(processes, logs, began + plan.seconds + GRACE, lambda words: tell(f"{time.monotonic() - began:4.0f} s  {words}"))
    finally:
        _end(processes)
    result = Result(target.name, seconds=time.monotonic() - began)
    for log in logs:
        _read(log.read_text(errors="replace"), result)
    result.findings = sorted(path for path, _ in _kept(target) - before)
    if not result.findings and not in_time:
        result.trouble = "did not end in time"
    elif not result.findings and any(process.returncode for process in processes):
        result.trouble = f"ended with {[process.returncode for process in processes]}, see {logs[0]}"
    elif result.executions == 0:
        result.trouble = "executed nothing"
    return result


def reason_of(target: Target) -> str:
    """What the log of the first process says from the broken promise or the sanitizer's report on."""
    log = (target.findings.parent / f"{target.name}-0.log").read_text(errors="replace")
    begins = _REASON.search(log)
    return "\n".join(log[begins.start():].splitlines()[:LINES_OF_REASON]) if begins else ""


def _kept(target: Target) -> set[tuple[Path, int]]:
    """An input that was found before is written again under the same name."""
    return {(path, path.stat().st_mtime_ns) for path in target.findings.iterdir()}


def _start(target: Target, corpus: Path, seconds: int, seed: int, log: Path) -> subprocess.Popen:
    made = [str(vector_seeds.write(target.made_seeds))] if target.signed_requests else []
    command = ["setpriv", "--pdeathsig", "TERM", "--", str(target.program), *target.limits(), *target.guidance(),
               f"-max_total_time={seconds}", f"-seed={seed}", f"-artifact_prefix={target.findings}/", "-print_final_stats=1", "-reload=5",
               str(corpus), str(target.seeds), *made]
    with log.open("wb") as output:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
                                cwd=target.findings, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1:symbolize=1"})


def _watch(processes: list[subprocess.Popen], logs: list[Path], until: float, tell: Callable[[str], None]) -> bool:
    while any(process.poll() is None for process in processes):
        if time.monotonic() > until:
            return False
        try:
            next(process for process in processes if process.poll() is None).wait(LOOK_EVERY)
        except subprocess.TimeoutExpired:
            pulses = _PULSE.findall(logs[0].read_text(errors="replace"))
            if pulses:
                tell("{} runs, coverage {}, features {}, corpus {}".format(*pulses[-1]))
    return True


def _end(processes: list[subprocess.Popen]) -> None:
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
    for process in processes:
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _read(log: str, result: Result) -> None:
    """Without the closing figures (a finding ends the process before them) the last pulse counts."""
    stats = {name: int(value) for name, value in _STAT.findall(log)}
    pulses = _PULSE.findall(log)
    result.executions += stats.get("number_of_executed_units", int(pulses[-1][0]) if pulses else 0)
    result.new_units += stats.get("new_units_added", 0)
    if counts := _ENGINE.findall(log):
        result.engine += Counter(dict(zip(("executions", "compared", "authentic", "extracted"), map(int, counts[-1]), strict=True)))
    result.peak = max(result.peak, stats.get("peak_rss_mb", 0))
    if pulses:
        result.coverage = max(result.coverage, int(pulses[-1][1]))
    if loaded := _LOADED.search(log):
        result.coverage_before = max(result.coverage_before, int(loaded[1]))
