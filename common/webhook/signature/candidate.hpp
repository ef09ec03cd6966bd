#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// Bytes of the longest signature: RSA with 4096 bits. Also of the longest token.
inline constexpr std::size_t longest_signature = 512;

/// A signature as the bytes it stands for.
struct Signature {
    std::array<std::uint8_t, longest_signature + 2>
        bytes;  ///< as many as size says; base64 wants room to round up
    std::size_t size = 0;
    std::string_view label{};

    [[nodiscard]] std::string_view text() const noexcept {
        return {reinterpret_cast<const char*>(bytes.data()), size};
    }
};

/// The candidates of one request that can be signatures of some key.
struct Signatures {
    std::array<Signature, most_candidates> all;
    std::size_t count = 0;

    [[nodiscard]] std::span<const Signature> span() const noexcept { return {all.data(), count}; }
};

/// The bytes that `text` stands for; false for text of another alphabet or longer than any signature.
/// One signature has one spelling: base64 that is not canonical is refused. Does not allocate.
[[nodiscard]] bool decode_signature(std::string_view text, Encoding encoding, Signature& signature);

/// Whether signatures of this algorithm can have that many bytes.
[[nodiscard]] bool is_size_of(Algorithm algorithm, std::size_t bytes) noexcept;

/// The other way, for signing.
[[nodiscard]] std::string text_of(std::string_view signature, Encoding encoding);

}  // namespace sluice::webhook
