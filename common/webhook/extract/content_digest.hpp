#pragma once

#include <span>
#include <string_view>

#include "common/crypto/digest.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/extraction.hpp"

namespace sluice::webhook {

/// SHA-256 over the first alternative that is wholly present: for each part its pointer and its
/// value without the whitespace outside strings, each preceded by its length. With no alternative
/// present, over "id" and the id. Two deliveries of one event give the same digest; two events
/// that differ in a part do not. errc::duplicate_key when a part is ambiguous.
[[nodiscard]] Result<crypto::Digest> content_digest(std::span<const DigestParts> alternatives,
                                                    std::string_view event_id, const JsonView& view);

/// SHA-256 over the fields of a form, by the bytes of their names: each name and value as it is decoded,
/// each preceded by its length. errc::unreadable_body for a body that is not a form.
[[nodiscard]] Result<crypto::Digest> fields_digest(const FieldsDigest& rule, std::string_view body);

}  // namespace sluice::webhook
