#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/crypto/digest.hpp"
#include "ingress/dedup/claim.hpp"

/// The decisions of the claim protocol, without Redis. Markers:
///   P:<token>       a request is publishing; a hint against bursts, never a reason to answer
///   D:<mark in hex> a copy with this mark is in Kafka; can never become false again
namespace sluice::dedup {

/// Longer than any marker of ours.
inline constexpr std::size_t longest_text = 128;

/// A text in place, cut at `longest_text`.
class ShortText {
public:
    ShortText() = default;
    template <std::convertible_to<std::string_view> Text>
    ShortText(const Text& text) : size_{std::min(std::string_view{text}.size(), longest_text)} {
        std::ranges::copy(std::string_view{text}.substr(0, size_), bytes_.begin());
    }
    [[nodiscard]] std::string_view view() const noexcept { return {bytes_.data(), size_}; }

private:
    std::size_t size_ = 0;
    std::array<char, longest_text> bytes_{};
};

/// What Redis said, or did not say.
struct Reply {
    enum class Kind {
        nil,
        text,
        status,  ///< OK, PONG: to no claim
        error,   ///< OOM, READONLY, LOADING, NOPERM, …: Redis is there and refuses
        none,    ///< timed out, not connected, connection lost
        odd,     ///< of a type that no command of ours gets
    };
    Kind kind = Kind::none;
    ShortText text;  ///< of a text, a status or an error
};

struct Step {
    /// When to look again; empty: `claim` is the answer.
    std::optional<std::chrono::milliseconds> look_again_after;
    Claim claim = Claim::unavailable;
    /// The reply cannot be one of ours: replies and commands may be out of step on this connection.
    bool distrust_connection = false;
};

/// One claim: the reply to SET … NX GET, then as many looks (GET) as it asks for.
class ClaimProtocol {
public:
    /// Looks happen this long after the claim; then the event is published anyway.
    static constexpr std::array<std::chrono::milliseconds, 4> looks{
        std::chrono::milliseconds{10}, std::chrono::milliseconds{30}, std::chrono::milliseconds{70},
        std::chrono::milliseconds{150}};

    explicit ClaimProtocol(const crypto::Digest& mark) : mark_{mark} {}

    [[nodiscard]] Step claimed(const Reply& reply);
    [[nodiscard]] Step looked(const Reply& reply);

private:
    [[nodiscard]] Step read(const Reply& reply, Claim when_nil);
    [[nodiscard]] Step read_marker(std::string_view text);

    crypto::Digest mark_;
    std::size_t looks_done_ = 0;
};

[[nodiscard]] std::string pending_marker(std::string_view token);
[[nodiscard]] std::string durable_marker(std::string_view mark_in_hex);

}  // namespace sluice::dedup
