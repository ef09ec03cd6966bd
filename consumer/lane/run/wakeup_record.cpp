#include "consumer/lane/run/wakeup_record.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "common/record/header_names.hpp"
#include "common/time_text.hpp"

namespace sluice::consumer {
namespace {

namespace header = record::header;

std::optional<lane::Generation> generation_from(std::string_view text) {
    lane::Generation gen = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gen);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && gen > 0 && text.front() != '0' ? std::optional{gen} : std::nullopt;
}

// Of the header of this name: absent or said twice is a refusal.
std::expected<std::string_view, WakeupRefusal> only_one(std::span<const record::HeaderView> headers,
                                                        std::string_view name, WakeupRefusal absent) {
    const auto first = std::ranges::find(headers, name, &record::HeaderView::name);
    if (first == headers.end()) return std::unexpected(absent);
    const auto second = std::find_if(first + 1, headers.end(), [&](const auto& h) { return h.name == name; });
    if (second != headers.end()) return std::unexpected(WakeupRefusal::said_twice);
    return first->value;
}

}  // namespace

Outgoing wakeup_record(const LaneWakeup& wakeup, const RetryTopics& topics, WallTime now) {
    const auto remaining = std::chrono::duration_cast<Milliseconds>(wakeup.due - now);
    const lane::Tier& tier = lane::tier_for(remaining);
    const auto index = static_cast<std::size_t>(&tier - lane::tiers.data());
    Outgoing record{.topic = topics[index], .key = wakeup.object_key, .value = std::nullopt, .headers = {}};
    record.headers.emplace_back(header::generation, std::to_string(wakeup.gen));
    record.headers.emplace_back(header::due_at, to_rfc3339(now + lane::delay_of(tier)));
    return record;
}

std::string_view name_of(WakeupRefusal refusal) noexcept {
    switch (refusal) {
        case WakeupRefusal::no_generation:
            return "no_generation";
        case WakeupRefusal::bad_generation:
            return "bad_generation";
        case WakeupRefusal::no_due_time:
            return "no_due_time";
        case WakeupRefusal::bad_due_time:
            return "bad_due_time";
        case WakeupRefusal::said_twice:
            return "said_twice";
    }
    return "unknown";
}

std::expected<WakeupHeaders, WakeupRefusal> read_wakeup_record(std::span<const record::HeaderView> headers) {
    const auto gen_text = only_one(headers, header::generation, WakeupRefusal::no_generation);
    if (!gen_text) return std::unexpected(gen_text.error());
    const auto due_text = only_one(headers, header::due_at, WakeupRefusal::no_due_time);
    if (!due_text) return std::unexpected(due_text.error());
    const auto gen = generation_from(*gen_text);
    if (!gen) return std::unexpected(WakeupRefusal::bad_generation);
    const auto due = from_rfc3339(*due_text);
    if (!due) return std::unexpected(WakeupRefusal::bad_due_time);
    return WakeupHeaders{*gen, *due};
}

}  // namespace sluice::consumer
