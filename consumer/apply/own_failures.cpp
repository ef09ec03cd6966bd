#include "consumer/apply/own_failures.hpp"

#include "common/error.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::consumer {
namespace {

constexpr int most_failures = 3;
constexpr std::size_t most_remembered = 1000;

}  // namespace

bool may_be_the_events(std::error_code error) noexcept {
    if (error.category() != store::category()) return error != errc::injected && error != errc::stopped;
    switch (store::class_of(error)) {
        case store::ErrorClass::data:
        case store::ErrorClass::duplicate:
        case store::ErrorClass::unknown:
            return true;
        default:
            return false;
    }
}

bool OwnFailures::is_third(const std::string& what, std::error_code error) {
    if (seen_.size() >= most_remembered && !seen_.contains(what)) seen_.clear();
    Seen& seen = seen_[what];
    if (seen.error != error) seen = {.error = error, .times = 0};
    if (++seen.times < most_failures) return false;
    seen_.erase(what);
    return true;
}

}  // namespace sluice::consumer
