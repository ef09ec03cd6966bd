#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/webhook/body/json_scan.hpp"
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
    simdjson::dom::element element{};  ///< where it leads to a value
    JsonExtent extent{};               ///< the same, where extents were asked for
};

/// Where the pointers of one tree lead in one document: found by one walk over the document, which goes
/// nowhere that no pointer goes. Not thread-safe.
class JsonPlaces {
public:
    void forget() noexcept { serial_ = 0; }
    /// Whether `find` has been called with this tree since `forget`.
    [[nodiscard]] bool are_of(const PointerTree& tree, bool with_extents) const noexcept {
        return serial_ == tree.serial() && (has_extents_ || !with_extents);
    }
    /// `root` is `json`, parsed.
    void find(const PointerTree& tree, simdjson::dom::element root, const JsonStructure& json,
              bool with_extents);
    [[nodiscard]] const JsonPlace& operator[](PointerTree::Number node) const { return places_[node]; }

private:
    std::uint64_t serial_ = 0;  // of the tree
    bool has_extents_ = false;
    std::vector<JsonPlace> places_;  // by node
};

}  // namespace sluice::webhook
