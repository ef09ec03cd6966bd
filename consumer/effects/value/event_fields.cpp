#include "consumer/effects/value/event_fields.hpp"

#include <array>
#include <utility>

namespace sluice::effects {
namespace {

using store::Datum;

Datum text_or_null(const std::string& text) {
    if (text.empty()) return nullptr;
    return std::string_view{text};
}

using BuiltIn = std::pair<std::string_view, Datum (*)(const record::EventHeaders&)>;

constexpr std::array<BuiltIn, 9> built_ins{{
    {"event_id", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.event_id}; }},
    {"event_type", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.type}; }},
    {"object", [](const record::EventHeaders& h) -> Datum { return text_or_null(h.object); }},
    {"source", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.source}; }},
    {"provider", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.provider}; }},
    {"principal", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.principal}; }},
    {"livemode", [](const record::EventHeaders& h) -> Datum { return std::int64_t{h.livemode ? 1 : 0}; }},
    {"received_at", [](const record::EventHeaders& h) -> Datum { return h.received_at; }},
    {"occurred_at",
     [](const record::EventHeaders& h) -> Datum {
         return h.occurred_at ? Datum{*h.occurred_at} : Datum{nullptr};
     }},
}};

const BuiltIn* built_in(std::string_view name) noexcept {
    for (const auto& one : built_ins) {
        if (one.first == name) return &one;
    }
    return nullptr;
}

}  // namespace

bool is_built_in(std::string_view name) noexcept {
    return built_in(name) != nullptr;
}

std::vector<std::string> built_in_names() {
    std::vector<std::string> names;
    for (const auto& one : built_ins) names.emplace_back(one.first);
    return names;
}

Datum built_in_value(std::string_view name, const record::EventHeaders& headers) {
    return built_in(name)->second(headers);
}

ParameterType type_of_built_in(std::string_view name) noexcept {
    if (name == "livemode") return ParameterType::boolean;
    return name == "received_at" || name == "occurred_at" ? ParameterType::time : ParameterType::text;
}

bool built_in_may_be_null(std::string_view name) noexcept {
    return name == "object" || name == "occurred_at";
}

}  // namespace sluice::effects
