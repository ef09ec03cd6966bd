#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/secret.hpp"
#include "common/webhook/recipe/extraction.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// Bounds of one program: what a request makes us hold is on the stack and does not grow with it.
inline constexpr std::size_t most_slots = 24;          ///< body, headers, pairs and what else takes part
inline constexpr std::size_t most_segments = 24;       ///< pieces of the signed text
inline constexpr std::size_t most_readings = 2;        ///< of the signed text
inline constexpr std::size_t most_candidates = 8;      ///< signatures in one header
inline constexpr std::size_t most_keys = 16;           ///< keys of one source
inline constexpr std::size_t most_named_keys = 64;     ///< where a request names the one that signed
inline constexpr std::size_t most_public_checks = 16;  ///< signatures of public keys, each under each key

/// One piece of the signed text: a fixed text, or what a request has in a slot.
struct Segment {
    static constexpr std::uint8_t fixed = 0xff;
    static constexpr std::uint8_t always = 0xff;
    std::uint8_t slot = fixed;
    std::string text{};             ///< when fixed
    std::string excluded{};         ///< what the slot's text must not contain: the fixed text that ends it
    std::uint8_t only_if = always;  ///< left out where this slot is absent
};

/// A text that a slot must have.
struct FixedSlot {
    std::uint8_t slot;
    std::string text;
};

/// One key and when it may be used. Both ends count as inside.
struct Key {
    std::string id;
    Secret material;  ///< bytes of an HMAC key or a token; the DER (SPKI) of a public key
    std::optional<WallTime> not_before;
    std::optional<WallTime> not_after;
    Algorithm algorithm = Algorithm::hmac_sha256;
    std::string label;               ///< of the signatures that it makes; empty where signatures have none
    std::size_t signature_size = 0;  ///< bytes of each that it makes; 0: its algorithm says

    [[nodiscard]] bool is_live(WallTime now) const noexcept {
        return (!not_before || now >= *not_before) && (!not_after || now <= *not_after);
    }
};

/// Whether its signatures are expensive to check, and cheap to make up.
[[nodiscard]] inline bool is_public(const Key& key) noexcept {
    return key.algorithm == Algorithm::rsa_sha256 || key.algorithm == Algorithm::ed25519;
}

/// A recipe compiled against one source: slots instead of names. Slot 0 is the body, then come the
/// inputs, those from outside the signature header first. Immutable.
struct Program {
    static constexpr std::uint8_t body_slot = 0;
    static constexpr std::uint8_t signature_slot = 1;
    static constexpr std::uint8_t no_slot = 0xff;

    // What a request must carry
    std::vector<Input> inputs;                  ///< slot 1 and on; the first holds the signatures
    std::size_t first_pair = 0;                 ///< index of the first input that is a pair; they come last
    std::vector<std::string> headers;           ///< the names of all that are headers
    std::vector<std::string> recorded_headers;  ///< the same in lower case, as a record names them
    SignatureRule signature;
    std::uint8_t timestamp_slot = no_slot;
    TimeUnit unit = TimeUnit::seconds;
    std::optional<TimeWindow> window;  ///< of the timestamp; nothing: any
    bool reads_form = false;           ///< some input is a field of a form
    bool names_are_unique = false;     ///< all its fields are signed, so no name may stand twice
    std::vector<FixedSlot> pinned;     ///< before the signature is looked at
    std::string challenge;             ///< a parameter, see challenge.hpp
    std::vector<FixedSlot> bound;      ///< after

    // What is computed
    std::vector<std::vector<Segment>> readings;
    std::vector<Key> keys;
    std::optional<CertificateTrust> certificate;  ///< instead of keys
    std::uint8_t key_id_slot = no_slot;           ///< holds the id of the key that signed

    // What is read after that
    BodyRule body;
    Secret body_key;  ///< opens what is encrypted
    Extraction extraction;
    std::optional<PaymentRule> payment;

    std::string keys_stamp;  ///< what its events' keys are made of, all alternatives (key_derivation.hpp)

    /// Tells the contexts of this program from those of any other, also at the same address.
    std::uint64_t serial = 0;
    std::shared_ptr<const int> life = std::make_shared<const int>(0);

    [[nodiscard]] bool has_timestamp() const noexcept { return timestamp_slot != no_slot; }
    [[nodiscard]] const Input& input_of(std::uint8_t slot) const { return inputs[slot - 1u]; }
    /// For messages: the header, or where else a slot's text comes from.
    [[nodiscard]] std::string_view name_of_slot(std::uint8_t slot) const {
        const bool is_pair = input_of(slot).from == Input::From::pair;
        return name_of(input_of(is_pair ? signature_slot : slot));
    }
};

}  // namespace sluice::webhook
