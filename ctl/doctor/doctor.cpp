#include <algorithm>
#include <memory>
#include <set>

#include "common/webhook/recipe/source.hpp"
#include "consumer/command/operator_settings.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/embedded.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/doctor/kafka_checks.hpp"
#include "ctl/doctor/mysql_checks.hpp"
#include "ctl/doctor/recorded_checks.hpp"
#include "ctl/doctor/redis_checks.hpp"

namespace sluice::ctl {
namespace {

struct DoctorOptions {
    CommonOptions common;
    std::set<std::string> only;

    [[nodiscard]] bool wants(const std::string& part) const { return only.empty() || only.contains(part); }
};

/// Reads each part with its own problems, so that a mistake in one does not hide the others.
class Examination {
public:
    Examination(const DoctorOptions& options, Console& console)
        : options_{options}, console_{console}, document_{open_config(options.common, file_problems_)} {}

    [[nodiscard]] Findings findings() {
        if (options_.wants("config")) add(judge_config("file", file_problems_));
        if (options_.wants("operators")) examine_operators();
        if (options_.wants("sources")) examine_sources();
        if (options_.wants("kafka")) examine_kafka();
        if (options_.wants("redis")) examine_redis();
        if (options_.wants("mysql")) examine_mysql();
        if (options_.wants("kafka") && options_.wants("mysql")) examine_partitions();
        return std::move(findings_);
    }

private:
    void add(Findings findings) { append(findings_, std::move(findings)); }

    /// Adds what is wrong with the part; whether it can be used.
    [[nodiscard]] bool is_usable(const std::string& part, const config::Problems& problems) {
        add(judge_config(part, problems));
        return !problems.any();
    }

    void examine_operators() {
        config::Problems problems;
        const auto settings = command::read_operators(document_);
        if (settings.keys.empty())
            problems.warn({.file = document_.file(), .line = 1, .column = 1},
                          "operators.keys is empty: anyone who can write to the command topic can skip or "
                          "edit any event");
        static_cast<void>(command::resolve_keys(settings, problems));
        add(judge_config("operators", problems));
    }

    void examine_sources() {
        config::Problems problems;
        static_cast<void>(webhook::read_sources(document_, problems));
        add(judge_config("sources", problems));
    }

    void examine_kafka() {
        config::Problems problems;
        const config::KafkaSettings settings = config::read_kafka(document_, problems);
        const config::InboxSettings inbox = config::read_inbox(document_, problems);
        const auto& file = kafka_topics().front();
        const auto wishes =
            read_topic_wishes(std::string{file.content}, std::string{file.name}, settings, problems);
        if (!is_usable("kafka", problems)) return;
        add(check_kafka(settings, wishes,
                        {.keep = inbox.keep,
                         .largest_body = largest_body(),
                         .min_replication = settings.min_replication,
                         .min_insync = settings.min_insync}));
    }

    void examine_redis() {
        config::Problems problems;
        const config::RedisSettings settings = config::read_redis(document_, problems);
        if (is_usable("redis", problems)) add(check_redis(settings, console_.clock));
    }

    void examine_mysql() {
        config::Problems problems;
        const config::MysqlSettings settings = config::read_mysql(document_, problems);
        if (!is_usable("mysql", problems)) return;
        config::Problems of_kafka;
        const std::string group = config::read_kafka(document_, of_kafka).group;
        add(check_mysql(settings, {.group = group, .largest_body = largest_body()}, console_.clock));
        examine_sources_and_effects(settings);
    }

    void examine_partitions() {
        config::Problems problems;  // reported by the two before
        const config::KafkaSettings kafka = config::read_kafka(document_, problems);
        const config::MysqlSettings mysql = config::read_mysql(document_, problems);
        if (!problems.any()) add(check_partitions(kafka, mysql));
    }

    void examine_sources_and_effects(const config::MysqlSettings& settings) {
        config::Problems problems;
        const webhook::SourceSet sources = webhook::read_sources_without_keys(document_, problems);
        const auto effects = effects::EffectSet::read(document_, sources, problems);
        if (!is_usable("effects", problems)) return;
        add(check_effects(settings, effects));
        add(check_keys(settings, sources));
    }

    [[nodiscard]] std::size_t largest_body() const {
        config::Problems problems;  // reported by examine_sources
        std::size_t largest = 0;
        for (const auto& source : webhook::read_sources_without_keys(document_, problems)) {
            largest = std::max(largest, source->max_body);
        }
        return largest;
    }

    const DoctorOptions& options_;
    Console& console_;
    config::Problems file_problems_;
    config::Document document_;
    Findings findings_;
};

}  // namespace

void add_doctor(CLI::App& program, Console& console) {
    const auto options = std::make_shared<DoctorOptions>();
    CLI::App& command = *program.add_subcommand(
        "doctor", "Check configuration, Kafka, Redis and MySQL, and say what should be changed");
    add_config_option(command, options->common);
    command
        .add_option(
            "--only", options->only,
            "Check only these parts: config, operators, sources, kafka, redis, mysql (several allowed)")
        ->check(CLI::IsMember({"config", "operators", "sources", "kafka", "redis", "mysql"}).description(""))
        ->delimiter(',')
        ->type_name("PART");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl doctor --config sluice.yaml\n"
               "  sluicectl doctor --config sluice.yaml --only kafka,mysql --json\n");
    command.callback([options, &console] {
        const Findings findings = Examination{*options, console}.findings();
        print(console, options->common.chosen_form(), to_json(findings), to_people(findings));
        console.exit = exit_of(findings);
    });
}

}  // namespace sluice::ctl
