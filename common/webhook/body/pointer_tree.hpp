#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/webhook/body/json_tokens.hpp"

namespace sluice::webhook {

/// The tokens of some pointers, each common beginning once. Complete before anybody else sees it.
class PointerTree {
public:
    using Number = std::uint32_t;
    static constexpr Number root = 0;
    static constexpr Number none = root;  ///< of children: the root is nobody's

    struct Node {
        std::string key{};
        std::size_t index = not_an_index;  ///< what the key means in an array
        Number first_child = none;
        Number next_sibling = none;
        std::uint64_t marks = 0;   ///< of the children's keys, a bit for each
        std::size_t elements = 0;  ///< of an array, so many are looked at
    };

    /// `is_joined`: of several pointers, that will be asked for together.
    explicit PointerTree(bool is_joined);
    PointerTree(const PointerTree&) = delete;
    PointerTree& operator=(const PointerTree&) = delete;

    /// The node that these lead to: one that no document has, where they are more than `most_nested`.
    Number add(std::span<const std::string> tokens);

    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
    [[nodiscard]] const Node& operator[](Number number) const { return nodes_[number]; }
    [[nodiscard]] bool is_joined() const noexcept { return is_joined_; }
    /// Tells it from every other tree there was, also at the same address. Never 0.
    [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }

    /// The child that stands for this member of an object, by its unescaped key, or `none`.
    [[nodiscard]] Number member(const Node& node, std::string_view key) const {
        if (((node.marks >> mark_of(key)) & 1) == 0) return none;
        Number child = node.first_child;
        while (child != none && nodes_[child].key != key) child = nodes_[child].next_sibling;
        return child;
    }
    /// The one for this element of an array, from 0.
    [[nodiscard]] Number element(const Node& node, std::size_t index) const {
        Number child = node.first_child;
        while (child != none && nodes_[child].index != index) child = nodes_[child].next_sibling;
        return child;
    }

private:
    static constexpr std::size_t not_an_index = static_cast<std::size_t>(-1);

    /// Most keys of an object can be told from those that are looked for by it, without a comparison.
    [[nodiscard]] static constexpr unsigned mark_of(std::string_view key) {
        if (key.empty()) return 0;
        const auto first = static_cast<unsigned char>(key.front());
        const auto last = static_cast<unsigned char>(key.back());
        return (static_cast<unsigned>(key.size()) + 5U * first + 3U * last) % 64;
    }

    Number add_child(Number parent, const std::string& key);

    std::vector<Node> nodes_;
    bool is_joined_;
    std::uint64_t serial_;
};

}  // namespace sluice::webhook
