#include "common/config/settings/connections.hpp"

namespace sluice::config {

CallbackSettings read_callbacks(const Document& document) {
    using std::chrono::days;
    constexpr days longest_keep{3'650};
    auto callbacks = document.section("callbacks");
    CallbackSettings settings;
    settings.recorded = callbacks.one_of("record", {"all", "none"}, "none") == "all";
    const auto keep = callbacks.duration("keep", settings.keep, days{1}, longest_keep);
    settings.keep = std::chrono::floor<days>(keep);
    if (settings.keep != keep)
        callbacks.problem_at("keep",
                             "callbacks.keep must be whole days, such as 90d: partitions are dropped by day");
    auto anomalies = callbacks.section("anomalies");
    settings.most_in_a_minute =
        static_cast<int>(anomalies.integer("per_minute", settings.most_in_a_minute, 1, 1'000'000));
    settings.most_in_an_hour =
        static_cast<int>(anomalies.integer("per_hour", settings.most_in_an_hour, 1, 1'000'000));
    settings.tell = anomalies.text("tell", "");
    return settings;
}

}  // namespace sluice::config
