#include "common/record/separated.hpp"

#include <algorithm>

#include "common/record/header_names.hpp"

namespace sluice::record {

std::vector<std::pair<std::string, std::string>> separated(std::span<const HeaderView> headers) {
    const bool is_packed = std::ranges::contains(headers, header::packed, &HeaderView::name);
    const auto event = is_packed ? decode(headers) : Failure{std::error_code{}};
    std::vector<std::pair<std::string, std::string>> pairs;
    EncodedHeaders memory;
    if (event) {
        for (const auto& [name, value] : memory.encode(*event)) pairs.emplace_back(name, value);
    }
    for (const auto& [name, value] : headers) {
        if (!event || !describes_event(name)) pairs.emplace_back(name, value);
    }
    return pairs;
}

}  // namespace sluice::record
