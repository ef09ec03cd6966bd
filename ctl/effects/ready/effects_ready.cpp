#include <algorithm>
#include <memory>
#include <ranges>

#include "common/joined.hpp"
#include "ctl/cli/embedded.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/effects/effects_commands.hpp"

namespace sluice::ctl {
namespace {

struct ReadyOptions {
    CommonOptions common;
    std::vector<std::string> names;
    std::string source = "stripe";
};

/// The first line of a definition: "# Customers of Stripe".
std::string title_of(const EmbeddedFile& file) {
    return std::string{file.content.substr(2, file.content.find('\n') - 2)};
}

/// As an item below `effects:`, so that it can be appended to a list that is indented by two spaces.
std::string indented(std::string_view text) {
    std::string result;
    for (const auto& line : text | std::views::split('\n'))
        result += line.empty() ? "" : "  " + std::string{std::string_view{line}} + "\n";
    return result;
}

/// A definition says `source: stripe` once.
std::string text_of(const EmbeddedFile& file, const std::string& source) {
    constexpr std::string_view placeholder = "source: stripe";
    std::string text{file.content};
    return indented(text.replace(text.find(placeholder), placeholder.size(), "source: " + source));
}

/// "stripe.customer", or "stripe" for all of them.
bool is_meant(const EmbeddedFile& file, const std::string& name) {
    return file.name == name || file.name.starts_with(name + ".");
}

std::vector<const EmbeddedFile*> chosen(const std::vector<std::string>& names) {
    std::vector<const EmbeddedFile*> files;
    for (const auto& name : names) {
        const auto before = files.size();
        for (const EmbeddedFile& file : ready_effects())
            if (is_meant(file, name) && !std::ranges::contains(files, &file)) files.push_back(&file);
        if (files.size() == before &&
            std::ranges::none_of(ready_effects(), [&name](const auto& file) { return is_meant(file, name); }))
            throw Stopped{Exit::usage,
                          "there is no ready effect \"" + name + "\"; there are: " +
                              joined(ready_effects(), ", ", [](const auto& file) { return file.name; })};
    }
    return files;
}

void show_list(const ReadyOptions& options, Console& console) {
    Table table{{"NAME", "WHAT IT KEEPS"}};
    Json json = Json::array();
    for (const EmbeddedFile& file : ready_effects()) {
        table.row({std::string{file.name}, title_of(file)});
        json.push_back({{"name", file.name}, {"title", title_of(file)}});
    }
    print(console, options.common.chosen_form(), json, table.text());
}

void show_texts(const ReadyOptions& options, Console& console) {
    Json json = Json::array();
    std::string text;
    for (const EmbeddedFile* file : chosen(options.names)) {
        const std::string yaml = text_of(*file, options.source);
        text += (text.empty() ? "" : "\n") + yaml;
        json.push_back({{"name", file->name}, {"title", title_of(*file)}, {"yaml", yaml}});
    }
    print(console, options.common.chosen_form(), json, text);
}

}  // namespace

void add_effects_ready(CLI::App& effects, Console& console) {
    const auto options = std::make_shared<ReadyOptions>();
    CLI::App& command = *effects.add_subcommand(
        "ready", "Effects to start from: tables that mirror a provider's objects, as items of `effects`");
    command.add_option("NAME", options->names,
                       "Which to print, or a provider for all of it; none: list them");
    command.add_option("--source", options->source, "The source that their `when` names; stripe by default")
        ->check([](const std::string& name) {
            const bool is_plain =
                !name.empty() && name.size() <= 63 &&
                name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
            return is_plain ? std::string{} : "a source's name is 1 to 63 of a-z, 0-9 and -";
        })
        ->type_name("NAME");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl effects ready\n"
               "  sluicectl effects ready stripe.customer stripe.subscription\n"
               "  sluicectl effects ready stripe --source stripe-eu\n"
               "\nAppend what it prints, indented by two spaces, to the file's `effects`, change it as you "
               "like, and make the tables "
               "with: sluicectl migrate --effects --apply\n");
    command.callback([options, &console] {
        options->names.empty() ? show_list(*options, console) : show_texts(*options, console);
    });
}

}  // namespace sluice::ctl
