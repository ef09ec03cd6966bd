#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "poller/walk/ask.hpp"

namespace sluice::poller {

/// The tests' day: so many seconds after its midnight.
[[nodiscard]] inline WallTime at(std::int64_t second) {
    return WallTime{std::chrono::sys_days{std::chrono::year{2026} / 11 / 2}} + std::chrono::seconds{second};
}

[[nodiscard]] inline Listed event(std::string id, std::int64_t second) {
    return {.place = {.id = std::move(id), .created = at(second)}};
}

[[nodiscard]] inline Listed unwanted(std::string id, std::int64_t second) {
    return {.place = {.id = std::move(id), .created = at(second)}, .wanted = false};
}

[[nodiscard]] inline Page page(std::vector<Listed> events) {
    return {.events = std::move(events)};
}

[[nodiscard]] inline Page page_and_more(std::vector<Listed> events) {
    return {.events = std::move(events), .has_more = true};
}

}  // namespace sluice::poller
