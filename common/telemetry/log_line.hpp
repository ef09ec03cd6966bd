#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"

namespace sluice {

/// One line of the log with its line end: valid JSON for any field values. A number that JSON
/// cannot express (NaN, infinity) is null; a field without a key is left out.
[[nodiscard]] std::string log_line(WallTime now, LogLevel level, std::string_view program,
                                   std::string_view decision, std::initializer_list<LogField> fields);
/// The same, overwriting `line`, whose memory is reused.
void write_log_line(std::string& line, WallTime now, LogLevel level, std::string_view program,
                    std::string_view decision, std::initializer_list<LogField> fields);

}  // namespace sluice
