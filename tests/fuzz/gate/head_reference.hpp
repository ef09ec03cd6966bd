#pragma once

#include <expected>
#include <string_view>

#include "common/webhook/gate/head.hpp"

namespace sluice::fuzz {

/// A head as the gate read it by itself before Beast did: line by line, byte by byte. What gate::read_head
/// takes, this takes too, with the same reading; what it refuses, this refuses by the same name.
[[nodiscard]] std::expected<void, gate::Refusal> read_head_by_hand(std::string_view bytes, gate::Head& head);

/// The same of gate::find_head_end, for bytes that came at once.
[[nodiscard]] std::expected<std::size_t, gate::Refusal> find_end_by_hand(std::string_view bytes);

/// Whether two heads are one reading.
[[nodiscard]] bool is_same_reading(const gate::Head& a, const gate::Head& b);

}  // namespace sluice::fuzz
