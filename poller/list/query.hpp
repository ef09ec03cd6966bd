#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "common/clock.hpp"

namespace sluice::poller {

/// The target of a request: a path, and parameters in the order given. Names and values are encoded, so that
/// an id cannot be read as another parameter.
class Query {
public:
    explicit Query(std::string_view path) : target_{path} {}
    Query& add(std::string_view name, std::string_view value);
    Query& add(std::string_view name, std::int64_t value);
    [[nodiscard]] std::string target() && { return std::move(target_); }

private:
    std::string target_;
    char before_ = '?';
};

/// RFC 3339 in milliseconds, rounded up. Of a list whose times are milliseconds both bounds of a window keep
/// their meaning so.
[[nodiscard]] std::string milliseconds_text(WallTime time);

}  // namespace sluice::poller
