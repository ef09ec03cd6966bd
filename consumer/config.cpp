#include "consumer/config.hpp"

#include "common/config/log_level.hpp"

#include <algorithm>

namespace sluice::consumer {
namespace {

ConsumerSettings read_consumer(const config::Document& document) {
    config::Section section = document.section("consumer");
    ConsumerSettings settings;
    const std::string workers = section.text("workers", "auto");
    if (workers == "auto") {
        settings.workers = std::max(4, 2 * config::usable_cpus());
    } else {
        settings.workers = static_cast<int>(section.integer("workers", 4, 1, 256));
    }
    settings.batch = static_cast<int>(section.integer("batch", settings.batch, 1, 2000));
    settings.give_up_after = section.duration("give_up_after", settings.give_up_after, Milliseconds{1000},
                                              Milliseconds{10 * 60'000});
    settings.drain_within = section.duration("drain_within", settings.drain_within, Milliseconds{1000},
                                             Milliseconds{10 * 60'000});
    settings.buffer_bytes = section.size("buffer", settings.buffer_bytes, 1 << 20, std::int64_t{4} << 30);
    return settings;
}

}  // namespace

Config read_config(const std::string& file, config::Problems& problems) {
    const config::Document document = config::Document::from_file(file, problems);
    auto operations = config::read_operations(document, problems);
    auto kafka = config::read_kafka(document, problems);
    auto mysql = config::read_mysql(document, problems);
    auto inbox = config::read_inbox(document, problems);
    auto consumer = read_consumer(document);
    auto sources = verify::read_sources_without_keys(document, problems);
    auto effects = effects::EffectSet::read(document, sources, problems);
    const LogLevel log_level = config::read_log_level(document);
    if (problems.any()) throw config::Refused{problems.report()};
    return {.operations = std::move(operations),
            .kafka = std::move(kafka),
            .mysql = std::move(mysql),
            .inbox = std::move(inbox),
            .consumer = consumer,
            .sources = std::move(sources),
            .effects = std::move(effects),
            .log_level = log_level};
}

}  // namespace sluice::consumer
