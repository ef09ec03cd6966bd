#include "poller/config/config.hpp"

namespace sluice::poller {

Config read_config(const std::string& file, config::Problems& problems, Needs needs) {
    const config::Document document = config::Document::from_file(file, problems);
    auto operations = config::read_operations(document, config::OperationsOf::poller);
    auto kafka = config::read_kafka(document, problems);
    auto redis = config::read_redis(document, problems);
    auto mysql = config::read_mysql(document, problems);
    const auto inbox = config::read_inbox(document, problems);
    auto sources = webhook::read_sources_without_keys(document, problems);
    auto polls = read_polls(document, sources, inbox.keep, problems);
    const config::LogSettings log = config::read_log(document);
    if (polls.empty() && needs == Needs::polls && !problems.any())
        problems.add({document.file(), 0, 0}, "no source has poll: there is nothing to poll");
    if (problems.any()) throw config::Refused{problems.report()};
    return {.operations = std::move(operations),
            .kafka = std::move(kafka),
            .redis = std::move(redis),
            .mysql = std::move(mysql),
            .sources = std::move(sources),
            .polls = std::move(polls),
            .inbox_keep = inbox.keep,
            .log = log};
}

}  // namespace sluice::poller
