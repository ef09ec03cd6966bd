#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <span>
#include <string_view>

#include "common/webhook/gate/gate_refusal.hpp"
#include "common/webhook/http/request.hpp"

namespace sluice::gate {

inline constexpr std::size_t max_head_bytes = 16 * 1024;  ///< including the empty line
inline constexpr std::size_t max_fields = 64;
inline constexpr std::size_t max_target_bytes = 4 * 1024;
inline constexpr std::size_t max_method_bytes = 16;

/// How the body is delimited. Nothing else is understood.
struct Framing {
    enum class Kind { none, length, chunked };
    Kind kind = Kind::none;
    std::size_t length = 0;  ///< with Kind::length
};

/// A head that is beyond doubt. All views are into the bytes it was read from.
struct Head {
    std::string_view method;
    std::string_view target;  ///< origin form, with the query
    std::string_view path;    ///< up to the question mark, byte for byte
    std::string_view query;   ///< after it
    Framing framing;
    bool is_http_1_0 = false;
    bool keep_alive = true;  ///< never for HTTP/1.0, even if it asks for it
    bool expects_continue = false;
    bool has_obs_text = false;    ///< some value has bytes above 0x7f; no field that the gate reads has
    bool has_underscore = false;  ///< some byte of it is one: only then a name may have one

    [[nodiscard]] std::span<const webhook::HeaderField> fields() const noexcept {
        return {all.data(), count};
    }

    std::array<webhook::HeaderField, max_fields> all;
    std::size_t count = 0;
};

/// The number of bytes up to and including the first CRLFCRLF; 0 when it is not there yet. `seen` is how
/// many bytes an earlier call has checked. Refuses as soon as the bytes cannot become a valid head: the
/// first byte is not a token character, a line feed comes without its carriage return, the limit is
/// reached.
[[nodiscard]] std::expected<std::size_t, Refusal> find_head_end(std::string_view bytes, std::size_t seen = 0);

/// Reads a head that ends in CRLFCRLF. Pure; does not allocate; `head` is overwritten.
/// What other parsers read in two ways is refused: RFC 9112 sections 2 to 7, and decision 48 for what is
/// harmless. Beast reads (decision 120), behind a look at the bytes for what it is lenient about, and before
/// our rules for the fields.
[[nodiscard]] std::expected<void, Refusal> read_head(std::string_view bytes, Head& head);

/// A field's value, the only one with that name; empty when it is absent or repeated. Names are
/// compared ignoring case; `name` is lower case.
[[nodiscard]] std::string_view only_value(const Head& head, std::string_view name) noexcept;

}  // namespace sluice::gate
