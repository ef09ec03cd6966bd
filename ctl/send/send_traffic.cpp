#include "ctl/send/send_traffic.hpp"

#include <algorithm>
#include <memory>

#include "common/config/settings/connections.hpp"
#include "common/crypto/random.hpp"
#include "common/joined.hpp"
#include "common/webhook/recipe/program.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/source_of.hpp"
#include "ctl/send/traffic/sample_story.hpp"
#include "ctl/send/traffic/stripe_story.hpp"

namespace sluice::ctl {
namespace {

Stopped misuse(const std::string& what) {
    return Stopped{Exit::usage, what};
}

std::shared_ptr<const webhook::Source> chosen_source(const SendOptions& options,
                                                     const config::Document& document,
                                                     config::Problems& problems, Console& console) {
    if (!options.source.empty()) return source_of(document, options.source, problems, console);
    if (options.provider.empty()) throw misuse("give --source NAME or --provider NAME");
    return source_of_provider(document, options.provider, problems, console);
}

Endpoint endpoint_of(const SendOptions& options, const config::Document& document, config::Problems& problems,
                     const webhook::Source& source, Console& console) {
    std::string url = options.url;
    if (url.empty()) {
        url = url_of(config::read_listen(document, problems));
        refuse_if_any(problems, console);
    }
    const Endpoint endpoint = endpoint_from_url(url, source.path);
    if (options.allow_remote || is_loopback(endpoint.host)) return endpoint;
    throw misuse("\"" + endpoint.host + "\" is not this machine: signed events there may move money. " +
                 "If you want that, add --allow-remote");
}

std::shared_ptr<const Signer> signer_of(const SendOptions& options,
                                        const std::shared_ptr<const webhook::Source>& source, WallTime now) {
    const std::string certificate =
        options.certificate_file.empty() ? std::string{} : file_content(options.certificate_file);
    auto key = options.signing_key_file.empty()
                   ? SigningKey::of(*source, now)
                   : SigningKey::from_pem(*source, file_content(options.signing_key_file), certificate);
    if (!key) throw misuse(key.error());
    return std::make_shared<const Signer>(source, std::move(*key));
}

/// The chosen ones, each of which this source must refuse.
std::vector<Forgery> forgeries_of(const SendOptions& options, const webhook::Source& source) {
    std::vector<Forgery> possible = forgeries_for(source);
    if (options.bad.empty()) return possible;
    std::vector<Forgery> chosen;
    for (const auto& name : options.bad) {
        chosen.push_back(forgery_from(name).value());
        if (!std::ranges::contains(possible, chosen.back()))
            throw misuse("--bad " + name + ": nothing in recipe \"" + source.recipe + "\" would notice");
    }
    return chosen;
}

std::vector<std::string> types_of(const SendOptions& options, const webhook::Source& source) {
    std::vector<std::string> known;
    for (const EventSample& sample : samples_of(source.recipe)) known.push_back(sample.type);
    for (const auto& type : options.types) {
        if (!std::ranges::contains(known, type))
            throw misuse("recipe \"" + source.recipe + "\" has no sample of type \"" + type +
                         "\"; it has: " + (known.empty() ? "none" : joined(known, ", ")));
    }
    if (known.empty() && options.body_file.empty())
        throw misuse("recipe \"" + source.recipe + "\" has no samples: give a body with --body FILE");
    if (!options.types.empty()) return options.types;
    if (source.recipe == "stripe") return stripe_story_types();
    return known.empty() ? std::vector<std::string>{"own"} : known;
}

/// Genuine events first, then those of forged and stale deliveries, from a separate story.
template <class Story>
std::vector<SampleEvent> told_by(const SendOptions& options, const std::vector<std::string>& types,
                                 std::uint64_t seed, std::int64_t created) {
    Story genuine{{.types = types, .customers = options.customers, .seed = seed, .created = created}};
    Story others{{.types = types, .customers = options.customers, .seed = ~seed, .created = created}};
    std::vector<SampleEvent> events;
    events.reserve(options.mix.events + extra_events(options.mix));
    for (std::size_t i = 0; i < options.mix.events; ++i) events.push_back(genuine.next());
    for (std::size_t i = 0; i < extra_events(options.mix); ++i) events.push_back(others.next());
    return events;
}

std::vector<SampleEvent> events_of(const SendOptions& options, const webhook::Source& source,
                                   std::uint64_t seed, WallTime now) {
    const auto created = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    const auto types = types_of(options, source);
    if (is_stripe_story(source.recipe, types)) return told_by<StripeStory>(options, types, seed, created);
    return told_by<SampleStory>(options, types, seed, created);
}

RequestHeaders headers_of(const SendOptions& options) {
    RequestHeaders headers;
    for (const auto& text : options.headers) headers.push_back(header_from_text(text));
    return headers;
}

RequestMaker::Settings maker_settings(const SendOptions& options, const Traffic& traffic) {
    RequestMaker::Settings settings;
    settings.source = traffic.source;
    settings.path = traffic.endpoint.path;
    for (const auto& edit : options.edits) settings.edits.push_back(edit_from_text(edit));
    if (!options.body_file.empty()) settings.own_body = file_content(options.body_file);
    settings.own_body_as_it_is = options.mix.events == 1 && settings.edits.empty();
    settings.headers = headers_of(options);
    return settings;
}

/// Every edit must fit every type that will be sent: found out before the first byte leaves.
void try_requests(const Traffic& traffic, Console& console) {
    const RequestMaker maker{traffic.maker};
    std::vector<std::string> tried;
    for (const auto& event : traffic.events) {
        if (std::ranges::contains(tried, event.type)) continue;
        tried.push_back(event.type);
        static_cast<void>(maker.make(event, Kind::fresh));
    }
    for (const auto& place : maker.added(tried)) console.err << warning_of_added(place);
}

void refuse_what_cannot_be_stale(const SendOptions& options, const webhook::Source& source) {
    if (options.mix.stale > 0 && !source.program->window)
        throw misuse("--stale: source \"" + source.name +
                     "\" accepts signatures of any age, so nothing is too old for it");
}

}  // namespace

Traffic traffic_of(const SendOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const WallTime now = console.clock.wall();
    Traffic traffic;
    traffic.source = chosen_source(options, document, problems, console);
    refuse_what_cannot_be_stale(options, *traffic.source);
    traffic.endpoint = endpoint_of(options, document, problems, *traffic.source, console);
    traffic.signer = signer_of(options, traffic.source, now);
    traffic.forgeries = forgeries_of(options, *traffic.source);
    traffic.seed = options.seed ? *options.seed : std::stoull(crypto::random_hex(4), nullptr, 16);
    traffic.events = events_of(options, *traffic.source, traffic.seed, now);
    Mix mix = options.mix;
    mix.seed = traffic.seed;
    traffic.plan = plan_of(mix);
    traffic.maker = maker_settings(options, traffic);
    traffic.rate = options.rate;
    traffic.threads = std::min(options.threads, std::max<std::size_t>(1, traffic.plan.size()));
    traffic.disorder = options.mix.disorder;
    traffic.attempts = options.retry ? options.attempts : 1;
    traffic.stale_by = std::chrono::seconds{options.stale_by};
    traffic.timeout = Milliseconds{static_cast<std::int64_t>(options.timeout * 1000)};
    traffic.ca_file = options.ca_file;
    traffic.events_file = options.events_file;
    try_requests(traffic, console);
    return traffic;
}

}  // namespace sluice::ctl
