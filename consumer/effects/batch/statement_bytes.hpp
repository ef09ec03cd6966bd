#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <variant>

#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// Of values in one statement, which has to fit into max_allowed_packet: 16 MB on MariaDB.
inline constexpr std::size_t most_statement_bytes = 4U << 20U;

/// Of one statement: the protocol counts them in two bytes.
inline constexpr std::size_t most_parameters = 65'535;

[[nodiscard]] inline std::size_t bytes_of(std::span<const store::Datum> values) {
    std::size_t bytes = 0;
    for (const auto& value : values) {
        if (const auto* text = std::get_if<std::string_view>(&value)) bytes += text->size();
        if (const auto* binary = std::get_if<store::Bytes>(&value)) bytes += binary->bytes.size();
    }
    return bytes;
}

}  // namespace sluice::effects
