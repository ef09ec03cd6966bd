#include "ctl/topics/topic_wishes.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "common/config/section.hpp"
#include "common/config/settings/hot_topic.hpp"
#include "consumer/lane/rules/retry_delays.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t kibibyte = 1024;

static_assert(std::ranges::all_of(lane::tiers, [](const lane::Tier& tier) {
    return tier.name.size() <= config::longest_tier_name;
}));

/// Zero stands for `as_main`.
int read_partitions(config::Section& topic, bool is_main) {
    const std::string text = topic.text("partitions", is_main ? "" : "as_main");
    if (text == "as_main" && !is_main) return 0;
    return static_cast<int>(topic.integer("partitions", 1, 1, 10'000));
}

/// Without a name yet.
TopicWish read_topic(config::Section topic, const std::string& role, const config::KafkaSettings& settings) {
    using std::chrono::days;
    return {.role = role,
            .name = {},
            .partitions = read_partitions(topic, role == "main"),
            .as_main = false,
            .partitions_asked_for = false,
            .may_have_more = role != "main" || settings.partitions != 0,
            .replication = settings.min_replication,
            .min_insync = settings.min_insync,
            .retention = topic.duration("retention", days{7}, std::chrono::hours{1}, days{3650}),
            .max_message_bytes =
                topic.size("max_message_bytes", 2 * kibibyte * kibibyte, 64 * kibibyte, 1 << 30)};
}

/// One name, of `retry` one for each tier, of `hot` and `callbacks` none where they are not used; nothing:
/// there is no such role.
std::optional<std::vector<std::string>> topics_of(const std::string& role, const TopicNames& names) {
    using Names = std::vector<std::string>;
    const config::KafkaSettings& settings = names.kafka;
    if (role == "main") return Names{settings.topic};
    if (role == "quarantine") return Names{settings.quarantine_topic};
    if (role == "originals") return Names{settings.originals_topic};
    if (role == "callbacks") return names.has_callbacks ? Names{settings.callbacks_topic} : Names{};
    if (role == "dlq") return Names{settings.dlq_topic};
    if (role == "commands") return Names{settings.command_topic};
    if (role == "hot") return names.hot.empty() ? Names{} : Names{names.hot};
    if (role != "retry") return std::nullopt;
    Names topics;
    for (const auto& tier : lane::tiers) topics.push_back(settings.retry_topic(tier.name));
    return topics;
}

std::string hot_topic_in(const config::Document& document) {
    const auto commands = document.value("commands");
    const auto has_hot = [](const config::Value& one) { return one.entry("hot").has_value(); };
    if (!commands || !std::ranges::any_of(commands->items(), has_hot)) return {};
    const auto command = document.value("command");
    const auto topic = command ? command->entry("topic") : std::nullopt;
    return topic && !topic->scalar().empty() ? topic->scalar() : config::default_hot_topic;
}

YAML::Node parsed(const std::string& yaml, const std::string& file, config::Problems& problems) {
    try {
        return YAML::Load(yaml);
    } catch (const YAML::Exception& error) {
        problems.add({.file = file, .line = error.mark.line + 1, .column = error.mark.column + 1},
                     "this is not valid YAML: " + error.msg);
        return {};
    }
}

}  // namespace

TopicNames read_topic_names(const config::Document& document, config::Problems& problems) {
    return {.kafka = config::read_kafka(document, problems),
            .hot = hot_topic_in(document),
            .has_webhooks = has_webhooks(document),
            .has_callbacks = config::read_callbacks(document).recorded};
}

bool has_webhooks(const config::Document& document) {
    return document.value("sources") || !document.value("commands");
}

std::vector<TopicWish> read_topic_wishes(const std::string& yaml, const std::string& file,
                                         const TopicNames& names, config::Problems& problems) {
    const config::Value root{parsed(yaml, file, problems), std::make_shared<const std::string>(file),
                             problems};
    std::vector<TopicWish> wishes;
    for (const auto& [role, topic] : root.entries()) {
        const auto topics = topics_of(role.scalar(), names);
        if (!topics) {
            role.problem(
                "\"" + role.scalar() +
                "\" is not a topic of sluice: use main, quarantine, originals, callbacks, dlq, retry, "
                "commands and hot");
            continue;
        }
        auto wish = read_topic(config::Section{topic, role.scalar()}, role.scalar(), names.kafka);
        for (const auto& name : *topics) {
            wish.name = name;
            wishes.push_back(wish);
        }
    }
    const auto main = std::ranges::find(wishes, "main", &TopicWish::role);
    if (main == wishes.end()) {
        if (!problems.any()) root.problem("the topic \"main\" is missing");
        return wishes;
    }
    for (auto& wish : wishes) {
        wish.as_main = wish.role == "main" || wish.partitions == 0;
        if (wish.as_main) wish.partitions = main->partitions;
    }
    if (!names.has_webhooks) std::erase_if(wishes, [](const auto& wish) { return wish.role != "hot"; });
    return wishes;
}

void override_wishes(std::vector<TopicWish>& wishes, std::optional<int> partitions,
                     std::optional<int> replication) {
    for (auto& wish : wishes) {
        wish.partitions_asked_for = partitions && wish.as_main;
        if (wish.partitions_asked_for) wish.partitions = *partitions;
        if (replication) wish.replication = *replication;
        wish.min_insync = std::min(wish.min_insync, wish.replication);
    }
}

}  // namespace sluice::ctl
