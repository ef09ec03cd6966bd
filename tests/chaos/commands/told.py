"""What callers asked and what they were told. Data."""

from __future__ import annotations

from dataclasses import dataclass

CHARGE, IN_MYSQL, IN_REDIS = "charge", "refund-mysql", "refund-redis"
CALLS = (IN_MYSQL, IN_REDIS)


@dataclass(frozen=True)
class Asked:
    """A command and its key; every request with it has the same body."""

    command: str
    key: str
    account: str
    price: int


@dataclass(frozen=True)
class Told:
    """One answer to a request or to a look-up (`standing`)."""

    asked: Asked
    sent_at: float             # seconds
    told_at: float
    status: int
    body: bytes = b""
    mark: str = ""             # of Idempotency-Replayed; empty: no response of the command
    problem: str = ""          # the last part of its type
    has_location: bool = False
    standing: str = ""         # absent, in_progress, done or failed
    other_body: bool = False   # was sent under a key that had its response, with another body

    @property
    def response(self) -> tuple[int, bytes] | None:
        """The first response, whichever way it was told."""
        return (self.status, self.body) if self.mark or self.standing == "done" else None

    @property
    def is_accepted(self) -> bool:
        """Kafka has it."""
        return self.status == 200 and self.has_location and not self.mark

    @property
    def goes_on(self) -> bool:
        return self.status == 202 and self.has_location
