#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/backoff.hpp"
#include "common/clock.hpp"
#include "poller/walk/ask.hpp"

namespace sluice::poller {

/// Why a request brought no page.
enum class Fault : std::uint8_t {
    unreachable,  ///< no answer, or not in time
    server,       ///< 5xx
    limited,      ///< 429; how long to wait is Budget's
    refused,      ///< 401, 403: the key
    gone,         ///< the place is unknown: Walk::place_is_gone
    unreadable,   ///< a success that is no page
    too_long,     ///< a page of more bytes than we take
};
inline constexpr std::array all_faults{Fault::unreachable, Fault::server,     Fault::limited, Fault::refused,
                                       Fault::gone,        Fault::unreadable, Fault::too_long};
/// As metrics say it.
[[nodiscard]] std::string_view name_of(Fault fault) noexcept;

/// What follows a failed request of one source. Three are tried again after 2, 4 and 8 s; then the source is
/// in trouble, and its interval doubles with each failure, up to an hour. A quarter of each wait at most is
/// taken off at random. Pure but for `random`; one thread's.
class Tries {
public:
    struct Then {
        Milliseconds wait{0};
        bool in_trouble = false;        ///< until a request works
        bool limited_for_long = false;  ///< nothing but 429 to it for ten minutes
    };

    /// `most`: events of a page.
    explicit Tries(int most) : most_{most}, limit_{most} {}

    /// Refused is in trouble at once. Limited counts for nothing and waits for nothing here, but is noted
    /// where it lasts. Too long halves the limit instead of waiting, until that is 1.
    [[nodiscard]] Then failed(Fault fault, SteadyTime now, Milliseconds interval, Random& random);
    void worked();

    /// Events to ask for in a page. Grows again by a tenth of `most` with each request that works, and with
    /// each answer that is no page: one event without an id is none, where more stand behind it.
    [[nodiscard]] int limit() const { return limit_; }
    [[nodiscard]] Ask in_limit(Ask ask) const;
    [[nodiscard]] bool in_trouble() const { return failures_ > tried_again; }

private:
    static constexpr int tried_again = 3;

    [[nodiscard]] Then limited(SteadyTime now);
    void grow();

    int most_;
    int limit_;
    int failures_ = 0;
    std::optional<SteadyTime> limited_since_;
};

}  // namespace sluice::poller
