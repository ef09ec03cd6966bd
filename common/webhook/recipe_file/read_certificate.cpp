#include "common/webhook/recipe_file/read_input.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr std::int64_t most_parts = 8;

Input read_place(Section section) {
    const bool is_field = section.has("form");
    Input input = is_field ? read_field(section) : read_headers(section, "header");
    if (input.names.size() > 1) section.problem("there must be only one name");
    return input;
}

/// {ends: SETTING}, or {part: 3, sep: "@", is: SETTING}.
void read_name(Section section, CertificateRule& rule) {
    if (section.has("ends")) {
        rule.name_setting = section.required_text("ends");
        return;
    }
    rule.part = static_cast<std::size_t>(section.integer("part", 1, 1, most_parts));
    const std::string separator = section.required_text("sep");
    if (separator.size() != 1) section.problem_at("sep", "sep must be one character");
    rule.separator = separator.empty() ? '\0' : separator.front();
    rule.name_setting = section.required_text("is");
}

}  // namespace

void read_certificate(Section& section, Recipe& recipe) {
    if (!section.has("certificate")) return;
    Section certificate = section.section("certificate");
    CertificateRule rule;
    const bool is_address = certificate.has("address");
    if (is_address == certificate.has("inside")) return certificate.problem("give either address or inside");
    rule.from = read_place(certificate.section(is_address ? "address" : "inside"));
    if (is_address) rule.hosts_setting = certificate.required_text("hosts");
    if (is_address) rule.cache_setting = certificate.required_text("cache");
    rule.trust_setting = certificate.required_text("trust");
    rule.allows_sha1 = certificate.one_of("sha1", {"refused", "allowed"}, "refused") == "allowed";
    read_name(certificate.section("name"), rule);
    recipe.certificate = std::move(rule);
}

}  // namespace sluice::webhook
