#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/extraction.hpp"
#include "common/webhook/recipe/fact.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::webhook {

/// Why an authentic request could not be read as an event.
struct Unread {
    static constexpr std::size_t longest_why = 200;

    /// errc::missing_pointer, errc::duplicate_key, errc::out_of_range; anything else is errc::unreadable_body
    /// to callers that have a word for each.
    std::error_code code;
    /// For people: the recipe's key, the place and what is wrong there, as in "id: /data/id is missing".
    /// Never a value of the request. Printable ASCII, at most `longest_why` bytes.
    std::string why;
};

/// What was read of an authentic request, or why nothing could be.
template <class T>
using Readable = std::expected<T, Unread>;
using NotReadable = std::unexpected<Unread>;

/// "key: place wrong", within its bounds.
[[nodiscard]] NotReadable unread(std::error_code code, std::string_view key, std::string_view place,
                                 std::string_view wrong);

/// Each asks once more what has failed with `code`: it costs nothing as long as nothing fails. `reader` has
/// just failed at `facts`.
[[nodiscard]] NotReadable unread_text(std::error_code code, std::string_view key, const Facts& facts,
                                      const FactReader& reader, const JsonView& view);
[[nodiscard]] NotReadable unread_time(std::error_code code, std::string_view key,
                                      const std::vector<TimeField>& fields, FactReader& reader,
                                      const JsonView& view);
[[nodiscard]] NotReadable unread_livemode(std::error_code code, const Extraction& rules,
                                          const JsonView& view);
[[nodiscard]] NotReadable unread_digest(std::error_code code, const Extraction& rules, const JsonView& view);
[[nodiscard]] NotReadable unread_items(std::error_code code, const ItemsRule& rule);
/// A body that `decode` refused; `view` is overwritten.
[[nodiscard]] NotReadable unread_body(std::error_code code, const Source& source, std::string_view body,
                                      JsonView& view);

}  // namespace sluice::webhook
