#include "poller/pace/tries.hpp"

#include <algorithm>
#include <chrono>

namespace sluice::poller {
namespace {

constexpr Milliseconds first_wait = std::chrono::seconds{2};
constexpr Milliseconds longest_wait = std::chrono::hours{1};
constexpr std::chrono::minutes longest_limited{10};

}  // namespace

std::string_view name_of(Fault fault) noexcept {
    switch (fault) {
        case Fault::unreachable:
            return "unreachable";
        case Fault::server:
            return "server_error";
        case Fault::limited:
            return "limited";
        case Fault::refused:
            return "refused";
        case Fault::gone:
            return "gone";
        case Fault::unreadable:
            return "unreadable";
        case Fault::too_long:
            return "too_long";
    }
    return "unreadable";
}

Tries::Then Tries::failed(Fault fault, SteadyTime now, Milliseconds interval, Random& random) {
    if (fault == Fault::limited) return limited(now);
    if (fault == Fault::too_long && limit_ > 1) {
        limit_ /= 2;
        return {.in_trouble = in_trouble()};
    }
    // Perhaps of the one event that was asked for: others may stand beside it.
    if (fault == Fault::unreadable) grow();
    const bool at_once = fault == Fault::refused || fault == Fault::too_long;
    failures_ = at_once ? std::max(failures_, tried_again) + 1 : failures_ + 1;
    const Milliseconds wait = in_trouble()
                                  ? Backoff{interval, longest_wait}.after(failures_ - tried_again + 1, random)
                                  : Backoff{first_wait, longest_wait}.after(failures_, random);
    return {.wait = wait, .in_trouble = in_trouble()};
}

Tries::Then Tries::limited(SteadyTime now) {
    if (!limited_since_) limited_since_ = now;
    return {.in_trouble = in_trouble(), .limited_for_long = now - *limited_since_ > longest_limited};
}

void Tries::worked() {
    failures_ = 0;
    limited_since_.reset();
    grow();
}

Ask Tries::in_limit(Ask ask) const {
    ask.limit = std::min(ask.limit, limit_);
    return ask;
}

void Tries::grow() {
    limit_ = std::min(most_, limit_ + std::max(1, most_ / 10));
}

}  // namespace sluice::poller
