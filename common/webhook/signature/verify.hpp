#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>

#include "common/clock.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/signature/signature_refusal.hpp"

namespace sluice::webhook {

/// An authentic request.
struct Authentic {
    std::string_view key_id;                ///< of the key that matched; lives as long as the source
    std::optional<std::size_t> key_number;  ///< its place among the source's keys, where it is one of them
    std::optional<std::chrono::milliseconds>
        signed_ago;  ///< negative when it lies ahead; none: no time is signed, or any passes
};

/// Per-thread working state (keyed HMAC contexts by source, decode buffers). One per io_context;
/// not thread-safe. Forgets a source's contexts when the source is gone.
class Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;

    struct State;
    [[nodiscard]] State& state() noexcept { return *state_; }

private:
    std::unique_ptr<State> state_;
};

/// Whether one of the source's live keys signed this request's raw bytes, and inside the window.
/// Pure but for `scratch`; cheap checks before crypto; every candidate signature is compared with
/// every live key in constant time, without stopping early. `explain` fills Refusal::detail.
[[nodiscard]] std::expected<Authentic, Refusal> verify(const Source& source, const Request& request,
                                                       WallTime now, Scratch& scratch, bool explain = false);

}  // namespace sluice::webhook
