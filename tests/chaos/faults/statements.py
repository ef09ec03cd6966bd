"""Faults of single statements: an effect's table is changed under it, an effect is slow, a statement is killed."""

from __future__ import annotations

import contextlib
import threading
from random import Random

import pymysql

from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story

TABLES = ("wallet", "wallet_entry", "receipt")
KILL_EVERY = 0.01       # seconds: statements are short
RECONNECT_EVERY = 0.1


def definition(site: Site, fault: Fault, story: Story) -> None:
    """An ALTER that waits behind somebody's long reading. Whoever wants the table now waits behind the ALTER."""
    table = TABLES[int(fault.how.get("table", 0))]
    with contextlib.suppress(pymysql.MySQLError):
        with site.pipeline.ledger.session() as reader, reader.cursor() as cursor:
            cursor.execute(f"SELECT COUNT(*) FROM {table}")
            change = threading.Thread(target=_redefine, args=(site, table, fault, story), daemon=True)
            change.start()
            story.pause(fault.lasts)
            with contextlib.suppress(pymysql.MySQLError):
                reader.rollback()
            change.join()


def slow(site: Site, fault: Fault, story: Story) -> None:
    """What one customer's entries are written by sleeps first."""
    customer = Random(f"{site.plan.seed}/{fault.at}").randrange(site.plan.customers)
    with contextlib.suppress(pymysql.MySQLError):
        _run(site, f"INSERT INTO slow_customer VALUES ('cus_{site.plan.seed:x}_{customer}', {fault.how.get('seconds', 1)})")
        story.count("effects slowed")
    story.pause(fault.lasts)
    heal(site)


def killed(site: Site, fault: Fault, story: Story) -> None:
    """Statements of the application's account are killed, one at a time; their sessions live on."""
    dice = Random(f"{site.plan.seed}/{fault.at}")
    while story.now < fault.at + fault.lasts and story.pause(RECONNECT_EVERY):
        with contextlib.suppress(pymysql.MySQLError):
            with site.database.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
                while story.now < fault.at + fault.lasts and story.pause(KILL_EVERY):
                    _kill_one(cursor, site.database.user, dice, story)


def heal(site: Site) -> bool:
    """Whether nothing is slow any more: a killed server may not have let us."""
    try:
        _run(site, "DELETE FROM slow_customer")
    except pymysql.MySQLError:
        return not site.plan.has_slow_effects
    return True


def _kill_one(cursor: pymysql.cursors.Cursor, user: str, dice: Random, story: Story) -> None:
    cursor.execute("SELECT id FROM information_schema.processlist WHERE user = %s AND command NOT IN ('Sleep', 'Daemon')", (user,))
    if busy := cursor.fetchall():
        cursor.execute(f"KILL QUERY {dice.choice(busy)[0]}")
        story.count("statements killed")


def _redefine(site: Site, table: str, fault: Fault, story: Story) -> None:
    with contextlib.suppress(pymysql.MySQLError):
        _run(site, f"ALTER TABLE {table} COMMENT = 'changed at {fault.at:g} s'")
        story.count("tables redefined")


def _run(site: Site, statement: str) -> None:
    site.pipeline.ledger.run(statement)
