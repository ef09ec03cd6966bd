#include "ingress/config/config.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ingress/config/config_fingerprint.hpp"

namespace sluice::ingress {

namespace {

std::vector<std::string> parts_of_the_consumer(const config::Document& document) {
    std::vector<std::string> parts;
    for (const auto* part : {"mysql", "inbox", "consumer", "effects", "operators"})
        if (document.value(part)) parts.emplace_back(part);
    return parts;
}

bool has_redis(const config::Document& document) {
    const auto redis = document.value("redis");
    const auto urls = redis && redis->is_mapping() ? redis->entry("urls") : std::nullopt;
    return urls && !urls->text_or_texts().empty();
}

/// Where there is no Redis nothing would count them, without a word.
void check_limits(const webhook::Source& source, const config::Document& document,
                  config::Problems& problems) {
    if ((!source.source_limit && !source.account_limit) || has_redis(document)) return;
    problems.add({document.file(), 0, 0}, "source \"" + source.name + "\": limits." +
                                              (source.source_limit ? "source" : "account") +
                                              " is counted in Redis, and redis.urls is empty");
}

webhook::SourceSet sources_of(const config::Document& document, config::Problems& problems) {
    auto sources = webhook::read_sources(document, problems);
    for (const auto& source : sources) check_limits(*source, document, problems);
    const auto is_polled = [](const auto& source) { return source->polled; };
    if (!sources.empty() && std::ranges::all_of(sources, is_polled))
        problems.warn({document.file(), 0, 0}, "every source has poll: no webhook can be received");
    return sources;
}

}  // namespace

Config read_config(const std::string& file, config::Problems& problems) {
    std::string fingerprint = content_fingerprint(file);
    const config::Document document = config::Document::from_file(file, problems);
    Config read{.listen = config::read_listen(document, problems),
                .operations = config::read_operations(document, config::OperationsOf::ingress),
                .kafka = config::read_kafka(document, problems),
                .redis = config::read_redis(document, problems),
                .callbacks = config::read_callbacks(document),
                .spill = config::read_spill(document),
                .sources = sources_of(document, problems),
                .log = config::read_log(document),
                .tracing = config::read_tracing(document, problems),
                .unread = parts_of_the_consumer(document),
                .fingerprint = std::move(fingerprint)};
    if (problems.any()) throw config::Refused{problems.report()};
    return read;
}

webhook::SourceSet read_sources_of(const std::string& file, config::Problems& problems) {
    const config::Document document = config::Document::from_file(file, problems);
    webhook::SourceSet sources = sources_of(document, problems);
    if (problems.any()) throw config::Refused{problems.report()};
    return sources;
}

connection::TrustedProxies trusted_proxies(const config::ListenSettings& listen) {
    std::vector<network::Block> blocks;
    for (const std::string& text : listen.trusted)
        if (const auto block = network::Block::parse(text)) blocks.push_back(*block);
    return connection::TrustedProxies{std::move(blocks)};
}

}  // namespace sluice::ingress
