#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <boost/container/static_vector.hpp>

#include "common/crypto/digest.hpp"
#include "common/metering/rate.hpp"
#include "ingress/dedup/claim_protocol.hpp"

/// Limits that all processes share: Redis counts, by its own clock.
namespace sluice::dedup {

struct SharedLimit {
    crypto::Digest who;
    metering::Rate rate;
};

/// What one request is counted under, together with its claim, and what Redis said of it.
struct Counting {
    boost::container::static_vector<SharedLimit, 2> limits;
    crypto::Digest home{};              ///< of the source: one server has all of its limits
    std::optional<std::size_t> over{};  ///< the first limit that is spent; then it is counted under none
    bool is_unknown = false;            ///< Redis has not said: it is taken

    [[nodiscard]] bool is_counted() const noexcept { return !limits.empty() && !over && !is_unknown; }
};

/// Commands about a request's limits, as RESP2; the bytes live until the next call. One thread.
class LimitCommands {
public:
    LimitCommands() = default;
    explicit LimitCommands(const std::string& epoch);

    /// Counts it under all of them or, where one is spent, under none.
    [[nodiscard]] std::string_view count(const Counting& counting);
    /// Takes that back. The reply is a status.
    [[nodiscard]] std::string_view take_back(const Counting& counting);

private:
    [[nodiscard]] std::string_view evaluate(std::string_view script, const Counting& counting);

    void begin(std::string_view script, std::size_t limits);

    std::string key_begin_;  // "$87\r\nlimit:<epoch>:"
    std::string bytes_;      // of these the first `begun_` are for this script and so many limits
    const char* begun_with_ = nullptr;
    std::size_t begun_for_ = 0;
    std::size_t begun_ = 0;
};

/// What the reply says; false: it is none to this command, so replies and commands may be out of step.
[[nodiscard]] bool read_counted(const Reply& reply, Counting& counting);

}  // namespace sluice::dedup
