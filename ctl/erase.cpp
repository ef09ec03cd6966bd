#include <format>
#include <istream>
#include <memory>
#include <ranges>

#include "common/config/connections.hpp"
#include "common/failpoint.hpp"
#include "consumer/store/dead_letter_read.hpp"
#include "consumer/store/server_time.hpp"
#include "ctl/commands.hpp"
#include "ctl/database.hpp"
#include "ctl/erase/erase_plan.hpp"
#include "ctl/erase/still_waiting.hpp"
#include "ctl/kafka_admin.hpp"
#include "ctl/operate/run_options.hpp"
#include "ctl/operate/send_order.hpp"
#include "ctl/options.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::ctl {
namespace {

struct EraseOptions {
    CommonOptions common;
    std::string object;
    std::int64_t entry = 0;
    RunOptions run;
};

struct EraseSettings {
    config::MysqlSettings mysql;
    config::KafkaSettings kafka;
    config::InboxSettings inbox;
    effects::EffectSet effects;
};

EraseSettings settings_of(const EraseOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const auto sources = verify::read_sources_without_keys(document, problems);
    EraseSettings settings{.mysql = config::read_mysql(document, problems),
                           .kafka = config::read_kafka(document, problems),
                           .inbox = config::read_inbox(document, problems),
                           .effects = effects::EffectSet::read(document, sources, problems)};
    refuse_if_any(problems, console);
    return settings;
}

/// One erasure, from the look at what is there to its end.
class Eraser {
public:
    Eraser(const EraseSettings& settings, std::string object_key)
        : settings_{settings}, object_key_{std::move(object_key)} {
        connect();
    }

    /// The server closes a session that waits for a person.
    void connect() { connection_ = open_database(settings_.mysql); }
    void name_by_entry(std::int64_t entry);
    [[nodiscard]] ErasePlan look();
    /// What waits by then; nothing: it is finished.
    std::vector<StillWaiting> erase(const ErasePlan& plan, const RunOptions& by);
    [[nodiscard]] store::ErasedRows rows();

private:
    /// By the clock that events' ends are told by.
    [[nodiscard]] WallTime now() {
        return value_or_stop(store::server_time(*connection_), settings_.mysql, *connection_);
    }
    template <class Rows, class Erase>
    void in_chunks(const Rows& rows, Erase erase) {
        for (auto chunk : rows | std::views::chunk(store::erasure_chunk)) {
            must(erase(std::span{chunk.begin(), chunk.end()}));
            (void)FP("ctl.erased_chunk");
        }
    }
    void must(const Result<void>& done) {
        if (done) return;
        const auto& error = connection_->last_error();
        throw Stopped{Exit::no, (error.code ? complaint_of(settings_.mysql, error) : done.error().message()) +
                                    ". What was erased stays erased: the same command goes on"};
    }

    const EraseSettings& settings_;
    std::string object_key_;
    std::unique_ptr<store::Connection> connection_;
    std::int64_t id_ = 0;
};

/// A topic whose retention nobody tells is named all the same.
std::vector<ErasedTopic> topics_of(const config::KafkaSettings& settings) {
    std::vector<ErasedTopic> topics{
        {settings.topic, "each event as it was received", {}},
        {settings.quarantine_topic, "requests that could not be read", {}},
        {settings.originals_topic, "whole deliveries of several events", {}},
        {settings.dlq_topic, "events that could not be applied", {}},
        {settings.command_topic, "operators' orders: reasons, edited bodies", {}}};
    try {
        KafkaAdmin kafka{settings, std::chrono::seconds{5}};
        kafka.reach();
        std::erase_if(topics, [&](ErasedTopic& topic) {
            const auto facts = kafka.facts(topic.name);
            if (facts) topic.retention_ms = facts->retention_ms;
            return !facts;
        });
    } catch (const Stopped&) {
    }
    return topics;
}

void Eraser::name_by_entry(std::int64_t entry) {
    const auto letter = value_or_stop(store::find_letter(*connection_, entry), settings_.mysql, *connection_);
    if (!letter) throw Stopped{Exit::no, std::format("there is no entry {}", entry)};
    if (letter->object_key.empty())
        throw Stopped{Exit::no,
                      std::format("entry {} has no key: it goes inbox.keep after it was closed", entry)};
    object_key_ = letter->object_key;
}

ErasePlan Eraser::look() {
    ErasePlan plan{.object_key = object_key_,
                   .found = value_or_stop(store::find_erasable(*connection_, object_key_), settings_.mysql,
                                          *connection_),
                   .waiting = still_waiting(*connection_, settings_.mysql, object_key_),
                   .topics = topics_of(settings_.kafka),
                   .inbox = settings_.inbox};
    if (plan.waiting.empty() && plan.found.unfinished > 0)
        plan.waiting.push_back({.what = std::format("{} events of the inbox", plan.found.unfinished),
                                .standing = "not finished, and in no lane",
                                .ends_with = "sluicectl event show ID"});
    if (plan.waiting.empty() && !plan.found.is_known())
        throw Stopped{
            Exit::no,
            "nothing is known of an object " + object_key_ +
                ": it is named <provider>/<principal>/<object id>, as `sluicectl event show` has it"};
    return plan;
}

std::vector<StillWaiting> Eraser::erase(const ErasePlan& plan, const RunOptions& by) {
    const std::string host = host_name();
    id_ = value_or_stop(store::begin_erasure(*connection_, {.object_key = object_key_,
                                                            .operator_name = by.operator_name,
                                                            .reason = by.reason,
                                                            .host = host,
                                                            .begun_at = now()}),
                        settings_.mysql, *connection_);
    for (const auto& [day, keys] : plan.found.events) {
        in_chunks(keys, [&](auto chunk) { return store::erase_events(*connection_, id_, day, chunk); });
    }
    in_chunks(plan.found.letters, [&](auto chunk) { return store::erase_letters(*connection_, id_, chunk); });
    in_chunks(plan.found.actions, [&](auto chunk) { return store::erase_actions(*connection_, id_, chunk); });
    // What came meanwhile may hold what a rerun has taken out of the archive.
    auto waiting = still_waiting(*connection_, settings_.mysql, object_key_);
    if (waiting.empty()) must(store::finish_erasure(*connection_, id_, now()));
    return waiting;
}

store::ErasedRows Eraser::rows() {
    return value_or_stop(store::rows_of_erasure(*connection_, id_), settings_.mysql, *connection_);
}

Json to_json(const store::ErasedRows& rows) {
    return {{"event_payload", rows.payloads},
            {"inbox", rows.inbox_rows},
            {"dead_letter", rows.letters},
            {"operator_action", rows.actions}};
}

std::string erased_words(const store::ErasedRows& rows, const std::vector<StillWaiting>& waiting) {
    std::string text =
        std::format("erased: {} archived requests, {} words of errors, {} entries, {} reasons\n",
                    rows.payloads, rows.inbox_rows, rows.letters, rows.actions);
    if (waiting.empty()) return text + "A new event of the object is taken in as ever.\n";
    return text + "Events came meanwhile. " + to_people(waiting) +
           "\nThen give the same order again: it goes on.\n";
}

bool says_yes_to_erase(Console& console) {
    console.err << "\nType yes to erase: " << std::flush;
    std::string answer;
    std::getline(*console.in, answer);
    return answer == "yes";
}

void refuse_unless_one_is_named(const EraseOptions& options) {
    if (options.object.empty() == (options.entry == 0))
        throw Stopped{Exit::usage, "erase what? --object KEY, or --entry ID"};
}

Exit erase(const EraseOptions& options, Console& console) {
    refuse_unless_one_is_named(options);
    const bool asks = !options.run.apply && console.in != nullptr;
    if (options.run.apply || asks) refuse_unless_signed(options.run);
    const auto settings = settings_of(options, console);
    Eraser eraser{settings, options.object};
    if (options.entry != 0) eraser.name_by_entry(options.entry);
    const ErasePlan plan = eraser.look();
    const auto stays = what_stays(plan, settings.effects);
    const bool may_go = plan.waiting.empty();
    if (!may_go || !(options.run.apply || asks)) {
        print(console, options.common.chosen_form(), to_json(plan, stays),
              to_people(plan, stays) + (may_go ? "\nNothing was erased. --apply erases it.\n" : ""));
        return may_go ? Exit::ok : Exit::no;
    }
    // One answer on stdout in the form that was asked for; the plan is for whoever reads along.
    console.err << to_people(plan, stays);
    if (asks) {
        if (!says_yes_to_erase(console)) throw Stopped{Exit::no, "nothing was erased"};
        eraser.connect();
    }
    const auto waiting = eraser.erase(plan, options.run);
    const auto rows = eraser.rows();
    Json json = to_json(plan, stays);
    json["erased"] = to_json(rows);
    json["finished"] = waiting.empty();
    print(console, options.common.chosen_form(), json, erased_words(rows, waiting));
    return waiting.empty() ? Exit::ok : Exit::no;
}

}  // namespace

void add_erase(CLI::App& program, Console& console) {
    const auto options = std::make_shared<EraseOptions>();
    CLI::App& command = *program.add_subcommand(
        "erase", "Take a person's data out of the tables of sluice, object by object; shows a plan first");
    add_config_option(command, options->common);
    command.add_option("--object", options->object, "The record key: <provider>/<principal>/<object id>")
        ->type_name("KEY");
    command
        .add_option("--entry", options->entry,
                    "The object of this entry; of a request that could not be "
                    "read the request itself")
        ->type_name("ID");
    add_who(command, options->run);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl erase --object stripe/acct_main/pi_3Q\n"
               "  sluicectl erase --object stripe/acct_main/pi_3Q --reason 'request 2026-17' --operator ada "
               "--apply\n"
               "  sluicectl erase --entry 4711 --reason 'request 2026-17' --operator ada --apply\n"
               "\nArchived requests, bodies and headers of closed entries, what errors said and the reasons "
               "of operators\ngo. The plan says what stays, and why. Nothing goes while events of the object "
               "wait. No personal data\nin --reason: it is kept. Interrupted, the same command goes on.\n");
    command.callback([options, &console] { console.exit = erase(*options, console); });
}

}  // namespace sluice::ctl
