"""Operators of a history: commands about what waits, written as sluicectl writes them.

The seam: nothing carries commands out yet, so nobody gives any.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.chaos.histories.plan import Order
from tests.chaos.story import Story
from tests.support.pipeline import Pipeline


class Operators:
    are_there = False

    def __init__(self, pipeline: Pipeline, story: Story) -> None:
        self.pipeline, self.story = pipeline, story

    def carry_out(self, orders: Sequence[Order]) -> None:
        """Each at its time."""

    def see_to_the_dead(self) -> None:
        """Until nothing is dead."""
