#include "consumer/effects/set_based/operand.hpp"

#include <limits>

#include "common/error.hpp"
#include "consumer/effects/effect/when.hpp"

namespace sluice::effects {
namespace {

using store::Datum;

/// ":name" as an operand; what is wrong with it, in `problem`.
Operand named(const std::string& name, bool is_negative, NameScope& names, const config::Value& value) {
    Operand operand{
        .kind = Operand::Kind::built_in, .text = name, .parameter = 0, .is_negative = is_negative};
    if (!is_built_in(name)) {
        const auto found = find_parameter(names.let, name, names.when);
        if (!found) {
            value.problem(unknown_parameter(name));
            return {};
        }
        operand.kind = Operand::Kind::parameter;
        operand.parameter = *found;
        operand.text.clear();
        if (*found < names.used.size()) names.used[*found] = true;
    }
    if (is_negative && type_of(operand, names.let) != ParameterType::int64) {
        value.problem("-:" + name + " is not a number: set as: int64");
    }
    return operand;
}

}  // namespace

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
    return {.kind = Operand::Kind::literal, .text = std::move(text), .parameter = 0, .is_negative = false};
}

std::optional<ParameterType> type_of(const Operand& operand, const std::vector<Parameter>& let) {
    if (operand.kind == Operand::Kind::parameter) return let.at(operand.parameter).type;
    if (operand.kind != Operand::Kind::built_in) return std::nullopt;
    if (operand.text == "livemode") return ParameterType::boolean;
    if (operand.text == "received_at" || operand.text == "occurred_at") return ParameterType::time;
    return ParameterType::text;
}

bool may_be_null(const Operand& operand, const std::vector<Parameter>& let) {
    if (operand.kind == Operand::Kind::parameter) return let.at(operand.parameter).optional;
    if (operand.kind == Operand::Kind::built_in) {
        return operand.text == "object" || operand.text == "occurred_at";
    }
    return operand.kind == Operand::Kind::null;
}

Result<Datum> value_of(const Operand& operand, std::span<const Datum> values,
                       const record::EventHeaders& headers) {
    switch (operand.kind) {
        case Operand::Kind::null:
            return nullptr;
        case Operand::Kind::literal:
            return std::string_view{operand.text};
        case Operand::Kind::built_in:
            return built_in_value(operand.text, headers);
        case Operand::Kind::parameter:
            break;
    }
    const Datum& value = values[operand.parameter];
    const auto* number = std::get_if<std::int64_t>(&value);
    if (!operand.is_negative || number == nullptr) return value;
    if (*number == std::numeric_limits<std::int64_t>::min()) {
        return Failure{make_error_code(errc::out_of_range)};
    }
    return -*number;
}

}  // namespace sluice::effects
