#include "common/webhook/recipe/account_limit.hpp"

namespace sluice::webhook {
namespace {

constexpr std::size_t most_fields = 16;

std::vector<Pointer> read_by(config::Section& limit) {
    std::vector<Pointer> by;
    for (const std::string& text : limit.texts("by")) {
        auto pointer = Pointer::parse(text);
        if (!pointer || text.empty())
            limit.problem_at("by",
                             "'" + text + "' is no JSON pointer: it must start with /, as in /merchant");
        else
            by.push_back(std::move(*pointer));
    }
    if (limit.has("by") && (by.empty() || by.size() > most_fields))
        limit.problem_at("by", limit.path() + ".by must be a list of 1 to 16 JSON pointers");
    return by;
}

}  // namespace

std::optional<AccountLimit> read_account_limit(config::Section& section, std::string_view key) {
    if (!section.has(key)) return std::nullopt;
    auto limit = section.section(key);
    auto by = read_by(limit);
    return AccountLimit{std::move(by), metering::read_rate(limit)};
}

}  // namespace sluice::webhook
