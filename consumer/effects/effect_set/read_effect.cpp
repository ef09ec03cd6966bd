#include "consumer/effects/effect_set/read_effect.hpp"

#include <optional>
#include <string_view>
#include <utility>

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

struct Kinds {
    bool is_sql = false;
    bool is_set_based = false;
    bool is_handler = false;
    bool is_decided = false;
};

/// nullopt: none or two are given, which is a problem.
std::optional<Kinds> read_kinds(config::Section& section, const std::string& name) {
    const bool sends = section.has("send");
    const Kinds kinds{.is_sql = section.has("sql"),
                      .is_set_based = has_any(section, set_based_kinds) || sends,
                      .is_handler = section.has("handler"),
                      .is_decided = section.has("decide")};
    if (kinds.is_handler && (kinds.is_sql || kinds.is_set_based)) {
        section.problem_at("handler",
                           "effect '" + name + "' has handler and another kind: make it two effects");
        return std::nullopt;
    }
    if (kinds.is_sql && kinds.is_set_based) {
        section.problem_at("sql",
                           "effect '" + name + "' has sql and a set-based kind or send: make it two effects");
        return std::nullopt;
    }
    if (kinds.is_sql || kinds.is_set_based || kinds.is_handler || kinds.is_decided) return kinds;
    section.problem("effect '" + name +
                    "' has no kind: give sql, insert, add, set, upsert, mirror, send, handler or decide");
    return std::nullopt;
}

/// What it does, of whatever kind but handler.
struct Work {
    std::vector<SqlStatement> statements;
    std::vector<Change> changes;
};

Work read_work(config::Section& section, const Kinds& kinds, Heading& heading, NameScope& names,
               const destination::Names& destinations) {
    if (kinds.is_decided) heading.decide = Decide::read(section.section("decide"), names);
    Work work;
    if (kinds.is_sql) work.statements = read_statements(section, names);
    if (kinds.is_set_based) work.changes = read_changes(section, names, heading.when);
    for (auto& message : read_sends(section, heading.name, names, destinations))
        work.changes.push_back(std::move(message));
    return work;
}

std::unique_ptr<const Effect> effect_of(Heading heading, const Kinds& kinds, Work work) {
    if (kinds.is_set_based)
        return std::make_unique<ChangeEffect>(std::move(heading), std::move(work.changes));
    return std::make_unique<SqlEffect>(std::move(heading), std::move(work.statements));
}

Milliseconds read_within(config::Section& section, Milliseconds fallback) {
    return section.duration("within", fallback, least_within, most_within);
}

}  // namespace

std::unique_ptr<const Effect> read_effect(config::Section section, const webhook::SourceSet& sources,
                                          const destination::Names& destinations,
                                          std::span<const Handler> handlers) {
    Heading heading{.name = section.required_text("name"),
                    .when = When::read(section.section("when"), sources),
                    .policy = read_policy(section)};
    heading.within = read_within(section, heading.within);
    heading.sends = section.has("send");
    const auto kinds = read_kinds(section, heading.name);
    if (!kinds) return unread(section);
    NameScope names{section, heading.when.is_for_payments()};
    auto work = read_work(section, *kinds, heading, names, destinations);
    auto call =
        kinds->is_handler ? read_handler(section, heading.when, names, sources, handlers) : std::nullopt;
    names.complain_of_unused();
    heading.let = std::move(names).take();
    ask_together(heading.let);
    if (call) return std::make_unique<HandlerEffect>(std::move(heading), std::move(*call));
    return effect_of(std::move(heading), *kinds, std::move(work));
}

std::unique_ptr<const Effect> read_unmatched_effect(config::Section& section, std::string name,
                                                    const destination::Names& destinations,
                                                    NameScope& names) {
    Heading heading{.name = std::move(name), .when = {}, .policy = {}};
    heading.within = read_within(section, heading.within);
    heading.sends = section.has("send");
    for (const auto* kind : {"mirror", "handler"})
        if (section.has(kind)) section.problem_at(kind, std::string{kind} + " is only for events");
    const auto kinds = read_kinds(section, heading.name);
    if (!kinds || kinds->is_handler) return unread(section);
    auto work = read_work(section, *kinds, heading, names, destinations);
    heading.let = names.let();
    ask_together(heading.let);
    return effect_of(std::move(heading), *kinds, std::move(work));
}

}  // namespace sluice::effects
