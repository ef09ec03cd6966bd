#pragma once

#include <deque>
#include <string>

#include "consumer/store/inbox/inbox.hpp"

/// Events by number, for the tests of the tables.
namespace sluice::store {

inline constexpr std::chrono::sys_days test_day{std::chrono::year{2026} / 11 / 21};
inline constexpr WallTime test_time = test_day + std::chrono::microseconds{123456};

[[nodiscard]] inline InboxKey key_of(int number) {
    return {test_day, crypto::sha256("event " + std::to_string(number))};
}

[[nodiscard]] inline InboxEntry entry_of(int number) {
    static std::deque<std::string> ids;  // what the entries' views look at
    InboxEntry entry;
    entry.key = key_of(number);
    entry.content_digest = crypto::sha256("content " + std::to_string(number));
    entry.source = "stripe-eu";
    entry.event_id = ids.emplace_back("evt_" + std::to_string(number));
    entry.type = "payment_intent.succeeded";
    entry.object_key = "stripe/acct_main/pi_1";
    entry.topic = "payments.webhooks.v1";
    entry.partition = 3;
    entry.offset = 5'000'000'000;
    entry.received_at = WallTime{test_day} + std::chrono::microseconds{123456};
    entry.finished_at = WallTime{test_day} + std::chrono::microseconds{223456};
    return entry;
}

}  // namespace sluice::store
