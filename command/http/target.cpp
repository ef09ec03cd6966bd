#include "command/http/target.hpp"

#include <charconv>

#include "command/http/key_field.hpp"
#include "common/http/percent_encoded.hpp"

namespace sluice::command {
namespace {

constexpr std::string_view room = "/v1/commands/";

std::optional<char> byte_of(std::string_view digits) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc{} || end != digits.data() + 2) return std::nullopt;
    return static_cast<char>(value);
}

/// Unlike in a form, + is itself.
std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            decoded += text[at];
            continue;
        }
        const auto byte = byte_of(text.substr(at + 1, 2));
        if (!byte) return std::nullopt;
        decoded += *byte;
        at += 2;
    }
    return decoded;
}

}  // namespace

std::optional<Target> read_target(std::string_view path) {
    if (!path.starts_with(room)) return std::nullopt;
    path.remove_prefix(room.size());
    const std::size_t slash = path.find('/');
    Target target{std::string{path.substr(0, slash)}};
    if (target.name.empty()) return std::nullopt;
    if (slash == std::string_view::npos) return target;
    const std::string_view encoded = path.substr(slash + 1);
    if (encoded.contains('/')) return std::nullopt;
    target.key = percent_decoded(encoded);
    if (!target.key || !is_key(*target.key)) return std::nullopt;
    return target;
}

std::string path_of(const Key& key) {
    return std::string{room} + key.command + "/" + http::percent_encoded(key.key);
}

}  // namespace sluice::command
