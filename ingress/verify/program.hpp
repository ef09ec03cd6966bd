#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/secret.hpp"
#include "ingress/verify/extraction.hpp"
#include "ingress/verify/recipe.hpp"

namespace sluice::verify {

/// Bounds of one program: what a request makes us hold is on the stack and does not grow with it.
inline constexpr std::size_t most_slots = 16;      ///< body, headers and pairs that take part
inline constexpr std::size_t most_segments = 16;   ///< pieces of the signed text
inline constexpr std::size_t most_candidates = 8;  ///< signatures in one header
inline constexpr std::size_t most_keys = 16;       ///< keys of one source

/// One piece of the signed text: a fixed text, or what a request has in a slot.
struct Segment {
    static constexpr std::uint8_t fixed = 0xff;
    std::uint8_t slot = fixed;
    std::string text;      ///< when fixed
    std::string excluded;  ///< what the slot's text must not contain: the fixed text that ends it
};

/// One key and when it may be used. Both ends count as inside.
struct Key {
    std::string id;
    Secret material;  ///< the HMAC key's bytes
    std::optional<WallTime> not_before;
    std::optional<WallTime> not_after;

    [[nodiscard]] bool is_live(WallTime now) const noexcept {
        return (!not_before || now >= *not_before) && (!not_after || now <= *not_after);
    }
};

/// A recipe compiled against one source: slots in place of names. Slot 0 is the body, then the
/// headers (the first holds the signatures), then the pairs. Immutable.
struct Program {
    static constexpr std::uint8_t body_slot = 0;
    static constexpr std::uint8_t signature_slot = 1;

    // What a request must carry
    std::vector<std::string> headers;           ///< slot 1 and on
    std::vector<std::string> recorded_headers;  ///< the same in lower case, as a record names them
    std::vector<std::string> pairs;             ///< the slots after them
    SignatureRule signature;
    std::uint8_t timestamp_slot = body_slot;  ///< body_slot: no timestamp
    std::chrono::seconds past{0};
    std::chrono::seconds future{0};

    // What is computed
    std::vector<Segment> segments;
    std::vector<Key> keys;

    // What is read after that
    Extraction extraction;

    /// Tells the contexts of this program from those of any other, also at the same address.
    std::uint64_t serial = 0;
    std::shared_ptr<const int> life = std::make_shared<const int>(0);

    [[nodiscard]] bool has_timestamp() const noexcept { return timestamp_slot != body_slot; }
    [[nodiscard]] std::size_t first_pair_slot() const noexcept { return 1 + headers.size(); }
};

}  // namespace sluice::verify
