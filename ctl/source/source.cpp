#include <algorithm>
#include <memory>

#include "common/time_text.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/store/traffic/source_traffic.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"

namespace sluice::ctl {
namespace {

/// What came from a source of the file.
struct SourceLine {
    std::string name;
    std::string provider;
    std::optional<std::chrono::seconds> disabled_after{};
    std::optional<WallTime> newest{};  ///< the rest is for those that have one
    std::chrono::seconds silent{};
    std::optional<std::chrono::seconds> strange_after{};
    std::optional<std::chrono::hours> longest{};

    [[nodiscard]] bool is_strange() const { return strange_after && silent > *strange_after; }
    [[nodiscard]] std::optional<std::chrono::seconds> disabled_in() const {
        if (!disabled_after || !newest) return std::nullopt;
        return *disabled_after - silent;
    }
};

struct SourcesThere {
    config::MysqlSettings mysql;
    webhook::SourceSet sources;
};

SourcesThere sources_there(const CommonOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options, problems);
    SourcesThere there{config::read_mysql(document, problems),
                       webhook::read_sources_without_keys(document, problems)};
    refuse_if_any(problems, console);
    return there;
}

std::vector<SourceLine> lines_of(const SourcesThere& there, WallTime now) {
    const auto connection = open_database(there.mysql);
    const auto newest = value_or_stop(store::newest_by_source(*connection), there.mysql, *connection);
    std::vector<SourceLine> lines;
    for (const auto& source : there.sources) {
        if (source->polled) continue;
        SourceLine& line = lines.emplace_back(source->name, source->provider, source->answers.disabled_after);
        const auto known = std::ranges::find(newest, source->name, &store::NewestOfSource::source);
        if (known == newest.end()) continue;
        const auto usual = value_or_stop(store::usual_traffic(*connection, *known), there.mysql, *connection);
        line.newest = known->at;
        line.silent = std::chrono::floor<std::chrono::seconds>(std::max(now, known->at) - known->at);
        line.strange_after = usual.strange_after(known->at);
        line.longest = usual.longest_usual_silence();
    }
    return lines;
}

Json seconds_or_null(const auto& time) {
    return time ? Json(std::chrono::seconds{*time}.count()) : Json(nullptr);
}

Json json_of(const std::vector<SourceLine>& lines) {
    Json rows = Json::array();
    for (const SourceLine& line : lines)
        rows.push_back({{"source", line.name},
                        {"provider", line.provider},
                        {"newest_at", line.newest ? Json(to_rfc3339(*line.newest)) : Json(nullptr)},
                        {"silent_s", line.newest ? Json(line.silent.count()) : Json(nullptr)},
                        {"strange_after_s", seconds_or_null(line.strange_after)},
                        {"longest_usual_s", seconds_or_null(line.longest)},
                        {"disabled_in_s", seconds_or_null(line.disabled_in())},
                        {"strange", line.is_strange()}});
    return {{"sources", std::move(rows)}};
}

std::string age_or(const auto& time, const char* otherwise) {
    return time ? age_text(*time) : otherwise;
}

std::string table_of(const std::vector<SourceLine>& lines) {
    if (lines.empty()) return "The file has no source that receives webhooks.\n";
    Table table{{"SOURCE", "NEWEST", "SILENT FOR", "STRANGE AFTER", "LONGEST USUAL", "DISABLED IN"}};
    for (const SourceLine& line : lines) {
        if (!line.newest) {
            table.row({line.name, "none in 12 weeks", "", "", "", ""});
            continue;
        }
        table.row({line.name, short_time(*line.newest), age_text(line.silent),
                   age_or(line.strange_after, "not known"), age_or(line.longest, "not known"),
                   age_or(line.disabled_in(), "")});
        if (line.is_strange()) table.note("strangely silent");
    }
    return table.text();
}

Exit list(const CommonOptions& options, Console& console) {
    const auto lines = lines_of(sources_there(options, console), console.clock.wall());
    print(console, options.chosen_form(), json_of(lines), table_of(lines));
    return std::ranges::any_of(lines, &SourceLine::is_strange) ? Exit::no : Exit::ok;
}

void add_list(CLI::App& source, Console& console) {
    const auto options = std::make_shared<CommonOptions>();
    CLI::App& command = *source.add_subcommand(
        "list", "How long each source has been silent; exits with 1 if that is strange for one");
    add_config_option(command, *options);
    add_output_options(command, *options);
    add_footer(
        command,
        "  sluicectl source list\n"
        "  sluicectl source list --json\n"
        "\nNEWEST is when the newest event came, UTC; SILENT FOR the time since then. STRANGE AFTER is "
        "learned from the eight\n"
        "weeks before NEWEST, and LONGEST USUAL is the longest silence in them that is usual: not known "
        "within the first week.\n"
        "DISABLED IN is the time until the provider disables the endpoint, if every request since NEWEST "
        "has failed.\n"
        "Only events that the consumer has read count: while it is behind, or while only redeliveries "
        "come, a source looks silent.\n");
    command.callback([options, &console] { console.exit = list(*options, console); });
}

}  // namespace

void add_source(CLI::App& program, Console& console) {
    CLI::App& source = *program.add_subcommand("source", "Whether the sources of the file still send");
    source.require_subcommand(1);
    add_list(source, console);
}

}  // namespace sluice::ctl
