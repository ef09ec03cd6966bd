#include "command/http/callers.hpp"

#include <algorithm>
#include <array>
#include <format>
#include <iterator>
#include <span>

#include "common/crypto/digest.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/source_file/read_source.hpp"

namespace sluice::command {
namespace {

constexpr std::size_t most_callers = 1000;
constexpr std::array<std::string_view, 6> keys_of_a_signer{"name", "principal", "recipe",
                                                           "keys", "tolerance", "limit"};
constexpr std::array<std::string_view, 4> keys_by_certificate{"name", "principal", "certificate", "limit"};
// A caller's principal is the source of the messages that its commands send, a column of the outbox.
constexpr std::size_t longest_principal = 64;
// It signs the id and the time of the request and all that is given to it as the body.
constexpr std::string_view the_recipe = "standard-webhooks";

bool share_a_key(const Caller& a, const Caller& b) {
    if (!a.signature || !b.signature) return false;
    return std::ranges::any_of(a.signature->program->keys, [&](const webhook::Key& mine) {
        return std::ranges::any_of(b.signature->program->keys, [&](const webhook::Key& theirs) {
            return crypto::equal_constant_time(mine.material.bytes(), theirs.material.bytes());
        });
    });
}

void check_pair(const Caller& earlier, const Caller& later, const config::Value& place) {
    if (earlier.certificate && earlier.certificate == later.certificate)
        place.problem(
            std::format("caller \"{}\" has the certificate of caller \"{}\"", later.name, earlier.name));
    if (earlier.name == later.name)
        place.problem(std::format("there is already a caller \"{}\"", later.name));
    if (share_a_key(earlier, later))
        place.problem(
            std::format("caller \"{}\" shares a key with caller \"{}\": each could sign for the other",
                        later.name, earlier.name));
}

/// A source has more than a caller: nothing of it would do anything.
void check_entries(const config::Value& entry, std::span<const std::string_view> allowed) {
    for (const auto& [key, value] : entry.entries())
        if (!std::ranges::contains(allowed, key.scalar()))
            key.problem(
                "a caller has name, principal and limit, and either recipe, keys and tolerance or "
                "certificate");
}

std::optional<metering::Metered> limit_of(std::string_view caller,
                                          const std::optional<metering::Rate>& rate) {
    if (!rate) return std::nullopt;
    crypto::PartsDigest digest;
    digest.begin();
    digest.part("caller");
    digest.part(caller);
    return metering::Metered{digest.finish(), *rate};
}

std::optional<Caller> read_signer(config::Section section, const config::Value& entry,
                                  config::Problems& problems) {
    const auto rate = metering::read_rate(section, "limit");
    if (!section.has("principal")) {
        section.problem("principal is missing: whose keys these are, as in `principal: ads-team`");
        return std::nullopt;
    }
    auto caller = webhook::read_source(std::move(section), webhook::RecipeSet::builtin(), problems);
    if (!caller) return std::nullopt;
    if (caller->recipe != the_recipe) entry.problem(std::format("a caller's recipe must be {}", the_recipe));
    // A signature of any age could be sent again when the response is no longer kept.
    if (!caller->program->window) entry.problem("a caller's tolerance must be a time, such as 5m");
    return Caller{caller->name, caller->principal, caller, std::nullopt, limit_of(caller->name, rate)};
}

std::optional<Caller> read_certified(config::Section section) {
    Caller caller;
    caller.name = section.required_text("name");
    caller.principal = section.required_text("principal");
    caller.certificate = read_certificate_name(section);
    caller.limit = limit_of(caller.name, metering::read_rate(section, "limit"));
    if (!caller.name.empty() && !webhook::is_name(caller.name))
        section.problem_at("name", "a caller's name must have 1 to 63 characters of a-z, 0-9 and -");
    if (!caller.principal.empty() && !webhook::is_label(caller.principal))
        section.problem_at("principal", "principal must have letters, digits and . _ : - only");
    return caller;
}

std::optional<Caller> read_caller(const config::Value& entry, std::size_t number,
                                  config::Problems& problems) {
    const std::size_t before = problems.count();
    const bool is_certified = entry.entry("certificate").has_value();
    if (is_certified)
        check_entries(entry, keys_by_certificate);
    else
        check_entries(entry, keys_of_a_signer);
    if (problems.count() != before) return std::nullopt;
    config::Section section{entry, std::format("callers[{}]", number)};
    auto caller =
        is_certified ? read_certified(std::move(section)) : read_signer(std::move(section), entry, problems);
    if (caller && caller->principal.size() > longest_principal)
        entry.problem(std::format("a caller's principal must have at most {} characters", longest_principal));
    return problems.count() == before ? caller : std::nullopt;
}

}  // namespace

std::string signed_prefix(std::string_view method, std::string_view target, std::string_view key_field) {
    return std::format("{} {}\n{}\n", method, target, key_field);
}

const Caller* Callers::claimed_by(const Claim& claim) const {
    const auto is_meant = [&](const Caller& one) {
        if (!claim.name.empty()) return one.name == claim.name;
        return claim.certificate != nullptr && one.certificate && is_of(*claim.certificate, *one.certificate);
    };
    const auto found = std::ranges::find_if(callers_, is_meant);
    if (found == callers_.end()) return nullptr;
    const bool is_only_one = std::find_if(std::next(found), callers_.end(), is_meant) == callers_.end();
    return is_only_one ? &*found : nullptr;
}

const Caller* Callers::authenticate(const Claim& claim, const webhook::Request& request, WallTime now,
                                    webhook::Scratch& scratch) const {
    const Caller* const claimed = claimed_by(claim);
    const bool is_signer = claimed != nullptr && claimed->signature;
    if (claimed != nullptr && claimed->certificate && claim.certificate != nullptr &&
        is_of(*claim.certificate, *claimed->certificate))
        return claimed;
    const auto some =
        std::ranges::find_if(callers_, [](const Caller& one) { return one.signature != nullptr; });
    if (some == callers_.end()) return nullptr;
    const Caller& checked = is_signer ? *claimed : *some;
    const bool is_signed = webhook::verify(*checked.signature, request, now, scratch).has_value();
    return is_signer && is_signed ? claimed : nullptr;
}

CallerSet read_callers(const config::Document& document, config::Problems& problems) {
    CallerSet callers;
    const auto list = document.value("callers");
    const auto entries = list ? list->items() : std::vector<config::Value>{};
    if (entries.empty())
        problems.add(list ? list->place() : config::Place{document.file(), 0, 0},
                     "callers must list who may send commands: nobody could");
    if (entries.size() > most_callers)
        list->problem(std::format("there can be at most {} callers", most_callers));
    for (std::size_t number = 0; number < std::min(entries.size(), most_callers); ++number) {
        auto caller = read_caller(entries[number], number, problems);
        if (!caller) continue;
        for (const auto& earlier : callers) check_pair(earlier, *caller, entries[number]);
        callers.push_back(*std::move(caller));
    }
    return callers;
}

}  // namespace sluice::command
