#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "common/webhook/body/json_tokens.hpp"

namespace simdjson::internal {
class dom_parser_implementation;  // NOLINT(readability-identifier-naming): their name
}

namespace sluice::webhook {

/// Finds the tokens of a document and checks that it is one: valid UTF-8, the grammar of RFC 8259, at most
/// `most_nested` containers inside each other, no byte order mark. Its memory is reused from document to
/// document and grows to 8 bytes for each byte of the longest one, of which only as many are touched as it
/// has tokens. simdjson's first stage finds the tokens and checks UTF-8, quotes and control characters
/// (decision 122); all else is `is_document`. Not thread-safe.
class JsonIndex {
public:
    JsonIndex();
    ~JsonIndex();
    JsonIndex(const JsonIndex&) = delete;
    JsonIndex& operator=(const JsonIndex&) = delete;

    /// `text` is followed by `padding` readable bytes and outlives what is asked of it. False: no such
    /// document, and `tokens` means nothing.
    [[nodiscard]] bool read(std::string_view text);
    /// Of the last document; until the next `read`.
    [[nodiscard]] const JsonTokens& tokens() const noexcept { return tokens_; }

    /// Writes what the string stands for that begins behind a quote at `written`, in a document that was
    /// read. `target` has as much room as the string takes, and `padding` more. Returns how much it is;
    /// `no_text` for a string with an escaped half of a surrogate pair.
    [[nodiscard]] std::size_t unescape(const char* written, char* target) const;

    static constexpr std::size_t no_text = static_cast<std::size_t>(-1);
    static constexpr std::size_t padding = 64;

private:
    void make_room(std::size_t bytes);

    std::unique_ptr<simdjson::internal::dom_parser_implementation> stage_;
    std::unique_ptr<std::uint32_t[]> ends_;
    std::size_t room_ = 0;
    JsonTokens tokens_;
};

}  // namespace sluice::webhook
