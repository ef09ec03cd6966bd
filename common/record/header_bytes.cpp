#include "common/record/header_bytes.hpp"

#include <cstddef>
#include <cstdint>

#include "common/error.hpp"

namespace sluice::record {
namespace {

constexpr std::size_t name_width = 2;
constexpr std::size_t value_width = 4;

constexpr bool fits(std::size_t length, std::size_t width) {
    return std::uint64_t{length} < std::uint64_t{1} << (8 * width);
}

void append_part(std::string& out, std::string_view part, std::size_t width) {
    for (std::size_t byte = width; byte-- > 0;) out.push_back(static_cast<char>(part.size() >> (8 * byte)));
    out.append(part);
}

/// The next part, removed from `bytes`; nullopt when it is not complete.
std::optional<std::string_view> take_part(std::string_view& bytes, std::size_t width) {
    if (bytes.size() < width) return std::nullopt;
    std::size_t length = 0;
    for (const char byte : bytes.substr(0, width)) length = length << 8 | static_cast<unsigned char>(byte);
    bytes.remove_prefix(width);
    if (bytes.size() < length) return std::nullopt;
    const auto part = bytes.substr(0, length);
    bytes.remove_prefix(length);
    return part;
}

}  // namespace

std::optional<std::string> header_bytes(std::span<const HeaderView> headers) {
    std::string out;
    for (const auto& [name, value] : headers) {
        if (!fits(name.size(), name_width) || !fits(value.size(), value_width)) return std::nullopt;
        append_part(out, name, name_width);
        append_part(out, value, value_width);
    }
    return out;
}

Result<std::vector<HeaderView>> headers_from(std::string_view bytes) {
    std::vector<HeaderView> headers;
    while (!bytes.empty()) {
        const auto name = take_part(bytes, name_width);
        const auto value = name ? take_part(bytes, value_width) : std::nullopt;
        if (!value) return Failure{make_error_code(errc::undecodable)};
        headers.push_back({*name, *value});
    }
    return headers;
}

}  // namespace sluice::record
