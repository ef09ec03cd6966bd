"""A migration is applied while the release before still runs, and is never changed once it has been released."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from sources import TREE

FOLDER = TREE / "deploy/mysql"
RELEASED = TREE / "deploy/upgrade/released.sha256"
ALLOWED = "-- older programs:"  # and why those of the release before do not mind
_DANGEROUS = {
    "takes something away": r"\bDROP\b|\bTRUNCATE\b|\bDELETE\b",
    "gives something another name": r"\bRENAME\b|\bCHANGE\b",
    "changes a column": r"\bMODIFY\b|\bALTER\s+COLUMN\b",
    "adds a column that older programs would have to fill": r"\bADD\s+(?:COLUMN\s+)?(?!KEY|INDEX|PARTITION|UNIQUE|CONSTRAINT|FULLTEXT|PRIMARY|CHECK|FOREIGN)"
                                                              r"\w+\s+(?:(?!DEFAULT|AUTO_INCREMENT|,\s*ADD\b|;).)*\bNOT\s+NULL(?![^,;]*\bDEFAULT\b)",
    "adds a condition": r"\bADD\s+(?:UNIQUE|CONSTRAINT|CHECK|FOREIGN|PRIMARY)\b",
    "changes rows": r"\bUPDATE\b(?!\s+CURRENT)|\bREPLACE\b"}


def dangers(sql: str) -> list[str]:
    """What older programs would trip over, unless the file says why not."""
    if ALLOWED in sql:
        return []
    bare = re.sub(r"--[^\n]*", "", sql)
    return [what for what, pattern in _DANGEROUS.items() if re.search(pattern, bare, re.IGNORECASE | re.DOTALL)]


def migrations() -> list[Path]:
    return sorted(FOLDER.glob("*.sql"))


@pytest.mark.parametrize("file", migrations(), ids=lambda file: file.stem)
def test_a_migration_only_adds(file: Path) -> None:
    assert not dangers(file.read_text())


def test_migrations_are_numbered_without_gaps() -> None:
    assert [int(file.stem[:4]) for file in migrations()] == list(range(1, len(migrations()) + 1))


def test_a_released_migration_is_never_changed() -> None:
    """A database that has it would refuse the program."""
    for line in RELEASED.read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, f"{name}: write another migration"


@pytest.mark.parametrize("sql", [
    "ALTER TABLE inbox DROP COLUMN type;", "DROP TABLE lane;", "ALTER TABLE lane RENAME COLUMN gen TO generation;",
    "ALTER TABLE inbox MODIFY source VARBINARY(16) NOT NULL;", "ALTER TABLE inbox CHANGE source origin VARBINARY(64);",
    "ALTER TABLE inbox ADD COLUMN tenant INT NOT NULL;", "ALTER TABLE inbox ADD tenant VARBINARY(8) NOT NULL, ADD b INT NULL DEFAULT 1;",
    "ALTER TABLE inbox ADD UNIQUE KEY one (source);", "ALTER TABLE inbox ADD CONSTRAINT c CHECK (offset_no >= 0);",
    "UPDATE inbox SET status = 'done';", "RENAME TABLE lane TO lanes;"])
def test_what_older_programs_trip_over_is_seen(sql: str) -> None:
    assert dangers(sql)
    assert not dangers(f"-- older programs: they never read it since 1.4\n{sql}")


@pytest.mark.parametrize("sql", [
    "CREATE TABLE more (id BIGINT NOT NULL PRIMARY KEY);", "ALTER TABLE inbox ADD COLUMN tenant INT NULL;",
    "ALTER TABLE inbox ADD COLUMN tenant INT NOT NULL DEFAULT 0;", "ALTER TABLE inbox ADD KEY by_source (source, received_at);"])
def test_what_only_adds_is_let_through(sql: str) -> None:
    assert not dangers(sql)
