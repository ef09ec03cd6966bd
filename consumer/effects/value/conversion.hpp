#pragma once

#include <cstdint>
#include <expected>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <system_error>

#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/extraction.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// Of a value as MySQL gets it.
enum class ParameterType { text, int64, boolean, time, bytes };

/// What `as` makes of a value. All is exact, and nothing is ever rounded, trimmed or guessed.
enum class As {
    text,     ///< a JSON string
    int64,    ///< a JSON integer, or text of 1 to 19 digits, a minus before them or not; never 12.0 nor 1e2
    boolean,  ///< a JSON boolean, as 1 or 0
    time,     ///< by `forms`, or a JSON integer of Unix seconds or a string of RFC 3339; DATETIME(6) in UTC
    minor,    ///< "88.88" or 88.88 as 8888: digits with at most one point, a minus before them or not
    decimal,  ///< 8888 as "88.88": what int64 takes
    hex,      ///< text of hex digits in either case, as bytes
    base64,   ///< text of RFC 4648 section 4 with padding, as bytes
    json,     ///< any value, as its JSON text without whitespace
};

struct Conversion {
    As as = As::text;
    int scale = 0;  ///< minor, decimal: digits behind the point
    std::optional<webhook::Pointer>
        currency{};                             ///< instead of `scale`: where the body says its ISO 4217 code
    std::optional<webhook::TimeField> forms{};  ///< time
};

inline constexpr int most_decimals = 18;

[[nodiscard]] ParameterType type_of(As as) noexcept;

/// In a sentence: "a text", "a whole number".
[[nodiscard]] std::string_view noun_of(ParameterType type) noexcept;

/// A value that is there and not null.
struct Found {
    webhook::JsonType type = webhook::JsonType::string;
    std::string_view text{};  ///< of a string; of others as they are written, for json without whitespace
    std::int64_t number = 0;  ///< of an integer whose text nobody needs (needs_text)
};

/// Whether `as` reads the text of numbers, or of anything.
[[nodiscard]] bool needs_text(As as) noexcept;

/// A text of the configuration as a value of an event: "true" is a boolean where one is wanted.
[[nodiscard]] Found constant(As as, std::string_view text) noexcept;

/// Why a value is not what `as` takes.
struct Misfit {
    std::error_code error;  ///< errc::wrong_type or out_of_range
    std::string_view why;   ///< behind the value: "is no …"
};

/// `scale` stands for the conversion's own. NULL: a text that stands for no time (an empty one, where `forms`
/// have a zone). Texts are views of `found` or lie in `made`, which gets what is not there as it is wanted.
/// Pure.
[[nodiscard]] std::expected<store::Datum, Misfit> converted(const Conversion& conversion, const Found& found,
                                                            int scale, std::pmr::memory_resource& made);

}  // namespace sluice::effects
