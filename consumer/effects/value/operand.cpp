#include "consumer/effects/value/operand.hpp"

#include <limits>
#include <utility>

#include "common/error.hpp"

namespace sluice::effects {
namespace {

using store::Datum;

/// ":name" as an operand; what is wrong with it, in `problem`.
Operand named(const std::string& name, bool is_negative, NameScope& names, const config::Value& value) {
    auto operand = operand_named(name, names);
    if (!operand) {
        value.problem(names.unknown(name));
        return {};
    }
    operand->is_negative = is_negative;
    if (is_negative && type_of(*operand, names.let()) != ParameterType::int64) {
        value.problem("-:" + name + " is not a number: set as: int64");
    }
    return std::move(*operand);
}

}  // namespace

std::optional<Operand> operand_named(const std::string& name, NameScope& names) {
    if (is_built_in(name))
        return Operand{.kind = Operand::Kind::built_in, .text = name, .parameter = 0, .is_negative = false};
    return names.find(name).transform([](std::size_t parameter) {
        return Operand{
            .kind = Operand::Kind::parameter, .text = {}, .parameter = parameter, .is_negative = false};
    });
}

Operand read_operand(const config::Value& value, NameScope& names) {
    if (value.is_list() || value.is_mapping()) {
        value.problem("a value must be :name, -:name, text, a number or null");
        return {};
    }
    if (!value.is_scalar()) return {};
    auto text = value.scalar();
    const bool is_negative = text.starts_with("-:");
    if (is_negative || text.starts_with(':')) {
        return named(text.substr(is_negative ? 2 : 1), is_negative, names, value);
    }
    if (names.has_in_let(text))
        value.problems().warn(value.place(), "this is the text '" + text +
                                                 "' itself: for what let reads, write \":" + text + "\"");
    return {.kind = Operand::Kind::literal, .text = std::move(text), .parameter = 0, .is_negative = false};
}

std::optional<ParameterType> type_of(const Operand& operand, std::span<const Parameter> let) {
    if (operand.kind == Operand::Kind::parameter) return let[operand.parameter].type();
    if (operand.kind != Operand::Kind::built_in) return std::nullopt;
    return type_of_built_in(operand.text);
}

bool may_be_null(const Operand& operand, std::span<const Parameter> let) {
    if (operand.kind == Operand::Kind::parameter) return let[operand.parameter].optional;
    if (operand.kind == Operand::Kind::built_in) return built_in_may_be_null(operand.text);
    return operand.kind == Operand::Kind::null;
}

Result<Datum> value_of(const Operand& operand, const EventValues& event) {
    switch (operand.kind) {
        case Operand::Kind::null:
            return nullptr;
        case Operand::Kind::literal:
            return std::string_view{operand.text};
        case Operand::Kind::built_in:
            return built_in_value(operand.text, event.headers);
        case Operand::Kind::parameter:
            break;
    }
    const Datum& value = event.let[operand.parameter];
    const auto* number = std::get_if<std::int64_t>(&value);
    if (!operand.is_negative || number == nullptr) return value;
    if (*number == std::numeric_limits<std::int64_t>::min()) {
        return Failure{make_error_code(errc::out_of_range)};
    }
    return -*number;
}

}  // namespace sluice::effects
