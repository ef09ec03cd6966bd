#include "ctl/recipes/page/provider_text.hpp"

#include <algorithm>
#include <array>

namespace sluice::ctl {
namespace {

struct Part {
    std::string_view heading;
    std::string ProviderText::* text;
};

constexpr std::array page_parts{
    Part{"At the provider", &ProviderText::set_up},          Part{"Under sources", &ProviderText::source},
    Part{"Not signed", &ProviderText::not_signed},           Part{"Retries", &ProviderText::retries},
    Part{"Duplicates and order", &ProviderText::duplicates}, Part{"Traps", &ProviderText::traps}};

std::string without_blank_ends(std::string_view text) {
    const std::size_t first = text.find_first_not_of('\n');
    if (first == std::string_view::npos) return {};
    return std::string{text.substr(first, text.find_last_not_of('\n') - first + 1)};
}

/// "# Title", an empty line, the address.
std::expected<void, std::string> read_head(std::string_view head, ProviderText& text) {
    const std::size_t end = head.find('\n');
    if (!head.starts_with("# ") || end == std::string_view::npos)
        return std::unexpected{"the first line must be a title, # NAME"};
    text.title = head.substr(2, end - 2);
    text.address = without_blank_ends(head.substr(end));
    if (!text.address.starts_with("https://") || text.address.find_first_of(" \n") != std::string::npos)
        return std::unexpected{
            "the line under the title must be only the address of the provider's documentation"};
    return {};
}

/// Up to the next heading of the same level.
std::string_view next_section(std::string_view& rest) {
    const std::size_t end = rest.find("\n## ", 1);
    const std::string_view section = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return section;
}

std::expected<void, std::string> read_section(std::string_view section, ProviderText& text) {
    const std::size_t end = std::min(section.find('\n'), section.size());
    const std::string_view heading = section.substr(3, end - 3);
    const auto* const part = std::ranges::find(page_parts, heading, &Part::heading);
    if (part == page_parts.end()) return std::unexpected{"no page has a section " + std::string{heading}};
    text.*(part->text) = without_blank_ends(section.substr(end));
    return {};
}

}  // namespace

std::expected<ProviderText, std::string> parse_provider_text(std::string_view markdown) {
    ProviderText text;
    std::string_view rest = markdown;
    if (const auto read = read_head(next_section(rest), text); !read) return std::unexpected{read.error()};
    while (!rest.empty()) {
        if (const auto read = read_section(next_section(rest), text); !read)
            return std::unexpected{read.error()};
    }
    for (const Part& part : page_parts) {
        if ((text.*(part.text)).empty())
            return std::unexpected{"there is nothing under " + std::string{part.heading}};
    }
    return text;
}

}  // namespace sluice::ctl
