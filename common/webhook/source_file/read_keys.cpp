#include "common/webhook/source_file/read_keys.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <openssl/crypto.h>

#include "common/config/secret_reference.hpp"
#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/crypto/public_key.hpp"
#include "common/webhook/recipe_file/names.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr std::string_view white_space = " \t\r\n";

bool is_surrounded_by_space(std::string_view text) {
    return white_space.contains(text.front()) || white_space.contains(text.back());
}

/// What people get wrong when they copy a secret; never says anything about the secret itself.
void warn_of_slips(const Section& key, std::string_view secret, const KeyRule& rule) {
    if (is_surrounded_by_space(secret)) {
        key.warn("the secret begins or ends with white space, which counts as part of the key");
    }
    if (!secret.starts_with(rule.begins)) {
        key.warn("the secret does not begin with " + rule.begins + ": is it the right one?");
    }
}

/// With several rules, the first whose beginning the secret has; the first one for a secret without any.
const KeyRule& rule_for(std::string_view secret, const std::vector<KeyRule>& rules) {
    const auto found =
        std::ranges::find_if(rules, [&](const KeyRule& rule) { return secret.starts_with(rule.begins); });
    return found == rules.end() ? rules.front() : *found;
}

Secret decoded_key(const Section& key, std::optional<std::string> decoded, std::string_view what) {
    if (!decoded || decoded->empty()) {
        key.problem_at("value", "the secret is not " + std::string(what));
        return {};
    }
    Secret secret(*decoded);
    // Not std::fill: what is never read again need not be written.
    OPENSSL_cleanse(decoded->data(), decoded->size());
    return secret;
}

/// Secrets of 31 or 32 bytes are also shown without the = at the end.
Secret padded(std::string_view base64) {
    std::string text{base64};
    text.append((4 - text.size() % 4) % 4, '=');
    Secret whole(text);
    OPENSSL_cleanse(text.data(), text.size());
    return whole;
}

Secret digested_key(std::string_view text) {
    crypto::Digest160 digest = crypto::sha1(text);
    Secret secret(crypto::as_text(digest));
    OPENSSL_cleanse(digest.data(), digest.size());
    return secret;
}

/// RSA below 2048 bits can be broken by a determined attacker (NIST SP 800-131A).
Secret public_key(const Section& key, std::optional<std::string> spki, Algorithm algorithm) {
    constexpr int least_bits = 2048;
    const auto facts = spki ? crypto::facts_of_key(*spki) : std::nullopt;
    const bool wants_rsa = algorithm == Algorithm::rsa_sha256;
    const auto wanted = wants_rsa ? crypto::PublicKeyKind::rsa : crypto::PublicKeyKind::ed25519;
    if (!facts || facts->kind != wanted) {
        key.problem_at("value", wants_rsa
                                    ? "the value is not an RSA public key or certificate, in PEM or base64"
                                    : "the value is not an Ed25519 public key");
        return {};
    }
    if (wants_rsa && facts->bits < least_bits) {
        key.problem_at("value", "the RSA key has only " + std::to_string(facts->bits) +
                                    " bits: it must have at least 2048");
        return {};
    }
    return Secret(*spki);
}

Secret material_of(const Section& key, std::string_view text, const KeyRule& rule) {
    switch (rule.form) {
        case KeyRule::Form::text:
        case KeyRule::Form::certificate:
            break;
        case KeyRule::Form::base64:
            return decoded_key(key, crypto::from_base64(padded(text).bytes()), "base64 text");
        case KeyRule::Form::hex:
            return decoded_key(key, crypto::from_hex(text, true), "hex text");
        case KeyRule::Form::sha1:
            return digested_key(text);
        case KeyRule::Form::public_key:
            return public_key(key, crypto::public_key_from(text), rule.algorithm);
        case KeyRule::Form::raw_public: {
            const auto bytes = crypto::from_base64(text);
            return public_key(key, bytes ? crypto::ed25519_key_from(*bytes) : std::nullopt, rule.algorithm);
        }
    }
    return Secret(text);
}

/// Of keys whose signatures are as long as the key.
std::size_t signature_size_of(const Key& key) {
    if (key.algorithm != Algorithm::rsa_sha256 || key.material.empty()) return 0;
    const auto facts = crypto::facts_of_key(key.material.bytes());
    return facts ? static_cast<std::size_t>(facts->bits + 7) / 8 : 0;
}

void set_material(const Section& section, const Secret& secret, const Recipe& recipe, Key& key) {
    if (secret.empty()) return;  // said already
    const KeyRule& rule = rule_for(secret.bytes(), recipe.keys);
    warn_of_slips(section, secret.bytes(), rule);
    std::string_view text = secret.bytes();
    if (text.starts_with(rule.strip)) text.remove_prefix(rule.strip.size());
    key.material = material_of(section, text, rule);
    key.algorithm = rule.algorithm;
    key.label = rule.version;
    key.signature_size = signature_size_of(key);
    if (recipe.signature.is_by_key()) key.label = key.id;
}

void read_validity(Section& section, Key& key) {
    key.not_before = section.instant("not_before");
    key.not_after = section.instant("not_after");
    if (key.not_before && key.not_after && *key.not_before > *key.not_after) {
        section.problem_at("not_after", "not_after must not be before not_before");
    }
}

Key read_key(Section& section, const Recipe& recipe, bool resolve, config::Problems& problems) {
    Key key;
    key.id = section.required_text("id");
    if (!key.id.empty() && !is_label(key.id)) {
        section.problem_at("id", "a key's id must have 1 to 128 letters, digits and . _ : -");
    }
    read_validity(section, key);
    if (!section.has("value")) section.problem("value is missing: {file: PATH} or {env: NAME}");
    const auto reference = section.secret("value");
    if (reference && resolve) set_material(section, config::resolve(*reference, problems), recipe, key);
    return key;
}

}  // namespace

std::vector<Key> read_keys(Section& source, const Recipe& recipe, bool resolve, config::Problems& problems) {
    std::vector<Key> keys;
    std::set<std::string> ids;
    for (Section& section : source.sections("keys")) {
        Key key = read_key(section, recipe, resolve, problems);
        if (!ids.insert(key.id).second) section.problem_at("id", "another key of this source has this id");
        if (resolve) keys.push_back(std::move(key));
    }
    if (recipe.certificate && !ids.empty())
        source.problem_at("keys",
                          "recipe \"" + recipe.name + "\" takes the key from a certificate: remove keys");
    if (resolve && ids.empty() && !recipe.certificate)
        source.problem("the source has no keys: no request could be verified");
    const bool are_named = recipe.key_choice.by || recipe.signature.is_by_key();
    if (!are_named && ids.size() > most_keys)
        source.problem_at("keys",
                          "a source can have at most 16 keys: every forged request is checked against each");
    if (ids.size() > most_named_keys) source.problem_at("keys", "a source can have at most 64 keys");
    return keys;
}

}  // namespace sluice::webhook
