#include "common/webhook/body/json_walk.hpp"

#include <span>

namespace sluice::webhook {

namespace {

using Number = PointerTree::Number;
using Leads = JsonPlace::Leads;

class Walk {
public:
    Walk(const PointerTree& tree, const JsonIndex& json, std::span<JsonPlace> places, std::string& key)
        : tree_(tree), index_(json), json_(json.tokens()), places_(places), key_(key) {}

    /// The value of a node.
    void note(Number number, JsonExtent value) const {
        places_[number] = {Leads::to_value, value};
        const PointerTree::Node& node = tree_[number];
        if (node.first_child == PointerTree::none) return;
        const char first = json_.first_of(value.first);
        if (first == '{') take_members(node, value);
        if (first == '[') take_elements(node, value);
    }

private:
    void take_members(const PointerTree::Node& node, JsonExtent object) const {
        constexpr TokenNumber key_and_colon = 2;
        for (TokenNumber key = object.first + 1; key + 1 < object.after;) {
            const JsonExtent value = value_at(key + key_and_colon);
            take(child(node, key), value);
            key = value.after + 1;
        }
    }

    void take_elements(const PointerTree::Node& node, JsonExtent array) const {
        TokenNumber at = array.first + 1;
        for (std::size_t index = 0; index < node.elements && at + 1 < array.after; ++index) {
            const JsonExtent value = value_at(at);
            take(tree_.element(node, index), value);
            at = value.after + 1;
        }
    }

    [[nodiscard]] JsonExtent value_at(TokenNumber first) const { return {first, json_.after(first)}; }

    void take(Number child, JsonExtent value) const {
        if (child == PointerTree::none) return;
        if (places_[child].leads == Leads::nowhere) return note(child, value);
        forbid(child);
    }

    /// Parsers disagree on which of two is meant, and so on everything in it.
    void forbid(Number number) const {
        places_[number].leads = Leads::two_ways;
        for (Number child = tree_[number].first_child; child != PointerTree::none;
             child = tree_[child].next_sibling)
            forbid(child);
    }

    /// Of the member whose key this is.
    [[nodiscard]] Number child(const PointerTree::Node& node, TokenNumber key) const {
        const std::string_view text = json_.in_quotes(key);
        return json_.is_escaped(text) ? child_unescaped(node, text) : tree_.member(node, text);
    }

    /// No pointer's text is what a half of a pair stands for.
    [[nodiscard]] Number child_unescaped(const PointerTree::Node& node, std::string_view key) const {
        key_.resize(key.size() + JsonIndex::padding);
        const std::size_t size = index_.unescape(key.data(), key_.data());
        if (size == JsonIndex::no_text) return PointerTree::none;
        return tree_.member(node, std::string_view{key_}.substr(0, size));
    }

    const PointerTree& tree_;
    const JsonIndex& index_;
    const JsonTokens& json_;
    const std::span<JsonPlace> places_;
    std::string& key_;
};

}  // namespace

void JsonPlaces::find(const PointerTree& tree, const JsonIndex& json) {
    forget();
    places_.assign(tree.size(), {});
    const auto count = static_cast<TokenNumber>(json.tokens().places.size());
    Walk{tree, json, places_, key_}.note(PointerTree::root, {0, count});
    serial_ = tree.serial();
}

}  // namespace sluice::webhook
