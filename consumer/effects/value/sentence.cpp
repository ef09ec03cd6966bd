#include "consumer/effects/value/sentence.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "common/telemetry/log.hpp"
#include "common/time_text.hpp"
#include "consumer/effects/value/placeholders.hpp"

namespace sluice::effects {
namespace {

constexpr std::size_t longest_value = 128;

/// The length of the name at the front.
std::size_t name_at(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && is_parameter_name(text.substr(0, length + 1))) ++length;
    return length;
}

}  // namespace

Sentence Sentence::read(const config::Value& value, NameScope& names) {
    Sentence sentence;
    const std::string text = value.scalar();
    std::string literal;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = text[at] == ':' ? name_at(std::string_view{text}.substr(at + 1)) : 0;
        if (length == 0) {
            literal += text[at++];
            continue;
        }
        const std::string name = text.substr(at + 1, length);
        auto operand = operand_named(name, names);
        if (!operand) value.problem(names.unknown(name));
        if (operand) sentence.pieces_.push_back({std::exchange(literal, {}), std::move(operand)});
        at += 1 + length;
    }
    if (!literal.empty()) sentence.pieces_.push_back({std::move(literal), std::nullopt});
    if (text.empty()) value.problem("the reason must be a sentence, as in \"order :reference is closed\"");
    return sentence;
}

std::string Sentence::text(const EventValues& event) const {
    std::string out;
    for (const Piece& piece : pieces_) {
        out += piece.literal;
        if (piece.value) out += shown(value_of(*piece.value, event).value());  // none is negative
    }
    return out;
}

std::string shown(const store::Datum& value) {
    return std::visit(
        []<class T>(const T& held) -> std::string {
            if constexpr (std::same_as<T, std::nullptr_t>) return "NULL";
            if constexpr (std::is_arithmetic_v<T>) return std::to_string(held);
            if constexpr (std::same_as<T, std::string_view>) return json_escaped(held, longest_value);
            if constexpr (std::same_as<T, store::Bytes>) return json_escaped(held.bytes, longest_value);
            if constexpr (std::same_as<T, WallTime> || std::same_as<T, std::chrono::sys_days>)
                return to_rfc3339(held);
        },
        value);
}

}  // namespace sluice::effects
