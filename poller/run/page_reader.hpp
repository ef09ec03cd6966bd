#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "common/clock.hpp"
#include "poller/config/poll_settings.hpp"
#include "poller/fetch/get.hpp"
#include "poller/list/event_list.hpp"
#include "poller/run/account.hpp"
#include "poller/run/early_answer.hpp"
#include "poller/run/provider_clock.hpp"
#include "poller/telemetry/walk_metrics.hpp"

namespace sluice::poller {

/// A page, and the provider's time when it was asked for, or somewhat earlier. Views live until the next page
/// is read.
struct ReadPage {
    RawPage page;
    WallTime asked_at{};
};

/// Why there is none. `why` is for people: the status or what went wrong on the way, never the provider's
/// words.
struct NoPage {
    Fault fault = Fault::unreachable;
    std::string why;
};

/// Asks one source's list for pages. One thread's.
class PageReader {
public:
    /// All outlive it. std::runtime_error where libcurl lacks what it needs.
    PageReader(const PollSettings& poll, Account& account, WalkMetrics& metrics, const Clock& clock);

    /// One request, at most `timeout` long; a stop ends it. The budget is the caller's to ask, also of what
    /// is asked early.
    [[nodiscard]] std::expected<ReadPage, NoPage> read(const Ask& ask, const std::stop_token& stop);

    /// Asks before its turn, on a thread of its own, while the caller does something else. `read` takes the
    /// answer where it asks the same. A 429 is the account's at once, also where nobody takes the answer.
    /// Where no thread can be made, nothing is asked.
    void ask_early(const Ask& ask);
    [[nodiscard]] bool is_asked(const Ask& ask) const { return early_ && early_->ask() == ask; }
    /// Breaks off what was asked early and is not needed: before the budget is asked for another request.
    void forget_early();

    /// The provider's time as far as known.
    [[nodiscard]] WallTime now() const { return provider_.at(clock_); }

private:
    [[nodiscard]] std::expected<ApiRequest, NoPage> request_of(const Ask& ask) const;
    [[nodiscard]] std::expected<ReadPage, NoPage> read(const Ask& ask, EarlyAnswer::Result answer,
                                                       WallTime asked_at);
    /// Any thread that has `get_` to itself.
    [[nodiscard]] EarlyAnswer::Result answer_to(const Ask& ask, const ApiRequest& request,
                                                const std::stop_token& stop);
    [[nodiscard]] Fault refusal(const Ask& ask, const Answer& answer) const;
    void count_unread(const Ask& ask, const EarlyAnswer::Result& answer);
    [[nodiscard]] NoPage failed(Fault fault, std::string why);
    [[nodiscard]] std::expected<ReadPage, NoPage> page_of(const Ask& ask, const Answer& answer,
                                                          WallTime asked_at);

    const PollSettings& poll_;
    Account& account_;
    WalkMetrics& metrics_;
    const Clock& clock_;
    ProviderClock provider_;
    Get get_;
    webhook::JsonView view_;
    std::unique_ptr<EarlyAnswer> early_;  // uses get_
};

}  // namespace sluice::poller
