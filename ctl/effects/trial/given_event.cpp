#include "ctl/effects/trial/given_event.hpp"

#include <algorithm>

#include "common/crypto/random.hpp"
#include "common/joined.hpp"
#include "common/trace/context.hpp"
#include "common/webhook/extract/arrival.hpp"
#include "common/webhook/extract/items.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/send/traffic/request_maker.hpp"
#include "ctl/send/traffic/sample_story.hpp"
#include "ctl/send/traffic/stripe_story.hpp"

namespace sluice::ctl {
namespace {

using SourcePtr = std::shared_ptr<const webhook::Source>;

std::string names_of(const std::vector<SourcePtr>& sources) {
    return joined(sources, ", ", [](const auto& source) { return source->name; });
}

Stopped no_sample(const std::vector<SourcePtr>& sources, const std::string& type) {
    const auto types_of = [](const auto& source) {
        const std::string types =
            joined(samples_of(source->recipe), ", ", [](const auto& sample) { return sample.type; });
        return source->name + " has " + (types.empty() ? "none" : types);
    };
    return Stopped{Exit::usage,
                   "there is no sample of type \"" + type + "\": " + joined(sources, "; ", types_of)};
}

/// Effects do not tell an event that was read from a list from the one that a webhook of the account brought.
void leave_out_polled_copies(std::vector<SourcePtr>& sources) {
    const auto all = sources;
    std::erase_if(sources, [&all](const auto& polled) {
        return polled->polled && std::ranges::any_of(all, [&polled](const auto& other) {
                   return !other->polled && other->provider == polled->provider &&
                          other->principal == polled->principal;
               });
    });
}

SourcePtr source_of(const GivenEvent& given, const webhook::SourceSet& sources) {
    std::vector<SourcePtr> fitting;
    std::ranges::copy_if(sources, std::back_inserter(fitting), [&given](const auto& source) {
        return given.source.empty() || source->name == given.source;
    });
    if (fitting.empty())
        throw Stopped{Exit::usage, "there is no source \"" + given.source +
                                       "\"; the sources are: " + names_of({sources.begin(), sources.end()})};
    if (given.type.empty() && fitting.size() == 1) return fitting.front();
    const auto all = fitting;
    if (!given.type.empty())
        std::erase_if(fitting,
                      [&given](const auto& source) { return !has_sample(source->recipe, given.type); });
    if (fitting.empty()) throw no_sample(all, given.type);
    leave_out_polled_copies(fitting);
    if (fitting.size() == 1) return fitting.front();
    throw Stopped{Exit::usage,
                  "several sources could have sent it: give --source, one of " + names_of(fitting)};
}

template <class Story>
SampleEvent first_of(const std::string& type, std::uint64_t seed, WallTime now) {
    const auto created = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    return Story{{.types = {type}, .customers = 20, .seed = seed, .created = created}}.next();
}

std::string type_of(const GivenEvent& given) {
    return given.type.empty() ? "own" : given.type;
}

RequestMaker maker_of(const GivenEvent& given, const SourcePtr& source) {
    RequestMaker::Settings settings;
    settings.source = source;
    settings.path = source->path;
    for (const auto& edit : given.edits) settings.edits.push_back(edit_from_text(edit));
    settings.own_body = given.body;
    settings.own_body_as_it_is = given.edits.empty();
    for (const auto& header : given.headers) settings.headers.push_back(header_from_text(header));
    return RequestMaker{std::move(settings)};
}

OutgoingRequest request_of(const GivenEvent& given, const SourcePtr& source, WallTime now) {
    const std::uint64_t seed = given.seed ? *given.seed : std::stoull(crypto::random_hex(4), nullptr, 16);
    const std::string type = type_of(given);
    const bool is_stripe = is_stripe_story(source->recipe, {type});
    return maker_of(given, source)
        .make(is_stripe ? first_of<StripeStory>(type, seed, now) : first_of<SampleStory>(type, seed, now),
              Kind::fresh);
}

[[noreturn]] void stop_unread(const webhook::Source& source, const webhook::Unread& unread) {
    throw Stopped{Exit::no, "source \"" + source.name + "\" cannot read it (" + unread.why +
                                "), so no effect would see it: it would go to quarantine"};
}

TrialEvent event_of(const webhook::Readable<webhook::Extracted>& read, std::string_view body,
                    const webhook::Source& source, WallTime now) {
    if (!read) stop_unread(source, read.error());
    record::EventHeaders headers = read->headers;
    const auto trace = trace::continue_trace({}, {});
    webhook::complete(headers, {now, {}, trace.traceparent(), trace.state()});
    record::EncodedHeaders encoded;
    TrialEvent event;
    for (const auto& [name, value] : encoded.encode(headers)) event.headers.emplace_back(name, value);
    event.key = read->ordering_key;
    event.body = body;
    return event;
}

}  // namespace

std::vector<std::string> added_places(const GivenEvent& given, const webhook::SourceSet& sources) {
    return maker_of(given, source_of(given, sources)).added({type_of(given)});
}

std::vector<TrialEvent> events_of(const GivenEvent& given, const webhook::SourceSet& sources, WallTime now) {
    const SourcePtr source = source_of(given, sources);
    const OutgoingRequest request = request_of(given, source, now);
    const ArrivedRequest arrived{request};
    webhook::JsonView view;
    webhook::JsonView element;
    std::vector<TrialEvent> events;
    if (source->has_items) {
        const auto items = webhook::extract_items(*source, arrived.view(), view, element);
        if (!items) stop_unread(*source, items.error());
        for (const auto& item : *items) events.push_back(event_of(item.event, item.value, *source, now));
    } else {
        events.push_back(
            event_of(webhook::extract(*source, arrived.view(), view), request.body, *source, now));
    }
    for (TrialEvent& event : events) event.from = given.body ? given.file : "the sample of " + given.type;
    return events;
}

}  // namespace sluice::ctl
