#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "command/http/commands.hpp"
#include "command/http/reply.hpp"
#include "command/http/target.hpp"
#include "common/webhook/gate/head.hpp"

namespace sluice::command {

/// What a head asks for, before any byte of the body is read: path, method, length and type. Pure.
[[nodiscard]] std::expected<Target, Reply> admit(const gate::Head& head, std::size_t max_body);

/// The value of the one field Idempotency-Key, as it was sent; empty where there is none, or several.
[[nodiscard]] std::string_view key_field_of(const gate::Head& head) noexcept;

/// The key of an authentic request: what the path names, what the header says, or what the command makes of
/// the body. Pure but for `commands`.
[[nodiscard]] std::expected<Key, Reply> key_asked_for(const Target& target, std::string_view caller,
                                                      const gate::Head& head, std::string_view body,
                                                      const Commands& commands);

}  // namespace sluice::command
