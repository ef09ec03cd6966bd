#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"

namespace sluice::poller {

/// What a provider says beside the body of an answer, by its own clock. A header that is no such thing says
/// nothing; of one that comes twice the last counts.
struct AnswerHead {
    int status = 0;                           ///< 0: none came
    std::optional<WallTime> date;             ///< Date: when the answer was made, whole seconds
    std::optional<Milliseconds> retry_after;  ///< Retry-After: do not ask before; at most a day
};

/// A head, line by line as it arrives. Pure.
class HeadReader {
public:
    /// With its line end or without. A status line begins anew, as after 100 Continue.
    void take(std::string_view line);
    [[nodiscard]] int status() const noexcept { return plain_.status; }
    [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }  ///< up to its empty line
    /// Times that are written as dates count from Date; without one they say nothing.
    [[nodiscard]] AnswerHead head() const;

private:
    AnswerHead plain_;  // without the next one
    std::string retry_after_;
    bool is_whole_ = false;
};

/// "Sun, 06 Nov 1994 08:49:37 GMT", the only form that servers may write (RFC 9110, section 5.6.7). Its day
/// of the week is not looked at.
[[nodiscard]] std::optional<WallTime> http_date(std::string_view text);

}  // namespace sluice::poller
