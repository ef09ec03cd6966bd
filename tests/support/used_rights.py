"""Which rights a statement of sluice needs, by its text."""

from __future__ import annotations

import re
from collections.abc import Collection

Right = tuple[str, str]  # table and privilege

COMMENT, SPACE = re.compile(r"--[^\n]*"), re.compile(r"\s+")
READ = re.compile(r"\b(?:FROM|JOIN) (\w+)")
LOCK = re.compile(r"^SELECT .+? FROM (\w+) .* FOR UPDATE")
OF_SEVERAL = re.compile(r"^DELETE (?!FROM )(.+?) FROM ")
WRITES = {
    "INSERT": re.compile(r"^INSERT INTO (\w+)"),
    "UPDATE": re.compile(r"^UPDATE (\w+)"),
    "DELETE": re.compile(r"^DELETE FROM (\w+)"),
    "CREATE": re.compile(r"^CREATE TABLE (?:IF NOT EXISTS )?(\w+)"),
    "ALTER": re.compile(r"^ALTER TABLE (\w+)")}


def needed(statement: str, tables: Collection[str]) -> set[Right]:
    """On these tables: a catalogue is open to everyone, and a derived table is nobody's."""
    text = SPACE.sub(" ", COMMENT.sub(" ", statement)).replace("`", "").strip()
    rights = {(table, "SELECT") for table in READ.findall(text)}
    for privilege, pattern in WRITES.items():
        if written := pattern.match(text):
            rights |= {(written[1], each) for each in _with_it(privilege, text)}
    if lock := LOCK.match(text):
        rights.add((lock[1], "UPDATE"))  # or DELETE; MariaDB asks for neither
    if several := OF_SEVERAL.match(text):
        rights |= {(table.strip(), "DELETE") for table in several[1].split(",")}
    return {right for right in rights if right[0] in tables}


def _with_it(privilege: str, text: str) -> set[str]:
    """Each UPDATE and DELETE of sluice has a condition, which reads."""
    if privilege in ("UPDATE", "DELETE"):
        return {privilege, "SELECT"}
    if "ON DUPLICATE KEY UPDATE" in text:
        return {"INSERT", "UPDATE", "SELECT"}
    if "DROP PARTITION" in text:
        return {"ALTER", "DROP"}
    return {privilege}
