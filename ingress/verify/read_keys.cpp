#include "ingress/verify/read_keys.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "common/config/secret_reference.hpp"
#include "common/crypto/encoding.hpp"
#include "ingress/verify/names.hpp"

namespace sluice::verify {

namespace {

using config::Section;

constexpr std::string_view white_space = " \t\r\n";

bool is_surrounded_by_space(std::string_view text) {
    return white_space.contains(text.front()) || white_space.contains(text.back());
}

/// What people get wrong when they copy a secret; never says anything of the secret itself.
void warn_of_slips(const Section& key, std::string_view secret, const KeyRule& rule) {
    if (is_surrounded_by_space(secret)) {
        key.warn("the secret begins or ends with white space, which counts as part of the key");
    }
    if (!secret.starts_with(rule.begins)) {
        key.warn("the secret does not begin with " + rule.begins + ": is it the right one?");
    }
}

Secret key_bytes(const Section& key, Secret secret, const KeyRule& rule) {
    if (secret.empty()) return secret;  // said already
    warn_of_slips(key, secret.bytes(), rule);
    std::string_view text = secret.bytes();
    if (text.starts_with(rule.strip)) text.remove_prefix(rule.strip.size());
    if (rule.form == KeyRule::Form::text) return rule.strip.empty() ? std::move(secret) : Secret(text);
    auto decoded = crypto::from_base64(text);
    if (!decoded || decoded->empty()) {
        key.problem_at("value", "the secret is no base64 text");
        return {};
    }
    Secret bytes(*decoded);
    std::ranges::fill(*decoded, '\0');
    return bytes;
}

void read_validity(Section& section, Key& key) {
    key.not_before = section.instant("not_before");
    key.not_after = section.instant("not_after");
    if (key.not_before && key.not_after && *key.not_before > *key.not_after) {
        section.problem_at("not_after", "the key would end before it begins");
    }
}

Key read_key(Section& section, const KeyRule& rule, bool resolve, config::Problems& problems) {
    Key key;
    key.id = section.required_text("id");
    if (!key.id.empty() && !is_label(key.id)) {
        section.problem_at("id", "a key's id has 1 to 128 letters, digits and . _ : -");
    }
    read_validity(section, key);
    if (!section.has("value")) section.problem("value is missing: {file: PATH} or {env: NAME}");
    const auto reference = section.secret("value");
    if (reference && resolve) key.material = key_bytes(section, config::resolve(*reference, problems), rule);
    return key;
}

}  // namespace

std::vector<Key> read_keys(Section& source, const KeyRule& rule, bool resolve, config::Problems& problems) {
    std::vector<Key> keys;
    std::set<std::string> ids;
    for (Section& section : source.sections("keys")) {
        Key key = read_key(section, rule, resolve, problems);
        if (!ids.insert(key.id).second) section.problem_at("id", "two keys of this source have this id");
        if (resolve) keys.push_back(std::move(key));
    }
    if (resolve && ids.empty()) source.problem("the source has no keys: nothing could be verified");
    if (ids.size() > most_keys)
        source.problem_at("keys", "at most 16 keys: each costs every forged request a signature");
    return keys;
}

}  // namespace sluice::verify
