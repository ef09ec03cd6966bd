"""A table of callbacks as a busy year fills it: days as partitions, five callbacks of an order, none of the requests kept; and the
inbox rows of every tenth event. The same number makes the same row."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

from tests.bench.ingress_rounds import Say
from tests.bench.outbox_rows import AT_ONCE, numbers_from
from tests.support.ledger import Ledger
from tests.support.trouble import ACCOUNT, framed

DAYS = 100
OF_AN_OBJECT = 5
IN_INBOX = 10  # every so-manyth event
CLIENTS = 40  # addresses that a provider sends from
_ID_BYTES = 16
_BEFORE_ID = (framed(*ACCOUNT) + _ID_BYTES.to_bytes(8, "big")).hex()  # of what a dedup key is the digest of


def event_id(number: int) -> str:
    return f"evt_{number:012}"


def object_key(number: int) -> str:
    return f"stripe/acct_main/pi_{number // OF_AN_OBJECT:012}"


def reference(number: int) -> str:
    return f"O-{number // OF_AN_OBJECT:012}"


def client(number: int) -> str:
    return f"198.51.100.{number % CLIENTS}"


def fill(ledgers: list[Ledger], count: int, first_day: date, say: Say) -> None:
    """Each of `ledgers` fills days of its own. The last one is yesterday."""
    days = [first_day + timedelta(days=number) for number in range(DAYS)]
    today = days[-1] + timedelta(days=1)
    parts = ", ".join(f"PARTITION p{day:%Y%m%d} VALUES LESS THAN ('{day + timedelta(days=1)}')" for day in days)
    # Nothing is recorded yet, so the table of callbacks has no days.
    for table, split, ends in (("callback", "p_newest", "MAXVALUE"), ("inbox", f"p{today:%Y%m%d}", f"'{today + timedelta(days=1)}'")):
        ledgers[0].run(f"ALTER TABLE {table} REORGANIZE PARTITION {split} INTO ({parts}, PARTITION {split} VALUES LESS THAN ({ends}))")
    of_a_day = count // DAYS

    def fill_days(worker: int) -> None:
        for number in range(worker, DAYS, len(ledgers)):
            fill_day(ledgers[worker], days[number], number * of_a_day, of_a_day)
            say(f"  day {number + 1} of {DAYS} is filled")

    with ThreadPoolExecutor(len(ledgers)) as pool:
        list(pool.map(fill_days, range(len(ledgers))))
    for table in ("callback", "inbox"):
        ledgers[0].run(f"ANALYZE TABLE {table}")


def fill_day(ledger: Ledger, day: date, first: int, count: int) -> None:
    for begin in range(first, first + count, AT_ONCE):
        part = min(first + count - begin, AT_ONCE)
        ledger.run(callbacks(day, begin, part, (begin - first) / count))
        ledger.run(events(day, begin, part))


def numbered(first: int, count: int) -> str:
    """Orders of the same day follow each other in time, as their numbers do."""
    order = f"LPAD(n DIV {OF_AN_OBJECT}, 12, '0')"
    return (f"SELECT n, CONCAT('evt_', LPAD(n, 12, '0')) AS event_id, CONCAT('stripe/acct_main/pi_', {order}) AS object_key,"
            f" CONCAT('O-', {order}) AS reference FROM ({numbers_from(first)}) numbers WHERE n < {first + count}")


def key_of_event() -> str:
    return f"UNHEX(SHA2(CONCAT(UNHEX('{_BEFORE_ID}'), event_id), 256))"


def callbacks(day: date, first: int, count: int, share: float) -> str:
    """`share` of the day has passed."""
    begins = f"TIMESTAMP('{day}') + INTERVAL {share * 86_400:.6f} SECOND + INTERVAL (n - {first}) * 1000 MICROSECOND"
    return ("INSERT INTO callback (received_day, log, partition_no, offset_no, number, received_at, source, verdict, status, client, requests, trace,"
            " body_size, took_us, event_id, type, object_key, object_hash, event_day, dedup_key, body_hash, occurred_at, payment, amount, currency)"
            f" SELECT '{day}', 0, n MOD 12, n, 0, {begins}, 'stripe-eu', 'accepted', 200, CONCAT('198.51.100.', n MOD {CLIENTS}), 1,"
            " LEFT(UNHEX(SHA2(event_id, 256)), 16), 2048, 900, event_id, 'payment_intent.succeeded', object_key,"
            f" CAST(CONV(LEFT(SHA2(object_key, 256), 16), 16, -10) AS SIGNED), '{day}', {key_of_event()}, UNHEX(SHA2(event_id, 256)),"
            f" {begins}, IF(n MOD {OF_AN_OBJECT} = 0, 'paid', NULL), IF(n MOD {OF_AN_OBJECT} = 0, 2000, NULL), IF(n MOD {OF_AN_OBJECT} = 0, 'EUR', NULL)"
            f" FROM ({numbered(first, count)}) named")


def events(day: date, first: int, count: int) -> str:
    return ("INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, topic, partition_no, offset_no,"
            " received_at, finished_at, had_effects, reference, transaction)"
            f" SELECT '{day}', {key_of_event()}, UNHEX(SHA2(event_id, 256)), 'stripe-eu', event_id, 'payment_intent.succeeded', object_key, 'done',"
            f" 'payments.webhooks.v1', n MOD 12, n, TIMESTAMP('{day}'), TIMESTAMP('{day}'), '[]', reference, object_key"
            f" FROM ({numbered(first, count)}) named WHERE n MOD {IN_INBOX} = 0")
