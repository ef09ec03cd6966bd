"""docs/bench.md and docs/bench.svg, written from what was measured. Nobody edits them by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.bench import chart, check, command_rounds, constant_time, flood_rounds, handshakes, hot_rounds, ingress_rounds, lane_rounds, others_rounds, poll_rounds, relay_backlog, relay_others, relay_rounds, search_rounds, send_cost, small_rounds, sweep_rounds, tables, telemetry_rounds
from tests.bench.building import TREE

HEAD = """# What it costs

Written by `./run bench --docs`; figures of the machine that ran it. Ratios inside one run are what counts: the same command on
another machine gives other times and much the same ratios. The *floor* is the ingress's work with nothing around it (one epoll
thread, HMAC, simdjson, pipelined `SET NX`, librdkafka with acks=all, the answer after the ack), *plain* or *gathering* one
outstanding batch per partition; the cheaper one of a row is the one compared with. *go-ordinary* is net/http, go-redis and
franz-go; *go-strongest* is fasthttp, rueidis and franz-go. One Kafka node, one Redis, 2 KB bodies, 8 headers. Every 200 of a
fresh event was counted in Kafka, every consumed event in the database.
"""
PROBES_NOTE = """CPU time of the ingress and of a sender that has the bytes ready and only sends them, on 8 connections; a row is one
delivery. Kafka and Redis are not in it: what is authentic and unreadable goes to the quarantine topic."""
BUSY = 0.5  # load average
NOT_RUN = "Not run"
PICTURE = "![CPU per webhook and events per second](bench.svg)\n"


def write(results: dict, folder: Path = TREE / "docs") -> list[Path]:
    """The files that were written. Sections of what was not measured stay as they are, and so does the picture without bars."""
    folder.mkdir(exist_ok=True)
    page, picture = folder / "bench.md", folder / "bench.svg"
    has_bars = bool({"ingress", "consumer"} & results.keys())
    if has_bars:
        picture.write_text(chart.drawn(results))
    before = by_title(page.read_text()) if page.exists() else {}
    merged = before | by_title("\n".join(sections(results)))
    if NOT_RUN in merged:  # the last one
        merged[NOT_RUN] = merged.pop(NOT_RUN)
    page.write_text("\n".join([HEAD, *([PICTURE] if picture.exists() else []), *merged.values()]).rstrip() + "\n")
    return [page, picture] if has_bars else [page]


def by_title(text: str) -> dict[str, str]:
    """Sections without what stands before the first."""
    return {section.partition("\n")[0]: f"## {section}" for section in f"\n{text}".split("\n## ")[1:]}


def sections(results: dict) -> Iterator[str]:
    if "ingress" in results:
        yield from section("Ingress: CPU per webhook", results["ingress"], tables.markdown(*tables.ingress_rows(results["ingress"])),
                           ingress_rounds.note(results["ingress"]))
    if "counts" in results:
        yield from section("Ingress: counts per accepted webhook", results["counts"],
                           tables.markdown(*tables.count_rows(results["counts"])) + "\n\n" + tables.markdown(*tables.count_parts(results["counts"])),
                           "On the thread that serves requests, but for what goes to the broker; 12 partitions; 32 connections, instructions at 2.")
    if "quota" in results:
        yield from section("Ingress: inside a CPU quota", results["quota"], tables.markdown(*tables.quota_rows(results["quota"])),
                           f"{results['quota']['quota']}; 1 partition; a ratio above the bar would be a spin.")
    if "latency" in results:
        yield from section("Ingress: added latency", results["latency"], tables.markdown(*tables.latency_rows(results["latency"])),
                           f"At {results['latency']['rate']}/s, half of capacity, against a bare client's SET NX and produce.")
    if "flood" in results:
        yield from section("Ingress: genuine webhooks beside a flood", results["flood"], tables.markdown(*flood_rounds.table(results["flood"])),
                           flood_rounds.NOTE)
    if "idle" in results:
        yield from section("Ingress: memory of idle connections", results["idle"], tables.markdown(*tables.idle_rows(results["idle"])),
                           "Resident set of the process, from several addresses of the loopback; what the kernel keeps for a socket is not in it.")
    if "handshakes" in results:
        yield from section("Ingress: TLS handshakes", results["handshakes"], tables.markdown(*handshakes.table(results["handshakes"])), handshakes.NOTE)
    if "memory" in results:
        yield from section("Ingress: memory under load with faults", results["memory"], tables.markdown(*tables.memory_rows(results["memory"])),
                           memory_note(results["memory"]))
    if "probes" in results:
        yield from section("Ingress: what an input costs against what it cost its sender", results["probes"],
                           tables.markdown(*tables.probe_rows(results["probes"])), PROBES_NOTE)
    if "check" in results:
        yield from section("Engine: one verdict", results["check"], tables.markdown(*check.rows(results["check"])), check.NOTE)
    if "constant-time" in results:
        yield from section("Engine: comparisons with secrets", results["constant-time"],
                           tables.markdown(*constant_time.rows(results["constant-time"])), constant_time.note(results["constant-time"]))
    if "telemetry" in results:
        yield from section("Ingress: what metrics, logs and traces cost", results["telemetry"],
                           tables.markdown(*telemetry_rounds.table(results["telemetry"])), telemetry_rounds.NOTE)
    if "consumer" in results:
        consumer = results["consumer"]
        yield from section("Consumer", consumer, tables.markdown(*tables.consumer_rows(consumer)) + "\n\n"
                           + tables.markdown(*tables.consumer_bars(consumer)) + "\n\n"
                           + tables.markdown(*tables.consumer_own(consumer)),
                           f"{consumer['database']}, {consumer['events']:,} events of 1,000 customers, batches of {consumer['batch']}, one connection.")
    if "lanes" in results:
        yield from section("Consumer: what lanes cost healthy events", results["lanes"], tables.markdown(*lane_rounds.table(results["lanes"])),
                           lane_rounds.NOTE)
    if "others" in results:
        yield from section("Consumer: healthy objects while others are in trouble", results["others"],
                           tables.markdown(*others_rounds.table(results["others"])), others_rounds.NOTE)
    yield from relay_sections(results)
    if "poll" in results:
        poll = results["poll"]
        yield from section("Poller", poll, tables.markdown(*poll_rounds.table(poll)) + "\n\n" + tables.markdown(*poll_rounds.month_table(poll)),
                           poll_rounds.NOTE)
    if "commands" in results:
        yield from section("Commands", results["commands"], tables.markdown(*command_rounds.table(results["commands"])), command_rounds.NOTE)
    for name, title, part in (("hot", "Commands: one account that all charge", hot_rounds), ("small", "Commands: small accounts beside it", small_rounds),
                              ("sweep", "Commands: keys that expired", sweep_rounds)):
        if name in results:
            yield from section(title, results[name], tables.markdown(*part.table(results[name])), part.NOTE)
    if "searches" in results:
        yield from section("Callbacks on record: searches", results["searches"], tables.markdown(*search_rounds.table(results["searches"])),
                           search_rounds.note(results["searches"]))
    if missing := results.get("not_run"):
        yield f"## {NOT_RUN}\n"
        yield "\n".join(f"- {what}: {why}" for what, why in missing.items()) + "\n"


def relay_sections(results: dict) -> Iterator[str]:
    if "relay" in results:
        relay = results["relay"]
        yield from section("Relay: messages to a topic and to a URL", relay, tables.markdown(*relay_rounds.table(relay)) + "\n\n"
                           + tables.markdown(*relay_rounds.database_table(relay)), relay_rounds.NOTE)
    if "destinations" in results:
        yield from section("Relay: one destination while another one hangs", results["destinations"],
                           tables.markdown(*relay_others.table(results["destinations"])), relay_others.NOTE)
    if "backlog" in results:
        yield from section("Relay: a million messages that wait", results["backlog"], tables.markdown(*relay_backlog.table(results["backlog"])),
                           relay_backlog.note(results["backlog"]))
    if "send" in results:
        yield from section("Consumer: what `send` costs", results["send"], tables.markdown(*send_cost.table(results["send"])), send_cost.NOTE)


def memory_note(memory: dict) -> str:
    """What the ingress went through meanwhile."""
    happened = ", ".join(f"{count} {name}" for name, count in sorted(memory["disturbances"].items()))
    return (f"{memory['seconds']:,.0f} s at {memory['rate']}/s (fresh, forged, duplicate); {happened}. {memory['accepted']:,} fresh events were "
            f"accepted, {memory['stored']:,} records are in Kafka (what was answered 503 may be there too).")


def section(title: str, result: dict, table: str, note: str = "") -> Iterator[str]:
    measured = result["measured"]
    yield f"## {title}\n"
    others = f" that others used too: load average {measured['load']:g} before it began" if measured.get("load", 0) > BUSY else ""
    yield f"{note} Measured {measured['utc'][:10]} at {measured['commit']}, {measured['cores']} cores{others}.\n".lstrip()
    yield f"{table}\n"
