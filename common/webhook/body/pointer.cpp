#include "common/webhook/body/pointer.hpp"

#include <optional>
#include <utility>

#include "common/error.hpp"
#include "common/webhook/body/pointer_tree.hpp"

namespace sluice::webhook {

namespace {

/// One reference token with ~1 and ~0 replaced; nothing for any other use of ~.
std::optional<std::string> unescaped(std::string_view token) {
    std::string text;
    text.reserve(token.size());
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '~') {
            text += token[i];
            continue;
        }
        const char code = ++i < token.size() ? token[i] : '\0';
        if (code != '0' && code != '1') return std::nullopt;
        text += code == '0' ? '~' : '/';
    }
    return text;
}

}  // namespace

Result<Pointer> Pointer::parse(std::string_view text) {
    Pointer pointer;
    pointer.text_ = text;
    if (text.empty()) return pointer;
    if (text.front() != '/') return Failure{errc::wrong_type};
    for (std::size_t at = 0; at != std::string_view::npos;) {
        const std::size_t next = text.find('/', at + 1);
        const std::size_t length = next == std::string_view::npos ? next : next - at - 1;
        auto token = unescaped(text.substr(at + 1, length));
        if (!token) return Failure{errc::wrong_type};
        pointer.tokens_.push_back(std::move(*token));
        at = next;
    }
    auto tree = std::make_shared<PointerTree>(/*is_joined=*/false);
    pointer.node_ = tree->add(pointer.tokens_);
    pointer.tree_ = std::move(tree);
    return pointer;
}

const std::shared_ptr<const PointerTree>& Pointer::whole_document() {
    static const auto tree = std::make_shared<const PointerTree>(/*is_joined=*/false);
    return tree;
}

void ask_together(std::span<Pointer* const> pointers) {
    auto tree = std::make_shared<PointerTree>(/*is_joined=*/true);
    for (Pointer* const pointer : pointers) pointer->node_ = tree->add(pointer->tokens_);
    for (Pointer* const pointer : pointers) pointer->tree_ = tree;
}

}  // namespace sluice::webhook
