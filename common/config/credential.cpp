#include "common/config/credential.hpp"

#include <utility>

namespace sluice::config {

Credential::Credential(std::string_view text) : at_start_{text} {}

Credential::Credential(const SecretReference& reference, Problems& problems)
    : at_start_{resolve(reference, problems)} {
    if (reference.kind == SecretReference::Kind::file) file_ = reference;
}

Secret Credential::now() const {
    if (file_) {
        Problems of_now;
        Secret secret = resolve(*file_, of_now);
        if (!secret.empty()) return secret;
    }
    return at_start_.clone();
}

Credential read_password(Section& section, std::string_view key, Problems& problems) {
    const auto reference = section.secret(key);
    return reference ? Credential{*reference, problems} : Credential{};
}

Credential read_user(Section& section, std::string_view key, Problems& problems) {
    const auto found = section.value(key);
    if (!found) return {};
    if (found->is_mapping()) return read_password(section, key, problems);
    return Credential{section.required_text(key)};
}

}  // namespace sluice::config
