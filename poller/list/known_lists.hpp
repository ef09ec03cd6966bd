#pragma once

#include "poller/list/event_list.hpp"

/// What lists.cpp lists.
namespace sluice::poller {

[[nodiscard]] const EventList& stripe_list();

}  // namespace sluice::poller
