#include "ingress/verify/content_digest.hpp"

#include "common/error.hpp"

namespace sluice::verify {

namespace {

/// Whether there is a value, and not null, at every part; errors other than absence are errors.
Result<bool> is_wholly_present(const DigestParts& parts, const JsonView& view) {
    for (const Pointer& part : parts) {
        const auto type = view.type(part);
        if (!type && type.error() != errc::missing_pointer) return Failure{type.error()};
        if (!type || *type == JsonType::null) return false;
    }
    return !parts.empty();
}

Result<const DigestParts*> chosen(std::span<const DigestParts> alternatives, const JsonView& view) {
    for (const DigestParts& parts : alternatives) {
        const auto present = is_wholly_present(parts, view);
        if (!present) return Failure{present.error()};
        if (*present) return &parts;
    }
    return nullptr;
}

}  // namespace

Result<crypto::Digest> content_digest(std::span<const DigestParts> alternatives, std::string_view event_id,
                                      const JsonView& view) {
    thread_local crypto::PartsDigest digest;  // its context costs more to make than to use
    const auto parts = chosen(alternatives, view);
    if (!parts) return Failure{parts.error()};
    digest.begin();
    if (*parts == nullptr) {
        digest.part("id");
        digest.part(event_id);
        return digest.finish();
    }
    for (const Pointer& part : **parts) {
        const auto value = view.minified_view(part);
        if (!value) return Failure{value.error()};
        digest.part(part.text());
        digest.part(*value);
    }
    return digest.finish();
}

}  // namespace sluice::verify
