"""Programs of unit tests as a whole: no test of ctest's list is lost."""

from __future__ import annotations

import pytest

from deploy.platform.testing.units import judged

PASSED = '<testcase classname="A/B" name="c/0" status="run" result="completed"/>'
FAILED = '<testcase classname="A/B" name="c/0" status="run" result="completed"><failure message="x"/></testcase>'
SKIPPED = '<testcase classname="A/B" name="c/0" status="run" result="skipped"><skipped message="x"/></testcase>'
NOT_RUN = '<testcase classname="A/B" name="c/0" status="notrun" result="suppressed"/>'


@pytest.mark.parametrize(("cases", "failures", "skipped"), [(PASSED, "0", "0"), (FAILED, "1", "0"), (SKIPPED, "0", "1"),
                                                            (NOT_RUN, "1", "0"), ("", "1", "0")])
def test_a_test_that_was_not_run_has_failed(cases: str, failures: str, skipped: str) -> None:
    suite = judged("unit", ["A/B.c/0"], f"<testsuites>{cases}</testsuites>")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("1", failures, skipped)
