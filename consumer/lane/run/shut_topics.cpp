#include "consumer/lane/run/shut_topics.hpp"

#include <algorithm>

namespace sluice::consumer {
namespace {

constexpr Milliseconds first_shut{500};
constexpr Milliseconds longest_shut{30'000};
constexpr std::size_t most_remembered = 1000;

}  // namespace

void ShutTopics::refused(const std::string& topic, SteadyTime now) {
    if (shut_.size() >= most_remembered && !shut_.contains(topic)) shut_.clear();
    Shut& shut = shut_[topic];
    shut.wait = std::clamp(2 * shut.wait, first_shut, longest_shut);
    shut.until = now + shut.wait;
}

bool ShutTopics::is_open(const std::string& topic, SteadyTime now) const {
    const auto found = shut_.find(topic);
    return found == shut_.end() || now >= found->second.until;
}

}  // namespace sluice::consumer
