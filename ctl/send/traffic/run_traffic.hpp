#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ctl/send/traffic/endpoint.hpp"
#include "ctl/send/traffic/request_maker.hpp"
#include "ctl/send/traffic/sample_event.hpp"
#include "ctl/send/traffic/tally.hpp"

namespace sluice::ctl {

/// One run, decided in full before the first byte is sent.
struct Traffic {
    std::shared_ptr<const webhook::Source> source;
    Endpoint endpoint;
    std::vector<SampleEvent> events;
    std::vector<Delivery> plan;
    RequestMaker::Settings maker;
    std::shared_ptr<const Signer> signer;
    std::vector<Forgery> forgeries;  ///< of forged ones, in turn
    double rate = 0;                 ///< deliveries a second; 0: as fast as they are answered
    std::size_t threads = 8;
    bool disorder = false;  ///< an object's deliveries may be under way at the same time
    int attempts = 1;       ///< per genuine delivery
    std::chrono::seconds stale_by{600};
    Milliseconds timeout{10'000};
    std::string ca_file;
    std::string events_file;  ///< empty: none
    std::uint64_t seed = 1;
};

/// What is wrong with a forged delivery at this place of the plan: one of `forgeries` after the other.
[[nodiscard]] inline Forgery forgery_of(const Traffic& traffic, std::size_t position) {
    return traffic.forgeries[position % traffic.forgeries.size()];
}

/// One delivery as it is sent: signed, or spoiled, and what it says then.
struct ReadyRequest {
    OutgoingRequest request;
    Facts facts{};
    std::expected<void, std::string> is_signed{};  ///< the error is a clause: why it cannot be
};

/// `position` is the delivery's in the plan.
[[nodiscard]] ReadyRequest made_ready(const Traffic& traffic, const RequestMaker& maker,
                                      const Delivery& delivery, std::size_t position, WallTime now);

struct Progress {
    std::size_t settled = 0;  ///< deliveries that need no further attempt
    std::size_t planned = 0;
    std::size_t answers = 0;
};

/// Sends it with `threads` connections; `report` is called about once a second on the caller's thread.
/// Ends early, with what there is, when `stop` turns true.
[[nodiscard]] Tally run_traffic(const Traffic& traffic, const Clock& clock, const std::atomic<bool>& stop,
                                const std::function<void(const Progress&)>& report);

}  // namespace sluice::ctl
