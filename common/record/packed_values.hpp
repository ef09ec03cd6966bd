#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "common/record/wire_fields.hpp"

/// What fields of a packed header hold; nullopt where it is malformed or cannot be.
namespace sluice::record {

/// A header of the request. Views of the message.
struct HttpView {
    std::string_view name{};
    std::string_view value{};
};

[[nodiscard]] std::optional<HttpView> packed_http(std::string_view message);

/// A google.protobuf.Timestamp in the years 0 to 9999. What is finer than a microsecond is cut off, as in a
/// text.
[[nodiscard]] std::optional<WallTime> packed_time(std::string_view message);

/// In days since 1970, in the years 0 to 9999.
[[nodiscard]] std::optional<std::chrono::sys_days> packed_day(std::uint64_t days);

[[nodiscard]] std::optional<crypto::Digest> packed_digest(std::string_view bytes);

}  // namespace sluice::record
