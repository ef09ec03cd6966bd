#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace sluice::ctl {

/// What a page says that no recipe can: docs/providers/text/<recipe>.md, written by hand. A title, the
/// address of the provider's own documentation, and these sections, each of them there.
struct ProviderText {
    std::string title;
    std::string address;
    std::string set_up;      ///< "At the provider"
    std::string source;      ///< "Under sources": a block of YAML, and what to know of it
    std::string not_signed;  ///< "Not signed"
    std::string retries;     ///< "Retries"
    std::string duplicates;  ///< "Duplicates and order"
    std::string traps;       ///< "Traps"
};

/// The error is a sentence: which part is missing, or unknown.
[[nodiscard]] std::expected<ProviderText, std::string> parse_provider_text(std::string_view markdown);

}  // namespace sluice::ctl
