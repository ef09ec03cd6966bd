"""The failpoints of the programs, found in their source: a new one is tested without anybody adding it to a list."""

from __future__ import annotations

import re
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]

# Of consumer/, the steps that only events take which wait in a lane, or that other records take, by the story that leads
# there: test_lanes.py, test_crash_lanes.py, test_retry_role.py, test_commands.py, test_set_apart.py, test_retention.py,
# test_quarantine.py, test_truncated_log.py, test_event_rerun.py, test_keys.py, test_erase_meanwhile.py,
# test_consumer_offsets.py, test_callbacks.py, test_newer_release.py, test_handlers.py, test_outbox.py. A step that is not here is one of events that are applied or die at once: test_crash_consumer.py
# takes those from the source, and fails at one that nothing leads to.
WAITING: dict[str, list[str]] = {
    "main role": ["consumer.before_enter", "consumer.before_enter_commit", "consumer.after_enter_commit", "consumer.before_lane_commit",
                  "consumer.after_lane_commit"],
    "either role": ["consumer.before_wakeup", "consumer.after_wakeup", "consumer.after_wakeup_mark"],
    "retry role": ["consumer.in_row_run", "consumer.after_row_commit", "consumer.between_row_transactions",
                   "consumer.after_failure_commit", "consumer.before_pass_end", "consumer.after_pass_end"],
    "status of a newer release": ["consumer.before_inbox_look"],
    "handler": ["consumer.in_handler"],
    "message": ["consumer.before_message_send", "consumer.after_message_send", "consumer.after_message_mark"],
    "relay that waits": ["consumer.relay_waits"],
    "refused message": ["consumer.before_message_entry_commit"],
    "death": ["consumer.after_death_commit"],
    "wakeup finished": ["consumer.before_retry_offset_store"],
    "leaving": ["consumer.before_retry_revoke_commit"],
    "sweeper": ["consumer.after_sweeper_wakeup"],
    "command": ["consumer.before_command_commit", "consumer.after_command_commit"],
    "rerun refused": ["consumer.before_rerun_refusal"],
    "undated alone": ["consumer.after_undated_look"],
    "sweep of undated rows": ["consumer.undated_remembered", "consumer.before_undated_commit", "consumer.after_undated_commit"],
    "set apart": ["consumer.before_set_apart_commit", "consumer.after_set_apart_commit"],
    "quarantine": ["consumer.after_quarantine_entry"],
    "record of callbacks": ["consumer.after_callbacks_insert", "consumer.after_callbacks_commit"],
    "first start": ["consumer.before_keys_are_written"],
    "erasure": ["ctl.before_erasure_commit"],
    "seek back": ["consumer.after_seek_back"],
    "log cut": ["consumer.before_applied_offsets_forgotten", "consumer.after_applied_offsets_forgotten"]}

# Rooms whose steps are not those of the rest of their folder are asked for by name: this one's another program takes
# (test_outlet.py).
OUTLET = "ingress/outlet"

# Taken where Kafka is away: test_spill.py.
SPILL = "ingress/spill"
# A test's folder may lie in the layer of a container.
SPILL_ANYWHERE = "ingress.spill_anywhere=error"

# Taken where a provider has forgotten what a walk did not read in time: test_crash_poller.py.
OF_A_GAP = "poller.between_gap_and_move"

# Taken where a command of a hot account was tried for a minute in vain: test_command_hot.py.
OF_A_MINUTE = "command.after_not_booked"

_NAME = re.compile(r'\bFP\("([^"]+)"\)')


def in_source(*folders: str) -> list[str]:
    """Names under `folders`, sorted; an AssertionError when a name stands at two places."""
    names: dict[str, Path] = {}
    for folder in folders:
        for file in sorted((TREE / folder).rglob("*.[ch]pp")):
            if any(file.is_relative_to(TREE / room) and folder != room for room in (OUTLET, SPILL)):
                continue
            for name in _NAME.findall(file.read_text()):
                assert name not in names, f'FP("{name}") stands in {file} and in {names[name]}'
                names[name] = file
    return sorted(names)


def everywhere() -> list[str]:
    return in_source("common", "ingress", OUTLET, SPILL, "consumer", "poller", "command", "ctl")


def of_waiting_events() -> list[str]:
    return [name for names in WAITING.values() for name in names]
