#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/webhook/body/json_index.hpp"
#include "common/webhook/body/pointer_tree.hpp"

namespace sluice::webhook {

/// Where a pointer leads in one document.
struct JsonPlace {
    enum class Leads : std::uint8_t {
        nowhere,
        to_value,
        two_ways,  ///< a key on the way occurs twice in its object, however it is escaped
        unread,    ///< there is no such document
    };
    Leads leads = Leads::nowhere;
    JsonExtent value{};  ///< where it leads to a value
};

/// Where the pointers of one tree lead in one document: found by one walk over the document, which goes
/// nowhere that no pointer goes. Not thread-safe.
class JsonPlaces {
public:
    void forget() noexcept { serial_ = 0; }
    /// Whether `find` has been called with this tree since `forget`.
    [[nodiscard]] bool are_of(const PointerTree& tree) const noexcept { return serial_ == tree.serial(); }
    void find(const PointerTree& tree, const JsonIndex& json);
    [[nodiscard]] const JsonPlace& operator[](PointerTree::Number node) const { return places_[node]; }

private:
    std::uint64_t serial_ = 0;       // of the tree
    std::vector<JsonPlace> places_;  // by node
    std::string key_;                // one that is escaped
};

}  // namespace sluice::webhook
