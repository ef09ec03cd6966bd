#pragma once

#include "poller/list/event_list.hpp"

/// What lists.cpp lists.
namespace sluice::poller {

[[nodiscard]] const EventList& stripe_list();
[[nodiscard]] const EventList& stripe_thin_list();
[[nodiscard]] const EventList& gocardless_list();
[[nodiscard]] const EventList& paddle_list();

}  // namespace sluice::poller
