#include "common/kafka/topic_settings.hpp"

#include <charconv>

namespace sluice::kafka {
namespace {

std::string text_of(const TopicSettings& told, const std::string& name, const std::string& fallback,
                    TopicFacts& facts) {
    const auto found = told.find(name);
    if (found != told.end()) return found->second;
    facts.hidden.push_back(name);
    return fallback;
}

bool take_number(const TopicSettings& told, const std::string& name, std::int64_t fallback,
                 std::int64_t& value, TopicFacts& facts) {
    const std::string digits = text_of(told, name, std::to_string(fallback), facts);
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && at == digits.data() + digits.size();
}

}  // namespace

bool take_settings(const TopicSettings& told, TopicFacts& facts) {
    constexpr std::int64_t seven_days_ms = std::int64_t{7} * 24 * 3'600'000;
    constexpr std::int64_t unlimited = 100'000'000;  // bytes, above every body that is let in
    std::int64_t min_insync = 0;
    const bool is_understood =
        take_number(told, "min.insync.replicas", 1, min_insync, facts) &&
        take_number(told, "max.message.bytes", unlimited, facts.max_message_bytes, facts) &&
        take_number(told, "retention.ms", seven_days_ms, facts.retention_ms, facts) &&
        take_number(told, "retention.bytes", -1, facts.retention_bytes, facts);
    facts.cleanup_policy = text_of(told, "cleanup.policy", "delete", facts);
    facts.unclean_election = text_of(told, "unclean.leader.election.enable", "false", facts) == "true";
    facts.min_insync = static_cast<int>(min_insync);
    return is_understood;
}

}  // namespace sluice::kafka
