#pragma once

#include <string>
#include <string_view>

#include "common/secret.hpp"
#include "common/webhook/body/body_rule.hpp"

namespace sluice::webhook {

/// Decrypts what a body holds encrypted (AES-256-GCM, ciphertext and tag in base64). One thread; its memory
/// is reused.
class SealedResource {
public:
    /// Puts `body`, which `view` has read, into `json` with one more member: "decrypted", the object that the
    /// resource holds. False unless it decrypts, with the right tag, to a JSON object.
    [[nodiscard]] bool open(const EncryptedRule& rule, const Secret& key, std::string_view body,
                            const JsonView& view, std::string& json);

private:
    [[nodiscard]] bool decrypt(const EncryptedRule& rule, const Secret& key, const JsonView& view);

    std::string sealed_;
    std::string plain_;
    JsonView inside_;
};

}  // namespace sluice::webhook
