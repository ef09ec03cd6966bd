#include "common/webhook/body/pointer_tree.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>

namespace sluice::webhook {

namespace {

std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

/// RFC 6901: digits without a leading zero. "-" names the element after the last: never there.
bool is_index(std::string_view token, std::size_t& index) {
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, index);
    return error == std::errc{} && stop == end && (token.size() == 1 || token.front() != '0');
}

}  // namespace

PointerTree::PointerTree(bool is_joined) : nodes_(1), is_joined_(is_joined), serial_(next_serial()) {}

PointerTree::Number PointerTree::add(std::span<const std::string> tokens) {
    if (tokens.size() > most_nested) {
        nodes_.emplace_back();
        return static_cast<Number>(nodes_.size() - 1);
    }
    Number at = root;
    for (const std::string& token : tokens) {
        const Number child = member(nodes_[at], token);
        at = child != none ? child : add_child(at, token);
    }
    return at;
}

PointerTree::Number PointerTree::add_child(Number parent, const std::string& key) {
    const auto number = static_cast<Number>(nodes_.size());
    Node& child = nodes_.emplace_back(Node{.key = key});
    Node& above = nodes_[parent];
    if (std::size_t index = 0; is_index(key, index) && index < not_an_index) {
        child.index = index;
        above.elements = std::max(above.elements, index + 1);
    }
    child.next_sibling = above.first_child;
    above.first_child = number;
    above.marks |= std::uint64_t{1} << mark_of(key);
    return number;
}

}  // namespace sluice::webhook
