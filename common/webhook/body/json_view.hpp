#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.hpp"
#include "common/webhook/body/pointer.hpp"

namespace sluice::webhook {

enum class JsonType { null, boolean, integer, big_number, real, string, array, object };

/// The JSON view of a body that all pointers read: ordering, digests, effects. The whole document is checked
/// before the first answer (RFC 8259, valid UTF-8, at most 64 containers inside each other, nothing after the
/// value, no byte order mark); values are read where they are asked for. Numbers of any size and escaped
/// halves of surrogate pairs, which JSON allows, matter only there.
/// Reused over bodies; not thread-safe; views live until the next `read`. Before the first `read` and
/// after a failed one every question is errc::unreadable_body.
///
/// A key that occurs twice in an object on a pointer's path is errc::duplicate_key: parsers
/// disagree on which one counts, so nothing that moves money may depend on either.
class JsonView {
public:
    JsonView();
    ~JsonView();
    JsonView(JsonView&&) noexcept;

    /// errc::unreadable_body when it is not such a document. Copies the body (padding).
    [[nodiscard]] Result<void> read(std::string_view body);
    /// `body` is followed by at least 64 readable bytes: no copy; it outlives the views.
    [[nodiscard]] Result<void> read_padded(std::string_view body);

    /// errc::missing_pointer when there is no such value, errc::duplicate_key.
    [[nodiscard]] Result<JsonType> type(const Pointer& pointer) const;
    /// Unescaped text. errc::wrong_type for anything but a string, errc::unreadable_body for one with an
    /// escaped half of a surrogate pair: no text says what it stands for.
    [[nodiscard]] Result<std::string_view> string(const Pointer& pointer) const;
    /// errc::out_of_range for integers outside int64 and for any number with a fraction or an
    /// exponent (1e2 and 100.0 are refused: money is minor units); errc::wrong_type otherwise.
    [[nodiscard]] Result<std::int64_t> integer(const Pointer& pointer) const;
    [[nodiscard]] Result<bool> boolean(const Pointer& pointer) const;
    /// The value's own bytes in the document without the whitespace outside strings: escapes and
    /// numbers stay as they are written. errc as above.
    [[nodiscard]] Result<std::string> minified(const Pointer& pointer) const;
    /// The same without a copy, until the next `read` or `minified_view`.
    [[nodiscard]] Result<std::string_view> minified_view(const Pointer& pointer) const;

    /// The value's own bytes, as they are written.
    [[nodiscard]] Result<std::string_view> written(const Pointer& pointer) const;
    /// Those of each element of an array. errc::wrong_type for anything else.
    [[nodiscard]] Result<std::vector<std::string_view>> elements(const Pointer& pointer) const;

private:
    struct Document;
    std::unique_ptr<Document> document_;
};

}  // namespace sluice::webhook
