#include "consumer/command/execute/rebuilt_request.hpp"

#include <algorithm>

#include "common/crypto/encoding.hpp"

namespace sluice::consumer {
namespace {

/// The parameter that says which object an event is about, first of all that may; empty without one.
std::string_view object_parameter(const webhook::Program& program) {
    const auto& order_by = program.extraction.order_by;
    if (order_by.empty() || order_by.front().value.size() != 1) return {};
    const webhook::Fact& fact = order_by.front().value.front();
    return fact.from == webhook::Fact::From::query ? std::string_view{fact.name} : std::string_view{};
}

std::string percent_encoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) encoded.append("%").append(crypto::to_hex(std::string_view{&c, 1}));
    return encoded;
}

std::string target_of(const webhook::Program& program, const record::EventHeaders& event) {
    const std::string_view parameter = object_parameter(program);
    if (parameter.empty() || event.object.empty()) return "/";
    return "/?" + std::string{parameter} + "=" + percent_encoded(event.object);
}

}  // namespace

RebuiltRequest::RebuiltRequest(const webhook::Program& program, const record::EventHeaders& event)
    : target_{target_of(program, event)} {
    for (const auto& [name, value] : event.http) headers_.push_back({name, value});
}

bool has_signed_query(const webhook::Program& program) noexcept {
    return std::ranges::contains(program.inputs, webhook::Input::From::query, &webhook::Input::from);
}

}  // namespace sluice::consumer
