#include "common/config/credential.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace sluice::config {
namespace {

bool can_be_read_again(const SecretReference& reference) {
    std::error_code ignored;
    return reference.kind == SecretReference::Kind::file &&
           std::filesystem::is_regular_file(reference.name, ignored);
}

}  // namespace

Credential::Credential(Secret first) {
    if (first.empty()) return;
    state_ = std::make_unique<State>();
    state_->last = std::move(first);
}

Credential::Credential(std::string_view text) : Credential{Secret{text}} {}

Credential::Credential(const SecretReference& reference, Problems& problems)
    : Credential{resolve(reference, problems)} {
    if (state_ && can_be_read_again(reference)) state_->file = reference;
}

Secret Credential::now() const {
    if (!state_) return {};
    Secret read;
    if (state_->file) {
        Problems of_now;
        read = resolve(*state_->file, of_now);
    }
    const std::scoped_lock lock{state_->mutex};
    if (!read.empty()) state_->last = std::move(read);
    return state_->last.clone();
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
