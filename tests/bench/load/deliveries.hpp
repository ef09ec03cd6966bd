#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/bench/wire/signature.hpp"

namespace sluice::bench {

enum class Mode {
    fresh,      ///< every event has an id of its own
    duplicate,  ///< events that were accepted before
    forged,     ///< fresh events under a signature that is not theirs
};

/// Writes signed requests: one Stripe event of about 2 KB, 8 headers. The same `run` and number give the same
/// event; customers are a thousand. One thread.
class Deliveries {
public:
    /// `run`: 8 characters, new for each run. `known`: how many events duplicates are taken from. `at`: Unix
    /// time of all of them; the current one otherwise.
    Deliveries(std::string_view path, std::string_view secret, std::string_view run, Mode mode,
               std::uint64_t known, std::optional<std::int64_t> at = {});

    /// The next request, overwritten by the one after it.
    [[nodiscard]] std::string_view next();
    /// Event `number` as a fresh one: what makes it known before its duplicates are sent.
    [[nodiscard]] std::string_view event(std::uint64_t number);

private:
    void put_number(std::uint64_t number);
    void put(std::uint64_t number, std::size_t at);
    void sign(bool honestly);

    Signature signature_;
    Mode mode_;
    std::uint64_t known_;
    std::optional<std::int64_t> at_;
    std::uint64_t sent_ = 0;
    std::string request_;
    std::size_t body_at_ = 0;
    std::size_t time_at_ = 0;
    std::size_t signature_at_ = 0;
    std::size_t event_id_at_ = 0;
    std::size_t object_id_at_ = 0;
    std::size_t customer_at_ = 0;
};

}  // namespace sluice::bench
