#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "command/config/definition.hpp"
#include "command/request/request.hpp"
#include "common/crypto/digest.hpp"
#include "common/metering/meters.hpp"
#include "common/webhook/body/json_view.hpp"

/// What a command is known by, and what was asked. Pure.
namespace sluice::command {

/// The key that a body makes of the fields of `definition.key`, 64 hex digits: SHA-256 over the
/// length-prefixed values, each behind its type. Else the sentence that says which field is missing, empty,
/// or neither a text nor a whole number.
[[nodiscard]] std::expected<std::string, std::string> key_of(const Definition& definition,
                                                             const webhook::JsonView& body);

/// SHA-256 over the command's name and the body, or the JSON of the fields of `definition.fingerprint` as
/// they are written (one that is missing counts as such). Else the sentence that says why a field cannot be
/// read.
[[nodiscard]] std::expected<crypto::Digest, std::string> fingerprint_of(const Definition& definition,
                                                                        std::string_view bytes,
                                                                        const webhook::JsonView& body);

/// Whose limit a request of the caller counts under; nullopt: the command has none. Else the sentence that
/// says which field of `limit.by` is missing, empty, or neither a text nor a whole number.
[[nodiscard]] std::expected<std::optional<metering::Metered>, std::string> account_of(
    const Definition& definition, std::string_view caller, const webhook::JsonView& body);

/// Of the key's row: store::command_digest.
[[nodiscard]] crypto::Digest digest_of(const Key& key);

}  // namespace sluice::command
