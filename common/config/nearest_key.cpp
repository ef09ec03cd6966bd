#include "common/config/nearest_key.hpp"

#include <algorithm>
#include <vector>

#include "common/joined.hpp"

namespace sluice::config {
namespace {

/// Edits between two words; swapping two neighbours counts as one.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) edits[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) edits[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
            auto least = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + other});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                least = std::min(least, edits[i - 2][j - 2] + 1);
            }
            edits[i][j] = least;
        }
    }
    return edits[a.size()][b.size()];
}

}  // namespace

std::string_view nearest_key(std::string_view written, std::span<const std::string> known,
                             std::size_t most_slips) {
    constexpr std::size_t longest_key = 64;
    if (written.size() > longest_key) return {};
    std::string_view nearest;
    auto least = std::min(most_slips, std::max<std::size_t>(1, written.size() / 3)) + 1;
    for (const auto& key : known) {
        const auto edits = distance(written, key);
        if (edits < least) {
            least = edits;
            nearest = key;
        }
    }
    return nearest;
}

std::string hint(std::string_view written, std::span<const std::string> known, std::string_view what) {
    if (const auto nearest = nearest_key(written, known); !nearest.empty()) {
        return "did you mean \"" + std::string{nearest} + "\"?";
    }
    if (known.empty()) return "no keys are allowed here";
    return std::string{what} + joined(known, ", ");
}

}  // namespace sluice::config
