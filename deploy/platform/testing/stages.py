"""The stages, in order. CI runs all of them; the flags of `./run test` choose some."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deploy.platform.testing import coverage, workers

STAGE_LIMIT = 3400.0  # seconds; a stage that takes longer hangs. Those of integration take about 1500 on two cores
SIDE_BY_SIDE = ("--dist", "loadfile", "-n")  # files; each worker has servers of its own

# All five take three minutes and more: `./run walk`.
ONE_INCIDENT = "faster or secret"


@dataclass(frozen=True)
class Stage:
    """One command. `junit` is where it writes its test results, when it runs tests; `needs` must have succeeded before.

    A stage whose `subject` does not exist (yet) is skipped, and the skip is shown. `alone` runs again what failed, see
    second_look. `shown`: what it printed is the point of it. `absent`: what is missing here, so that it is not run.
    """

    name: str
    command: Sequence[str]
    junit: Path | None = None
    needs: Sequence[str] = ()
    subject: Path | None = None
    limit: float = STAGE_LIMIT
    alone: Sequence[str] = ()
    environment: dict[str, str] = field(default_factory=dict)
    shown: bool = False
    absent: str = ""


def made(what: str, needed: str = "") -> list[Stage]:
    """Waits for what deploy/platform/beside.sh makes, and fails when the folder that the variable `needed` names is not there then."""
    lock = os.environ.get(f"SLUICE_MAKING_{what.upper()}")
    wait = 'flock --shared "$1" true; [[ -z $2 || -d ${!2} ]]'
    return [Stage(what, ["bash", "-c", wait, what, lock, needed])] if lock else []


def build(tree: Path, preset: str, *targets: str) -> Stage:
    return Stage(f"build {preset}", ["bash", str(tree / "deploy/platform/build.sh"), preset, *targets])


def tidy() -> Stage:
    return Stage("tidy", ["python3", "-m", "deploy.platform.testing.tidy"], needs=["build dev"])


def unit(tree: Path, results: Path, preset: str) -> Stage:
    return _ctest(tree, results, preset, "unit", jobs=2)


def units(tree: Path, results: Path) -> Stage:
    """The same tests, each program's in one process."""
    junit = results / "unit-dev.xml"
    command = ["python3", "-m", "deploy.platform.testing.units", str(tree / "build/dev"), "unit", str(junit)]
    return Stage("unit dev", command, junit, needs=["build dev"], limit=900)


def model(tree: Path, results: Path) -> Stage:
    """The deep worlds of the lane protocol; the small ones are unit tests. The largest needs 720 MiB."""
    return _ctest(tree, results, "dev", "model", jobs=2)


def _ctest(tree: Path, results: Path, preset: str, label: str, jobs: int) -> Stage:
    junit = results / f"{label}-{preset}.xml"
    command = ["ctest", "--test-dir", str(tree / "build" / preset), "-L", f"^{label}$", "--no-tests=error", "-j", str(jobs),
               "--output-on-failure", "--output-junit", str(junit)]
    return Stage(f"{label} {preset}", command, junit, needs=[f"build {preset}"], limit=900)


def pytest(tree: Path, results: Path, part: str, *, needs: Sequence[str], expression: str = "",
           subject: Path | None = None, options: Sequence[str] = ()) -> Stage:
    junit = results / f"{part}.xml"
    command = ["python3", "-m", "pytest", str(tree / "tests" / part), "-q", f"--junitxml={junit}", *options]
    alone = [*command[:5], f"--junitxml={junit.with_name(f'{part}-alone.xml')}", "--last-failed"] if options else []
    return Stage(part, command + (["-k", expression] if expression else []), junit, needs, subject, alone=alone)


def _waiting() -> Sequence[str]:
    return [*SIDE_BY_SIDE, str(workers.here())]


def _computing() -> Sequence[str]:
    return [*SIDE_BY_SIDE, "2"]


def demo(tree: Path, results: Path) -> Stage:
    return Stage("demo", ["python3", "-m", "deploy.demo", "--once", "--json", str(results / "demo.json")],
                 needs=["build release", "servers"], limit=600)


def fuzz(tree: Path) -> Stage:
    return Stage("fuzz", ["python3", "-m", "tests.fuzz.runner", "--seconds", "5", "--fresh"], needs=["build fuzz"], limit=600)


def chaos(results: Path, plan: str, *options: str) -> Stage:
    """Fresh seeds each time; a run that differs prints its seed. Short of the minute from which on every failpoint must be passed."""
    command = ["python3", "-m", "tests.chaos", *options, "--record", str(results / "chaos.tsv")]
    return Stage(f"chaos {plan}", command, needs=["build dev", "servers"], limit=900)


def cluster() -> Stage:
    """`./run cluster` is for where there is one: here it is said each time that nothing of it was run."""
    return Stage("cluster", [], absent="NOT RUN, needs a Kubernetes: ./run cluster --help")


def everything(tree: Path, results: Path) -> list[Stage]:
    style = tree / "tests" / "style"
    return [
        Stage("format", ["bash", str(tree / "deploy/platform/fmt.sh"), "--dry-run", "-Werror"]),
        build(tree, "dev"), units(tree, results), model(tree, results), tidy(),
        build(tree, "release", "all", "webhook_stages"),
        *made("servers", needed="SLUICE_KAFKA_HOME"), *made("tools"), *made("python"),
        pytest(tree, results, "integration", needs=["build dev", "servers"], options=_waiting()),
        pytest(tree, results, "stages", needs=["build release"]),
        pytest(tree, results, "images", needs=["build release"]),
        pytest(tree, results, "release", needs=["build release"]),
        build(tree, "fuzz"), fuzz(tree),
        pytest(tree, results, "chaos", needs=[]),
        chaos(results, "mixed", "--runs", "2", "--seconds", "28"),
        chaos(results, "storm", "--storm", "--seconds", "50"),
        chaos(results, "poller", "--poller", "--seconds", "28"),
        chaos(results, "commands", "--commands", "--seconds", "25"),
        chaos(results, "lanes", "--lanes", "--runs", "12", "--within", "200"),
        pytest(tree, results, "style", needs=[], subject=style),
        pytest(tree, results, "chart", needs=["build dev"], options=_computing()),
        pytest(tree, results, "sim", needs=[]),
        pytest(tree, results, "vectors", needs=[]),
        replace(pytest(tree, results, "receivers", needs=[]), shown=True),  # it names languages that are not here
        pytest(tree, results, "clients", needs=[]),
        pytest(tree, results, "alerts", needs=[], options=_computing()),
        pytest(tree, results, "walk", needs=["build dev", "servers"], expression=ONE_INCIDENT, options=_computing()),
        pytest(tree, results, "bench", needs=[]),
        demo(tree, results), cluster()]


def only_unit(tree: Path, results: Path) -> list[Stage]:
    return [build(tree, "dev"), unit(tree, results, "dev")]


def under_sanitizers(tree: Path, results: Path) -> list[Stage]:
    return [build(tree, "asan"), unit(tree, results, "asan")]


def with_coverage(tree: Path, results: Path) -> list[Stage]:
    tests = unit(tree, results, "coverage")
    tests = replace(tests, environment={"LLVM_PROFILE_FILE": str(coverage.profiles(tree) / "%m.profraw")})
    judged = ["python3", "-m", "deploy.platform.testing.coverage"]
    return [build(tree, "coverage", *coverage.PROGRAMS), Stage("forget coverage", ["rm", "-rf", str(coverage.profiles(tree))]),
            tests, Stage("coverage", judged, needs=[tests.name], shown=True)]


def only_chart(tree: Path, results: Path) -> list[Stage]:
    return [build(tree, "dev"), pytest(tree, results, "chart", needs=["build dev"], options=_computing())]


def only_integration(tree: Path, results: Path, expression: str) -> list[Stage]:
    return [build(tree, "dev"), pytest(tree, results, "integration", needs=["build dev"], expression=expression,
                                      options=[] if expression else _waiting())]
