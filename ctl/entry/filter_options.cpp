#include "ctl/entry/filter_options.hpp"

#include "common/time_text.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {
namespace {

std::optional<store::DeadLetterKind> kind_named(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto kind = store::dead_letter_kind_from(text);
    if (!kind)
        throw Stopped{Exit::usage,
                      "--kind must be dead, case, undecodable, unreadable, conflict, too_old or message"};
    return kind;
}

void add_one(CLI::App& command, const char* name, std::string& target, const char* text, const char* type) {
    command.add_option(name, target, text)->type_name(type)->group("Which entries");
}

void add_common(CLI::App& command, FilterOptions& options) {
    add_one(command, "--source", options.source, "Of this source", "NAME");
    add_one(command, "--type", options.type, "Of this type of event", "TYPE");
    add_one(command, "--object", options.object, "Of this object, by its ordering key", "KEY");
    add_one(command, "--since", options.since, "Opened since: a time, a day, or how long ago (2h)", "TIME");
    add_one(command, "--until", options.until, "Opened earlier", "TIME");
    add_one(command, "--text", options.text,
            "With this in the error text or the event id; case does not matter", "TEXT");
    add_number_options(command, options.numbers, "Which entries");
}

}  // namespace

std::optional<WallTime> time_named(const std::string& name, const std::string& text, WallTime now) {
    if (text.empty()) return std::nullopt;
    if (const auto time = from_rfc3339(text)) return time;
    if (const auto day = day_from_text(text)) return WallTime{*day};
    const auto ago = duration_from_text(text);
    if (!ago)
        throw Stopped{Exit::usage,
                      name + " must be a time (2026-11-22T10:00:00Z), a day, or how long ago (2h)"};
    return now - *ago;
}

bool FilterOptions::is_empty() const {
    return source.empty() && type.empty() && object.empty() && error_class.empty() && effect.empty() &&
           kind.empty() && destination.empty() && since.empty() && until.empty() && text.empty() &&
           !numbers.any();
}

void add_message_options(CLI::App& command, FilterOptions& options) {
    add_one(command, "--destination", options.destination, "To this destination", "NAME");
    add_common(command, options);
}

void add_filter_options(CLI::App& command, FilterOptions& options) {
    add_common(command, options);
    add_one(command, "--error-class,--class", options.error_class, "Of this class of error, or of case",
            "CLASS");
    add_one(command, "--effect", options.effect, "That this effect decided", "NAME");
    add_one(command, "--kind", options.kind,
            "dead, case, undecodable, unreadable, conflict, too_old or message", "KIND");
}

void add_course_options(CLI::App& command, FilterOptions& options) {
    auto* closed = command.add_flag("--closed", options.closed, "Closed entries instead of open ones");
    auto* all = command.add_flag("--all", options.all, "Open and closed entries");
    closed->group("Which entries")->excludes(all);
    all->group("Which entries");
}

store::DeadLetterFilter filter_of(const FilterOptions& options, WallTime now) {
    using Which = store::DeadLetterFilter::Which;
    store::DeadLetterFilter filter;
    filter.which = options.all ? Which::any : options.closed ? Which::closed : Which::open;
    filter.kind = kind_named(options.kind);
    filter.source = unless_empty(options.source);
    filter.type = unless_empty(options.type);
    filter.object_key = unless_empty(options.object);
    filter.error_class = unless_empty(options.error_class);
    filter.effect = unless_empty(options.effect);
    filter.topic = unless_empty(options.destination);
    filter.since = time_named("--since", options.since, now);
    filter.until = time_named("--until", options.until, now);
    filter.text = options.text;
    filter.numbers = asked_by(options.numbers);
    return filter;
}

}  // namespace sluice::ctl
