#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

/// A JSON document as nlohmann's parser reads it. Members stay in order, twins included.
struct Json {
    enum class Kind { null, boolean, integer, large, real, string, array, object };
    Kind kind = Kind::null;
    bool boolean = false;
    std::int64_t integer = 0;
    std::uint64_t large = 0;  ///< above int64
    double real = 0;
    std::string text{};
    std::vector<std::string> names{};  ///< of an object's values
    std::vector<Json> values{};        ///< of an object or an array

    bool operator==(const Json&) const = default;
};

/// Nothing where the contract of webhook::JsonView says unreadable: no JSON, invalid UTF-8, more than 64
/// containers inside each other, a byte order mark. What simdjson and this parser cannot hold is masked
/// (tests/fuzz/json/json_mask.hpp): it has its place and its type, and no value.
[[nodiscard]] std::optional<Json> read_json(std::string_view text);

}  // namespace sluice::fuzz
