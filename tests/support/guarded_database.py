"""One user for each role, with the rights of SECURITY.md and no others, on a server that writes down what each of them says."""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pymysql
import pytest

from deploy.stack import SqlServer
from tests.support.effects import parks_without_a_wallet
from tests.support.pipeline import Pipeline
from tests.support.used_rights import Right, needed

SECURITY = Path(__file__).resolve().parents[2] / "SECURITY.md"
DATABASE = "payments"  # the name that it writes
GRANT = re.compile(r"GRANT (.+) ON payments\.(\w+) TO '([\w-]+)'@'%';")
PASSWORD = "of-a-test"
OF_EFFECTS = ("SELECT, UPDATE ON wallet", "INSERT ON wallet_entry", "INSERT ON email_request")
TELLS = {"name": "tell", "when": {"source": "stripe-eu", "type": "payment_intent.succeeded"}, "let": {"customer": "/data/object/customer"},
         "send": {"to": "told", "key": ":customer", "body": {"customer": ":customer"}}}
TABLE = re.compile(r"^CREATE TABLE (?:IF NOT EXISTS )?(\w+)", re.M)


class GuardedDatabase:
    """Of one test, whose pipeline comes with `guard`. Close it after the programs have ended."""

    def __init__(self, server: SqlServer) -> None:
        self.server = server
        self.name = f"g{secrets.token_hex(4)}"
        self.roles: list[str] = []
        self._run("SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = ON")

    def guard(self, pipeline: Pipeline) -> Pipeline:
        self.pipeline = pipeline
        return pipeline

    def let_in(self, role: str, *more: str) -> None:
        """`more`: what the tables of effects want, `SELECT ON wallet`."""
        self.pipeline.make_database()
        lines = [line for line in written() if GRANT.fullmatch(line)[3] == role]
        assert lines, f"SECURITY.md grants nothing to {role}"
        user = self._user(role)
        self._run(f"CREATE USER {user} IDENTIFIED BY '{PASSWORD}'",
                  *(line.rstrip(";").replace(f"{DATABASE}.", f"{self.pipeline.name}.").replace(f"'{role}'@'%'", user) for line in lines))
        self.grant(role, *more)
        self.roles.append(role)

    def grant(self, role: str, *more: str) -> None:
        """To one that was let in."""
        self._run(*(f"GRANT {each.replace(' ON ', f' ON {self.pipeline.name}.')} TO {self._user(role)}" for each in more))

    def as_user(self, role: str) -> None:
        """Programs that are started from now on come as this one."""
        self.pipeline.secrets["TEST_ROLE_PASSWORD"] = PASSWORD
        self.pipeline.config["mysql"].update(user=self._name(role), password={"env": "TEST_ROLE_PASSWORD"})

    def as_everybody(self) -> None:
        """Whom nobody watches: all rights on this database."""
        self.pipeline.config["mysql"].update(user=self.server.user, password={"env": "TEST_SQL_PASSWORD"})

    def used_by(self, role: str) -> set[Right]:
        tables = tables_of_sluice()
        return set().union(*(needed(statement, tables) for statement in self.said_by(role)))

    def session_of(self, role: str) -> pymysql.Connection:
        return pymysql.connect(host="127.0.0.1", port=self.server.port, user=self._name(role), password=PASSWORD,
                               database=self.pipeline.name, autocommit=True)

    def close(self) -> None:
        self._run("SET GLOBAL general_log = OFF", "SET GLOBAL log_output = 'FILE'", "TRUNCATE TABLE mysql.general_log",
                  *(f"DROP USER {self._user(role)}" for role in self.roles))
        assert not (refusals := self._refusals()), refusals

    def _refusals(self) -> list[str]:
        """Of programs, also those that they lived with."""
        said = [program.out.read_text() for program in self.pipeline.programs if program.out.exists()]
        return [line for text in said for line in text.splitlines() if "denied" in line]

    def said_by(self, role: str) -> list[str]:
        with self.server.connect(admin=True, database="mysql") as connection, connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT argument FROM general_log WHERE command_type IN ('Query', 'Prepare') AND user_host LIKE %s",
                           (f"{self._name(role)}[%",))
            return [text.decode(errors="replace") if isinstance(text, bytes) else text for (text,) in cursor.fetchall()]

    def _name(self, role: str) -> str:
        return f"{self.name}-{role}"

    def _user(self, role: str) -> str:
        return f"'{self._name(role)}'@'%'"

    def _run(self, *statements: str) -> None:
        with self.server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


def written() -> list[str]:
    lines = [line for line in SECURITY.read_text().splitlines() if line.startswith("GRANT ")]
    assert all(GRANT.fullmatch(line) for line in lines), lines
    return lines


def granted(role: str) -> set[Right]:
    found = [GRANT.fullmatch(line) for line in written()]
    return {(grant[2], privilege) for grant in found if grant[3] == role for privilege in grant[1].split(", ")}


def tables_of_sluice() -> set[str]:
    folder = SECURITY.parent / "deploy/mysql"
    return {"sluice_migration", *(name for file in folder.glob("*.sql") for name in TABLE.findall(file.read_text()))}


def by_table(rights: set[Right]) -> dict[str, list[str]]:
    """For a failure's message."""
    tables = defaultdict(list)
    for table, privilege in sorted(rights):
        tables[table].append(privilege)
    return dict(tables)


@pytest.fixture
def guarded(database: SqlServer) -> Iterator[GuardedDatabase]:
    """Named before `new_pipeline`: its users stay until the programs have ended."""
    guarded = GuardedDatabase(database)
    yield guarded
    guarded.close()


@pytest.fixture
def site(guarded: GuardedDatabase, new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    """One partition, and effects that park what their tables do not know."""
    pipeline = guarded.guard(new_pipeline(partitions=1)).prepare()
    pipeline.config["consumer"] = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
    pipeline.config["effects"].append(parks_without_a_wallet())
    pipeline.config["effects"].append(TELLS)
    pipeline.config["destinations"] = {"told": {"kafka": {"topic": f"{pipeline.name}.told"}}}
    pipeline.log.create(f"{pipeline.name}.told", partitions=1)
    pipeline.record_callbacks()
    return pipeline
