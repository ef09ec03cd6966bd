#include "ingress/connection/date_line.hpp"

#include <format>

namespace sluice::connection {

std::string_view DateLine::at(WallTime now) {
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    if (second != second_ || line_.empty()) {
        second_ = second;
        line_ = std::format("Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", second);
    }
    return line_;
}

}  // namespace sluice::connection
