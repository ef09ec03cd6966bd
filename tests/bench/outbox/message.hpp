#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::bench {

/// A message as the relay sends them: see tests/bench/outbox_rows.py, which writes the same into MySQL.
struct Message {
    std::string key;
    std::string body;
    /// As a record and a POST carry them, without the signature.
    std::array<std::pair<std::string_view, std::string>, 6> headers;
};

[[nodiscard]] Message message(std::uint64_t number, std::uint64_t keys);

}  // namespace sluice::bench
