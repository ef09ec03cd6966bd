#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/recipe/extraction.hpp"

namespace sluice::webhook {

/// Events of one delivery, at most.
inline constexpr std::size_t most_items = 1000;

/// The bytes of each item of the delivery in `whole`, as written. Views into what `whole` has read.
/// errc::missing_pointer and errc::wrong_type where there is no such list or an element is not such an
/// object, errc::duplicate_key, errc::out_of_range for more than most_items. `element` is overwritten.
[[nodiscard]] Result<std::vector<std::string_view>> items_in(const ItemsRule& rule, const JsonView& whole,
                                                             JsonView& element);

/// One event of a delivery with several, or why this one cannot be read.
struct Item {
    std::string_view value;  ///< its own bytes, which its record holds
    Readable<Extracted> event;
    std::uint32_t number = 0;              ///< in its delivery, from 0
    crypto::Digest original{};             ///< SHA-256 of that delivery
    std::optional<bool> known_livemode{};  ///< where the delivery states it for the whole
};

/// Every item of an authentic delivery, in order; its headers name its place in it. Fails as `items_in`, and
/// with errc::unreadable_body, also where there is no item: then nothing of it can be read, and success
/// requires something that is kept. With `body_is_padded` (JsonView::read_padded) the values are views into
/// the body, otherwise into what `whole` has read. `whole` and `element` are overwritten.
[[nodiscard]] Readable<std::vector<Item>> extract_items(const Source& source, const Request& request,
                                                        JsonView& whole, JsonView& element,
                                                        bool body_is_padded = false);

}  // namespace sluice::webhook
