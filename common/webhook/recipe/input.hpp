#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/webhook/body/json_view.hpp"
#include "common/webhook/http/header_lookup.hpp"

namespace sluice::webhook {

/// Where one text sits that takes part in a signature.
struct Input {
    enum class From : std::uint8_t {
        header,
        pair,         ///< of the signature header
        query,        ///< a parameter of the target, decoded
        crc32,        ///< of the raw body, as a decimal number without leading zeros
        form,         ///< a field of a form body, decoded
        sorted_form,  ///< all fields of a form body but those of `names`, sorted and joined
        item,         ///< a field of one item of a delivery with several events
    };
    From from = From::header;
    std::vector<std::string> names{};  ///< of a header, several: the first that is there counts
    bool optional = false;             ///< absent is no refusal
    bool lower = false;                ///< in lower case, ASCII only
    bool skip_blank = false;           ///< of a sorted form: fields without a value do not count
    bool hashed = false;               ///< of a sorted form: the hex of its SHA-256 counts
    bool base64_lines = false;         ///< of a field: nothing but letters of base64 and line feeds
    bool integer = false;              ///< of an item: a JSON integer, which counts by its digits
    bool open = false;                 ///< of an item: may hold the literal that ends it
    Pointer pointer{};                 ///< of an item; names has its text

    [[nodiscard]] bool operator==(const Input& other) const {
        const bool is_header = from == From::header;
        return from == other.from && lower == other.lower && skip_blank == other.skip_blank &&
               hashed == other.hashed && base64_lines == other.base64_lines && integer == other.integer &&
               std::ranges::equal(names, other.names, [&](std::string_view a, std::string_view b) {
                   return is_header ? is_same_name(a, b) : a == b;
               });
    }
};

/// For messages: the header's or the field's name, or what else it is.
[[nodiscard]] inline std::string_view name_of(const Input& input) noexcept {
    const bool is_named = input.from != Input::From::sorted_form && !input.names.empty();
    return !is_named ? std::string_view{"body"} : std::string_view{input.names.front()};
}

}  // namespace sluice::webhook
