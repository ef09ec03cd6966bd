#include "common/webhook/extract/content_digest.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "common/webhook/body/form.hpp"

namespace sluice::webhook {

namespace {

/// Adds every part if each has a value that is not null; false when one is absent, and then some may have
/// been added. Errors other than absence are errors.
Result<bool> add_parts(crypto::PartsDigest& digest, const DigestParts& parts, const JsonView& view) {
    for (const Pointer& part : parts) {
        const auto type = view.type(part);
        if (!type && type.error() != errc::missing_pointer) return Failure{type.error()};
        if (!type || *type == JsonType::null) return false;
        const auto value = view.minified_view(part);
        if (!value) return Failure{value.error()};
        digest.part(part.text());
        digest.part(*value);
    }
    return !parts.empty();
}

}  // namespace

Result<crypto::Digest> content_digest(std::span<const DigestParts> alternatives, std::string_view event_id,
                                      const JsonView& view) {
    thread_local crypto::PartsDigest digest;  // its context costs more to create than to use
    for (const DigestParts& parts : alternatives) {
        digest.begin();
        const auto added = add_parts(digest, parts, view);
        if (!added) return Failure{added.error()};
        if (*added) return digest.finish();
    }
    digest.begin();
    digest.part("id");
    digest.part(event_id);
    return digest.finish();
}

Result<crypto::Digest> fields_digest(const FieldsDigest& rule, std::string_view body) {
    thread_local crypto::PartsDigest digest;
    thread_local Form form;
    if (!form.read(body)) return Failure{errc::unreadable_body};
    digest.begin();
    for (const Form::Field& field : form.sorted()) {
        if (std::ranges::contains(rule.all_but, field.name)) continue;
        if (rule.skip_blank && Form::is_blank(field.value)) continue;
        digest.part(field.name);
        digest.part(field.value);
    }
    return digest.finish();
}

}  // namespace sluice::webhook
