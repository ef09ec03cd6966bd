#include "consumer/effects/effect_set/read_effect.hpp"

#include <string_view>

#include "consumer/effects/effect/read_policy.hpp"
#include "consumer/effects/handler/read_handler.hpp"
#include "consumer/effects/send/read_send.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "consumer/effects/sql/sql_effect.hpp"

namespace sluice::effects {
namespace {

// A worker waits meanwhile, and with it the objects whose keys fall to it.
constexpr Milliseconds least_within{100};
constexpr Milliseconds most_within = std::chrono::minutes{5};

bool has_any(config::Section& section, std::span<const std::string_view> kinds) {
    // All are asked for, so that a key of another kind is not called unknown besides.
    bool any = false;
    for (const auto kind : kinds) any = section.has(kind) || any;
    return any;
}

/// The kind is not known, so what belongs to it cannot be judged.
std::unique_ptr<const Effect> unread(config::Section& section) {
    for (const auto key :
         {"let", "decide", "sql", "insert", "add", "set", "upsert", "mirror", "send", "handler"})
        section.leave_unread(key);
    return nullptr;
}

}  // namespace

std::unique_ptr<const Effect> read_effect(config::Section section, const webhook::SourceSet& sources,
                                          const destination::Names& destinations,
                                          std::span<const Handler> handlers) {
    Heading heading{.name = section.required_text("name"),
                    .when = When::read(section.section("when"), sources),
                    .policy = read_policy(section)};
    heading.within = section.duration("within", heading.within, least_within, most_within);
    const bool is_sql = section.has("sql");
    heading.sends = section.has("send");
    const bool is_set_based = has_any(section, set_based_kinds) || heading.sends;
    const bool is_handler = section.has("handler");
    if (is_handler && (is_sql || is_set_based)) {
        section.problem_at("handler",
                           "effect '" + heading.name + "' has handler and another kind: make it two effects");
        return unread(section);
    }
    if (is_sql && is_set_based) {
        section.problem_at(
            "sql", "effect '" + heading.name + "' has sql and a set-based kind or send: make it two effects");
        return unread(section);
    }
    const bool is_decided = section.has("decide");
    if (!is_sql && !is_set_based && !is_handler && !is_decided) {
        section.problem("effect '" + heading.name +
                        "' has no kind: give sql, insert, add, set, upsert, mirror, send, handler or decide");
        return unread(section);
    }
    NameScope names{section, heading.when.is_for_payments()};
    if (is_decided) heading.decide = Decide::read(section.section("decide"), names);
    auto statements = is_sql ? read_statements(section, names) : std::vector<SqlStatement>{};
    auto changes = is_set_based ? read_changes(section, names, heading.when) : std::vector<Change>{};
    for (auto& message : read_sends(section, heading.name, names, destinations))
        changes.push_back(std::move(message));
    auto call = is_handler ? read_handler(section, heading.when, names, sources, handlers) : std::nullopt;
    names.complain_of_unused();
    heading.let = std::move(names).take();
    if (call) return std::make_unique<HandlerEffect>(std::move(heading), std::move(*call));
    if (is_set_based) return std::make_unique<ChangeEffect>(std::move(heading), std::move(changes));
    return std::make_unique<SqlEffect>(std::move(heading), std::move(statements));
}

}  // namespace sluice::effects
