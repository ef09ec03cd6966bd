#include "common/webhook/source_file/read_settings.hpp"

#include <algorithm>
#include <utility>

#include "common/config/secret_reference.hpp"
#include "common/config/whole_file.hpp"
#include "common/joined.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr std::size_t longest_setting = 1024;
constexpr std::size_t most_texts = 16;
constexpr std::size_t longest_trust = 1024 * 1024;  // a system's own bundle is a quarter of that

std::string read_text(Section& with, const SettingRule& rule) {
    const bool may_be_absent = rule.optional || !rule.fallback.empty();
    std::string text = may_be_absent ? with.text(rule.name, rule.fallback) : with.required_text(rule.name);
    if (text.size() > longest_setting) with.problem_at(rule.name, "a setting can have at most 1024 bytes");
    if (!text.empty() && !rule.one_of.empty() && !std::ranges::contains(rule.one_of, text))
        with.problem_at(rule.name, rule.name + " must be one of: " + joined(rule.one_of, ", "));
    return text;
}

Secret read_secret(Section& with, const SettingRule& rule, bool resolve, config::Problems& problems) {
    if (!with.has(rule.name)) with.problem(rule.name + " is missing: {file: PATH} or {env: NAME}");
    const auto reference = with.secret(rule.name);
    if (!reference || !resolve) return {};
    Secret secret = config::resolve(*reference, problems);
    if (!secret.empty() && rule.bytes != 0 && secret.bytes().size() != rule.bytes)
        with.problem_at(rule.name, rule.name + " must have " + std::to_string(rule.bytes) + " bytes");
    return secret;
}

std::vector<std::string> read_texts(Section& with, const SettingRule& rule) {
    std::vector<std::string> texts = with.texts(rule.name);
    const bool is_bounded = std::ranges::all_of(
        texts, [](const std::string& text) { return !text.empty() && text.size() <= longest_setting; });
    if (texts.empty() || texts.size() > most_texts || !is_bounded)
        with.problem_at(rule.name, rule.name + " must be a list of 1 to 16 strings of at most 1024 bytes");
    return texts;
}

/// {file: PATH}; not a secret, and longer than any.
std::optional<crypto::Certificates> read_certificates(Section& with, const SettingRule& rule, bool resolve) {
    if (!with.has(rule.name)) with.problem(rule.name + " is missing: {file: PATH}, certificates in PEM");
    Section section = with.section(rule.name);
    const std::string path = section.required_text("file");
    if (!resolve || path.empty()) return std::nullopt;
    const auto text = config::read_whole_file(path, longest_trust);
    auto certificates = text ? crypto::Certificates::from_pem(*text) : std::nullopt;
    if (!certificates)
        section.problem_at("file",
                           "the file " + path + " cannot be read, or does not contain certificates in PEM");
    if (certificates && !certificates->has_root())
        section.warn("none of its certificates is self-signed, so no chain can end there");
    return certificates;
}

std::optional<CertificateFolder> read_folder(Section& with, const SettingRule& rule, bool resolve) {
    const std::string path = with.required_text(rule.name);
    if (!resolve || path.empty()) return std::nullopt;
    std::vector<std::string> unreadable;
    auto folder = CertificateFolder::read(path, unreadable);
    if (!folder)
        with.problem_at(rule.name, "the folder " + path + " cannot be read, or has more than 256 files");
    for (const std::string& name : unreadable) with.warn("no certificates in " + path + "/" + name);
    return folder;
}

void read_setting(Section& with, const SettingRule& rule, bool resolve, config::Problems& problems,
                  SettingValues& values) {
    switch (rule.kind) {
        case SettingRule::Kind::text:
            values.texts.emplace(rule.name, read_text(with, rule));
            break;
        case SettingRule::Kind::texts:
            values.lists.emplace(rule.name, read_texts(with, rule));
            break;
        case SettingRule::Kind::secret:
            values.secrets.emplace(rule.name, read_secret(with, rule, resolve, problems));
            break;
        case SettingRule::Kind::certificates:
            if (auto found = read_certificates(with, rule, resolve))
                values.certificates.emplace(rule.name, std::move(*found));
            break;
        case SettingRule::Kind::folder:
            if (auto found = read_folder(with, rule, resolve))
                values.folders.emplace(rule.name, std::move(*found));
            break;
    }
}

}  // namespace

SettingValues read_settings(Section with, const Recipe& recipe, bool resolve, config::Problems& problems) {
    SettingValues values;
    for (const SettingRule& rule : recipe.settings) {
        const bool decodes = recipe.body.encrypted && recipe.body.encrypted->key == rule.name;
        read_setting(with, rule, resolve || decodes, problems, values);
    }
    return values;
}

}  // namespace sluice::webhook
