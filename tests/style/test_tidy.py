"""clang-tidy sees every unit, however many it sees together."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.platform.testing import tidy

UNITS = [Path(f"/unit_{number}.cxx") for number in range(11)]


def test_every_unit_is_in_one_batch_with_its_own_flags() -> None:
    flags = {unit: ["-DA"] if number < 9 else ["-DB"] for number, unit in enumerate(UNITS)}
    batches = tidy.batches(flags)
    assert sorted(unit for units, _ in batches for unit in units) == sorted(UNITS)
    assert all(flags[unit] == shared for units, shared in batches for unit in units)
    assert max(len(units) for units, _ in batches) <= tidy.TOGETHER


@pytest.mark.parametrize(("bad", "told"), [({UNITS[2]}, "finding"), (set(), "")])
def test_what_a_batch_shows_counts_where_a_unit_alone_shows_it(monkeypatch: pytest.MonkeyPatch, bad: set[Path], told: str) -> None:
    """The first two do not go together: neither has a finding."""
    def told_of(units: list[Path], _: list[str]) -> str:
        return "finding" if bad & set(units) else "redefinition" if {UNITS[0], UNITS[1]} <= set(units) else ""
    monkeypatch.setattr(tidy, "told_of", told_of)
    assert tidy.findings_in(UNITS[:4], []) == told
