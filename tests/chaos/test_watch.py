"""A checkpoint is judged once Kafka was read as far as it was written when the checkpoint was there."""

from __future__ import annotations

from types import SimpleNamespace

from tests.chaos.story import Story
from tests.chaos.watch import Watch

READER = SimpleNamespace(get_watermark_offsets=lambda partition, timeout: (0, 2))  # two records in the only partition


def watch_of(place: str | None) -> Watch:
    listing = SimpleNamespace(up_to=lambda until: {"a", "b"} if until == "b" else {"a"})
    site = SimpleNamespace(plan=SimpleNamespace(partitions=1), pipeline=SimpleNamespace(topic="t"), listing=listing, walked_to=lambda: place)
    return Watch(site, Story())


def read(watch: Watch, *ids: str) -> None:
    for event in ids:
        watch._keys[0].append(f"key-{event}")
        watch._ids.add(event)
    watch._look_at_walk(READER)


def test_a_checkpoint_ahead_of_kafka_is_an_incident() -> None:
    watch = watch_of("b")
    read(watch, "a", "c")
    [said] = watch.story.incidents
    assert "the walk has passed b, as its checkpoint is at b, and Kafka does not hold it (1 such)" in said


def test_nothing_is_said_before_the_log_was_read() -> None:
    watch = watch_of("b")
    read(watch, "a")
    assert watch.story.incidents == []
    read(watch, "b")
    assert watch.story.incidents == []


def test_what_is_behind_the_checkpoint_may_be_missing() -> None:
    for place in ("a", None):
        watch = watch_of(place)
        read(watch, "a", "c")
        assert watch.story.incidents == []
