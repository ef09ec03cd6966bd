"""Results as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.latency import FEWEST_CALM, OFFERED, REACHED

MOST_PARTS = 8  # of one kind


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, the others to the right."""
    widths = [max(len(line[at]) for line in [head, *rows]) for at in range(len(head))]
    def text(line: Sequence[str]) -> str:
        first, *others = (cell.ljust(width) if at == 0 else cell.rjust(width)
                          for at, (cell, width) in enumerate(zip(line, widths, strict=True)))
        return "  ".join([first, *others]).rstrip()
    return "\n".join([text(head), *map(text, rows)])


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ingress_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    names = list(result["cells"][0]["targets"])
    head = ["CPU per webhook, us", *names, "x floor", "best x best", "bar", ""]
    return head, [[cell["cell"], *(_cost(cell["targets"][name], name == cell["floor"]) for name in names),
                   *_verdict(cell)] for cell in result["cells"]]


def _cost(row: dict, is_floor: bool) -> str:
    spread = (row["cpu_us_high"] - row["cpu_us_low"]) / 2 / row["cpu_us"]
    return f"{row['cpu_us']:.1f} ±{spread:.0%}{'*' if is_floor else ''}"


def _verdict(cell: dict) -> list[str]:
    if "ratio" not in cell:
        return ["not run", "", "", ""]
    return [f"{cell['ratio']:.2f} ({cell['ratio_low']:.2f}–{cell['ratio_high']:.2f})", f"{cell['ratio_of_best']:.2f}", f"{cell['bar']:g}",
            met(cell, cell["bar"])]


def met(row: dict, bar: float) -> str:
    """Only what every round says is said: between the rounds that met it and those that did not, nothing is known."""
    return "met" if row["ratio_high"] <= bar else "MISSED" if row["ratio_low"] > bar else "unsure"


def count_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    """On the thread that serves requests, but for what goes to the broker."""
    targets, bars = result["targets"], result["bars"]
    what = {"instructions": "user instructions without libcrypto and librdkafka", "system_calls": "system calls",
            "allocations": "heap allocations", "broker_requests": "requests to the broker", "broker_bytes": "bytes to the broker"}
    rows = [[text, *(f"{found[key]:,.1f}" if key in found else "not run" for found in targets.values()),
             f"{bars[key]:,}" if key in bars else ""] for key, text in what.items()]
    return ["per accepted webhook", *targets, "bar"], rows


def count_parts(result: dict) -> tuple[list[str], list[list[str]]]:
    """The same by what it is made of, the largest first."""
    targets, rows = result["targets"], []
    for key, text in (("cpu_us_by_thread", "CPU, us: thread"), ("by_name", "calls:"), ("instructions_by_object", "instructions in")):
        names = {name: max(found.get(key, {}).get(name, 0) for found in targets.values()) for found in targets.values() for name in found.get(key, {})}
        rows += [[f"{text} {name}", *(f"{found[key].get(name, 0):,.2f}" if key in found else "not run" for found in targets.values())]
                 for name in sorted(names, key=lambda name: -names[name])[:MOST_PARTS]]
    return ["per accepted webhook", *targets], rows


def consumer_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    return ["one connection", "events/s", "lowest", "highest", "CPU us/event"], [
        [name, *(f"{row[key]:,.0f}" for key in ("per_second", "per_second_low", "per_second_high")), f"{row['cpu_us_per_event']:.1f}"]
        for name, row in result["rows"].items()]


def consumer_bars(result: dict) -> tuple[list[str], list[list[str]]]:
    def verdict(bar: dict) -> list[str]:
        if bar["ratio"] is None:
            return ["not run", f"{bar['bar']:g}", ""]
        return [f"{bar['ratio']:.2f} ({bar['low']:.2f}–{bar['high']:.2f})", f"{bar['bar']:g}", "met" if bar["ratio"] >= bar["bar"] else "MISSED"]
    return ["speed, by", "ratio", "bar", ""], [[f"{bar['of']} / {bar['by']}", *verdict(bar)] for bar in result["bars"]]


def consumer_own(result: dict) -> tuple[list[str], list[list[str]]]:
    return ["CPU above the floor's, us/event", "", "bar", ""], [
        [f"{one['of']} above {one['floor']}", f"{one['us']:.1f} ({one['low']:.1f}–{one['high']:.1f})", f"{one['bar']:g}",
         "met" if one["us"] <= one["bar"] else "MISSED"] for one in result.get("own", [])]


def quota_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    def verdict(cell: dict) -> str:
        return met(cell, result["bar"]) if cell["throttled_periods"] else "unsure: never cut short"
    return ["CPU per webhook, us", "free", "in the quota", "periods cut short", "ratio", "bar", ""], [
        [f"{cell['target']}, {cell['load']}", f"{cell['free']['cpu_us']:.1f}", f"{cell['held']['cpu_us']:.1f}", f"{cell['throttled_periods']:,}",
         f"{cell['ratio']:.2f} ({cell['ratio_low']:.2f}–{cell['ratio_high']:.2f})", f"{result['bar']:g}", verdict(cell)]
        for cell in result["cells"]]


def latency_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, key in (("p50", "p50_us"), ("p99", "p99_us")):
        added, bar = result["added"][key], result["bars"][f"added_{key}"]
        is_known = added["calm"] >= FEWEST_CALM
        met = "met" if is_known and added["high"] <= bar else "MISSED" if is_known and added["low"] > bar else "unsure"
        rows.append([f"{name}, us", f"{result['bare'][key]:,.0f}", f"{result['ingress'][key]:,.0f}",
                     f"{added['middle']:+,.0f} ({added['low']:+,.0f} to {added['high']:+,.0f}), {added['calm']} rounds", f"{added['best']:+,.0f}", f"{bar}", met])
    own, bar = result["own"], result["bars"]["own_under_1ms"]
    # What is measured is a lower bound: below the bar it proves nothing.
    is_met = own["under_1ms_at_least"] >= bar and own["per_second"] >= REACHED * OFFERED
    rows.append([f"own time under 1 ms at {own['per_second']:,.0f}/s", "", f"at least {own['under_1ms_at_least']:.1%}", "", "",
                 f"{bar:.0%} at 10,000/s", "met" if is_met else "unsure"])
    return ["", "bare client", "through the ingress", "added, in calm rounds", "best - best", "bar", ""], rows


def idle_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    def verdict(row: dict) -> list[str]:
        if row["bar"] is None:
            return ["", ""]
        return [f"{row['bar']:g}", "met" if row["kib_each"] <= row["bar"] else "MISSED"]
    return ["connections, each", "how many", "before, KiB", "with them, KiB", "after them, KiB", "KiB each", "bar", ""], [
        [row["state"], f"{row['connections']:,}", *(f"{row[key]:,}" for key in ("before", "during", "after")), f"{row['kib_each']:.1f}",
         *verdict(row)] for row in result["rows"]]


def probe_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    def answered(row: dict) -> str:
        return "/".join(sorted(row["answers"])) or "–"
    return ["input", "bytes", "answered", "server, us", "sender, us", "server, ns per byte", "server / sender", "bar", ""], [
        [row["probe"], f"{row['bytes']:,}", answered(row), f"{row['server_us']:,.1f}", f"{row['sender_us']:,.1f}",
         f"{row['ns_per_byte']:,.1f}" if row["bytes"] else "–", f"{row['ratio']:.2f} ({row['ratio_low']:.2f}–{row['ratio_high']:.2f})",
         f"{result['bar']:g}", met(row, result["bar"])] for row in result["rows"]]


def memory_rows(result: dict) -> tuple[list[str], list[list[str]]]:
    hours = result["seconds"] / 3600
    met = "too short" if hours < 1 else "met" if result["drift"] < result["bar"] else "MISSED"
    return ["resident set of the ingress", "", "bar", ""], [
        ["first, last, KiB", f"{result['first']:,} {result['last']:,}", "", ""],
        ["lowest, highest, KiB", f"{result['low']:,} {result['high']:,}", "", ""],
        ["slope over all, KiB per hour", f"{result['slope']:+,.0f}", "", ""],
        ["slope over the last half, KiB per hour", f"{result['slope_last_half']:+,.0f}", "", ""],
        ["the same, of the resident set", f"{result['drift']:+.1%}", f"{result['bar']:.0%}", met]]
