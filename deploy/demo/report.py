"""What the demonstration shows. Text in, text out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from deploy.demo.ledger import Ledger
from deploy.demo.topic import Record
from deploy.demo.traffic import Traffic
from deploy.demo.verdict import Check, expected_balances

KINDS = ["fresh", "duplicate", "forged", "stale"]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns of numbers to the right, all others to the left."""
    columns = list(zip(*([str(cell) for cell in row] for row in (head, *rows)), strict=True))
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*map(_aligned, columns), strict=True))


def _aligned(column: Sequence[str]) -> list[str]:
    width = max(map(len, column))
    is_number = all(not cell or cell.lstrip("+-").replace(".", "").removesuffix(" ms").isdigit() for cell in column[1:])
    return [cell.rjust(width) if is_number else cell.ljust(width) for cell in column]


def answers(traffic: Traffic) -> str:
    counts = Counter((attempt.kind, attempt.status) for attempt in traffic.attempts)
    statuses = sorted({status for _, status in counts})
    head = ["deliveries", "sent", *(str(status) if status else "no answer" for status in statuses)]
    rows = [[kind, sum(counts[kind, status] for status in statuses), *(counts[kind, status] or "" for status in statuses)]
            for kind in KINDS]
    return table(head, rows)


def pipeline(traffic: Traffic, records: list[Record], ends: dict[int, int], ledger: Ledger) -> str:
    distinct = len({record.id for record in records})
    applied = ", ".join(f"{number} {status}" for status, number in ledger.statuses.most_common())
    offsets = " ".join(str(end) for _, end in sorted(ends.items()))
    return table(["step", "events", ""], [
        ["answered 2xx", len(traffic.accepted_ids), "different event ids"],
        ["published", distinct, f"in {sum(ends.values())} records; end offsets {offsets}"],
        ["applied", len(ledger.inbox), applied]])


def wallets(records: list[Record], ledger: Ledger, customers: list[str]) -> str:
    expected = expected_balances(records, customers)
    bookings = Counter(customer for _, customer, _ in ledger.entries)
    rows = [[customer, bookings[customer], expected[customer], ledger.balances.get(customer, "none"),
             "equal" if expected[customer] == ledger.balances.get(customer) else "DIFFERENT"] for customer in sorted(expected)]
    return table(["wallet", "bookings", "expected", "found", ""], rows)


def checks(results: list[Check]) -> str:
    return "\n".join(f"{'ok    ' if check.ok else 'FAILED'}  {check.what}{': ' + check.detail if check.detail else ''}"
                     for check in results)


def figures(traffic: Traffic, records: list[Record], ledger: Ledger, results: list[Check]) -> dict:
    """For --json."""
    counts = Counter((attempt.kind, str(attempt.status)) for attempt in traffic.attempts)
    return {
        "sent": {kind: sum(number for (name, _), number in counts.items() if name == kind) for kind in KINDS},
        "answers": [{"kind": kind, "status": int(status), "count": number} for (kind, status), number in sorted(counts.items())],
        "accepted_events": len(traffic.accepted_ids),
        "published_records": len(records),
        "published_events": len({record.id for record in records}),
        "applied": dict(ledger.statuses),
        "bookings": len(ledger.entries),
        "send_seconds": traffic.seconds,
        "answer_ms": traffic.latency_ms,
        "checks": [{"what": check.what, "ok": check.ok, "detail": check.detail} for check in results],
        "ok": all(check.ok for check in results)}
