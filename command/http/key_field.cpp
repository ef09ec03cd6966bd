#include "command/http/key_field.hpp"

#include <algorithm>

namespace sluice::command {
namespace {

constexpr std::string_view unquoted =
    "Idempotency-Key must be a string in quotes, as in Idempotency-Key: \"8e03978e-40d5-43dd-bc93\".";
constexpr std::string_view grammar =
    "Idempotency-Key must be one string in quotes with nothing behind it, of printable ASCII, in which a "
    "backslash stands only before a quote or another backslash.";
constexpr std::string_view length =
    "Idempotency-Key must hold 1 to 255 characters, and not only one or two full stops.";

constexpr bool is_printable_ascii(char c) noexcept {
    return c >= 0x20 && c < 0x7f;
}

}  // namespace

std::expected<std::string, std::string_view> read_key_field(std::string_view value) {
    if (!value.starts_with('"')) return std::unexpected{unquoted};
    std::string key;
    for (std::size_t at = 1; at < value.size(); ++at) {
        if (value[at] == '"') {
            if (at + 1 != value.size()) return std::unexpected{grammar};
            if (!is_key(key)) return std::unexpected{length};
            return key;
        }
        if (value[at] == '\\') {
            ++at;
            if (at == value.size() || (value[at] != '"' && value[at] != '\\'))
                return std::unexpected{grammar};
        }
        if (!is_printable_ascii(value[at])) return std::unexpected{grammar};
        key += value[at];
    }
    return std::unexpected{grammar};  // it never ends
}

}  // namespace sluice::command
