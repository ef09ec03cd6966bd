"""What the tests of effects and of dead letters share."""

from __future__ import annotations

from tests.support.events import Event
from tests.support.kafka_log import LogRecord
from tests.support.pipeline import Pipeline
from tests.support.wait import LONG_ENOUGH, wait_for


def dead_letter_of(pipeline: Pipeline, event: Event, within: float = LONG_ENOUGH) -> LogRecord:
    """The one DLQ record of `event`, whose inbox row is dead and owes nothing."""
    row = pipeline.ledger.expect_status(event, "dead", within)

    def sent() -> bool:
        return pipeline.ledger.inbox_row(event)["dlq_sent"] == 1
    wait_for(sent, "the delivery report of the dead letter")
    dead_letters = [dead_letter for dead_letter in pipeline.log.read(pipeline.dlq) if dead_letter.text("ce_id") == event.id]
    assert len(dead_letters) == 1, f"{len(dead_letters)} dead letters"
    assert row["error_class"]
    return dead_letters[0]
