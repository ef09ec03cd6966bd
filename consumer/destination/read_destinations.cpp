#include <algorithm>
#include <cctype>

#include "common/config/settings/host_port.hpp"
#include "consumer/destination/destination.hpp"

namespace sluice::destination {
namespace {

constexpr std::size_t longest_name =
    28;  // with a slot's number it is in the name of a lock: 64 bytes on MySQL

bool is_name(const std::string& text) {
    return !text.empty() && text.size() <= longest_name && std::ranges::all_of(text, [](unsigned char c) {
        return (c < 0x80 && std::isalnum(c) != 0) || c == '-' || c == '_';
    });
}

bool same_but_for_case(const std::string& one, const std::string& other) {
    return std::ranges::equal(
        one, other, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

bool is_url(const std::string& text) {
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (text.starts_with(scheme)) return text.size() > scheme.size() && !text.contains(' ');
    }
    return false;
}

std::vector<config::SecretReference> read_secrets(config::Section& http) {
    std::vector<config::SecretReference> secrets;
    for (auto& one : http.sections("secrets")) {
        if (auto reference = one.secret("value")) secrets.push_back(std::move(*reference));
    }
    return secrets;
}

Url read_url(config::Section http) {
    using namespace std::chrono_literals;
    Url url;
    url.url = http.required_text("url");
    if (!url.url.empty() && !is_url(url.url))
        http.problem_at("url",
                        "url must begin with https:// or http://, such as https://mail.example.com/v1/send");
    url.secrets = read_secrets(http);
    if (url.secrets.empty())
        http.warn("no secrets: messages are not signed, and a receiver cannot tell them from anybody's");
    url.allowed = config::read_blocks(http, "allow");
    url.ca_file = http.text("ca_file", "");
    url.timeout = http.duration("timeout", url.timeout, 100ms, 60s);
    url.concurrency = static_cast<int>(http.integer("concurrency", url.concurrency, 1, 256));
    url.horizon = http.duration("horizon", url.horizon, 1s, std::chrono::days{30});
    return url;
}

Destination read_one(const std::string& name, config::Section section) {
    Destination destination{.name = name, .to = Topic{}};
    const bool is_topic = section.has("kafka");
    const bool is_url = section.has("http");
    if (is_topic == is_url)
        section.problem("destination '" + name +
                        "' must be one of kafka and http, as in {kafka: {topic: order-events}}");
    if (is_topic) destination.to = Topic{section.section("kafka").required_text("topic")};
    if (is_url) destination.to = read_url(section.section("http"));
    return destination;
}

}  // namespace

std::vector<Destination> read_destinations(const config::Document& document) {
    std::vector<Destination> destinations;
    const auto value = document.value("destinations");
    if (!value) return destinations;
    if (!value->is_mapping())
        value->problem(
            "destinations must be a mapping, as in {order-events: {kafka: {topic: order-events}}}");
    for (const auto& [key, one] : value->entries()) {
        const std::string name = key.scalar();
        if (!is_name(name))
            key.problem("'" + name + "' is not a destination's name: 1 to 28 letters, digits, - and _");
        const auto is_like = [&](const Destination& other) { return same_but_for_case(other.name, name); };
        if (const auto other = std::ranges::find_if(destinations, is_like); other != destinations.end())
            key.problem("'" + name + "' and '" + other->name +
                        "' differ in case alone, and a server's locks do not");
        destinations.push_back(read_one(name, config::Section{one, "destinations." + name}));
    }
    return destinations;
}

void refuse_own_topics(const std::vector<Destination>& destinations, const config::KafkaSettings& kafka,
                       const config::Document& document) {
    const auto is_own = [&](const std::string& name) {
        return name == kafka.topic || name == kafka.quarantine_topic || name == kafka.originals_topic ||
               name == kafka.callbacks_topic || name == kafka.dlq_topic || name == kafka.command_topic ||
               name.starts_with(kafka.retry_topic(""));
    };
    for (const auto& [name, to] : destinations) {
        const auto* topic = std::get_if<Topic>(&to);
        if (topic == nullptr || topic->name.empty() || !is_own(topic->name)) continue;
        document.section("destinations")
            .section(name)
            .section("kafka")
            .problem_at("topic", "'" + topic->name +
                                     "' is a topic of sluice's own: messages would be read as webhooks or "
                                     "commands; give them another one");
    }
}

OutboxSettings read_outbox(const config::Document& document) {
    auto section = document.section("outbox");
    OutboxSettings settings;
    settings.keep = section.duration("keep", settings.keep, std::chrono::hours{1}, std::chrono::days{3650});
    return settings;
}

Names destination_names(const config::Document& document) {
    Names names;
    const auto value = document.value("destinations");
    if (!value) return names;
    for (const auto& [key, one] : value->entries()) {
        names.all.push_back(key.scalar());
        if (one.entry("http")) names.urls.push_back(key.scalar());
    }
    return names;
}

}  // namespace sluice::destination
