#include "consumer/telemetry/object_bursts.hpp"

namespace sluice::consumer {
namespace {

constexpr unsigned most_within_an_hour = 10;
constexpr std::size_t watched_objects = 131'072;  // 3 MiB
constexpr const char* other_provider = "other";

}  // namespace

ObjectBursts::ObjectBursts(const webhook::SourceSet& sources, Log& log, Metrics& metrics) : log_{log} {
    for (const auto& source : sources) counters_.emplace(source->provider, nullptr);
    counters_.emplace(other_provider, nullptr);
    for (auto& [provider, counter] : counters_)
        counter =
            &metrics.counter("sluice_consumer_object_bursts_total",
                             "Objects with more than ten events within an hour", {{"provider", provider}});
}

void ObjectBursts::taken_in(const Item& item) {
    if (!item.decoded) return;
    const WallTime at =
        item.event.received_at == WallTime{} ? item.record.appended_at : item.event.received_at;
    const ObjectKey object{item.record};
    const std::lock_guard lock{mutex_};
    if (!watch_) watch_.emplace(watched_objects, most_within_an_hour);
    const auto within_an_hour = watch_->saw(object, at);
    if (!within_an_hour) return;
    counter_of(item.event.provider).Increment();
    log_.warn("object_burst", {{"key", std::string_view{object}},
                               {"source", item.event.source},
                               {"type", item.event.type},
                               {"events", std::int64_t{*within_an_hour}}});
}

Counter& ObjectBursts::counter_of(std::string_view provider) {
    const auto known = counters_.find(provider);
    return *(known == counters_.end() ? counters_.find(other_provider) : known)->second;
}

}  // namespace sluice::consumer
