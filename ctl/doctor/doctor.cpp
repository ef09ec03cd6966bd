#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "command/config/command_set.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/command/operator_settings.hpp"
#include "consumer/destination/destination.hpp"
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

/// The file as one part of it is read: readers say what is wrong to the Problems that they are given, and to
/// those of the document. So a mistake in one part neither hides the others nor gets lost.
struct Part {
    explicit Part(const config::Document& whole) : document{whole.reporting_to(problems)} {}

    config::Problems problems;
    config::Document document;
};

class Examination {
public:
    Examination(const DoctorOptions& options, Console& console)
        : options_{options}, console_{console}, file_{open_config(options.common, file_problems_)} {}

    [[nodiscard]] Findings findings() {
        if (options_.wants("config")) add(judge_config("file", file_problems_));
        if (options_.wants("config")) examine_commands();
        if (has_webhooks(file_))
            examine_webhooks();
        else
            examine_commands_alone();
        return std::move(findings_);
    }

private:
    void add(Findings findings) { append(findings_, std::move(findings)); }

    /// Adds what is wrong with the part and is not wrong with the whole file; whether it can be used.
    [[nodiscard]] bool is_usable(const std::string& name, const Part& part) {
        Findings findings = judge_config(name, part.problems, file_problems_);
        const bool usable = exit_of(findings) == Exit::ok;
        add(std::move(findings));
        return usable;
    }

    void examine_webhooks() {
        if (options_.wants("operators")) examine_operators();
        if (options_.wants("sources")) examine_sources();
        if (options_.wants("kafka")) examine_kafka();
        if (options_.wants("redis")) examine_redis();
        if (options_.wants("mysql")) examine_mysql();
        if (options_.wants("config") || options_.wants("mysql")) examine_effects();
        if (options_.wants("kafka") && options_.wants("mysql")) examine_partitions();
    }

    /// Kafka is for hot accounts then, and Redis for records of calls.
    void examine_commands_alone() {
        add({{"config.webhooks", Level::ok, "none: the file has commands and no sources"}});
        if (options_.wants("kafka") && file_.value("kafka")) examine_kafka();
        if (options_.wants("redis") && file_.value("redis")) examine_redis();
        if (options_.wants("mysql")) examine_mysql();
    }

    void examine_commands() {
        if (!file_.value("commands")) return;
        Part part{file_};
        static_cast<void>(command::CommandSet::read(part.document));
        static_cast<void>(is_usable("commands", part));
    }

    void examine_operators() {
        Part part{file_};
        const auto settings = command::read_operators(part.document);
        if (settings.keys.empty())
            part.problems.warn({.file = part.document.file(), .line = 1, .column = 1},
                               "operators.keys is empty: anyone who can write to the command topic can skip "
                               "or edit any event");
        static_cast<void>(command::resolve_keys(settings, part.problems));
        static_cast<void>(is_usable("operators", part));
    }

    void examine_sources() {
        Part part{file_};
        static_cast<void>(webhook::read_sources(part.document, part.problems));
        static_cast<void>(is_usable("sources", part));
    }

    void examine_kafka() {
        Part part{file_};
        const TopicNames names = read_topic_names(part.document, part.problems);
        const config::KafkaSettings& settings = names.kafka;
        const config::InboxSettings inbox = config::read_inbox(part.document, part.problems);
        const auto& file = kafka_topics().front();
        const auto wishes =
            read_topic_wishes(std::string{file.content}, std::string{file.name}, names, part.problems);
        if (!is_usable("kafka", part)) return;
        add(check_kafka(settings, wishes,
                        {.keep = inbox.keep,
                         .largest_body = largest_body(),
                         .min_replication = settings.min_replication,
                         .min_insync = settings.min_insync,
                         .destinations = destination::read_destinations(part.document)}));
    }

    void examine_redis() {
        Part part{file_};
        const config::RedisSettings settings = config::read_redis(part.document, part.problems);
        if (is_usable("redis", part)) add(check_redis(settings, console_.clock));
    }

    void examine_mysql() {
        Part part{file_};
        mysql_ = config::read_mysql(part.document, part.problems);
        if (!is_usable("mysql", part)) return mysql_.reset();
        Part of_kafka{file_};
        const std::string group = config::read_kafka(of_kafka.document, of_kafka.problems).group;
        add(check_mysql(*mysql_,
                        {.group = group,
                         .largest_body = largest_body(),
                         .destinations = destination::destination_names(part.document).all},
                        console_.clock));
    }

    void examine_partitions() {
        Part part{file_};  // reported by the two before
        const config::KafkaSettings kafka = config::read_kafka(part.document, part.problems);
        const config::MysqlSettings mysql = config::read_mysql(part.document, part.problems);
        if (exit_of(judge_config("", part.problems, file_problems_)) == Exit::ok)
            add(check_partitions(kafka, mysql));
    }

    /// As the consumer reads them when it starts, but for the secrets of destinations, which are the relay's.
    void examine_effects() {
        Part part{file_};
        Part of_kafka{file_};  // reported by examine_kafka
        destination::refuse_own_topics(destination::read_destinations(part.document),
                                       config::read_kafka(of_kafka.document, of_kafka.problems),
                                       part.document);
        const webhook::SourceSet sources = webhook::read_sources_without_keys(part.document, part.problems);
        const auto effects = effects::EffectSet::read(part.document, sources, part.problems);
        if (!is_usable("effects", part) || !mysql_) return;
        add(check_effects(*mysql_, effects));
        add(check_keys(*mysql_, sources));
    }

    [[nodiscard]] std::size_t largest_body() const {
        Part part{file_};  // reported by examine_sources
        std::size_t largest = 0;
        for (const auto& source : webhook::read_sources_without_keys(part.document, part.problems)) {
            largest = std::max(largest, source->max_body);
        }
        return largest;
    }

    const DoctorOptions& options_;
    Console& console_;
    config::Problems file_problems_;
    config::Document file_;
    std::optional<config::MysqlSettings> mysql_{};  // where they can be used, and are to be
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
