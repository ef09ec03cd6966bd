"""What is there in the end: collected, not judged. `Facts` is all that the checker gets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.chaos import shop
from tests.chaos.listing import Shown
from tests.chaos.provider import Told
from tests.chaos.site import Site
from tests.support.kafka_log import LogRecord


@dataclass(frozen=True)
class Published:
    """A record of the main topic."""

    partition: int
    offset: int
    id: str
    dedup_key: str
    digest: str
    object_key: str
    body: bytes = field(repr=False)
    source: str = ""


@dataclass(frozen=True)
class DeadLetter:
    """`partition` and `offset` are those of the record that it was."""

    id: str
    partition: int
    offset: int
    error_class: str
    body: bytes = field(repr=False)


@dataclass(frozen=True)
class InboxRow:
    id: str
    dedup_key: str
    digest: str
    status: str
    dlq_sent: int | None
    error_class: str | None = None
    error_text: str | None = None

    @property
    def error(self) -> str:
        return f"{self.error_class}: {self.error_text}" if self.error_text else str(self.error_class)


@dataclass(frozen=True)
class Entry:
    """A row of the ledger: what one event did to one wallet. `seq` grows in the order of the effects."""

    seq: int
    event: str
    customer: str
    amount: int
    revision: int = 0  # of the effects that wrote it


@dataclass(frozen=True)
class Message:
    """As it arrived, or as the outbox has it."""

    destination: str
    key: str           # the ordering unit
    idempotency: str
    event: str
    is_taken: bool = True  # its receiver has said so


@dataclass(frozen=True)
class Callback:
    """On record: that it was accepted, and where its record lies."""

    partition: int
    offset: int
    dedup_key: str


@dataclass
class Facts:
    told: Told
    records: list[Published]
    quarantined: list[tuple[str, bytes]]          # key and body
    dead_letters: list[DeadLetter]
    inbox: list[InboxRow]
    entries: list[Entry]
    wallets: dict[str, int]
    mails: list[str]                              # event ids
    receipts: dict[str, str]                      # event id by number
    newest: dict[str, tuple[str, int | None] | None]  # by payment and by item: event and amount of its row; None: not compared
    ends: dict[int, int]
    committed: dict[int, int]
    applied: dict[int, int]
    bookings: list[Entry] = field(default_factory=list)        # of subscriptions
    booked: dict[str, int] = field(default_factory=dict)       # by customer
    lasts: dict[str, str | None] = field(default_factory=dict)  # event by subscription; None: not compared
    orders: dict[str, tuple[str, str]] = field(default_factory=dict)  # who paid it, and whether it has its codes
    codes: dict[str, str | None] = field(default_factory=dict)  # those given away, and to which order; None: not compared
    cases: list[tuple[str, str]] = field(default_factory=list)  # event and class
    messages: list[Message] = field(default_factory=list)       # that arrived; of a key in their order
    outbox: list[Message] = field(default_factory=list)         # by id
    unsent: int = 0
    callbacks: list[Callback] | None = None       # None: not compared
    restored: bool = False                        # the database lost transactions and read records again
    incidents: list[str] = field(default_factory=list)
    before_cut: list[Published] = field(default_factory=list)  # what the main topic held before it lost its end
    shown: Shown = field(default_factory=Shown)   # by the list
    gaps: list[str] = field(default_factory=list)  # polled sources of which something may be missing
    walked_back: list[tuple[str | None, str | None]] = field(default_factory=list)  # where a checkpoint went, and where it had been


def collect(site: Site, told: Told, incidents: Iterable[str]) -> Facts:
    pipeline, ledger = site.pipeline, site.pipeline.ledger
    log = pipeline.log

    def rows(statement: str) -> list[tuple]:
        return [tuple(each.decode() if isinstance(each, bytes) else each for each in row) for row in ledger.query(statement)]
    return Facts(
        told=told,
        records=[published(record) for record in log.read(pipeline.topic, 60)],
        quarantined=[((record.key or b"").decode(), record.value or b"") for record in log.read(pipeline.quarantine, 60)],
        dead_letters=[dead_letter(record) for record in log.read(pipeline.dlq, 60)],
        inbox=[InboxRow(event.decode(), key.hex(), digest.hex(), status, sent, *(each.decode() if each else None for each in error))
               for event, key, digest, status, sent, *error in ledger.query(
                   "SELECT event_id, dedup_key, content_digest, status, dlq_sent, error_class, error_text FROM inbox")],
        entries=[Entry(*row) for row in rows("SELECT seq, event, customer, amount, revision FROM wallet_entry ORDER BY seq")],
        wallets=dict(rows("SELECT customer, balance FROM wallet")), mails=[event for (event,) in rows("SELECT event FROM email_request")],
        receipts=dict(rows("SELECT number, event FROM receipt")),
        newest={unit: (event, amount) for unit, event, amount in rows("SELECT id, by_event, amount FROM newest_payment")} | items(rows),
        bookings=[Entry(*row) for row in rows("SELECT seq, event, customer, amount, revision FROM booking ORDER BY seq")],
        booked=dict(rows("SELECT customer, amount FROM booked")),
        lasts=dict(rows("SELECT id, event FROM subscription WHERE event IS NOT NULL")),
        orders={order: (event, status) for order, event, status in rows(
            "SELECT no, event, status FROM shop_order JOIN voucher_order ON no = order_no WHERE event IS NOT NULL OR status <> 'PENDING'")},
        codes=dict(rows("SELECT code, order_no FROM voucher WHERE order_no IS NOT NULL")),
        cases=rows("SELECT event_id, error_class FROM dead_letter WHERE kind = 'case'"),
        messages=[*(message(shop.TOLD, (record.key or b"").decode(), record.text("idempotency-key") or "", record.value or b"")
                    for record in log.read(site.told_topic, 60)),
                  *(message(shop.BEGUN, "", received.key, received.body, received.is_taken) for received in site.receiver.received)],
        outbox=[Message(*row) for row in rows("SELECT destination, message_key, LOWER(HEX(idempotency_key)), event_id FROM outbox ORDER BY id")],
        unsent=ledger.query("SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL")[0][0],
        ends=log.ends(pipeline.topic), committed=log.committed(pipeline.group, pipeline.topic),
        applied=dict(ledger.query("SELECT partition_no, MAX(next_offset) FROM applied_offset WHERE group_id = %s GROUP BY partition_no", pipeline.group)),
        callbacks=[Callback(*row) for row in rows("SELECT partition_no, offset_no, LOWER(HEX(dedup_key)) FROM callback WHERE log = 0")],
        restored=site.restored, incidents=list(incidents),
        before_cut=[published(record) for record in site.before_cut],
        shown=site.listing.shown if site.listing else Shown(),
        gaps=[source for (source,) in rows("SELECT source FROM poll_walk WHERE gap_from IS NOT NULL")],
        walked_back=rows("SELECT until, was FROM walked_back") if site.listing else [])


def items(rows: Callable[[str], list[tuple]]) -> dict[str, tuple[str, int | None]]:
    """One that ended shows no amount; where its tombstone says otherwise, the row is of nobody."""
    return {item: (event if (amount is None) == (ended_by == event) else f"{event}, ended by {ended_by}", amount)
            for item, event, amount, ended_by in rows("SELECT item, by_event, amount, ended_by FROM item")}


def published(record: LogRecord) -> Published:
    return Published(record.partition, record.offset, record.text("ce_id") or "", record.text("sluice-dedup-key") or "",
                     record.text("sluice-digest") or "", (record.key or b"").decode(), record.value or b"",
                     record.text("sluice-source") or "")


def message(destination: str, key: str, idempotency: str, body: bytes, is_taken: bool = True) -> Message:
    return Message(destination, key, idempotency, json.loads(body)["event"], is_taken)


def dead_letter(record: LogRecord) -> DeadLetter:
    return DeadLetter(record.text("ce_id") or "", int(record.text("__connect.errors.partition") or -1),
                      int(record.text("__connect.errors.offset") or -1), record.text("sluice-error-class") or "",
                      record.value or b"")


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
