#include "common/webhook/signature/own_text.hpp"

#include <algorithm>
#include <boost/crc.hpp>
#include <charconv>
#include <span>

#include "common/webhook/http/form_encoding.hpp"
#include "common/webhook/http/header_lookup.hpp"

namespace sluice::webhook {

namespace {

std::span<char> room_in(SignedInputs& inputs) {
    return std::span(inputs.own).subspan(inputs.own_used);
}

std::string_view taken(SignedInputs& inputs, std::size_t size) {
    const std::string_view text{inputs.own.data() + inputs.own_used, size};
    inputs.own_used += size;
    return text;
}

}  // namespace

std::optional<std::string_view> own_lower_case(SignedInputs& inputs, std::string_view text) {
    const auto room = room_in(inputs);
    if (text.size() > room.size()) return std::nullopt;
    std::ranges::transform(text, room.begin(), lower_case);
    return taken(inputs, text.size());
}

std::optional<std::string_view> own_decoded(SignedInputs& inputs, std::string_view encoded) {
    const auto room = room_in(inputs);
    if (encoded.size() > room.size()) return std::nullopt;
    const auto size = decode_form_text(encoded, room.data());
    if (!size) return std::nullopt;
    return taken(inputs, *size);
}

std::string_view own_integer(SignedInputs& inputs, std::int64_t number) {
    const auto room = room_in(inputs);
    const auto written = std::to_chars(room.data(), room.data() + room.size(), number);
    return taken(inputs, written.ec == std::errc{} ? static_cast<std::size_t>(written.ptr - room.data()) : 0);
}

std::string_view own_crc32(SignedInputs& inputs, std::string_view body) {
    constexpr std::size_t longest = 10;  // digits of 2^32 - 1
    const auto room = room_in(inputs);
    if (room.size() < longest) return {};
    boost::crc_32_type crc;
    crc.process_bytes(body.data(), body.size());
    const auto written = std::to_chars(room.data(), room.data() + longest, crc.checksum());
    return taken(inputs, static_cast<std::size_t>(written.ptr - room.data()));
}

}  // namespace sluice::webhook
