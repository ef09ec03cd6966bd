"""The receivers that docs/receivers.md shows do with every message of vectors.json what it says, and are shown byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from languages import LANGUAGES, READERS, SHOWN, TREE, NotHere, answers, message_line

VECTORS = json.loads((SHOWN / "vectors.json").read_text())
PAGE = (TREE / "docs/receivers.md").read_text()


@pytest.mark.parametrize("name", LANGUAGES)
def test_answers_every_message_as_the_vectors_say(tmp_path: Path, name: str) -> None:
    """In their order, with one database. A language that is not here is a skip that says so."""
    language = LANGUAGES[name]
    try:
        command = language.make(tmp_path)
    except NotHere as why:
        assert not language.is_always_there, why
        pytest.skip(str(why))
    given = answers(command, (message_line(VECTORS["now"], case) for case in VECTORS["cases"]))
    wanted = {case["case"]: f"{case['answer']} {int(case['work'])}" for case in VECTORS["cases"]}
    assert dict(zip(wanted, given, strict=True)) == wanted


def test_vectors_have_names_of_their_own() -> None:
    names = [case["case"] for case in VECTORS["cases"]]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", LANGUAGES)
def test_page_shows_the_file_that_was_tested(name: str) -> None:
    shown = re.findall(rf"(?ms)^```{LANGUAGES[name].fence}\n(.*?)^```$", PAGE)
    files = [LANGUAGES[name].file, *filter(None, [READERS.get(LANGUAGES[name].fence)])]
    assert shown == [(SHOWN / file).read_text() for file in files]


def test_page_shows_every_file() -> None:
    files = {path.name for path in SHOWN.iterdir()}
    assert files == {language.file for language in LANGUAGES.values()} | {*READERS.values(), "vectors.json"}
