"""python3 -m deploy.platform.testing.units BUILD LABEL JUNIT: the tests that ctest knows under a label, each program's in one process.

ctest starts a process for each test, and that takes longer than most of them: `./run test --unit` has each alone. Here a test that ctest
lists and that was not run is a failure, also where the program ended before it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ONE_TEST = "--gtest_filter="


def listed(build: Path, label: str) -> dict[tuple[str, str], list[str]]:
    """By program and the folder that it runs in."""
    command = ["ctest", "--test-dir", str(build), "-L", f"^{label}$", "--no-tests=error", "--show-only=json-v1"]
    found: dict[tuple[str, str], list[str]] = {}
    for test in json.loads(subprocess.check_output(command))["tests"]:
        program, one, *_ = test["command"]
        folder = next(said["value"] for said in test["properties"] if said["name"] == "WORKING_DIRECTORY")
        assert one.startswith(ONE_TEST), test["command"]
        found.setdefault((program, folder), []).append(one.removeprefix(ONE_TEST))
    return found


def carried_out(place: tuple[str, str], names: list[str]) -> ElementTree.Element:
    program, folder = place
    with tempfile.TemporaryDirectory() as results:
        file = Path(results, "results.xml")
        run = subprocess.run([program, ONE_TEST + ":".join(names), "--gtest_also_run_disabled_tests", "--gtest_brief=1",
                              f"--gtest_output=xml:{file}"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             errors="replace", check=False)
        suite = judged(Path(program).name, names, file.read_text() if file.exists() else "<testsuites/>")
    print(f"{suite.get('name')}: {suite.get('tests')} tests, {suite.get('failures')} failed, exit code {run.returncode}")
    if run.returncode:
        print(run.stdout, run.stderr, sep="\n", flush=True)
        suite.set("errors", str(int(suite.get("failures") == "0")))  # each passed, and the program did not end well
    return suite


def judged(program: str, names: list[str], results: str) -> ElementTree.Element:
    """A suite of exactly these tests."""
    cases = {f"{case.get('classname')}.{case.get('name')}": case for case in ElementTree.fromstring(results).iter("testcase")
             if case.get("status") == "run"}
    suite = ElementTree.Element("testsuite", name=program, tests=str(len(names)))
    for name in names:
        suite.append(cases[name] if name in cases else was_not_run(name))
    for word, what in (("failures", "failure"), ("skipped", "skipped")):
        suite.set(word, str(sum(case.find(what) is not None for case in suite)))
    return suite


def was_not_run(name: str) -> ElementTree.Element:
    case = ElementTree.Element("testcase", name=name)
    ElementTree.SubElement(case, "failure", message="it was not run")
    return case


def main(build: str, label: str, junit: str) -> int:
    programs = listed(Path(build), label)
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        suites = list(workers.map(carried_out, programs, programs.values()))
    whole = ElementTree.Element("testsuites")
    whole.extend(suites)
    ElementTree.ElementTree(whole).write(junit)
    return 1 if any(suite.get("failures") != "0" or suite.get("errors") for suite in suites) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
