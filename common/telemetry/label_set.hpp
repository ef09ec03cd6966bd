#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace sluice {

/// Values that a label may take. The first `limit` values seen are kept (event types of a provider
/// are few and mostly known), everything later is "other": the number of series is bounded for any
/// input. Only authentic input may be offered. Thread-safe.
class LabelSet {
public:
    explicit LabelSet(std::size_t limit) : limit_{limit} {}

    /// `value` itself, or "other". Values that are not [A-Za-z0-9._-]{1,64} are always "other".
    [[nodiscard]] std::string_view admit(std::string_view value);

private:
    std::size_t limit_;
    std::mutex mutex_;
    std::set<std::string, std::less<>> values_;
};

}  // namespace sluice
