#include "ingress/path/date_line.hpp"

#include <format>

namespace sluice::ingress {

std::string_view DateLine::at(WallTime now) {
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    if (second != second_ || line_.empty()) {
        second_ = second;
        line_ = std::format("Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", second);
    }
    return line_;
}

}  // namespace sluice::ingress
