#include "command/key/key_of.hpp"

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "consumer/store/command/command_key.hpp"

namespace sluice::command {
namespace {

using webhook::JsonType;

constexpr std::string_view of_key = "the key is made of ";
constexpr std::string_view of_limit = "the limit is counted by ";

/// What is wrong with it; nullopt: it is in the digest.
std::optional<std::string> add_field(std::string_view use, const webhook::Pointer& field,
                                     const webhook::JsonView& body, crypto::PartsDigest& digest) {
    const auto why_not = [&](const std::string& why) { return std::string{use} + field.text() + ": " + why; };
    const auto type = body.type(field);
    if (!type) return why_not(type.error().message());
    if (*type == JsonType::string) {
        const auto text = body.string(field);
        if (!text) return why_not(text.error().message());
        if (text->empty()) return why_not("the text is empty");
        digest.part("text");
        digest.part(*text);
        return std::nullopt;
    }
    const auto number = body.integer(field);
    if (*type != JsonType::integer || !number) return why_not("it must be a text or a whole number");
    digest.part("integer");
    digest.part(std::to_string(*number));
    return std::nullopt;
}

}  // namespace

std::expected<std::string, std::string> key_of(const Definition& definition, const webhook::JsonView& body) {
    crypto::PartsDigest digest;
    digest.begin();
    for (const webhook::Pointer& field : definition.key)
        if (auto why = add_field(of_key, field, body, digest)) return std::unexpected(std::move(*why));
    return crypto::to_hex(digest.finish());
}

std::expected<std::optional<metering::Metered>, std::string> account_of(const Definition& definition,
                                                                        std::string_view caller,
                                                                        const webhook::JsonView& body) {
    if (!definition.limit) return std::nullopt;
    crypto::PartsDigest digest;
    digest.begin();
    digest.part("account");
    digest.part(caller);
    digest.part(definition.name);
    for (const webhook::Pointer& field : definition.limit->by)
        if (auto why = add_field(of_limit, field, body, digest)) return std::unexpected(std::move(*why));
    return metering::Metered{digest.finish(), definition.limit->rate};
}

std::expected<crypto::Digest, std::string> fingerprint_of(const Definition& definition,
                                                          std::string_view bytes,
                                                          const webhook::JsonView& body) {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part(definition.name);
    if (definition.fingerprint.empty()) digest.part(bytes);
    for (const webhook::Pointer& field : definition.fingerprint) {
        const auto value = body.minified(field);
        if (!value && value.error() != errc::missing_pointer)
            return std::unexpected("the fingerprint has " + field.text() + ": " + value.error().message());
        digest.part(value ? "there" : "missing");
        digest.part(value.value_or(""));
    }
    return digest.finish();
}

crypto::Digest digest_of(const Key& key) {
    return store::command_digest(key.caller, key.command, key.key);
}

}  // namespace sluice::command
