#include "consumer/callbacks/callback_work.hpp"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "common/time_text.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::consumer {
namespace {

constexpr std::size_t most_records = 500;
constexpr std::size_t most_bytes = std::size_t{4} << 20;
constexpr std::chrono::seconds row_lock_wait{1};
constexpr Milliseconds after_a_lost_lock{50};

Counter& counter_of(Metrics& metrics, const char* what) {
    return metrics.counter(
        "sluice_consumer_callbacks_total",
        "Callbacks by what happened to them: recorded, or refused by MySQL; foreign: records "
        "of the two topics that are none of the ingress's",
        {{"what", what}});
}

}  // namespace

CallbackWork::CallbackWork(store::CallbackPlace::Log log, OffsetWriter writer, Partitions& partitions,
                           Process& process)
    : log_{log},
      sources_{process.config.sources},
      clock_{process.clock},
      lines_{process.log},
      partitions_{partitions},
      random_{static_cast<Random::result_type>(std::hash<std::string>{}(writer.name))},
      database_{process.config.mysql, process.log, process.readiness,
                process.clock,        random_,     process.server_moves},
      checked_{database_, partitions, std::move(writer), process.log, process.metrics},
      recorded_{counter_of(process.metrics, "recorded")},
      foreign_{counter_of(process.metrics, "foreign")},
      refused_{counter_of(process.metrics, "refused")} {}

void CallbackWork::export_counters(Metrics& metrics) {
    for (const char* what : {"recorded", "foreign", "refused"}) (void)counter_of(metrics, what);
}

void CallbackWork::take(Items items) {
    for (Item& item : items) waiting_.push_back(std::move(item.record));
}

SteadyTime CallbackWork::next_look() const {
    const auto due = waiting_.empty() ? std::nullopt : std::optional{again_at_.value_or(clock_.steady())};
    return database_.next_look(due);
}

bool CallbackWork::round() {
    if (again_at_ && clock_.steady() < *again_at_) return false;
    again_at_.reset();
    store::Connection* connection = checked_.ready();
    if (connection == nullptr) return false;
    forget_stale();
    if (waiting_.empty()) {
        if (checked_.write_rest()) database_.worked();
        return false;
    }
    const auto records = next_records();
    CallbackRows rows = read(records);
    std::vector<Coordinates> places;
    for (const Record* record : records) places.push_back(record->at);
    if (const auto written = write(*connection, rows, places); !written)
        return failed(*connection, written.error(), records.size());
    recorded_.Increment(static_cast<double>(rows.entries().size()));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(records.size()));
    alone_ -= std::min(alone_, records.size());
    database_.worked();
    return true;
}

std::vector<const Record*> CallbackWork::next_records() const {
    std::vector<const Record*> records;
    std::size_t bytes = 0;
    for (const Record& record : waiting_) {
        bytes += record.value.size();
        const bool is_full = records.size() == (alone_ > 0 ? 1 : most_records) || bytes > most_bytes;
        if (is_full && !records.empty()) break;
        records.push_back(&record);
    }
    return records;
}

CallbackRows CallbackWork::read(std::span<const Record* const> records) {
    CallbackRows rows;
    for (const Record* record : records) {
        const bool is_ours = log_ == store::CallbackPlace::Log::events ? rows.add_event(*record, sources_)
                                                                       : rows.add_batch(*record);
        if (!is_ours) foreign_.Increment();
    }
    return rows;
}

Result<void> CallbackWork::write(store::Connection& connection, CallbackRows& rows,
                                 const std::vector<Coordinates>& places) {
    if (const auto set = connection.set_lock_wait(row_lock_wait); !set) return set;
    const auto kept = store::kept_duplicates(connection, rows.duplicated(), day_of(clock_.wall()));
    if (!kept) return Failure{kept.error()};
    rows.mask_all_but(*kept);
    auto transaction = store::OpenTransaction::begin(connection);
    if (!transaction) return Failure{transaction.error()};
    if (const auto done = store::insert_callbacks(connection, rows.entries()); !done) return done;
    if (FP("consumer.after_callbacks_insert")) return Failure{make_error_code(errc::injected)};
    const std::vector<AppliedOffset> offsets = partitions_.offsets_with(places);
    if (const auto done = write_applied_offsets(connection, checked_.writer(), offsets); !done) return done;
    if (const auto committed = transaction->commit(); !committed) return committed;
    (void)FP("consumer.after_callbacks_commit");
    partitions_.answered(places, offsets);
    return {};
}

/// A lost lock passes. What MySQL refuses of many records it may take of all but one.
bool CallbackWork::failed(store::Connection& connection, std::error_code error, std::size_t records) {
    const Setback setback = statement_failed(connection, error);
    if (setback.database == store::ErrorClass::lost_lock) {
        again_at_ = clock_.steady() + after_a_lost_lock;
        return false;
    }
    if (!may_be_the_events(error)) {
        database_.failed(setback.reason);
        return false;
    }
    if (records > 1)
        alone_ = records;
    else if (own_failures_.is_third("callback", error))
        leave_out_first(setback.reason);
    return true;
}

void CallbackWork::leave_out_first(std::string_view why) {
    const Record& record = waiting_.front();
    refused_.Increment();
    lines_.error("callback_refused", {{"reason", why},
                                      {"topic", std::string_view{checked_.writer().topic}},
                                      {"partition", std::int64_t{record.at.partition}},
                                      {"offset", record.at.offset}});
    partitions_.finish(record.at);
    waiting_.pop_front();
    alone_ -= std::min<std::size_t>(alone_, 1);
}

void CallbackWork::forget_stale() {
    const std::uint64_t changes = partitions_.changes();
    if (std::exchange(seen_changes_, changes) == changes) return;
    std::erase_if(waiting_, [this](const Record& record) { return !partitions_.is_current(record.at); });
}

}  // namespace sluice::consumer
