#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/record/event_record.hpp"
#include "common/result.hpp"

/// A record's headers as one run of bytes, exact, for tables that keep a record until it is done: names and
/// values of any bytes, repeated names, the order. Per header: the name's length in two bytes, the name, the
/// value's length in four, the value; lengths are big-endian. Fixed: rows outlive the program that wrote
/// them.
namespace sluice::record {

/// nullopt: a name beyond 64 KiB or a value beyond 4 GiB, which no broker takes.
[[nodiscard]] std::optional<std::string> header_bytes(std::span<const HeaderView> headers);

/// The views point into `bytes`. errc::undecodable when they are not headers: cut, or not written by us.
[[nodiscard]] Result<std::vector<HeaderView>> headers_from(std::string_view bytes);

}  // namespace sluice::record
