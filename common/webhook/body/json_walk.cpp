#include "common/webhook/body/json_walk.hpp"

namespace sluice::webhook {

namespace {

namespace dom = simdjson::dom;
using Number = PointerTree::Number;
using Leads = JsonPlace::Leads;

/// Where nobody asks for extents.
struct NoCursor {
    [[nodiscard]] static const std::uint32_t* at() { return nullptr; }
    void step(std::size_t = 1) {}
    void skip_value() {}
    void skip_values(std::size_t) {}
};

/// Goes through the parsed values, which know their keys and where they end, and through the text's places
/// (Cursor) in step.
template <class Cursor>
class Walk {
public:
    Walk(const PointerTree& tree, std::span<JsonPlace> places) : tree_(tree), places_(places) {}

    /// The value of a node, which begins where the cursor is. Returns the cursor after it.
    Cursor note(Number number, dom::element value, Cursor cursor) const {
        const PointerTree::Node& node = tree_[number];
        const auto* const begin = cursor.at();
        if (node.first_child == PointerTree::none)
            cursor.skip_value();
        else
            cursor = enter(node, value, cursor);
        places_[number] = {Leads::to_value, value, {begin, cursor.at()}};
        return cursor;
    }

private:
    // Out of line, so that what has no children is noted without a call.
    [[gnu::noinline]] Cursor enter(const PointerTree::Node& node, dom::element value, Cursor cursor) const {
        cursor.step();  // the opening bracket, or all of a scalar
        if (value.is_object()) return take_members(node, value.get_object().value_unsafe(), cursor);
        if (value.is_array()) return take_elements(node, value.get_array().value_unsafe(), cursor);
        return cursor;
    }

    Cursor take_members(const PointerTree::Node& node, dom::object object, Cursor cursor) const {
        const auto end = object.end();
        auto member = object.begin();
        if (!(member != end)) cursor.skip_values(JsonCursor::key_and_colon);
        for (; member != end; ++member) {
            cursor.step(JsonCursor::key_and_colon);
            cursor = take(tree_.member(node, member.key()), member.value(), cursor);
            cursor.step();  // a comma, or the bracket
        }
        return cursor;
    }

    Cursor take_elements(const PointerTree::Node& node, dom::array array, Cursor cursor) const {
        const auto end = array.end();
        auto element = array.begin();
        std::size_t index = 0;
        for (; index < node.elements && element != end; ++index, ++element) {
            cursor = take(tree_.element(node, index), *element, cursor);
            cursor.step();
        }
        if (index == 0 || element != end) cursor.skip_values(0);
        return cursor;
    }

    Cursor take(Number child, dom::element value, Cursor cursor) const {
        if (child != PointerTree::none && places_[child].leads == Leads::nowhere)
            return note(child, value, cursor);
        if (child != PointerTree::none) forbid(child);
        cursor.skip_value();
        return cursor;
    }

    /// Parsers disagree on which of two is meant, and so on everything in it.
    void forbid(Number number) const {
        places_[number].leads = Leads::two_ways;
        for (Number child = tree_[number].first_child; child != PointerTree::none;
             child = tree_[child].next_sibling)
            forbid(child);
    }

    const PointerTree& tree_;
    const std::span<JsonPlace> places_;
};

}  // namespace

void JsonPlaces::find(const PointerTree& tree, dom::element root, const JsonStructure& json,
                      bool with_extents) {
    serial_ = tree.serial();
    has_extents_ = with_extents;
    places_.assign(tree.size(), {});
    if (with_extents)
        Walk<JsonCursor>{tree, places_}.note(PointerTree::root, root, {json.text.data(), json.places.data()});
    else
        Walk<NoCursor>{tree, places_}.note(PointerTree::root, root, {});
}

}  // namespace sluice::webhook
