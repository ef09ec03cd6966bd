#pragma once

#include <cstdint>

namespace sluice::command {

/// What a process does: takes requests, books what Kafka has of hot accounts, or both.
enum class Role : std::uint8_t { serve, book, both };

}  // namespace sluice::command
