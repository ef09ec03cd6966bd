#include "command/config/command_set.hpp"

#include <algorithm>

namespace sluice::command {

CommandSet CommandSet::read(const config::Document& document) {
    CommandSet set;
    const auto value = document.value("commands");
    if (!value) return set;
    if (!value->is_list()) {
        value->problem("commands must be a list");
        return set;
    }
    const auto destinations = destination::destination_names(document);
    const auto items = value->items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto one =
            read_definition(config::Section{items[i], "commands[" + std::to_string(i) + "]"}, destinations);
        if (!one) continue;
        if (!one->name.empty() && set.find(one->name) != nullptr)
            items[i].problem("there are two commands '" + one->name + "': each needs its own name");
        set.all_.push_back(std::move(one));
    }
    return set;
}

const Definition* CommandSet::find(std::string_view name) const noexcept {
    const auto found =
        std::ranges::find(all_, name, [](const auto& one) -> std::string_view { return one->name; });
    return found == all_.end() ? nullptr : found->get();
}

bool CommandSet::has_hot() const noexcept {
    return std::ranges::any_of(all_, [](const auto& one) { return one->hot.has_value(); });
}

Milliseconds CommandSet::longest_within() const noexcept {
    Milliseconds longest{0};
    for (const auto& one : all_)
        if (one->effect) longest = std::max(longest, one->effect->within());
    return longest;
}

Result<std::vector<effects::Lack>> CommandSet::check(store::Connection& connection,
                                                     config::Problems& problems) const {
    std::vector<effects::Lack> missing;
    for (const auto& one : all_) {
        if (!one->effect) continue;
        if (const auto done = one->effect->check(connection, problems, missing); !done)
            return Failure{done.error()};
        if (const auto done = one->answers.check(one->name, connection, problems, missing); !done)
            return Failure{done.error()};
    }
    return missing;
}

ExecutionSettings read_execution(config::Section& command) {
    ExecutionSettings settings;
    settings.workers = static_cast<int>(command.integer("workers", settings.workers, 1, 256));
    settings.queue = static_cast<int>(command.integer("queue", settings.queue, 1, 100'000));
    settings.longest_body = command.size("longest_body", settings.longest_body, 1024, 1024L * 1024);
    return settings;
}

}  // namespace sluice::command
