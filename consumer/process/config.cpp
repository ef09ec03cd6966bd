#include "consumer/process/config.hpp"

#include <algorithm>

#include "consumer/command/operator_settings.hpp"
#include "consumer/store/driver/row_statements.hpp"

namespace sluice::consumer {
namespace {

static_assert(ConsumerSettings{}.batch == store::full_batch);

int read_workers(config::Section& section) {
    if (section.text("workers", "auto") == "auto") return std::max(4, 2 * config::usable_cpus());
    return static_cast<int>(section.integer("workers", 4, 1, 256));
}

void read_durations(config::Section& section, ConsumerSettings& settings) {
    using namespace std::chrono_literals;
    settings.drain_within = section.duration("drain_within", settings.drain_within, 1s, 10min);
    settings.in_place = section.duration("in_place", settings.in_place, 0s, 60s);
    settings.effects_grace = section.duration("effects_grace", settings.effects_grace, 1s, 24h);
    settings.lane_keep = section.duration("lane_keep", settings.lane_keep, 1min, std::chrono::days{30});
}

void refuse_unknown_destination(const config::CallbackSettings& callbacks, const config::Document& document) {
    if (callbacks.tell.empty()) return;
    if (std::ranges::contains(destination::destination_names(document).all, callbacks.tell)) return;
    const auto anomalies = document.value("callbacks")->entry("anomalies");
    anomalies->entry("tell")->problem("callbacks.anomalies.tell is '" + callbacks.tell +
                                      "', which is no name under destinations");
}

lane::BudgetSettings read_budget(config::Section budget) {
    using namespace std::chrono_literals;
    lane::BudgetSettings settings;
    settings.events = static_cast<int>(budget.integer("events", settings.events, 0, 10'000));
    settings.refill = budget.duration("refill", settings.refill, 1s, 24h);
    settings.pause_after =
        static_cast<int>(budget.integer("pause_after", settings.pause_after, 0, 1'000'000));
    return settings;
}

}  // namespace

ConsumerSettings read_consumer(const config::Document& document) {
    config::Section section = document.section("consumer");
    ConsumerSettings settings;
    settings.workers = read_workers(section);
    settings.batch = static_cast<int>(section.integer("batch", settings.batch, 1, 2000));
    settings.buffer_bytes = section.size("buffer", settings.buffer_bytes, 1 << 20, std::int64_t{4} << 30);
    settings.pod_rate = static_cast<int>(section.integer("pod_rate", settings.pod_rate, 0, 1'000'000));
    read_durations(section, settings);
    settings.dead_letter_budget = read_budget(section.section("dead_letter_budget"));
    return settings;
}

Config read_config(const std::string& file, config::OperationsOf role, config::Problems& problems) {
    const config::Document document = config::Document::from_file(file, problems);
    auto operations = config::read_operations(document, role);
    auto kafka = config::read_kafka(document, problems);
    auto mysql = config::read_mysql(document, problems);
    auto inbox = config::read_inbox(document, problems);
    const auto callbacks = config::read_callbacks(document);
    auto consumer = read_consumer(document);
    // Who only sends need not know of sources.
    const bool has_none = role == config::OperationsOf::relay && !document.value("sources");
    auto sources = has_none ? webhook::SourceSet{} : webhook::read_sources_without_keys(document, problems);
    auto effects = effects::EffectSet::read(document, sources, problems);
    auto destinations = destination::read_destinations(document);
    destination::refuse_own_topics(destinations, kafka, document);
    const auto outbox = destination::read_outbox(document);
    refuse_unknown_destination(callbacks, document);
    (void)command::read_operators(document);  // whose keys are the retry role's
    const config::LogSettings log = config::read_log(document);
    auto tracing = config::read_tracing(document, problems);
    if (problems.any()) throw config::Refused{problems.report()};
    return {.operations = std::move(operations),
            .kafka = std::move(kafka),
            .mysql = std::move(mysql),
            .inbox = std::move(inbox),
            .callbacks = callbacks,
            .consumer = consumer,
            .sources = std::move(sources),
            .effects = std::move(effects),
            .destinations = std::move(destinations),
            .outbox = outbox,
            .log = log,
            .tracing = std::move(tracing)};
}

webhook::SourceSet read_sources_with_keys(const std::string& file, config::Problems& problems) {
    const config::Document document = config::Document::from_file(file, problems);
    auto sources = webhook::read_sources(document, problems);
    if (problems.any()) throw config::Refused{problems.report()};
    return sources;
}

}  // namespace sluice::consumer
