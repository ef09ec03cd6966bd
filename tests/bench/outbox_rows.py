"""An outbox full of messages, each as `send` writes them, and what became of them at their topic. tests/bench/outbox/message.cpp makes the
same ones for the floors."""

from __future__ import annotations

from collections import Counter

from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

from tests.bench.cells import Untrue
from tests.support.kafka_log import KafkaLog
from tests.support.ledger import Ledger
from tests.support.wait import wait_for

DESTINATION = "credits"
BODY_BYTES = 256
_DIGITS = " UNION ALL ".join(f"SELECT {digit} AS d" for digit in range(10))
AT_ONCE = 10_000  # rows of a statement: it is one transaction
_READ_WITHIN = 240.0


def fill(ledger: Ledger, count: int, keys: int, destination: str = DESTINATION) -> None:
    """Messages 0 to `count` - 1 of `keys` keys, in no order that a key has."""
    for first in range(0, count, AT_ONCE):
        ledger.run(statement(destination, keys, first, min(count - first, AT_ONCE)))
    ledger.run("ANALYZE TABLE outbox")


def numbers_from(first: int) -> str:
    """A query of `n`: `first` and the numbers behind it, 10,000 in all."""
    return f"SELECT {first} + a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM ({_DIGITS}) a, ({_DIGITS}) b, ({_DIGITS}) c, ({_DIGITS}) e"


def statement(destination: str, keys: int, first: int, count: int) -> str:
    """Inserts messages `first` and up, at most 10,000."""
    numbers = f"SELECT {first} AS n" if count == 1 else numbers_from(first)
    named = f"SELECT n, CONCAT('evt_relay', LPAD(n, 12, '0')) AS event, CONCAT('cus_', LPAD(CRC32(n) % {keys}, 10, '0')) AS customer FROM ({numbers}) numbered"
    begins = "CONCAT('{\"customer\":\"', customer, '\",\"amount\":2000,\"event\":\"', event, '\",\"kind\":\"credited\",\"note\":\"')"
    return ("INSERT INTO outbox (destination, message_key, idempotency_key, body, effect, source, event_id, event_type, event_day, dedup_key)"
            f" SELECT '{destination}', customer, UNHEX(LPAD(HEX(n), 64, '0')), CONCAT(RPAD({begins}, {BODY_BYTES - 2}, 'x'), '\"}}'), 'credit-wallet',"
            f" 'stripe-eu', event, 'payment_intent.succeeded', UTC_DATE(), UNHEX(SHA2(event, 256)) FROM ({named}) named"
            f" WHERE n < {first + count} ORDER BY n")


def unsent(ledger: Ledger) -> int:
    return ledger.query("SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL")[0][0]


def check_topic(log: KafkaLog, topic: str, count: int) -> None:
    """Each once, and those of a key in their order."""
    last: dict[bytes, int] = {}
    seen: Counter[int] = Counter()
    for key, number in _messages(log, topic):
        seen[number] += 1
        if number <= last.get(key, -1):
            raise Untrue(f"{topic}: of {key!r}, message {number} came after {last[key]}")
        last[key] = number
    check_once(seen, count, topic)


def check_once(seen: Counter[int], count: int, where: str) -> None:
    """`seen`: how often each message came, by its number."""
    if len(seen) != count or seen.total() != count or (count and max(seen) != count - 1):
        raise Untrue(f"{where}: {len(seen)} of {count} messages came, {seen.total()} times")


def _messages(log: KafkaLog, topic: str) -> list[tuple[bytes, int]]:
    """Key and number of each, partition by partition."""
    ends = {number: end for number, end in log.ends(topic).items() if end}
    reader = Consumer({"bootstrap.servers": log.bootstrap, "group.id": "bench-reads", "enable.auto.commit": False})
    found: dict[int, list[tuple[bytes, int]]] = {number: [] for number in ends}
    reader.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in ends])

    def take() -> bool:
        for message in reader.consume(5_000, timeout=0.5):
            found[message.partition()].append((message.key(), int(dict(message.headers())["idempotency-key"], 16)))
        return all(len(records) >= ends[number] for number, records in found.items())

    if ends:
        wait_for(take, f"the whole of {topic}", _READ_WITHIN, every=0)
    reader.close()
    return [record for number in sorted(found) for record in found[number]]
