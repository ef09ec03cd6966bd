#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.hpp"

namespace sluice::webhook {

class PointerTree;

/// An RFC 6901 pointer, checked and split once, at load.
class Pointer {
public:
    /// errc::wrong_type for text that is not a pointer.
    [[nodiscard]] static Result<Pointer> parse(std::string_view text);
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] const std::vector<std::string>& tokens() const noexcept { return tokens_; }

    /// The pointers that a document answers together with this one, and where in it this one ends.
    [[nodiscard]] const PointerTree& tree() const noexcept { return *tree_; }
    [[nodiscard]] std::uint32_t node() const noexcept { return node_; }

private:
    friend void ask_together(std::span<Pointer* const> pointers);

    std::string text_;
    std::vector<std::string> tokens_;
    std::shared_ptr<const PointerTree> tree_ = whole_document();
    std::uint32_t node_ = 0;

    [[nodiscard]] static const std::shared_ptr<const PointerTree>& whole_document();
};

/// For pointers that are asked of one document after another, at load: the first question for one of them
/// answers all, and where each value stands, in one walk. Every answer stays what it was.
void ask_together(std::span<Pointer* const> pointers);

}  // namespace sluice::webhook
