"""Faults of the provider's list: it limits, fails, answers nonsense or late, is away, or has an event that nobody can read."""

from __future__ import annotations

from tests.chaos.listing import NEEDED
from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story
from tests.support import event_list

NOBODY = 1  # a port where nobody listens


def limited(site: Site, fault: Fault, story: Story) -> None:
    """A storm of 429, with and without a word on when to come back."""
    retry_after = str(int(fault.how["retry_after"])) if fault.how.get("retry_after") else None
    _break(site, fault, story, event_list.says(b"{}", 429, retry_after))


def errors(site: Site, fault: Fault, story: Story) -> None:
    _break(site, fault, story, int(fault.how["status"]))


def no_page(site: Site, fault: Fault, story: Story) -> None:
    """A success that is no page of events."""
    _break(site, fault, story, event_list.says(b'{"object": "list", "data": "later"}'))


def cut(site: Site, fault: Fault, story: Story) -> None:
    _break(site, fault, story, event_list.hangs_up if fault.how.get("says_nothing") else event_list.cut_short)


def slow(site: Site, fault: Fault, story: Story) -> None:
    """Some longer than a poller waits."""
    site.listing.be_slow(fault.how["seconds"])
    _pass(site, fault, story)


def away(site: Site, fault: Fault, story: Story) -> None:
    """Who is connected loses its connection, and nobody gets another."""
    site.proxy.retarget("list", NOBODY)
    _pass(site, fault, story)
    site.proxy.retarget("list", site.listing.port)


def odd_event(site: Site, fault: Fault, story: Story) -> None:
    site.listing.tell_odd(f"evt_{site.plan.seed:x}_odd_{fault.at:g}", NEEDED[int(fault.how["lacks"])])
    _pass(site, fault, story)


def _break(site: Site, fault: Fault, story: Story, answer: event_list.Fault) -> None:
    site.listing.break_with(answer, fault.how["share"])
    _pass(site, fault, story)


def _pass(site: Site, fault: Fault, story: Story) -> None:
    story.count(f"list's {fault.kind}")
    story.pause(fault.lasts)
    site.listing.heal()
