"""Which sessions of a database wait for a row's lock."""

from __future__ import annotations

import re

from tests.support.ledger import Ledger

_NOW = "LIST OF TRANSACTIONS FOR EACH SESSION:"
_WAITS = re.compile(r"^LOCK WAIT .*\n(?:MySQL|MariaDB) thread id (\d+),", re.MULTILINE)


def sessions_that_wait_for_a_lock(ledger: Ledger) -> set[int]:
    """By InnoDB's own report: MySQL's information_schema refuses to show statements that hold bytes (3854)."""
    [[_, _, report]] = ledger.query("SHOW ENGINE INNODB STATUS")
    return waiting_in(report)


def waiting_in(report: str) -> set[int]:
    """Now, that is: the section of the latest deadlock shows two waits as well, until the server ends."""
    _, now = report.split(_NOW, 1)
    return {int(session) for session in _WAITS.findall(now)}
