"""Folders are the architecture: small rooms that lean on each other in one direction only, each with a namespace of its name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import tree
from sources import CPP, files

TIERS = ("common", "ingress", "consumer", "poller", "command", "ctl")


def ours() -> tuple[Path, ...]:
    return tuple(path for tier in TIERS for path in files(*CPP, under=tier))


def test_no_rooms_lean_on_each_other() -> None:
    assert not tree.circle(tree.leans(ours()))


def test_no_room_is_crowded() -> None:
    assert not tree.crowded(ours())


def test_namespaces_are_named_by_folders() -> None:
    assert not [stranger for path in ours() for stranger in tree.strangers(path)]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes files into a tree of their own and gives them all."""
    monkeypatch.setattr(sys.modules["sources"], "TREE", tmp_path)

    def plant(**texts: str) -> tuple[Path, ...]:
        for where, text in texts.items():
            path = tmp_path / (where.replace("__", "/") + ".hpp")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tuple(sorted(tmp_path.rglob("*.hpp")))
    return plant


def test_a_circle_is_seen(planted) -> None:
    found = planted(a__x='#include "b/y.hpp"\n', b__y='#include "c/z.hpp"\n', c__z='#include "a/x.hpp"\n', d__w='#include "a/x.hpp"\n')
    assert tree.circle(tree.leans(found)) == ["a", "b", "c", "a"]


def test_what_leans_one_way_is_no_circle(planted) -> None:
    assert not tree.circle(tree.leans(planted(a__x='#include "b/y.hpp"\n#include "a/w.hpp"\n', a__w="", b__y="")))


def test_a_crowd_is_seen(planted) -> None:
    assert tree.crowded(planted(**{f"a__x{number}": "" for number in range(31)})) == ["a: 31 sources"]


@pytest.mark.parametrize("text", ["namespace sluice::b {\n}\n", "namespace sluice {\nint x;\n}\n"])
def test_a_stranger_is_seen(planted, text: str) -> None:
    found, = planted(a__x=text)
    assert list(tree.strangers(found))


@pytest.mark.parametrize("text", ["namespace sluice::a {\n}\n", "namespace sluice::b {\nclass Z;\n}\nnamespace sluice::a {\n}\n"])
def test_a_namespace_of_its_folder_is_none(planted, text: str) -> None:
    found, = planted(a__x=text)
    assert not list(tree.strangers(found))
