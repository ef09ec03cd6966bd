#include "common/webhook/signature/key_check.hpp"

namespace sluice::webhook {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

void join(std::string& joined, std::span<const std::string_view> pieces) {
    joined.clear();
    for (const std::string_view piece : pieces) joined += piece;
}

}  // namespace

KeyCheck::KeyCheck(const Key& key) : label_(key.label), means_(means_of(key)) {}

KeyCheck::Means KeyCheck::means_of(const Key& key) {
    switch (key.algorithm) {
        case Algorithm::hmac_sha256:
            break;
        case Algorithm::hmac_sha1:
            return crypto::HmacSha1(key.material);
        case Algorithm::rsa_sha256:
            return Rsa{crypto::PublicKey(key.material.bytes())};
        case Algorithm::ed25519:
            return Ed25519{crypto::PublicKey(key.material.bytes()), {}};
        case Algorithm::equal:
            return Token{crypto::sha256(key.material.bytes())};
    }
    return crypto::HmacSha256(key.material);
}

template <class Judge>
bool KeyCheck::any(std::span<const Signature> signatures, Judge judge) const {
    bool found = false;
    for (const Signature& signature : signatures) {
        if (signature.label == label_) found |= judge(signature.text());
    }
    return found;
}

bool KeyCheck::made_any(Text text, std::span<const Signature> signatures) {
    const auto equals = [&](std::string_view expected) {
        return any(signatures,
                   [&](std::string_view one) { return crypto::equal_constant_time(expected, one); });
    };
    return std::visit(Overloaded{
                          [&](crypto::HmacSha256& hmac) { return equals(crypto::as_text(hmac(text))); },
                          [&](crypto::HmacSha1& hmac) { return equals(crypto::as_text(hmac(text))); },
                          [&](Rsa& rsa) {
                              return any(signatures, [&](std::string_view one) {
                                  return rsa.key.made_rsa_sha256(text, one);
                              });
                          },
                          [&](Ed25519& ed) {
                              join(ed.text, text);
                              return any(signatures, [&](std::string_view one) {
                                  return ed.key.made_ed25519(ed.text, one);
                              });
                          },
                          [&](const Token& token) {
                              return any(signatures, [&](std::string_view one) {
                                  return crypto::equal_constant_time(crypto::as_text(token.digest),
                                                                     crypto::as_text(crypto::sha256(one)));
                              });
                          },
                      },
                      means_);
}

}  // namespace sluice::webhook
