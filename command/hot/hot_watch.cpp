#include "command/hot/hot_watch.hpp"

#include <utility>

#include "common/thread_name.hpp"
#include "common/wait_or_stop.hpp"

namespace sluice::command {
namespace {

constexpr Milliseconds between_looks_at_lists{1000};
constexpr Milliseconds between_first_looks{50};
constexpr std::chrono::seconds patience{10};
constexpr const char* hot_concern = "hot";

}  // namespace

HotWatch::HotWatch(const CommandSet& set, AllHotAccounts& accounts, const Readiness& kafka,
                   const Around& around)
    : set_{set},
      accounts_{accounts},
      kafka_{kafka},
      around_{around},
      failures_{around.metrics.counter("sluice_command_hot_list_failures_total",
                                       "Times that a list of hot accounts could not be read")},
      patient_until_{around.clock.steady() + patience} {
    look();
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void HotWatch::run(const std::stop_token& stop) {
    name_this_thread("hot-watch");
    while (wait_or_stop(stop, has_begun_ ? between_looks_at_lists : between_first_looks)) look();
}

void HotWatch::look() {
    for (const auto& [command, accounts] : accounts_) {
        const auto& file = set_.find(command)->hot->list;
        if (!file.empty()) read_list(command, file, *accounts);
        show(command, *accounts);
    }
    say_how_kafka_is();
}

void HotWatch::read_list(const std::string& command, const std::string& file, HotAccounts& accounts) {
    auto read = read_accounts(file);
    if (!read) {
        failures_.Increment();
        around_.log.write_routine("hot_list_unreadable",
                                  {{"command", std::string_view{command}}, {"file", std::string_view{file}}});
        return;
    }
    const auto [known, is_first] = lists_.try_emplace(command);
    if (!is_first && known->second == *read) return;
    known->second = *read;
    around_.log.info("hot_list_read", {{"command", std::string_view{command}},
                                       {"accounts", static_cast<std::int64_t>(read->size())}});
    accounts.list(std::move(*read));
}

void HotWatch::show(const std::string& command, const HotAccounts& accounts) {
    const auto gauge = [&](const char* by) -> Gauge& {
        return around_.metrics.gauge("sluice_command_hot_accounts", "Accounts that are hot, and by what",
                                     {{"command", command}, {"by", by}});
    };
    gauge("rate").Set(static_cast<double>(accounts.promoted(around_.clock.steady())));
    gauge("list").Set(static_cast<double>(accounts.listed()));
}

void HotWatch::say_how_kafka_is() {
    if (kafka_.ready()) {
        has_begun_ = true;
        around_.readiness.set_ready(hot_concern);
    } else if (has_begun_ || around_.clock.steady() >= patient_until_) {
        has_begun_ = true;
        around_.readiness.set_degraded(hot_concern, kafka_.report());
    } else {
        around_.readiness.set_unready(hot_concern, kafka_.report());
    }
}

}  // namespace sluice::command
