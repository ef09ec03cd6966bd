"""Faults of the database: trouble pauses the consumer, lost transactions are read again, lost locks are tried again."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from pathlib import Path
from random import Random

import pymysql

from deploy.stack.cached import copy
from tests.chaos.faults import server
from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story


def kill(site: Site, fault: Fault, story: Story) -> None:
    """Sometimes its data is copied before it comes back: what `restore` brings back later."""
    keep = (lambda: _take_copy(site)) if fault.how.get("copy") else (lambda: None)
    server.kill_and_start(site.database, story, fault.lasts, keep)


def restore(site: Site, fault: Fault, story: Story) -> None:
    """A fail-over that lost everything since the last copy."""
    if not _copy_of(site).exists():
        return kill(site, fault, story)
    story.count("database restored")
    site.restored = True
    server.kill_and_start(site.database, story, fault.lasts, lambda: _put_copy_back(site))


def pause(site: Site, fault: Fault, story: Story) -> None:
    server.pause_and_resume(site.database, story, fault.lasts)


def disk_full(site: Site, fault: Fault, story: Story) -> None:
    if site.has_small_disks:
        server.fill_disk(site.database, story, fault.lasts)
    else:
        story.count("disks not filled: no right to mount")


def read_only(site: Site, fault: Fault, story: Story) -> None:
    _run(site, "SET GLOBAL read_only = ON")
    story.count("database read-only")
    story.pause(fault.lasts)
    _run(site, "SET GLOBAL read_only = OFF")


def locks(site: Site, fault: Fault, story: Story) -> None:
    """Somebody else holds rows that effects want, in another order than they do."""
    dice = Random(f"{site.plan.seed}/{fault.at}")
    customers = [f"cus_{site.plan.seed:x}_{number}" for number in range(site.plan.customers)]
    with contextlib.suppress(pymysql.MySQLError):
        with site.pipeline.ledger.session() as session, session.cursor() as cursor:
            cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
            for customer in dice.sample(customers, max(1, len(customers) // 2)):
                cursor.execute("SELECT * FROM wallet WHERE customer = %s FOR UPDATE", (customer.encode(),))
            story.count("database rows locked")
            story.pause(fault.lasts)
            session.rollback()


def sessions(site: Site, fault: Fault, story: Story) -> None:
    """Every session of the application's account is killed, again and again."""
    while True:
        with contextlib.suppress(pymysql.MySQLError):
            with site.database.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT id FROM information_schema.processlist WHERE user = %s", (site.database.user,))
                for (session,) in cursor.fetchall():
                    with contextlib.suppress(pymysql.MySQLError):
                        cursor.execute(f"KILL {session}")
                        story.count("database sessions killed")
        if not story.pause(0.3) or story.now > fault.at + fault.lasts:
            return


def _run(site: Site, statement: str) -> None:
    with site.database.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
        cursor.execute(statement)


def _copy_of(site: Site) -> Path:
    return site.folder / "database-copy"


def _take_copy(site: Site) -> None:
    shutil.rmtree(_copy_of(site), ignore_errors=True)
    copy(site.database.data_dir, _copy_of(site))


def _put_copy_back(site: Site) -> None:
    """The folder itself may be a mount point: its content goes, it stays."""
    subprocess.run(["find", str(site.database.data_dir), "-mindepth", "1", "-delete"], check=True)
    subprocess.run(["cp", "-a", "--sparse=always", f"{_copy_of(site)}/.", str(site.database.data_dir)], check=True)
