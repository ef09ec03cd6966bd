#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "common/crypto/digest.hpp"
#include "common/crypto/hmac.hpp"
#include "common/crypto/public_key.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/candidate.hpp"

namespace sluice::webhook {

/// One key, made ready to check signatures with. Belongs to one thread.
class KeyCheck {
public:
    explicit KeyCheck(const Key& key);

    /// Whether any of the signatures is one of `text` under this key; those of another label are not
    /// this key's. All are checked, each in constant time, also after a match.
    [[nodiscard]] bool made_any(std::span<const std::string_view> text,
                                std::span<const Signature> signatures);

private:
    using Text = std::span<const std::string_view>;

    /// A token, as its digest: tokens of any length compare in the same time.
    struct Token {
        crypto::Digest digest;
    };
    struct Rsa {
        crypto::PublicKey key;
    };
    struct Ed25519 {
        crypto::PublicKey key;
        std::string text;  ///< the algorithm reads it twice, so it must be in one piece
    };
    using Means = std::variant<crypto::HmacSha256, crypto::HmacSha1, Rsa, Ed25519, Token>;
    [[nodiscard]] static Means means_of(const Key& key);

    template <class Judge>
    [[nodiscard]] bool any(std::span<const Signature> signatures, Judge judge) const;

    std::string label_;
    Means means_;
};

}  // namespace sluice::webhook
