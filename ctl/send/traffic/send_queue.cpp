#include "ctl/send/traffic/send_queue.hpp"

#include <algorithm>

namespace sluice::ctl {

std::optional<Attempt> SendQueue::next() {
    const bool has_planned = taken_ < planned_.size();
    if (!repeats_.empty() && (!has_planned || repeats_.top().due <= planned_[taken_].due)) {
        const Attempt attempt = repeats_.top();
        repeats_.pop();
        return attempt;
    }
    if (!has_planned) return std::nullopt;
    return planned_[taken_++];
}

std::size_t thread_for(std::string_view object, std::size_t threads) noexcept {
    std::uint64_t hash = 14'695'981'039'346'656'037U;  // FNV-1a
    for (const char c : object) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    return static_cast<std::size_t>(hash % threads);
}

std::optional<Milliseconds> retry_after(int attempt, int most, Dice& dice) {
    if (attempt >= most) return std::nullopt;
    constexpr std::int64_t first = 250;
    constexpr std::int64_t longest = 5'000;
    const std::int64_t whole = std::min(longest, first << std::min(attempt - 1, 10));
    return Milliseconds{whole / 2 +
                        static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(whole / 2)))};
}

}  // namespace sluice::ctl
