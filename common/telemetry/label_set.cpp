#include "common/telemetry/label_set.hpp"

#include <algorithm>

namespace sluice {
namespace {

constexpr std::string_view other = "other";
constexpr std::size_t longest = 64;

bool is_plain(std::string_view value) noexcept {
    return !value.empty() && value.size() <= longest && std::ranges::all_of(value, [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '_' || c == '-';
    });
}

}  // namespace

std::string_view LabelSet::admit(std::string_view value) {
    if (!is_plain(value)) return other;
    const std::lock_guard lock{mutex_};
    if (const auto known = values_.find(value); known != values_.end()) return *known;
    if (values_.size() >= limit_) return other;
    return *values_.emplace(value).first;
}

}  // namespace sluice
