#include "ctl/topics/topic_wishes.hpp"

#include <algorithm>
#include <memory>

#include "common/config/section.hpp"
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

std::vector<std::string> topics_of(const std::string& role, const config::KafkaSettings& settings) {
    if (role == "main") return {settings.topic};
    if (role == "quarantine") return {settings.quarantine_topic};
    if (role == "originals") return {settings.originals_topic};
    if (role == "dlq") return {settings.dlq_topic};
    if (role == "commands") return {settings.command_topic};
    std::vector<std::string> topics;
    if (role != "retry") return topics;
    for (const auto& tier : lane::tiers) topics.push_back(settings.retry_topic(tier.name));
    return topics;
}

std::vector<TopicWish> read_topic_wishes(const std::string& yaml, const std::string& file,
                                         const config::KafkaSettings& settings, config::Problems& problems) {
    const config::Value root{parsed(yaml, file, problems), std::make_shared<const std::string>(file),
                             problems};
    std::vector<TopicWish> wishes;
    for (const auto& [role, topic] : root.entries()) {
        const auto names = topics_of(role.scalar(), settings);
        if (names.empty()) {
            role.problem(
                "\"" + role.scalar() +
                "\" is not a topic of sluice: use main, quarantine, originals, dlq, retry and commands");
            continue;
        }
        auto wish = read_topic(config::Section{topic, role.scalar()}, role.scalar(), settings);
        for (const auto& name : names) {
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
